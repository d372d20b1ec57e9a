//! The solver of the demonstration: nub itself as a child process, with a planted bug.
//!
//! It reads a script, answers `unknown` to every `check-sat`, and dies with a failed assertion and SIGABRT if at some
//! `check-sat` an assertion made *after a `push`* is in force that holds a `bvudiv` of more than 8 bits somewhere *below
//! a `bvmul`*. So the smallest input needs a push, an assertion of that shape, and a check-sat, in this order.

use crate::exit::{Exit, Failure};
use nub_edits::smtlib::View;
use nub_smtlib::{CommandKind, NodeId, Sort};
use std::io::Write;
use std::path::Path;

/// Widths up to this one are handled well.
const MAX_GOOD_WIDTH: u32 = 8;
const MESSAGE: &str =
    "demo-solver: src/rewrite/mul_div.cpp:214: Node rewrite(Node): Assertion `width(div) <= 8' failed.";

/// Reads the script and answers, or dies.
pub fn run(path: &Path) -> Result<Exit, Failure> {
    let text = crate::commands::reduce::paths::read_input(path)?;
    let mut stdout = std::io::stdout().lock();
    for answer in answers(&View::new(&text)) {
        match answer {
            Answer::Unknown => _ = writeln!(stdout, "unknown"),
            Answer::Crash => {
                eprintln!("{MESSAGE}");
                std::process::abort();
            }
        }
    }
    Ok(Exit::Done)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Unknown,
    Crash,
}

/// One answer per `check-sat`, the first crash being the last.
fn answers(view: &View) -> Vec<Answer> {
    let mut answers = Vec::new();
    // One entry per open scope: whether a bad assertion was made in it.
    let mut scopes: Vec<bool> = Vec::new();
    for &(node, kind) in view.commands() {
        match kind {
            CommandKind::Push => scopes.extend(vec![false; n_levels(view, node)]),
            CommandKind::Pop => scopes.truncate(scopes.len().saturating_sub(n_levels(view, node))),
            CommandKind::Assert => {
                if let Some(top) = scopes.last_mut() {
                    *top |= is_bad(view, node);
                }
            }
            CommandKind::CheckSat if scopes.contains(&true) => {
                answers.push(Answer::Crash);
                return answers;
            }
            CommandKind::CheckSat => answers.push(Answer::Unknown),
            _ => {}
        }
    }
    answers
}

fn n_levels(view: &View, command: NodeId) -> usize {
    /// Nobody pushes more at once; a hostile number must not fill the memory.
    const MAX_LEVELS: usize = 1000;
    let number = view.tree().child(command, 1).and_then(|node| std::str::from_utf8(view.slice(node)).ok());
    number.map_or(1, |text| text.parse().unwrap_or(0)).min(MAX_LEVELS)
}

fn is_bad(view: &View, assertion: NodeId) -> bool {
    let tree = view.tree();
    let mul_end = |node: NodeId| (view.op_name(node) == Some("bvmul")).then(|| tree.after(node));
    // In preorder a node is below the last product whose subtree is not over.
    let mut below: Option<NodeId> = None;
    tree.subtree(assertion).any(|node| {
        if below.is_some_and(|end| node >= end) {
            below = None;
        }
        let is_hit =
            below.is_some() && view.op_name(node) == Some("bvudiv") && width(view, node) > MAX_GOOD_WIDTH;
        below = below.or_else(|| mul_end(node));
        is_hit
    })
}

fn width(view: &View, term: NodeId) -> u32 {
    match view.sort(term).map(|sort| view.analysis().sorts().get(sort)) {
        Some(Sort::BitVec(width)) => *width,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers_to(commands: &str) -> Vec<Answer> {
        let script = format!("(declare-const a (_ BitVec 16))(declare-const b (_ BitVec 8)){commands}");
        answers(&View::new(script.as_bytes()))
    }

    #[test]
    fn the_planted_condition() {
        use Answer::{Crash, Unknown};
        let bad = "(assert (= a (bvmul a (bvnot (bvudiv a a)))))";
        assert_eq!(answers_to(&format!("(push 1){bad}(check-sat)(check-sat)")), [Crash]);
        assert_eq!(answers_to(&format!("{bad}(check-sat)")), [Unknown], "no push");
        assert_eq!(answers_to(&format!("(push 1){bad}(pop 1)(check-sat)")), [Unknown], "not in force");
        assert_eq!(
            answers_to("(push 1)(assert (= b (bvmul b (bvudiv b b))))(check-sat)"),
            [Unknown],
            "narrow"
        );
        assert_eq!(
            answers_to("(push 1)(assert (= (bvmul a a) (bvudiv a a)))(check-sat)"),
            [Unknown],
            "beside"
        );
        assert_eq!(answers_to(bad), []);
    }
}
