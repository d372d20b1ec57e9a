//! Numbers variables consecutively.
//!
//! ```text
//! p cnf 71 2        p cnf 2 2
//! 40 71 0      =>   1 2 0
//! -71 0             -2 0
//! ```
//!
//! Three numberings of all variables are offered: in the order of the old numbers, in the order of first
//! occurrence, and the most frequent first, which is shortest if there are more than nine. The engine accepts each
//! only if the file gets smaller in its order. If the failure depends on some numbers, single variables get free ones.

use super::DimacsView;
use crate::{Edit, Grouping, Pass};
use nub_dimacs::Var;
use nub_text::Span;
use rustc_hash::FxHashMap;

/// Limit on the variables that are renumbered one by one.
const MAX_SINGLE: usize = 500;

/// How many variables to renumber at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DimacsRenumber {
    /// All, in one of three orders.
    All,
    /// Each into a gap, the largest first.
    Single,
}

impl Pass<DimacsView> for DimacsRenumber {
    fn name(&self) -> &'static str {
        match self {
            DimacsRenumber::All => "renumber",
            DimacsRenumber::Single => "renumber-single",
        }
    }

    fn grouping(&self) -> Grouping {
        match self {
            DimacsRenumber::All => Grouping::Single,
            DimacsRenumber::Single => Grouping::Groups,
        }
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        match self {
            DimacsRenumber::All => [by_number(view), by_appearance(view), by_frequency(view)]
                .into_iter()
                .filter_map(|order| renumber_all(view, &order))
                .collect(),
            DimacsRenumber::Single => into_gaps(view),
        }
    }
}

fn by_number(view: &DimacsView) -> Vec<Var> {
    view.occurrences().vars().collect()
}

fn by_appearance(view: &DimacsView) -> Vec<Var> {
    let mut vars: Vec<_> = view.occurrences().all().map(|(var, mut places)| (places.next(), var)).collect();
    vars.sort_unstable();
    vars.into_iter().map(|(_, var)| var).collect()
}

/// Variables of equal frequency are in the order of first occurrence.
fn by_frequency(view: &DimacsView) -> Vec<Var> {
    let all = view.occurrences().all();
    let mut vars: Vec<_> = all
        .map(|(var, mut places)| (std::cmp::Reverse(places.clone().count()), places.next(), var))
        .collect();
    vars.sort_unstable();
    vars.into_iter().map(|(_, _, var)| var).collect()
}

/// The first variable of the order becomes 1. `None` if nothing changes.
fn renumber_all(view: &DimacsView, order: &[Var]) -> Option<Edit> {
    let new: FxHashMap<Var, Var> =
        order.iter().zip(1..).filter_map(|(&var, number)| Some((var, Var::new(number)?))).collect();
    let mut splices: Vec<(Span, Vec<u8>)> = Vec::new();
    for literal in view.file().literals() {
        let Some(lit) = literal.lit else { continue };
        let Some(&var) = new.get(&lit.var()).filter(|&&var| var != lit.var()) else { continue };
        splices.push((literal.span, lit.with_var(var).to_int().to_string().into_bytes()));
    }
    if splices.is_empty() { None } else { Edit::try_of(splices) }
}

/// The largest variable gets the smallest free number. The new numbers are all different, so groups never conflict.
fn into_gaps(view: &DimacsView) -> Vec<Edit> {
    let vars = by_number(view);
    let mut used = vars.iter().map(|var| var.number()).peekable();
    let gaps = (1..=Var::MAX).filter(|&number| {
        while used.next_if(|&other| other < number).is_some() {}
        used.peek() != Some(&number)
    });
    let moves = vars.iter().rev().zip(gaps).take(MAX_SINGLE).take_while(|(var, gap)| *gap < var.number());
    let edit = |(&from, gap): (&Var, u32)| {
        let to = Var::new(gap)?;
        let places =
            view.occurrences().of(from).filter_map(|id| Some((view.literal_span(id), view.lit(id)?)));
        Edit::try_of(places.map(|(span, lit)| (span, lit.with_var(to).to_int().to_string().into_bytes())))
    };
    moves.filter_map(edit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MergedEdits;
    use crate::dimacs::render;
    use nub_dimacs::DimacsKind;

    fn after(pass: DimacsRenumber, text: &str) -> Vec<String> {
        let view = DimacsView::new(text.into(), DimacsKind::Cnf);
        let render = |edit: &Edit| {
            let mut merged = MergedEdits::default();
            merged.add(edit);
            String::from_utf8(render(&view, &merged, &[])).unwrap()
        };
        pass.edits(&view).iter().map(render).collect()
    }

    #[test]
    fn three_orders() {
        let orders = after(DimacsRenumber::All, "p cnf 71 2\n71 4 0\n-40 40 0\n");
        assert_eq!(orders[0], "p cnf 3 2\n3 1 0\n-2 2 0\n");
        assert_eq!(orders[1], "p cnf 3 2\n1 2 0\n-3 3 0\n");
        assert_eq!(orders[2], "p cnf 3 2\n2 3 0\n-1 1 0\n");
        assert!(after(DimacsRenumber::All, "p cnf 2 1\n1 -2 0\n").is_empty());
    }

    #[test]
    fn gaps() {
        let singles = after(DimacsRenumber::Single, "p cnf 71 2\n71 2 0\n-4 4 0\n");
        assert_eq!(singles, ["p cnf 4 2\n1 2 0\n-4 4 0\n", "p cnf 71 2\n71 2 0\n-3 3 0\n"]);
    }
}
