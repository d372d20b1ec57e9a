//! Mutations of SMT-LIB scripts.
//!
//! `seed` is a file with the lists from which mutations draw. There is one file per technique: `swap_operator`, `replace_term`,
//! `exchange_terms`, `corner_constant`, `fill_term`, `wrap_term`, `fuse_files`, `transplant`, `push_pop`, `guards`,
//! `extra_check`, `edit_assertion`, `introduce_let`, `inline_let`, `quantify`. They share `fits`, `heads` and `dialect`
//! (operators at given sorts), `corner` (values), `grow` (small terms), `freedom` and `names` (what may be used where), `import`
//! (parts of a second file), `logic`.

mod corner;
mod corner_constant;
mod dialect;
mod edit_assertion;
mod exchange_terms;
mod extra_check;
mod fill_term;
mod fits;
mod freedom;
mod fuse_files;
mod grow;
mod guards;
mod heads;
mod import;
mod inline_let;
mod introduce_let;
mod logic;
mod names;
mod push_pop;
mod quantify;
mod replace_term;
mod seed;
mod swap_operator;
mod transplant;
mod wrap_term;

pub(super) use seed::SmtSeed;

use super::splice::{Plan, Splice};
use super::{Made, MutateConfig, MutationKind};
use logic::Features;
use nub_random::Rng;
use nub_smtlib::{NodeKind, Script, SmtOp};

/// The techniques for this format, with their weights.
const KINDS: &[(MutationKind, u32)] = &[
    (MutationKind::SwapOperator, 8),
    (MutationKind::ReplaceTerm, 6),
    (MutationKind::ExchangeTerms, 3),
    (MutationKind::CornerConstant, 5),
    (MutationKind::FillTerm, 5),
    (MutationKind::WrapTerm, 4),
    (MutationKind::FuseFiles, 1),
    (MutationKind::Transplant, 3),
    (MutationKind::PushPop, 1),
    (MutationKind::Guards, 1),
    (MutationKind::ExtraCheck, 1),
    (MutationKind::EditAssertion, 3),
    (MutationKind::IntroduceLet, 2),
    (MutationKind::InlineLet, 2),
    (MutationKind::Quantify, 2),
];

/// How often to repeat a draw that gives no mutation, for each mutation wanted.
const TRIES_PER_MUTATION: u32 = 8;

/// The inputs of one mutant.
struct Draw<'a> {
    config: &'a MutateConfig,
    seed: &'a SmtSeed,
    /// The file from which to take parts.
    other: Option<&'a SmtSeed>,
    ops: Vec<&'static SmtOp>,
    prefix: &'a str,
    n_fresh: u32,
    rng: &'a mut Rng,
}

impl Draw<'_> {
    /// A name that occurs in no seed.
    fn fresh(&mut self) -> String {
        self.n_fresh += 1;
        format!("{}{}", self.prefix, self.n_fresh)
    }

    /// One of these, or `None` if there is none.
    fn pick<T: Copy>(&mut self, choices: &[T]) -> Option<T> {
        (!choices.is_empty()).then(|| self.rng.pick(choices))
    }

    fn propose(&mut self, kind: MutationKind) -> Option<Vec<Splice>> {
        match kind {
            MutationKind::SwapOperator => swap_operator::propose(self),
            MutationKind::ReplaceTerm => replace_term::propose(self),
            MutationKind::ExchangeTerms => exchange_terms::propose(self),
            MutationKind::CornerConstant => corner_constant::propose(self),
            MutationKind::FillTerm => fill_term::propose(self),
            MutationKind::WrapTerm => wrap_term::propose(self),
            MutationKind::FuseFiles => fuse_files::propose(self),
            MutationKind::Transplant => transplant::propose(self),
            MutationKind::PushPop => push_pop::propose(self),
            MutationKind::Guards => guards::propose(self),
            MutationKind::ExtraCheck => extra_check::propose(self),
            MutationKind::EditAssertion => edit_assertion::propose(self),
            MutationKind::IntroduceLet => introduce_let::propose(self),
            MutationKind::InlineLet => inline_let::propose(self),
            MutationKind::Quantify => quantify::propose(self),
            MutationKind::NegateOperand | MutationKind::EditLiteral | MutationKind::EditClause => None,
        }
    }
}

/// Techniques that take declarations from a second file, or that rebuild the commands, are used once per mutant:
/// using them twice would declare names twice.
fn excludes(kind: MutationKind, done: MutationKind) -> bool {
    use MutationKind::{ExtraCheck, FuseFiles, Guards, PushPop, Transplant};
    let takes = |kind| matches!(kind, FuseFiles | Transplant);
    let rebuilds = |kind| matches!(kind, Guards | PushPop | ExtraCheck);
    (takes(kind) && takes(done)) || (rebuilds(kind) && rebuilds(done))
}

/// Appends a mutant of `seed`. Linear in the seed and in the other file.
pub(super) fn write(
    config: &MutateConfig,
    seed: &SmtSeed,
    other: Option<&SmtSeed>,
    prefix: &str,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) -> Option<Made> {
    let (mut plan, kinds) = draw(config, seed, other, prefix, rng)?;
    for &status in &seed.statuses {
        plan.add(vec![Splice::remove(status)]);
    }
    let mut text = Vec::with_capacity(seed.script.text().len() + 256);
    plan.render(seed.script.text(), &mut text);
    let takes_other = kinds.iter().any(|&kind| excludes(kind, MutationKind::FuseFiles));
    let other = other.filter(|_| takes_other);
    if let Some(splice) = check(seed, other, &text)? {
        // Only if the script sets a logic. No other technique changes that symbol.
        plan.add(vec![splice]);
        text.clear();
        plan.render(seed.script.text(), &mut text);
    }
    out.extend_from_slice(&text);
    Some(Made { kinds, takes_other })
}

