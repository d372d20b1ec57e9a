//! Example 2 of [Niemetz13]: figure 1 becomes figures 5a, 5b, 6a, 6b, 6c, 7, in this order.

mod common;

use common::{normal, reduce};
use nub_reduce::strategies::ddsmt;

const FIGURES: [(&str, &str); 6] = [
    ("5a", include_str!("ddsmt/fig5a.smt2")),
    ("5b", include_str!("ddsmt/fig5b.smt2")),
    ("6a", include_str!("ddsmt/fig6a.smt2")),
    ("6b", include_str!("ddsmt/fig6b.smt2")),
    ("6c", include_str!("ddsmt/fig6c.smt2")),
    ("7", include_str!("ddsmt/fig7.smt2")),
];

const INPUT: &str = include_str!("ddsmt/fig1.smt2");

/// `grep "\<get-value\>"`, figure 4.
fn supports_no_get_value(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).any(|word| word == "get-value")
}

/// Checks that each figure is an accepted state, in order; returns how many states there were up to the last
/// figure.
fn check_figures(accepted: &[String]) -> usize {
    let mut from = 0;
    for (name, text) in FIGURES {
        let found = accepted[from..].iter().position(|state| *state == normal(text));
        from += found.unwrap_or_else(|| panic!("figure {name} is not among {:#?}", &accepted[from..])) + 1;
    }
    from
}

/// The accepted states after the first, which only changes the layout, and the result.
fn after_printing(fails: impl Fn(&str) -> bool + Sync) -> (Vec<String>, String) {
    let (accepted, result) = reduce(INPUT, fails, ddsmt);
    assert_eq!(accepted[0], normal(INPUT), "the layout alone has changed");
    (accepted[1..].to_vec(), result)
}

#[test]
fn the_figures_in_order() {
    let (accepted, result) = after_printing(supports_no_get_value);
    let n_states = check_figures(&accepted);
    assert_eq!(n_states, FIGURES.len(), "nothing in between");
    // The paper stops at figure 7, but the oracle of its figure 4 does not need `check-sat`, which is neither
    // `set-logic` nor `exit`: by §2.2 it is eliminated too.
    assert_eq!(result, normal("(set-logic UFNIA)(get-value (false))(exit)"));
}

#[test]
fn figure_7_is_final_where_get_value_needs_check_sat() {
    let fails = |text: &str| supports_no_get_value(text) && text.contains("(check-sat)");
    let (accepted, result) = after_printing(fails);
    assert_eq!(check_figures(&accepted), accepted.len());
    assert_eq!(result, normal(FIGURES[5].1));
}
