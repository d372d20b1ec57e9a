//! The final form of the result, and the check that it still fails.

use super::journal::{end_record, form_record};
use super::remember::{Remembering, SessionOracle};
use super::{Cancels, Finished, ReductionPlan, SessionError};
use crate::ReductionStop;
use crate::search::SearchResult;
use nub_oracle::{Confirmation, FINAL_CONFIRMATIONS};
use nub_process::Cancel;
use nub_smtlib::{Script, print};
use nub_store::{Journal, RealFs, commit};

/// Number of runs on the finished file, besides the one that accepted its form.
const CONFIRMATIONS: u32 = 2;

/// A form of the result: its bytes and whether they begin with the header.
struct Form {
    bytes: Vec<u8>,
    has_header: bool,
}

/// The end of a search: its result, and whether it is smaller than the original.
pub(super) struct EndedSearch {
    pub searched: SearchResult,
    pub is_reduced: bool,
}

pub(super) fn finish(
    plan: &ReductionPlan,
    oracle: &Remembering,
    cancels: &Cancels,
    ended: EndedSearch,
    mut journal: Option<Journal>,
) -> Result<Finished, SessionError> {
    let EndedSearch { searched: SearchResult { stop, best, stats }, is_reduced } = ended;
    let mut finished = Finished {
        stop,
        text: best,
        reduced: is_reduced,
        has_header: false,
        confirmation: Confirmation { fails: 0, n: 0, wanted: 0 },
        flaky: stats.disagreements > 0,
        remembered: oracle.n_remembered(),
        unconfirmed: None,
        stats,
    };
    let is_writable = journal.is_some() && !matches!(finished.stop, Some(ReductionStop::Store(_)));
    if !is_reduced || !is_writable || cancels.all.is_cancelled() {
        return Ok(finished);
    }
    let n_confirmations = if finished.flaky { FINAL_CONFIRMATIONS } else { CONFIRMATIONS };
    let last = LastRuns { oracle: oracle.inner(), cancel: cancels.checks, n_confirmations };
    let (form, early) = last.choose_form(plan, &finished.text);
    if form.bytes != finished.text {
        if let Some(journal) = &mut journal {
            journal.append(&form_record(&form.bytes))?;
        }
        commit(&RealFs, plan.out, &form.bytes)?;
    }
    finished.has_header = form.has_header;
    finished.text = form.bytes;
    finished.confirmation = match std::fs::read(plan.out) {
        Ok(bytes) if bytes == finished.text => early.unwrap_or_else(|| last.confirm(&bytes)),
        // Another process has just changed or removed the file.
        _ => Confirmation { fails: 0, n: 0, wanted: n_confirmations },
    };
    finished.flaky |= finished.confirmation.disagrees();
    if let (Some(mut journal), None) = (journal, &finished.stop) {
        journal.append(&end_record(&finished.text))?;
    }
    Ok(finished)
}

/// The runs after the search. Without remembered verdicts, because this is the file that the user gets.
struct LastRuns<'a> {
    oracle: &'a dyn SessionOracle,
    cancel: &'a Cancel,
    n_confirmations: u32,
}

impl LastRuns<'_> {
    /// The first form that fails: with header and last newline if possible. With several workers it is confirmed in
    /// parallel.
    fn choose_form(&self, plan: &ReductionPlan, best: &[u8]) -> (Form, Option<Confirmation>) {
        let laid_out = plan.layout.map(|layout| print(&Script::parse(best).0, layout));
        let laid_out = laid_out.map(|bytes| Form { bytes, has_header: false });
        for form in laid_out.into_iter().chain(forms(plan.header.as_deref(), best)) {
            // The comment must not make the result larger than the original.
            if form.has_header && form.bytes.len() >= plan.original.len() {
                continue;
            }
            if form.bytes == best {
                return (form, None);
            }
            if plan.engine.jobs > self.n_confirmations as usize {
                let (fails, confirmation) = self.ask_and_confirm(&form.bytes);
                if fails {
                    return (form, Some(confirmation));
                }
            } else if self.fails(&form.bytes) {
                return (form, None);
            }
        }
        (Form { bytes: best.to_vec(), has_header: false }, None)
    }

    fn fails(&self, bytes: &[u8]) -> bool {
        self.oracle.ask(bytes, self.cancel).verdict.fails()
    }

    fn confirm(&self, bytes: &[u8]) -> Confirmation {
        self.oracle.confirm(bytes, self.n_confirmations, self.cancel)
    }

    fn ask_and_confirm(&self, bytes: &[u8]) -> (bool, Confirmation) {
        std::thread::scope(|scope| {
            let confirmation = scope.spawn(|| self.confirm(bytes));
            let fails = self.fails(bytes);
            (fails, confirmation.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }
}

fn forms(header: Option<&[u8]>, best: &[u8]) -> Vec<Form> {
    let bodies =
        if best.ends_with(b"\n") { vec![best.to_vec()] } else { vec![[best, b"\n"].concat(), best.to_vec()] };
    let with_header = bodies.iter().flat_map(|body| {
        let bytes = header.map(|header| [header, body].concat());
        bytes.map(|bytes| Form { bytes, has_header: true })
    });
    let mut forms: Vec<Form> = with_header.collect();
    forms.extend(bodies.into_iter().map(|bytes| Form { bytes, has_header: false }));
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(header: Option<&[u8]>, best: &[u8]) -> Vec<String> {
        forms(header, best).into_iter().map(|form| String::from_utf8(form.bytes).unwrap()).collect()
    }

    #[test]
    fn the_nicest_form_comes_first() {
        assert_eq!(texts(Some(b";h\n"), b"a"), [";h\na\n", ";h\na", "a\n", "a"]);
        assert_eq!(texts(Some(b";h\n"), b"a\n"), [";h\na\n", "a\n"]);
        assert_eq!(texts(None, b"a\n"), ["a\n"]);
    }
}