/// Chooses mutations that do not conflict.
fn draw(
    config: &MutateConfig,
    seed: &SmtSeed,
    other: Option<&SmtSeed>,
    prefix: &str,
    rng: &mut Rng,
) -> Option<(Plan, Vec<MutationKind>)> {
    let ops = dialect::allowed(seed, config.dialect).collect();
    let choices = config.choices(KINDS);
    let n_wanted = rng.between(1, config.max_mutations.clamp(1, MAX_MUTATIONS));
    let mut draw = Draw { config, seed, other, ops, prefix, n_fresh: 0, rng };
    let mut plan = Plan::default();
    let mut kinds: Vec<MutationKind> = Vec::new();
    for _ in 0..n_wanted * TRIES_PER_MUTATION {
        if kinds.len() == n_wanted as usize {
            break;
        }
        let kind = draw.pick(&choices)?;
        if kinds.iter().any(|&done| excludes(kind, done)) {
            continue;
        }
        if draw.propose(kind).is_some_and(|splices| !splices.is_empty() && plan.add(splices)) {
            kinds.push(kind);
        }
    }
    (!kinds.is_empty()).then_some((plan, kinds))
}

/// Limit on the mutations of one file: more would only produce noise.
const MAX_MUTATIONS: u32 = 1_000;

/// Reads a mutant again. `None` if it is less well sorted than its seeds; otherwise the change of logic that it needs.
fn check(seed: &SmtSeed, other: Option<&SmtSeed>, text: &[u8]) -> Option<Option<Splice>> {
    if text.len() > nub_text::MAX_INPUT || text == seed.script.text() {
        return None;
    }
    let (script, diagnostics) = Script::parse(text);
    let analysis = script.analyse();
    let n_unknown = seed.analysis.unknown().len() + other.map_or(0, |other| other.analysis.unknown().len());
    let is_good =
        diagnostics.is_empty() && analysis.errors().is_empty() && analysis.unknown().len() <= n_unknown;
    if !is_good {
        return None;
    }
    let needed = Features::of_script(&script, &analysis);
    let is_within = seed.features.has(needed);
    let Some(symbol) = seed.logic else { return (is_within || !seed.has_logic()).then_some(None) };
    // An unknown logic may allow features that no other logic has.
    let Some(allowed) = seed.logic_features() else { return is_within.then_some(None) };
    if seed.features.join(allowed).has(needed) {
        return Some(None);
    }
    let wanted = allowed.join(needed);
    let is_real = wanted.name().is_some() && wanted.numerals_are_real();
    if is_real != seed.numerals_are_real() {
        return None;
    }
    Some(Some(Splice::replace(seed.span(symbol), wanted.name_or_all())))
}

/// The prefix of fresh names: no symbol of any seed begins with it. Linear in the seeds.
pub(super) fn fresh_prefix<'a>(seeds: impl Iterator<Item = &'a SmtSeed>) -> String {
    const WORD: &[u8] = b"nub";
    // One more underscore than any symbol has after the word.
    let mut n_underscores = 1;
    for seed in seeds {
        let tree = seed.script.tree();
        for node in
            tree.nodes().filter(|&node| matches!(tree.kind(node), NodeKind::Symbol | NodeKind::Quoted))
        {
            if let Some(rest) = names::bare(seed.slice(node)).strip_prefix(WORD) {
                let n_here = rest.iter().take_while(|&&byte| byte == b'_').count();
                n_underscores = n_underscores.max(n_here + 1);
            }
        }
    }
    format!("nub{}", "_".repeat(n_underscores))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check before a mutant is returned is a safety net, not a filter: almost all draws pass it.
    #[test]
    fn few_draws_are_refused() {
        let texts = [
            "(set-logic QF_ABV)(declare-const m (Array (_ BitVec 4) (_ BitVec 8)))(declare-const i (_ BitVec 4))(assert (= (select (store m i #x01) (bvadd i #x1)) #xff))(assert (distinct m (store m #x0 #x00)))(check-sat)",
            "(set-logic ALL)(declare-fun f (Int) Real)(declare-const x Int)(assert (forall ((x Int)) (! (< (f x) 1.5) :pattern ((f x)))))(assert (let ((y (+ x 1)) (z (f 2))) (and (> z (to_real y)) (= y 3))))(check-sat)",
            "(set-logic QF_SLIA)(declare-const s String)(assert (str.in_re s (re.* (str.to_re \"ab\"))))(assert (> (str.len s) 2))(check-sat)",
        ];
        let seeds: Vec<SmtSeed> = texts.iter().map(|text| SmtSeed::read(text.as_bytes()).unwrap()).collect();
        let config = MutateConfig { max_mutations: 6, ..MutateConfig::default() };
        let (mut n_drawn, mut n_refused) = (0, 0);
        for n in 0..3_000 {
            let mut rng = Rng::new(n);
            let (seed, other) = (&seeds[n as usize % 3], &seeds[n as usize / 3 % 3]);
            let Some((plan, _)) = draw(&config, seed, Some(other), "nub_", &mut rng) else { continue };
            let mut text = Vec::new();
            plan.render(seed.script.text(), &mut text);
            n_drawn += 1;
            n_refused += usize::from(check(seed, Some(other), &text).is_none());
        }
        assert!(n_drawn > 2_900 && n_refused * 100 < n_drawn, "{n_refused} of {n_drawn}");
    }

    #[test]
    fn fresh_names_are_fresh() {
        let seed = SmtSeed::read(b"(declare-const |nub__x| Bool)(assert |nub__x|)").unwrap();
        assert_eq!(fresh_prefix([&seed].into_iter()), "nub___");
        assert_eq!(fresh_prefix(std::iter::empty()), "nub_");
    }
}
