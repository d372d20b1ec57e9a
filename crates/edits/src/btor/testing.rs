//! Helpers for the tests of passes: texts before and after.

use super::{BtorView, clean_up};
use crate::{Edit, MergedEdits, Pass, render};
use nub_btor::BtorDialect;

/// The result of each edit of a pass on a text, with clean-up.
pub(super) fn each(pass: &dyn Pass<BtorView>, text: &str) -> Vec<String> {
    let view = read(text);
    pass.edits(&view).iter().map(|edit| apply(&view, edit)).collect()
}

/// As [`each`], for the first edit.
pub(super) fn first(pass: &dyn Pass<BtorView>, text: &str) -> String {
    each(pass, text).into_iter().next().unwrap()
}

pub(super) fn read(text: &str) -> BtorView {
    let dialect = BtorDialect::guess(text.as_bytes()).unwrap();
    let view = BtorView::new(text.as_bytes(), dialect);
    assert!(view.file().faults().is_empty(), "{:?}", view.file().faults());
    view
}

pub(super) fn apply(view: &BtorView, edit: &Edit) -> String {
    let mut merged = MergedEdits::default();
    assert!(merged.add(edit));
    clean_up(view, &mut merged, &[]);
    String::from_utf8(render(view.text(), &merged.splices())).unwrap()
}
