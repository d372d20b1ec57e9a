//! What must hold for every text that is read as rules, as a function that panics otherwise.
//!
//! The fuzz target `rules_read` and the tests call it.

use super::{RulePass, read};
use crate::check::check_edit;
use crate::smtlib::SmtView;
use crate::{Pass, render};

/// The largest width of the instances.
const MAX_WIDTH: u32 = 2;
/// Limit on the rules of one text that are tried.
const MAX_TRIED: usize = 8;
/// A script with something to match for most patterns.
const SCRIPT: &[u8] = b"(declare-const a (_ BitVec 2))(declare-const p Bool)(declare-const i Int)\
    (assert (and p true (not (not p)) (or p false) (= a (bvadd a #b00) ((_ extract 1 0) ((_ zero_extend 1) a)))))\
    (assert (xor (=> p p) (ite p (< i 0) (= (bvshl a #b11) (_ bv0 2)))))(check-sat)";

/// Reading any bytes terminates; an error has a span in the text and a hint; a rule that was read can be instantiated, written as an
/// obligation and matched, and its edits are valid for the script.
///
/// # Panics
/// If that does not hold.
pub fn check(text: &[u8]) {
    let rules = match read(text) {
        Ok(rules) => rules,
        Err(error) => {
            assert!(error.span.end as usize <= text.len(), "the place is in the text");
            assert!(!error.message.is_empty() && error.hint.is_some(), "{error:?}");
            return;
        }
    };
    let view = SmtView::new(SCRIPT);
    for rule in rules.into_iter().take(MAX_TRIED) {
        if let Ok(instances) = rule.instances(MAX_WIDTH) {
            for instance in instances.all.iter().take(MAX_TRIED) {
                let _ = rule.obligation(instance);
            }
        }
        for edit in RulePass::unnamed(rule).edits(&view) {
            check_edit("rule", SCRIPT, &edit);
            let after = SmtView::new(&render(SCRIPT, &edit.splices));
            assert!(after.bracket_errors().is_empty(), "brackets stay balanced");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_and_cuts_of_good_rules() {
        let text = b"(rule r ((x (_ BitVec n)) (k (_ BitVec n) :literal) (i :index) (xs Bool :rest) (y ?A)) \
            (and (= ((_ extract i 0) (bvadd x k #b01)) y) xs) (or xs (= (bits (mod (value k) (pow2 n)) 3) #x0)) \
            :when (and (< i n) (or (not (= (value k) 1)) true)))";
        (0..=text.len()).for_each(|end| check(&text[..end]));
        for start in 0..text.len() {
            let cut = [&text[..start], &text[text.len().min(start + 3)..]].concat();
            check(&cut);
        }
    }

    #[test]
    fn hostile_texts() {
        for text in [
            &b"(rule r ((x (_ BitVec 4294967295))) (bvnot x) x)"[..],
            b"(rule r ((x (_ BitVec n)) (i :index)) ((_ repeat i) x) (bits 1 (* n n n n n)))",
            b"(rule r ((x (_ BitVec n))) (bvnot x) (bits (pow2 (pow2 (pow2 n))) (pow2 n)))",
            b"(rule r ((x (_ BitVec n))) (bvnot x) (bits (- 0 (* n n)) n))",
            b"(rule r ((x Bool)) (and x x x x) (and (and x x) (and x x)))",
            b"(rule r ((x Bool)) (not x) (_ bv99999999999999999999999999999999999999999 8))",
            b"(rule \xff ((\xfe Bool)) (not \xfe) \xfe)",
            b"(rule r ((x Bool)) ((_ and 1) x) x)",
            b"(rule r ((x Bool)) ((as and Bool) x) x)",
        ] {
            check(text);
        }
        check(&b"(".repeat(100_000));
        check(&[b"(rule r ((x Bool)) ".as_slice(), &b"(not ".repeat(50_000), &b")".repeat(50_000)].concat());
    }
}
