//! Options derived from the seed.
//!
//! One set of options finds only the bugs that it can reach. So each seed chooses its own: which operators, how many
//! variables, how wide, how deep, with a CNF or without (swarm testing: Groce et al., ISSTA 2012, omit a random half of the
//! features from each test).
//!
//! A rewriting rule fires where a few operators, the same two or three leaves and a simple constant occur together, and a
//! wrong rule shows only if the answer depends on it. So half of the graphs are narrow: operators of a few rows of the
//! table, few bits, few leaves, twins, and a planted assignment with pins that make every wrong value of a node a wrong
//! answer. About one in 3,000 of these exposes the wrong answer of Boolector 1.5.118; 40,000 others did not.

use crate::source::InputError;
use crate::{FuzzInput, InputOrigin, Language, PrintedAnswer};
use nub_btor::Tag;
use nub_generate::{
    ExpectedStatus, Files, FormulaFormat, Fragment, GenerateConfig, Ratio, ScriptConfig, Scripts, Theories,
    all_tags, tag_rows,
};
use nub_random::Rng;

/// Makes the choice of options independent of what the generator draws from the same seed.
const SALT: u64 = 0x5377_6172_6d21;

/// The input of a seed, in a language; scripts over some of these theories.
pub fn input(seed: u64, language: Language, theories: &Theories) -> Result<FuzzInput, InputError> {
    let rng = &mut Rng::new(seed ^ SALT);
    let mut text = Vec::new();
    let mut status = None;
    // Half of the scripts over bit-vectors come from the generator of graphs: it yields deeper sharing and known answers.
    let is_graph = language != Language::SmtLib || is_bits_only(*theories) && rng.percent(50);
    if is_graph {
        let config = graph(rng, language);
        status = config.status;
        Files::new(config, format(language))?.write(seed, &mut text)?;
    } else {
        Scripts::new(script(rng, theories))?.write(seed, &mut text)?;
    }
    Ok(FuzzInput { seed, text, language, status: status.map(answer), origin: InputOrigin::Generated })
}

/// Whether the generator of graphs can make such scripts too.
fn is_bits_only(theories: Theories) -> bool {
    theories.iter().all(|fragment| matches!(fragment, Fragment::Bv | Fragment::Arrays))
}

/// The answer for a status.
pub fn answer(status: ExpectedStatus) -> PrintedAnswer {
    match status {
        ExpectedStatus::Sat => PrintedAnswer::Sat,
        ExpectedStatus::Unsat => PrintedAnswer::Unsat,
    }
}

/// The generator's name of a language.
pub fn format(language: Language) -> FormulaFormat {
    match language {
        Language::SmtLib => FormulaFormat::SmtLib,
        Language::Btor => FormulaFormat::Btor,
        Language::Btor2 => FormulaFormat::Btor2,
        Language::Dimacs => FormulaFormat::Dimacs,
    }
}

/// The percentage of graphs that are narrow.
const NARROW_PERCENT: u32 = 50;

fn graph(rng: &mut Rng, language: Language) -> GenerateConfig {
    if language == Language::Dimacs {
        return clauses(rng);
    }
    let (config, only) = if rng.percent(NARROW_PERCENT) {
        (narrow(rng), of_some_rows(rng))
    } else {
        (broad(rng), operators(rng))
    };
    let narrowed = GenerateConfig { only, ..config.clone() };
    let is_fine = |config: &GenerateConfig| format(language).check(config).is_ok();
    if is_fine(&narrowed) { narrowed } else { config }
}

/// Anything: wide, deep, with many variables, with a CNF.
fn broad(rng: &mut Rng) -> GenerateConfig {
    let minwidth = rng.pick(&[1, 1, 1, 2, 3]);
    let maxwidth = minwidth + rng.pick(&[0, 1, 1, 2, 3, 5, 8, 29]);
    let arrays = rng.pick(&[0, 0, 1, 2, 3]);
    let cnf = rng.percent(30);
    let status = rng.pick(&[None, None, None, Some(ExpectedStatus::Sat), Some(ExpectedStatus::Unsat)]);
    GenerateConfig {
        nodes: rng.pick(&[10, 20, 40, 40, 80, 150]),
        vars: rng.pick(&[1, 1, 2, 3, 5, 10]),
        arrays,
        noarrays: arrays == 0,
        writes: rng.pick(&[0, 1, 3, 8]),
        minwidth,
        maxwidth,
        arrmaxwidth: rng.between(1, 4),
        dag: rng.pick(&[20, 50, 80, 95]),
        consts: rng.pick(&[0, 2, 4, 4]),
        early: rng.pick(&[0, 0, 20, 40, 60]),
        twins: rng.pick(&[0, 20, 30, 40]),
        negated: rng.pick(&[0, 10, 25, 25]),
        pins: pins(rng, status, &[0, 10, 30, 60]),
        cnf,
        clauses: Ratio::thousandths(rng.between(300, 2_000)),
        more_ops: rng.percent(70),
        status,
        ..GenerateConfig::default()
    }
}

