//! Keeps the antecedent of the property true, if the closest run would merely make it false.

use crate::antecedent::{Antecedent, Candidates, Disjunctive, MARK, antecedents};
use crate::bounded_program::BoundedProgram;
use crate::failing_run::Failing;
use crate::insert_conditions::{Insertion, Instrumented, instrument, statement};
use crate::keep_expected::{Found, keeping_expected};
use crate::marks::take_marks;
use crate::options::ExplainOptions;
use crate::render_story::Telling;
use crate::session::ExplainRefusal;
use crate::story::{Assumed, AssumedBy, ExplanationNote, Story};
use crate::trust::Trusted;
use nub_bitvec::{Op, TermId};
use nub_unroll::{Ssa, Unrolled};
use rustc_hash::{FxHashMap, FxHashSet};

/// Searches again with the antecedent of the property assumed, if the closest run merely makes it false.
pub(crate) fn keeping_antecedent(
    bounded: &BoundedProgram<'_>,
    failing: &Failing,
    trusted: &Trusted,
    found: Found,
    options: &ExplainOptions,
) -> Result<Story, ExplainRefusal> {
    let Found { mut story, first } = found;
    // Where the property is not even reached, there is no antecedent to keep.
    if story.notes.contains(&ExplanationNote::NoRunReaches) {
        return Ok(story);
    }
    let stopped = |mut story: Story| {
        story.notes.push(ExplanationNote::KeepingStopped);
        Ok(story)
    };
    let candidates = match candidates(bounded, failing, options) {
        // The known result is better than nothing.
        _ if options.limits.cancel.is_cancelled() => return stopped(story),
        candidates => candidates?,
    };
    let mut has_tried = false;
    for candidate in candidates {
        let found = match assuming(bounded, failing, &first.inputs, trusted, candidate, options) {
            Err(ExplainRefusal::Stopped(_)) => return stopped(story),
            found => found?,
        };
        match found {
            Assuming::Found(found) => return Ok(*found),
            Assuming::NoRun => has_tried = true,
            Assuming::NoNeed => return Ok(story),
            Assuming::NotPossible => {}
        }
    }
    if has_tried {
        story.notes.push(ExplanationNote::NoRunKeepsAntecedent);
    }
    Ok(story)
}

/// The antecedents to try.
fn candidates(
    bounded: &BoundedProgram<'_>,
    failing: &Failing,
    options: &ExplainOptions,
) -> Result<Vec<Antecedent>, ExplainRefusal> {
    let (parts, has_others) = match antecedents(bounded.source, &bounded.unrolled, &failing.property) {
        Candidates::Negated(list) => return Ok(list),
        Candidates::Plain { parts, has_others } => (parts, has_others),
    };
    let is_input = depend_on_inputs(bounded, &parts, options)?;
    let chosen: Vec<&Disjunctive> =
        parts.iter().zip(&is_input).filter(|(_, is_input)| **is_input).map(|(part, _)| part).collect();
    let is_antecedent = has_others || chosen.len() < parts.len();
    let found = if is_antecedent { Antecedent::none_of(&chosen) } else { None };
    Ok(found.into_iter().collect())
}

/// The same program with these statements.
fn with_marks<'p>(
    bounded: &BoundedProgram<'p>,
    changed: &'p Instrumented,
    options: &ExplainOptions,
) -> Result<BoundedProgram<'p>, ExplainRefusal> {
    let source = changed.source(bounded.source);
    let function = changed.function(bounded.source, bounded.unrolled.function)?;
    let config = nub_unroll::UnrollConfig { unwind: bounded.unwind, ..options.unroll.clone() };
    BoundedProgram::new(source, function, &config)
}

