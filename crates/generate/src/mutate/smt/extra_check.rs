//! A second check, or a second start after `reset-assertions`.
//!
//! ```text
//! (check-sat)              ->   (check-sat)(check-sat)
//! (assert p)(assert q)     ->   (assert p)(check-sat)(assert q)
//! (assert p)(check-sat)    ->   (assert p)(check-sat)(reset-assertions)(assert p)(check-sat)
//! ```
//!
//! Some solvers forget declarations at `reset-assertions` and others keep them, unless
//! `:global-declarations` is set.

use super::{Draw, Splice};
use nub_smtlib::CommandKind;

/// Limit on the assertions that are repeated.
const MAX_AGAIN: usize = 8;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let check = seed.commands.iter().rfind(|(_, kind)| *kind == CommandKind::CheckSat);
    let &(check, _) = check.filter(|_| seed.is_flat())?;
    match draw.rng.below(3) {
        0 => Some(vec![Splice::insert(seed.span(check).end, "\n(check-sat)")]),
        1 => {
            let (command, _) = seed.commands[draw.pick(&seed.assertions)?];
            Some(vec![Splice::insert(seed.span(command).end, "\n(check-sat)")])
        }
        _ => reset(draw),
    }
}

fn reset(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let sets_it = |&(node, kind): &(nub_smtlib::NodeId, CommandKind)| {
        kind == CommandKind::SetOption && seed.slice(node).windows(7).any(|window| window == b":global")
    };
    if seed.commands.iter().any(sets_it) {
        return None;
    }
    let mut text = b"(reset-assertions)\n".to_vec();
    let mut n_again = 0;
    for &at in &seed.assertions {
        let (command, _) = seed.commands[at];
        if n_again < MAX_AGAIN && !seed.has_named(command) && draw.rng.percent(50) {
            text.extend_from_slice(&[seed.slice(command), b"\n"].concat());
            n_again += 1;
        }
    }
    text.extend_from_slice(b"(check-sat)\n");
    let exit = seed.commands.iter().find(|(_, kind)| *kind == CommandKind::Exit);
    let end = exit.map_or(seed.script.text().len() as u32, |&(exit, _)| seed.span(exit).start);
    if exit.is_none() {
        text.insert(0, b'\n');
    }
    let start = seed.commands.first().map(|&(first, _)| seed.span(first).start)?;
    Some(vec![Splice::insert(start, "(set-option :global-declarations true)\n"), Splice::insert(end, text)])
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn again_between_and_from_new() {
        let seed = "(declare-const p Bool)(assert p)(check-sat)";
        let again = "(set-option :global-declarations true)\n(declare-const p Bool)(assert p)(check-sat)\n(reset-assertions)\n(assert p)\n(check-sat)\n";
        let twice = "(declare-const p Bool)(assert p)(check-sat)\n(check-sat)";
        expect(
            MutationKind::ExtraCheck,
            seed,
            &[again, twice, "(declare-const p Bool)(assert p)\n(check-sat)(check-sat)"],
        );
    }
}
