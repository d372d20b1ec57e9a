//! Terms as an SMT-LIB script, for other solvers to read.

use crate::{Meaning, Op, Pool, Sort, Term, TermId, cone};
use std::fmt::Write;

/// A script and the names in it.
#[derive(Clone, Debug)]
pub struct Script {
    /// Declarations, definitions and assertions, without `set-logic` and `check-sat`.
    pub text: String,
    /// The variables, with their names.
    pub vars: Vec<(TermId, String)>,
}

/// A script that asserts truth values. Every term below them is defined once, by its meaning in SMT-LIB 2.6, so the
/// script is linear in the number of terms and needs no recent operator.
pub fn script(pool: &Pool, assertions: &[TermId]) -> Script {
    let mut text = String::new();
    let mut vars = Vec::new();
    for id in cone(pool, assertions) {
        let term = pool.term(id);
        if term.op() == Op::Var {
            vars.push((id, name(id)));
            push(&mut text, format_args!("(declare-const {} {})\n", name(id), term.sort().in_smtlib()));
        } else {
            let body = body(pool, id, term);
            push(
                &mut text,
                format_args!("(define-fun {} () {} {body})\n", name(id), term.sort().in_smtlib()),
            );
        }
    }
    for &id in assertions {
        push(&mut text, format_args!("(assert (= {} #b1))\n", name(id)));
    }
    Script { text, vars }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a string cannot fail");
}

fn name(id: TermId) -> String {
    format!("t{}", id.index())
}

fn body(pool: &Pool, id: TermId, term: &Term) -> String {
    match term.op().info().meaning {
        Meaning::Term(template) => fill(pool, term, template),
        Meaning::Truth(template) => format!("(ite {} #b1 #b0)", fill(pool, term, template)),
        Meaning::Parity => parity(pool, term.arg(0)),
        Meaning::Leaf => pool.value(id).map_or_else(String::new, ToString::to_string),
    }
}

fn parity(pool: &Pool, arg: TermId) -> String {
    let bits = (0..pool.width(arg)).map(|bit| format!(" ((_ extract {bit} {bit}) {})", name(arg)));
    // The leading zero makes it two operands at least.
    format!("(bvxor #b0{})", bits.collect::<String>())
}

/// Puts names and numbers into a template. See [`Meaning`].
fn fill(pool: &Pool, term: &Term, template: &str) -> String {
    let arg_name = |index: usize| term.args().nth(index).map(name).unwrap_or_default();
    let arg_width = |index: usize| {
        let sort = term.args().nth(index).map(|arg| pool.sort(arg));
        sort.and_then(Sort::bits).map_or(0, u64::from)
    };
    let index = |index: usize| {
        if index < term.op().info().shape.n_indices() { term.index(index).to_string() } else { String::new() }
    };
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (key, after) = after.split_once('}').unwrap_or((after, ""));
        text.push_str(before);
        text.push_str(&match key {
            "a" => arg_name(0),
            "b" => arg_name(1),
            "c" => arg_name(2),
            "i" => index(0),
            "j" => index(1),
            "w" => arg_width(0).to_string(),
            "v" => arg_width(1).to_string(),
            "n" => arg_width(0).saturating_sub(1).to_string(),
            "e" => (2 * arg_width(0)).saturating_sub(1).to_string(),
            "t" => (arg_width(0) + arg_width(1)).to_string(),
            "s" => term.sort().in_smtlib(),
            _ => panic!("no such key in a template: {key}"),
        });
        rest = after;
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rewriting;

    #[test]
    fn terms_are_defined_by_their_meaning() {
        let mut pool = Pool::with_rewriting(Rewriting::Off);
        let x = pool.var(Sort::Bits(3));
        let next = pool.mk(Op::Inc, &[x]);
        let less = pool.mk(Op::Ult, &[x, next]);
        let script = script(&pool, &[less]);
        let expected = "(declare-const t0 (_ BitVec 3))\n\
                        (define-fun t1 () (_ BitVec 3) (bvadd t0 (_ bv1 3)))\n\
                        (define-fun t2 () (_ BitVec 1) (ite (bvult t0 t1) #b1 #b0))\n\
                        (assert (= t2 #b1))\n";
        assert_eq!(script.text, expected);
        assert_eq!(script.vars, [(x, "t0".to_owned())]);
    }
}
