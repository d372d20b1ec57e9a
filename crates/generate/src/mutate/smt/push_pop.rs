//! Distributes the assertions of a flat script over levels, with a check at each.
//!
//! ```text
//! (assert p)(assert q)(assert r)(check-sat)
//!   ->   (assert p)(push 1)(assert q)(check-sat)(pop 1)(assert r)(check-sat)
//! ```
//!
//! Only applied within a run of assertions, because a level's declarations are forgotten with it. cvc5 needs the option
//! `--incremental` for the result; setting it in the file is not possible, because z3 rejects the option of cvc5.

use super::{Draw, Splice};
use nub_smtlib::CommandKind;

/// The maximum number of nested levels.
const MAX_DEPTH: u32 = 3;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let (start, end) = run(draw)?;
    let mut splices = Vec::new();
    let mut depth = 0;
    for &(command, _) in &seed.commands[start..end] {
        let span = seed.span(command);
        if depth < MAX_DEPTH && draw.rng.percent(40) {
            splices.push(Splice::insert(span.start, "(push 1)\n"));
            depth += 1;
        }
        let mut after = String::new();
        while depth > 0 && draw.rng.percent(35) {
            after.push_str("\n(check-sat)\n(pop 1)");
            depth -= 1;
        }
        if !after.is_empty() {
            splices.push(Splice::insert(span.end, after));
        }
    }
    // The remaining levels are closed now, or stay open to the end.
    if depth > 0 && draw.rng.percent(50) {
        let (last, _) = seed.commands[end - 1];
        let text = format!("\n(check-sat)\n(pop {depth})");
        splices.push(Splice::insert(seed.span(last).end, text));
    }
    Some(splices)
}

/// The run of assertions without names that contains a random assertion.
fn run(draw: &mut Draw) -> Option<(usize, usize)> {
    let seed = draw.seed;
    let chosen = draw.pick(&seed.assertions).filter(|_| seed.is_flat())?;
    let is_in_run =
        |at: usize| seed.commands[at].1 == CommandKind::Assert && !seed.has_named(seed.commands[at].0);
    is_in_run(chosen).then_some(())?;
    let start = (0..chosen).rev().take_while(|&at| is_in_run(at)).last().unwrap_or(chosen);
    let end = (chosen..seed.commands.len()).take_while(|&at| is_in_run(at)).count() + chosen;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn levels_close_and_keep_declarations() {
        let seed =
            "(declare-const p Bool)(assert p)(assert (not p))(declare-const q Bool)(assert q)(check-sat)";
        let wanted = "(declare-const p Bool)(push 1)\n(assert p)\n(check-sat)\n(pop 1)(assert (not p))(declare-const q Bool)(assert q)(check-sat)";
        let all = expect(MutationKind::PushPop, seed, &[wanted]);
        for text in all {
            let declared = text.find("(declare-const q").unwrap();
            let opened = text.find("(push").unwrap();
            let pops = text[opened..].matches("(pop").count();
            assert!(opened > declared || pops == 0 || text.rfind("(pop").unwrap() < declared, "{text}");
        }
    }
}
