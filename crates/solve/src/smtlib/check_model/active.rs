//! The commands that are in effect at the last question of a script: levels are resolved, and commands that do not matter are omitted.

use super::Refusal;
use nub_smtlib::{CommandKind, NodeId, Script};

/// See the module documentation.
pub(super) struct Active {
    /// Logic, declarations, definitions and assertions, in order.
    pub(super) commands: Vec<(NodeId, CommandKind)>,
    /// The assumptions of the question.
    pub(super) assumptions: Vec<NodeId>,
    /// The assertions.
    asserted: Vec<NodeId>,
}

impl Active {
    /// O(script).
    pub(super) fn of(script: &Script) -> Result<Active, Refusal> {
        let is_question =
            |kind: CommandKind| matches!(kind, CommandKind::CheckSat | CommandKind::CheckSatAssuming);
        let before_exit = || script.commands().take_while(|(_, kind)| *kind != CommandKind::Exit);
        let question = before_exit().filter(|(_, kind)| is_question(*kind)).last();
        let (question, asked) = question.ok_or(Refusal::Script("the script asks nothing"))?;
        let mut levels = Levels::default();
        for (node, kind) in before_exit().take_while(|(node, _)| *node != question) {
            levels.command(script, node, kind)?;
        }
        let tree = script.tree();
        let assumptions = match (asked, tree.child(question, 1)) {
            (CommandKind::CheckSatAssuming, Some(list)) if tree.is_list(list) => {
                tree.children(list).collect()
            }
            _ => Vec::new(),
        };
        let asserts = levels.commands.iter().filter(|(_, kind)| *kind == CommandKind::Assert);
        let asserted = asserts.filter_map(|(node, _)| tree.child(*node, 1)).collect();
        Ok(Active { commands: levels.commands, assumptions, asserted })
    }

    /// Everything that must be true, assertions first.
    pub(super) fn formulas(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.asserted.iter().chain(&self.assumptions).copied()
    }
}

/// The commands that have not been undone.
#[derive(Default)]
struct Levels {
    commands: Vec<(NodeId, CommandKind)>,
    /// The number of commands at the start of each open level.
    starts: Vec<usize>,
    /// True after `(set-option :global-declarations true)`: then `pop` only removes assertions.
    keeps_declarations: bool,
}

impl Levels {
    fn command(&mut self, script: &Script, node: NodeId, kind: CommandKind) -> Result<(), Refusal> {
        use CommandKind::*;
        match kind {
            SetLogic | DeclareSort | DefineSort | DeclareConst | DeclareFun | DefineFun | DefineConst
            | Assert => self.commands.push((node, kind)),
            SetOption => {
                let texts: Vec<&[u8]> =
                    script.tree().children(node).skip(1).map(|node| script.slice(node)).collect();
                if texts.first() == Some(&&b":global-declarations"[..]) {
                    self.keeps_declarations = texts.get(1) == Some(&&b"true"[..]);
                }
            }
            Push => self.starts.resize(self.starts.len() + count(script, node)?, self.commands.len()),
            Pop => {
                let n_left = self.starts.len().checked_sub(count(script, node)?);
                self.back_to(n_left.ok_or(Refusal::Script("the script pops more levels than are open"))?);
            }
            Reset => *self = Levels::default(),
            ResetAssertions => {
                self.back_to(0);
                let keeps = self.keeps_declarations;
                self.commands.retain(|(_, kind)| *kind == SetLogic || (keeps && *kind != Assert));
            }
            CheckSat | CheckSatAssuming | GetValue | GetModel | GetUnsatCore | GetUnsatAssumptions | Echo
            | GetInfo | GetOption | GetProof | GetAssignment | GetAssertions | SetInfo => {}
            _ => {
                let name = script.tree().first_child(node).map(|head| script.slice(head));
                let name = String::from_utf8_lossy(name.unwrap_or_default()).into_owned();
                return Err(Refusal::Command(name));
            }
        }
        Ok(())
    }

    /// Removes levels until `n_left` are open.
    fn back_to(&mut self, n_left: usize) {
        let Some(&start) = self.starts.get(n_left) else { return };
        self.starts.truncate(n_left);
        let taken = self.commands.split_off(start);
        let keeps = self.keeps_declarations;
        self.commands.extend(taken.into_iter().filter(|(_, kind)| keeps && *kind != CommandKind::Assert));
    }
}

/// Limit on the open levels, the same as for the solver.
const MAX_LEVELS: usize = 1 << 16;

/// The number of levels in a `push` or `pop`.
fn count(script: &Script, node: NodeId) -> Result<usize, Refusal> {
    let Some(number) = script.tree().child(node, 1) else { return Ok(1) };
    let number = std::str::from_utf8(script.slice(number)).ok().and_then(|digits| digits.parse().ok());
    number
        .filter(|number| *number <= MAX_LEVELS)
        .ok_or(Refusal::Script("a number of levels is not understood"))
}
