//! Which operators an input contains, and how wide they are: what has been tried so far.

use crate::Language;
use nub_btor::{BtorDialect, BtorFile, Tag};
use nub_smtlib::{Analysis, NodeId, Script, SmtSort, ops};
use std::collections::BTreeSet;

/// Widths are grouped in classes: one bit, a few, a machine word, more.
const CLASSES: [(u32, &str); 4] = [(1, "1"), (8, "8"), (64, "64"), (u32::MAX, "wide")];

fn class(width: u32) -> &'static str {
    CLASSES.iter().find(|(most, _)| width <= *most).map_or("wide", |(_, name)| name)
}

/// The operators of an input by name, without constants and variables: those of a reduced file identify the bug.
/// Linear.
pub fn operators(text: &[u8], language: Language) -> BTreeSet<String> {
    let names = points(text, language).into_iter().map(|(name, _)| name);
    names.filter(|name| !is_leaf(name, language)).collect()
}

fn is_leaf(name: &str, language: Language) -> bool {
    let dialect = match language {
        Language::SmtLib => {
            let op = ops::by_name(name.as_bytes()).and_then(|id| id.get());
            return op.is_some_and(ops::SmtOp::is_constant);
        }
        Language::Btor => BtorDialect::Btor,
        Language::Btor2 => BtorDialect::Btor2,
        Language::Dimacs => return true,
    };
    let is_operator = |tag: Tag| nub_generate::all_tags().contains(&tag) && !tag.is_constant();
    !Tag::by_name(name.as_bytes(), dialect).is_some_and(is_operator)
}

/// Operators with the class of their first argument's width, `""` where there is no width.
pub fn points(text: &[u8], language: Language) -> BTreeSet<(String, &'static str)> {
    match language {
        Language::SmtLib => of_script(text),
        Language::Btor => of_lines(text, BtorDialect::Btor),
        Language::Btor2 => of_lines(text, BtorDialect::Btor2),
        Language::Dimacs => BTreeSet::new(),
    }
}

fn of_script(text: &[u8]) -> BTreeSet<(String, &'static str)> {
    let (script, _) = Script::parse(text);
    let analysis = script.analyse();
    let tree = script.tree();
    let mut points = BTreeSet::new();
    for node in tree.nodes() {
        let Some(op) = analysis.op_of(node) else { continue };
        // The operator is the head of its application, by itself or below `(_ op i)` and `(as op S)`.
        let argument = application(&script, node).and_then(|term| tree.child(term, 1));
        let width = argument.map_or("", |argument| width_class(&analysis, argument));
        points.insert((op.name.to_owned(), width));
    }
    points
}

fn application(script: &Script, head: NodeId) -> Option<NodeId> {
    let tree = script.tree();
    let parent = tree.parent(head)?;
    if tree.first_child(parent) == Some(head) { Some(parent) } else { tree.parent(parent) }
}

fn width_class(analysis: &Analysis, term: NodeId) -> &'static str {
    let Some(sort) = analysis.sort_of(term) else { return "" };
    match analysis.sorts().get(sort) {
        SmtSort::BitVec(width) => class(*width),
        SmtSort::Float(exponent, significand) => class(exponent.saturating_add(*significand)),
        _ => "",
    }
}

fn of_lines(text: &[u8], dialect: BtorDialect) -> BTreeSet<(String, &'static str)> {
    let file = BtorFile::read(text, dialect);
    let mut points = BTreeSet::new();
    for line in file.lines() {
        let Some(name) = line.tag.and_then(|tag| tag.name(dialect)) else { continue };
        let operand = file.operands(line).iter().find(|operand| operand.is_reference());
        let operand = operand.and_then(|operand| operand.line);
        let sort = operand.map_or(line.sort, |operand| file.line(operand).sort);
        points.insert((name.to_owned(), sort.map_or("", |sort| class(sort.width()))));
    }
    points
}

/// The operators to cover: those of the standard, or those that the generator makes.
pub fn operator_names(language: Language) -> Vec<&'static str> {
    match language {
        Language::SmtLib => {
            let standard = ops::all().iter().filter(|op| op.origin == ops::OperatorOrigin::Standard);
            standard.map(|op| op.name).collect()
        }
        Language::Btor => {
            nub_generate::all_tags().iter().filter_map(|tag| tag.name(BtorDialect::Btor)).collect()
        }
        Language::Btor2 => {
            nub_generate::all_tags().iter().filter_map(|tag| tag.name(BtorDialect::Btor2)).collect()
        }
        Language::Dimacs => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_with_the_width_of_their_operand() {
        let text = b"(declare-const x (_ BitVec 32))(assert (= ((_ extract 3 0) x) #b0000))(assert (> 1 2))";
        let found: Vec<(String, &str)> = points(text, Language::SmtLib).into_iter().collect();
        let expected = [("=", "8"), (">", ""), ("extract", "64")];
        assert_eq!(found, expected.map(|(name, class)| (name.to_owned(), class)));
        let btor = b"1 var 1\n2 var 1\n3 and 1 1 -2\n4 root 1 3\n";
        assert_eq!(operators(btor, Language::Btor), BTreeSet::from(["and".to_owned()]));
        assert!(operators(b"(assert true)", Language::SmtLib).is_empty());
        assert!(points(btor, Language::Btor).contains(&("and".to_owned(), "1")));
        assert!(operators(b"p cnf 1 1\n1 0\n", Language::Dimacs).is_empty());
    }
}