/// Few bits and leaves, in many nodes. Pins make many nodes useful: without them one wrong node has no effect.
fn narrow(rng: &mut Rng) -> GenerateConfig {
    let arrays = rng.pick(&[0, 0, 0, 1]);
    let sat = Some(ExpectedStatus::Sat);
    let status = rng.pick(&[None, sat, sat, sat, Some(ExpectedStatus::Unsat)]);
    GenerateConfig {
        nodes: rng.pick(&[60, 150, 150, 250]),
        vars: rng.between(1, 4),
        arrays,
        noarrays: arrays == 0,
        writes: rng.between(0, 3),
        minwidth: 1,
        maxwidth: rng.pick(&[2, 3, 4, 6]),
        arrmaxwidth: 2,
        dag: rng.pick(&[50, 90]),
        consts: rng.between(1, 5),
        early: rng.pick(&[0, 30, 60]),
        twins: rng.pick(&[10, 25, 40]),
        negated: rng.pick(&[0, 0, 10, 25]),
        pins: pins(rng, status, &[5, 20, 50, 100]),
        more_ops: true,
        status,
        ..GenerateConfig::default()
    }
}

/// One of these percentages, if there is an assignment to take values from.
fn pins(rng: &mut Rng, status: Option<ExpectedStatus>, percents: &[u32]) -> u32 {
    if status == Some(ExpectedStatus::Sat) { rng.pick(percents) } else { 0 }
}

/// All operators, or a handful. Most sets keep the plain constants, since rules of rewriting
/// begin with zeros and ones.
fn operators(rng: &mut Rng) -> Vec<Tag> {
    const CONSTANTS: [Tag; 4] = [Tag::Zero, Tag::One, Tag::Ones, Tag::Const];
    let mut tags: Vec<Tag> = match rng.below(4) {
        // A bug in a single operator is found soonest if all operators are used.
        0 | 1 => return Vec::new(),
        2 => some_of(rng, all_tags(), &[4, 6, 8, 15]),
        _ => of_some_rows(rng),
    };
    if rng.percent(80) {
        tags.extend(CONSTANTS);
    }
    tags
}

/// One to three operators each of two to five rows of the table. All rows are equally likely, however long: otherwise the
/// seventeen comparisons would leave no room for the single concatenation operator.
fn of_some_rows(rng: &mut Rng) -> Vec<Tag> {
    let rows = some_of(rng, tag_rows(), &[2, 3, 4, 5]);
    rows.into_iter().flat_map(|row| some_of(rng, row, &[1, 2, 3])).collect()
}

/// A random selection; its size is one of these numbers.
fn some_of<T>(rng: &mut Rng, mut all: Vec<T>, numbers: &[usize]) -> Vec<T> {
    rng.shuffle(&mut all);
    all.truncate(rng.pick(numbers));
    all
}

fn clauses(rng: &mut Rng) -> GenerateConfig {
    let k = rng.between(2, 5);
    // Near the threshold between satisfiable and unsatisfiable random formulas.
    let threshold = [1_000, 4_260, 9_900, 21_000][(k - 2) as usize];
    GenerateConfig {
        k,
        vars: rng.pick(&[8, 20, 50, 100]),
        clauses: Ratio::thousandths(rng.between(threshold / 2, threshold * 5 / 4)),
        status: rng.pick(&[None, None, Some(ExpectedStatus::Sat), Some(ExpectedStatus::Unsat)]),
        ..GenerateConfig::default()
    }
}

fn script(rng: &mut Rng, theories: &Theories) -> ScriptConfig {
    let all: Vec<Fragment> = theories.iter().collect();
    let mut chosen = Theories::CORE;
    // One to three at a time: with all together no solver answers.
    for _ in 0..rng.between(1, 3) {
        if !all.is_empty() {
            chosen = chosen.with(rng.pick(&all));
        }
    }
    ScriptConfig {
        theories: chosen,
        terms: rng.pick(&[8, 15, 30, 60, 100]),
        assertions: rng.between(1, 8),
        vars: rng.between(1, 5),
        max_width: rng.pick(&[2, 4, 8, 32, 64]),
        incremental: rng.percent(25),
        models: rng.percent(40),
        cores: rng.percent(10),
        ..ScriptConfig::default()
    }
}
