//! Fuses two files: declarations of both, and interleaved assertions of both.
//!
//! ```text
//! (declare-const x Int)(assert (< x 0))(check-sat)
//! (declare-const x Bool)(assert x)(check-sat)
//!   ->   (declare-const nub_1 Bool)(declare-const x Int)(assert (< x 0))(assert nub_1)(check-sat)
//! ```
//!
//! Names of the second file that also occur in the first one are renamed. Linear in both.

use super::import::{Renaming, can_share, is_declaration};
use super::{Draw, Splice};
use nub_smtlib::{CommandKind, NodeId};

/// The longest second file, in bytes: the result should still be a reasonable test case.
const MAX_OTHER: usize = 1 << 20;

pub(super) fn propose(draw: &mut Draw) -> Option<Vec<Splice>> {
    let seed = draw.seed;
    let other =
        draw.other.filter(|other| can_share(seed, other) && other.script.text().len() <= MAX_OTHER)?;
    let taken = |&&(_, kind): &&(NodeId, CommandKind)| is_declaration(kind) || kind == CommandKind::Assert;
    let commands: Vec<NodeId> = other.commands.iter().filter(taken).map(|&(node, _)| node).collect();
    let renaming = Renaming::new(draw, other, &commands);
    let mut declarations = Vec::new();
    let mut splices = Vec::new();
    // Assertions are inserted after assertions of the first file, in order, as long as no level has been closed.
    let first = *seed.assertions.first()?;
    let opens = |&at: &usize| matches!(seed.commands[at].1, CommandKind::Push | CommandKind::ResetAssertions);
    let places: Vec<u32> = (first..seed.commands.len())
        .take_while(|at| !opens(at) && seed.commands[*at].1 != CommandKind::CheckSat)
        .map(|at| seed.span(seed.commands[at].0).end)
        .collect();
    let mut place = 0;
    // What is defined after a named assertion may use its name, so from there on the order is kept.
    let mut keeps_order = false;
    for &command in &commands {
        let mut text = renaming.text(other, command)?;
        let is_assertion = other.script.command_kind(command) == CommandKind::Assert;
        keeps_order |= is_assertion && other.has_named(command);
        if is_assertion && !keeps_order {
            place += draw.rng.below((places.len() - place) as u32) as usize;
            splices.push(Splice::insert(*places.get(place)?, [b"\n", &text[..]].concat()));
        } else {
            text.push(b'\n');
            declarations.extend_from_slice(&text);
        }
    }
    splices.push(Splice::insert(seed.declarations_at(), declarations));
    Some(splices)
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::mutants;

    #[test]
    fn clashes_are_renamed_and_the_logic_is_joined() {
        let first = "(set-logic QF_LIA)(declare-const x Int)(assert (< x 0))(check-sat)";
        let second =
            "(set-logic QF_UF)(declare-fun x (Bool) Bool)(declare-const y Bool)(assert (x y))(check-sat)";
        let wanted = "(set-logic QF_UFLIA)(declare-fun nub_1 (Bool) Bool)\n(declare-const y Bool)\n(declare-const x Int)(assert (< x 0))\n(assert (nub_1 y))(check-sat)";
        let all = mutants(MutationKind::FuseFiles, &[first, second]);
        assert!(all.contains(wanted), "{all:#?}");
    }
}
