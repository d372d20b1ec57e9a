//! Edits that disable a statement, and those that enable one.
//!
//! A weak property is satisfied by a program that does nothing, so `x < 300` where `x` is always larger repairs it, and so does `a && !a`. Such an
//! edit removes the purpose of the statement, which people seldom intend (the anti-patterns of Tan, Yoshida, Prasad and Roychoudhury, 2016). It shows
//! in the known runs: the statement had several values, and has a single one with the edit. Rare values are seen only in many runs, so all passing
//! runs are used before this is reported.
//!
//! A tolerance is not such an edit: it is there for the differences that occur, and detects larger ones in runs that were not tried.
//!
//! Conversely, a decision that has the same outcome in every known run does nothing. Nobody writes such a decision on purpose, so an edit that makes
//! the program right and gives it both outcomes is better than others of its kind.

use super::candidates::Statement;
use super::proof::Edited;
use super::trial::Known;
use crate::runs::Run;
use crate::search::Problem;
use crate::site_tables::{Style, instrument};
use crate::sites::{At, Site, sites};
use nub_c_ir::{DecisionKind, Program, ProgramSource};
use nub_text::Span;

/// Passing runs that show what an edit alters.
const N_PASSING: usize = 24;

/// With fewer runs that reach a decision, a constant outcome may be chance.
const MIN_ASLEEP: usize = 8;

/// What a statement does in some runs.
struct Behaviour {
    /// How many values each of its sites has, up to 2.
    n_values: Vec<usize>,
    /// Runs that reach each of its sites.
    n_runs: Vec<usize>,
    /// Which of its sites are decisions.
    is_decision: Vec<bool>,
    /// All values, run by run.
    values: Vec<Vec<u128>>,
}

/// How an edit alters what its statement does in the known runs.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Altered {
    /// Whether some value of the statement is now always the same, and was not before.
    pub is_vacuous: bool,
    /// Share of the passing runs in which the statement has other values, whether or not that has an effect.
    pub share: f64,
    /// Whether the edit gives both outcomes to a decision that has the same outcome in all known runs.
    pub wakes: bool,
}

fn behaviour(problem: &Problem<'_>, text: &[u8], statement: Statement, runs: &[&Run]) -> Behaviour {
    let program = problem.program;
    let first = first_word(text, statement.span);
    let is_own = |site: &Site| site.function == statement.function && first_word(text, site.span) == first;
    let all = sites(program, text, problem.start, |id| id == statement.function);
    let own: Vec<Site> = all.into_iter().filter(is_own).collect();
    let none = vec![Vec::new(); own.len()];
    let telling = instrument(program, problem.start, &own, &none, 0, Style::Telling);
    let stage = problem.stage(&telling);
    let mut first: Vec<Option<u128>> = vec![None; own.len()];
    let mut found = Behaviour {
        n_values: vec![0; own.len()],
        n_runs: vec![0; own.len()],
        is_decision: own.iter().map(|site| is_decision(program, site)).collect(),
        values: Vec::with_capacity(runs.len()),
    };
    for run in runs {
        let instances = stage.instances(&run.inputs, &[]).1;
        for instance in &instances {
            let (first, n_values) = (&mut first[instance.site], &mut found.n_values[instance.site]);
            match first {
                None => (*first, *n_values) = (Some(instance.now), 1),
                Some(first) if *first != instance.now => *n_values = 2,
                Some(_) => {}
            }
        }
        for (site, n_runs) in found.n_runs.iter_mut().enumerate() {
            *n_runs += usize::from(instances.iter().any(|instance| instance.site == site));
        }
        found.values.push(instances.iter().map(|instance| instance.now).collect());
    }
    found
}

/// Whether the site is a decision, or selects one of two values by `?:`.
fn is_decision(program: &Program, site: &Site) -> bool {
    let is_within = |span: Span| site.span.start <= span.start && span.end <= site.span.end;
    let mut decisions = program.decisions.iter();
    matches!(site.at, At::Branch(_) | At::Decision(_))
        || decisions.any(|decision| decision.kind == DecisionKind::Conditional && is_within(decision.span))
}

/// Where an expression starts after its parentheses, which an edit may add.
fn first_word(text: &[u8], span: Span) -> usize {
    let start = span.start as usize;
    let is_bracket = |byte: &&u8| matches!(byte, b'(' | b' ');
    start + text[start.min(text.len())..].iter().take_while(is_bracket).count()
}

/// What the edit does to its statement.
pub(super) fn altered(
    source: ProgramSource<'_>,
    problem: &Problem<'_>,
    edited: &Edited<'_>,
    statement: Statement,
    known: Known<'_>,
) -> Altered {
    let passing = || known.passing.iter().map(|passing| &passing.run);
    let few: Vec<&Run> = known.failing.iter().chain(passing().take(N_PASSING)).collect();
    let n_passing = few.len() - known.failing.len();
    let before = behaviour(problem, source.text, statement, &few);
    let function = edited.names.of(statement.function);
    let with_edit =
        |runs: &[&Run]| behaviour(&edited.problem(), &edited.text, Statement { function, ..statement }, runs);
    let is_off = |after: &Behaviour| {
        let mut values = before.n_values.iter().zip(&after.n_values);
        before.n_values.len() == after.n_values.len()
            && values.any(|(before, after)| *before > 1 && *after <= 1)
    };
    let after = with_edit(&few);
    let is_asleep = |found: &Behaviour, at: usize| {
        found.is_decision[at] && found.n_values[at] == 1 && found.n_runs[at] > 0
    };
    let woken = |at: &usize| is_asleep(&before, *at) && after.n_values[*at] > 1;
    let has_same_sites = before.n_values.len() == after.n_values.len();
    let woken: Vec<usize> = (0..before.n_values.len()).filter(|at| has_same_sites && woken(at)).collect();
    let pairs = before.values.iter().zip(&after.values).skip(known.failing.len());
    let n_altered = pairs.filter(|(before, after)| before != after).count();
    let all = || known.failing.iter().chain(passing()).collect::<Vec<&Run>>();
    let wakes = !woken.is_empty() && {
        let all = behaviour(problem, source.text, statement, &all());
        woken.iter().any(|at| is_asleep(&all, *at) && all.n_runs[*at] >= MIN_ASLEEP)
    };
    Altered {
        wakes,
        is_vacuous: is_off(&after) && is_off(&with_edit(&all())),
        share: n_altered as f64 / n_passing.max(1) as f64,
    }
}
