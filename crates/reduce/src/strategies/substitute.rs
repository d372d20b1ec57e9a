//! ddSMT's `substitute` ([Niemetz13] fig. 8): its version of delta debugging.
//!
//! ```text
//! granularity 4   abcd                     all substituted at once: passes
//! granularity 2   AB cd   ->  abCD fails   CD stays substituted and leaves the superset
//! granularity 1   Ab   aB                  each one alone
//! ```
//!
//! Subsets, no complements; the granularity starts at the size of the superset and is halved. An item inside an
//! already substituted term counts as substituted, and a subset of such items needs no ask.
//!
//! With several workers the next subsets are asked speculatively, as if the ones before would fail. The first
//! success in order counts, and the rest are asked again on top of it, so the result is the same as with one
//! worker.

use super::substitution::State;
use crate::smt::SmtLib;
use crate::{Engine, ReductionStop};
use nub_edits::dag::DagSubstitution;
use nub_edits::smtlib::SmtView;
use nub_edits::smtlib::ddsmt::declaration_place;
use nub_edits::smtlib::tidy::afresh;

/// Lines 7 to 11: substitutes the items that are not substituted yet, or returns `None` if there are none.
fn with(state: &State, subset: &[DagSubstitution]) -> Option<State> {
    if subset.iter().all(|item| state.covers(&item.edit)) {
        return None;
    }
    state.with(subset)
}

/// How candidates are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Print {
    /// One command per line, single blanks, no comments: as ddSMT prints the script it has read.
    Afresh,
    /// In the layout of the original, which the failure needs.
    AsItIs,
}

impl Print {
    /// The text in this layout.
    pub fn print(self, text: Vec<u8>) -> Vec<u8> {
        match self {
            Print::Afresh => afresh(&SmtView::new(&text)),
            Print::AsItIs => text,
        }
    }
}

/// Substitutes as many items of the superset as possible while it still fails. True if there was a success.
pub fn substitute(
    engine: &mut Engine<'_, SmtLib>,
    pass: &'static str,
    print: Print,
    mut superset: Vec<DagSubstitution>,
) -> Result<bool, ReductionStop> {
    engine.retain_free(&mut superset, |item| &item.edit);
    let before = engine.text().len();
    let mut state = State::default();
    let mut result = Ok(());
    let mut granularity = superset.len();
    while granularity > 0 && result.is_ok() {
        let n_subsets = superset.len() / granularity;
        let mut subsets = split(superset, n_subsets);
        result = ask_subsets(engine, pass, print, &mut subsets, &mut state);
        superset = subsets.into_iter().flatten().collect();
        granularity /= 2;
    }
    let kept = engine.end_step(pass, before);
    result.map(|()| kept && !state.is_empty())
}

/// Parts of nearly equal size, the larger ones first. The figure does not say what `split` does with zero parts, which
/// happens when few items are left; then they are one part, because dropping them cannot be intended.
fn split(superset: Vec<DagSubstitution>, n_subsets: usize) -> Vec<Vec<DagSubstitution>> {
    let n_subsets = n_subsets.max(1);
    let (size, n_larger) = (superset.len() / n_subsets, superset.len() % n_subsets);
    let mut items = superset.into_iter();
    (0..n_subsets).map(|i| items.by_ref().take(size + usize::from(i < n_larger)).collect()).collect()
}

/// Lines 6 to 22: asks subset by subset; a successful one leaves the list.
fn ask_subsets(
    engine: &mut Engine<'_, SmtLib>,
    pass: &'static str,
    print: Print,
    subsets: &mut [Vec<DagSubstitution>],
    state: &mut State,
) -> Result<(), ReductionStop> {
    let place = declaration_place(engine.view());
    let mut next = 0;
    loop {
        let found = engine.first_failing(pass, |engine| {
            while next < subsets.len() {
                next += 1;
                if let Some(candidate) = with(state, &subsets[next - 1]) {
                    let bytes = print.print(candidate.bytes(engine, place));
                    return Some(((next - 1, candidate), bytes));
                }
            }
            None
        })?;
        let Some(((index, candidate), bytes)) = found else { return Ok(()) };
        engine.adopt(pass, bytes)?;
        *state = candidate;
        subsets[index].clear();
        next = index + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllowedCandidates, Quiet, ReduceConfig};
    use nub_edits::smtlib::ddsmt::{CommandFilter, commands};
    use nub_oracle::FnOracle;
    use nub_process::Cancel;
    use std::sync::Mutex;

    /// Reduces the commands of a text by one call; returns every candidate asked, and the result.
    fn trace(text: &str, jobs: usize, fails: impl Fn(&str) -> bool + Sync) -> (Vec<String>, String) {
        let asked = Mutex::new(Vec::new());
        let oracle = FnOracle::new(|bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            asked.lock().unwrap().push(text.clone());
            fails(&text)
        });
        let format = SmtLib::new(text.as_bytes(), AllowedCandidates::Any);
        let config = ReduceConfig { jobs, ..ReduceConfig::default() };
        let (_, bytes, _) =
            Engine::run(&format, &oracle, text.into(), config, &Cancel::new(), &mut Quiet, |engine| {
                let items = commands(engine.view(), CommandFilter::All);
                substitute(engine, "commands", Print::AsItIs, items)
            });
        (asked.into_inner().unwrap(), String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn subsets_of_halved_size_without_complements() {
        let (asked, result) =
            trace("(a)(b)(c)(d)(e)", 1, |text| text.contains("(b)") && text.contains("(e)"));
        // 5; then 5 / 2 = 2 subsets, of three and two; then one by one.
        let expected = ["", "(d)(e)", "(a)(b)(c)", "(b)(c)(d)(e)", "(c)(d)(e)", "(b)(d)(e)", "(b)(e)", "(b)"];
        assert_eq!(asked, expected);
        assert_eq!(result, "(b)(e)");
    }

    #[test]
    fn more_workers_find_the_same() {
        let text: String = (0..40).map(|i| format!("(c{i})")).collect();
        let fails = |text: &str| text.contains("(c7)") && text.contains("(c8)") && text.contains("(c31)");
        let (_, one) = trace(&text, 1, fails);
        let (_, four) = trace(&text, 4, fails);
        assert_eq!(one, "(c7)(c8)(c31)");
        assert_eq!(one, four);
    }
}
