//! A term becomes an operand of a new operator of its sort.
//!
//! ```text
//! x   ->   (bvadd x #b0000)       an operation that changes nothing
//! x   ->   (ite true x (g y))
//! p   ->   (not (not p))
//! x   ->   (bvshl (bvmul y z) x)  one that does
//! ```

use super::freedom::Freedom;
use super::grow::Grow;
use super::{Draw, Splice};
use nub_smtlib::{NodeId, SmtOp, SmtSort, SortId};

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let place = draw.pick(&seed.places)?;
    if seed.freedom(place) != Freedom::Term {
        return None;
    }
    let sort = seed.sort(place);
    let term = match draw.rng.below(4) {
        0 => with_identity(draw, place, sort)?,
        1 => twice(draw, place, sort)?,
        2 if sort != SortId::REGLAN => {
            let value = if draw.rng.percent(50) { "true" } else { "false" };
            let other = Grow::at(draw, place).term(sort, 1)?;
            let own = seed.slice(place);
            let (then, or_else) = if value == "true" { (own, &other[..]) } else { (&other[..], own) };
            [format!("(ite {value} ").as_bytes(), then, b" ", or_else, b")"].concat()
        }
        _ => Grow::at(draw, place).around(sort, seed.slice(place))?,
    };
    Some(vec![Splice::replace(seed.span(place), term)])
}

/// `(op t identity)`
fn with_identity(draw: &mut Draw, place: NodeId, sort: SortId) -> Option<Vec<u8>> {
    let seed = draw.seed;
    let sorts = seed.analysis.sorts();
    let fitting = |op: &&&'static SmtOp| {
        op.identity.is_some() && op.indices.1 == 0 && super::fits::fits(op, &[sort, sort], sort, sorts)
    };
    let ops: Vec<&'static SmtOp> = draw.ops.iter().filter(fitting).copied().collect();
    let op = draw.pick(&ops)?;
    let identity = match (sorts.get(sort), op.identity?) {
        (SmtSort::BitVec(width), "-1") => format!("(bvnot (_ bv0 {width}))"),
        (SmtSort::BitVec(width), value) => format!("(_ bv{value} {width})"),
        (SmtSort::Real, value) => format!("{value}.0"),
        (_, value) => value.to_owned(),
    };
    let own = seed.slice(place);
    let (a, b) = if op.commutative && draw.rng.percent(50) {
        (identity.as_bytes(), own)
    } else {
        (own, identity.as_bytes())
    };
    Some([b"(", op.name.as_bytes(), b" ", a, b" ", b, b")"].concat())
}

/// `(f (f t))` for a function that is its own inverse.
fn twice(draw: &Draw, place: NodeId, sort: SortId) -> Option<Vec<u8>> {
    let own = draw.seed.slice(place);
    let name: &[u8] = match (draw.seed.analysis.sorts().get(sort), own.len() % 2) {
        (SmtSort::Bool, _) => b"not",
        (SmtSort::BitVec(_), 0) => b"bvnot",
        (SmtSort::BitVec(_), _) => b"bvneg",
        (SmtSort::Int | SmtSort::Real, _) => b"-",
        (SmtSort::Float(..), _) => b"fp.neg",
        (SmtSort::RegLan, _) => b"re.comp",
        _ => return None,
    };
    Some([b"(", name, b" (", name, b" ", own, b"))"].concat())
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn identities_and_more() {
        let seed = "(declare-const x (_ BitVec 2))(assert (= x x))";
        let head = "(declare-const x (_ BitVec 2))";
        let all = expect(
            MutationKind::WrapTerm,
            seed,
            &[
                &format!("{head}(assert (= (bvneg (bvneg x)) x))"),
                &format!("{head}(assert (= x (bvadd x (_ bv0 2))))"),
                &format!("{head}(assert (not (not (= x x))))"),
            ],
        );
        assert!(all.len() > 50);
    }
}
