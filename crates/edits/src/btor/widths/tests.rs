//! The result of narrowing small files.

use super::*;
use crate::btor::testing::{each, first};

#[test]
fn the_example_of_the_module() {
    let text = "1 array 8 4\n2 var 4\n3 read 8 1 2\n4 slice 1 3 7 7\n5 root 1 4\n";
    let narrow = "1 array 1 1\n2 var 1\n3 read 1 1 2\n4 slice 1 3 0 0\n5 root 1 4\n";
    assert_eq!(first(&Widths::Whole, text), narrow);
}

#[test]
fn index_and_element_are_classes_of_their_own() {
    let text = "1 array 8 4\n2 var 4\n3 read 8 1 2\n4 redor 1 3\n5 root 1 4\n";
    let found = each(&Widths::Classes, text);
    assert!(
        found.contains(&"1 array 8 1\n2 var 1\n3 read 8 1 2\n4 redor 1 3\n5 root 1 4\n".to_owned()),
        "{found:?}"
    );
    assert!(
        found.contains(&"1 array 2 4\n2 var 4\n3 read 2 1 2\n4 redor 1 3\n5 root 1 4\n".to_owned()),
        "{found:?}"
    );
}

#[test]
fn constants_keep_their_low_bits() {
    let text = "1 const 8 10010110\n2 constd 8 200\n3 consth 8 a7\n4 add 8 1 2\n5 add 8 4 3\n6 redor 1 5\n7 root 1 6\n";
    let found = each(&Widths::Whole, text);
    let four =
        "1 const 4 0110\n2 constd 4 8\n3 consth 4 7\n4 add 4 1 2\n5 add 4 4 3\n6 redor 1 5\n7 root 1 6\n";
    assert!(found.contains(&four.to_owned()), "{found:?}");
}

#[test]
fn assignments_follow_their_state() {
    let text = "1 var 8\n2 inc 8 1\n3 next 8 1 2\n4 slice 1 1 7 7\n5 root 1 4\n";
    assert_eq!(
        first(&Widths::Whole, text),
        "1 var 1\n2 inc 1 1\n3 next 1 1 2\n4 slice 1 1 0 0\n5 root 1 4\n"
    );
}

#[test]
fn a_sort_changes_in_place_if_all_users_agree() {
    let text = "1 sort bitvec 4\n2 sort bitvec 8\n3 sort array 1 2\n4 input 3\n5 input 1\n6 read 2 4 5\n7 output 6\n";
    let narrow = "1 sort bitvec 1\n2 sort bitvec 1\n3 sort array 1 2\n4 input 3\n5 input 1\n6 read 2 4 5\n7 output 6\n";
    assert_eq!(first(&Widths::Whole, text), narrow);
}

#[test]
fn users_that_disagree_are_pointed_at_another_sort() {
    let text = "1 sort bitvec 1\n2 sort bitvec 8\n3 input 2\n4 input 2\n5 output 3\n6 redor 1 4\n7 bad 6\n";
    let found = each(&Widths::Classes, text);
    assert_eq!(
        found[0],
        "1 sort bitvec 1\n2 sort bitvec 8\n3 input 1\n4 input 2\n5 output 3\n6 redor 1 4\n7 bad 6\n"
    );
    assert_eq!(
        found[1],
        "1 sort bitvec 1\n2 sort bitvec 8\n3 input 2\n4 input 1\n5 output 3\n6 redor 1 4\n7 bad 6\n"
    );
    assert_eq!(found.len(), 2, "there is no sort of 2, 4 or 7 bits");
}

#[test]
fn a_filled_array_narrows_with_its_element() {
    let text = "1 sort bitvec 8\n2 sort array 1 1\n3 constd 1 9\n4 state 2\n5 init 2 4 3\n6 read 1 4 3\n7 output 6\n";
    let narrow = "1 sort bitvec 1\n2 sort array 1 1\n3 constd 1 1\n4 state 2\n5 init 2 4 3\n6 read 1 4 3\n7 output 6\n";
    assert_eq!(first(&Widths::Whole, text), narrow);
}

#[test]
fn ill_formed_lines_stay_as_they_are() {
    let view =
        BtorView::new(b"1 var 8\n2 var 4\n3 add 8 1 2\n4 var 9\n5 not 9 4\n", nub_btor::BtorDialect::Btor);
    let edits = Widths::Classes.edits(&view);
    let touched = |edit: &Edit| edit.splices.iter().all(|splice| splice.span.start > 27);
    assert!(!edits.is_empty() && edits.iter().all(touched), "{edits:?}");
}