/// Which of some conditions depend on unchanged inputs only. Costs one unrolling.
fn depend_on_inputs(
    bounded: &BoundedProgram<'_>,
    parts: &[Disjunctive],
    options: &ExplainOptions,
) -> Result<Vec<bool>, ExplainRefusal> {
    let mark = |at: usize| format!("nub: part {at}");
    let insertion = |(at, part): (usize, &Disjunctive)| {
        let text = statement("__CPROVER_assert", &part.text, &format!(", \"{}\"", mark(at))).ok()?;
        Some(Insertion { before: part.before, text })
    };
    let insertions: Option<Vec<Insertion>> = parts.iter().enumerate().map(insertion).collect();
    let changed = insertions.and_then(|insertions| instrument(bounded.source, &insertions).ok());
    let Some(changed) = changed else { return Ok(vec![false; parts.len()]) };
    let mut other = with_marks(bounded, &changed, options)?;
    let marks: Vec<_> = (0..parts.len()).map(|at| take_marks(&mut other, &mark(at))).collect();
    let reads = |found: &(TermId, TermId)| reads_inputs_only(&other.unrolled, &other.ssa, found.1);
    Ok(marks.iter().map(|marks| !marks.named.is_empty() && marks.named.iter().all(reads)).collect())
}

/// Whether all values that the term reads are unchanged inputs. A constant reads none, and says nothing about inputs. O(size of the term).
fn reads_inputs_only(unrolled: &Unrolled, ssa: &Ssa, root: TermId) -> bool {
    let inputs: FxHashSet<TermId> = unrolled.inputs.iter().map(|input| input.term).collect();
    let values = ssa.definitions.iter().zip(&unrolled.assignments);
    let plain: FxHashMap<TermId, TermId> =
        values.map(|(named, plain)| (named.variable, plain.term)).collect();
    let (mut seen, mut todo) = (FxHashSet::default(), vec![root]);
    let mut n_inputs = 0;
    while let Some(term) = todo.pop() {
        if !seen.insert(term) {
            continue;
        }
        let mut value = plain.get(&term).copied().unwrap_or(term);
        while matches!(unrolled.pool.op(value), Op::Sext | Op::Uext) {
            value = unrolled.pool.term(value).arg(0);
        }
        if inputs.contains(&value) {
            n_inputs += 1;
        } else if plain.contains_key(&term) && unrolled.pool.value(term).is_none() {
            return false;
        } else {
            todo.extend(unrolled.pool.args(term));
        }
    }
    n_inputs > 0
}

/// The result of an assumption.
enum Assuming {
    Found(Box<Story>),
    /// No passing run keeps it.
    NoRun,
    /// The closest run keeps it anyway.
    NoNeed,
    /// It does not hold in the failing run either, or cannot be written at this place.
    NotPossible,
}

fn assuming(
    bounded: &BoundedProgram<'_>,
    failing: &Failing,
    first: &[nub_bitvec::Value],
    trusted: &Trusted,
    candidate: Antecedent,
    options: &ExplainOptions,
) -> Result<Assuming, ExplainRefusal> {
    let Antecedent { text, insertion } = candidate;
    let Ok(changed) = instrument(bounded.source, &[insertion]) else { return Ok(Assuming::NotPossible) };
    let mut other = with_marks(bounded, &changed, options)?;
    let kept = take_marks(&mut other, MARK).any(&mut other.unrolled.pool);
    let is_same = other.unrolled.inputs.len() == bounded.unrolled.inputs.len();
    let broken = other.broken(&failing.property.id, &failing.inputs);
    let is_true = |inputs: &[nub_bitvec::Value]| other.are_true(&[kept.plain], inputs) == [true];
    let Some(property) = broken.filter(|_| is_same && is_true(&failing.inputs)) else {
        return Ok(Assuming::NotPossible);
    };
    if is_true(first) {
        return Ok(Assuming::NoNeed);
    }
    let failing = Failing { property, inputs: failing.inputs.clone() };
    let mut telling = Telling::new(&mut other, &failing, trusted.clone(), options);
    telling.kept.push(kept);
    let Some(Found { mut story, .. }) = keeping_expected(&mut telling, options)? else {
        return Ok(Assuming::NoRun);
    };
    story.assumptions.push(Assumed { text, by: AssumedBy::Antecedent });
    Ok(Assuming::Found(Box::new(story)))
}
