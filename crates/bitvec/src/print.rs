//! Terms as an SMT-LIB script, for other solvers to read.

use crate::{Meaning, Op, Pool, Sort, Term, TermId, cone};
use std::fmt::Write;

/// A script and the names in it.
#[derive(Clone, Debug)]
pub struct PrintedScript {
    /// Declarations, definitions and assertions, without `set-logic` and `check-sat`.
    pub text: String,
    /// The variables, with their names.
    pub vars: Vec<(TermId, String)>,
}

/// A script that asserts truth values. Every term below them is defined once, by its meaning in SMT-LIB 2.6, so the
/// script is linear in the number of terms and needs no recent operator.
pub fn script(pool: &Pool, assertions: &[TermId]) -> PrintedScript {
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
    PrintedScript { text, vars }
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
    // The leading zero ensures that there are at least two operands.
    format!("(bvxor #b0{})", bits.collect::<String>())
}

fn fill(pool: &Pool, term: &Term, template: &str) -> String {
    let names: Vec<String> = term.args().map(name).collect();
    let args: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
    let n_indices = term.op().info().shape.n_indices();
    let width = |index: usize| term.args().nth(index).and_then(|arg| pool.sort(arg).bits()).unwrap_or(0);
    let holes = Holes {
        args: &args,
        widths: [0, 1].map(width),
        indices: [0, 1].map(|index| if index < n_indices { term.index(index) } else { 0 }),
        sort: term.sort(),
    };
    String::from_utf8(holes.fill(template)).expect("names and templates are ASCII")
}

/// What the placeholders of a template stand for. See [`Meaning`].
#[derive(Clone, Copy, Debug)]
pub struct Holes<'a> {
    /// The operands as terms.
    pub args: &'a [&'a [u8]],
    /// The widths of the first two operands, 0 for an array.
    pub widths: [u32; 2],
    /// The indices; surplus ones are ignored.
    pub indices: [u32; 2],
    /// The sort of the result.
    pub sort: Sort,
}

impl Holes<'_> {
    /// Fills in a template. Panics on an unknown placeholder.
    pub fn fill(&self, template: &str) -> Vec<u8> {
        let arg = |index: usize| self.args.get(index).copied().unwrap_or_default().to_vec();
        let number = |number: u64| number.to_string().into_bytes();
        let [w, v] = self.widths.map(u64::from);
        let mut text = Vec::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (key, after) = after.split_once('}').unwrap_or((after, ""));
            text.extend_from_slice(before.as_bytes());
            text.extend(match key {
                "a" => arg(0),
                "b" => arg(1),
                "c" => arg(2),
                "i" => number(self.indices[0].into()),
                "j" => number(self.indices[1].into()),
                "w" => number(w),
                "v" => number(v),
                "n" => number(w.saturating_sub(1)),
                "e" => number((2 * w).saturating_sub(1)),
                "t" => number(w + v),
                "s" => self.sort.in_smtlib().into_bytes(),
                _ => panic!("no such hole in a template: {key}"),
            });
            rest = after;
        }
        text.extend_from_slice(rest.as_bytes());
        text
    }
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
