//! Files as graphs: nodes with their lines and widths, edges with their complements.
//!
//! One node per line of BTOR or per term of SMT-LIB. Names become edges to what they denote, so a `let` is sharing and
//! a declared symbol is one node.

use nub_btor::{BtorDialect, BtorFile, LineId, Sort};
use nub_smtlib::{Analysis, DeclKind, NodeId, NodeRole, Script};
use nub_text::LineIndex;
use serde::Serialize;
use std::collections::BTreeMap;

/// Characters of a label; longer names are cut.
const LABEL_CHARS: usize = 40;
/// Characters of a sort that is shown.
const SORT_CHARS: usize = 40;

/// Maximum number of nodes; the rest of a larger file is omitted.
const MAX_NODES: usize = 200_000;

/// An operand.
#[derive(Serialize, Debug, PartialEq, Eq)]
pub struct GraphEdge {
    /// Index of the node that is used.
    pub to: u32,
    /// Whether it is complemented.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub negated: bool,
}

impl GraphEdge {
    /// A plain edge.
    pub fn to(node: u32) -> GraphEdge {
        GraphEdge { to: node, negated: false }
    }

    /// Complemented, if `is_negated`.
    fn complemented(self, is_negated: bool) -> GraphEdge {
        GraphEdge { negated: is_negated, ..self }
    }
}

/// A node.
#[derive(Serialize, Debug)]
pub struct GraphNode {
    /// Its number in the file, or its name.
    pub id: String,
    /// Operator, constant or symbol.
    pub label: String,
    /// Width or sort.
    pub sort: String,
    /// `root`, `input`, `constant` or `operator`: how it is drawn.
    pub kind: &'static str,
    /// The line it is written in, from 1.
    pub line: usize,
    /// Operands, in order.
    pub edges: Vec<GraphEdge>,
}

/// A file as a graph.
#[derive(Serialize, Debug)]
pub struct FileGraph {
    /// The format.
    pub format: &'static str,
    /// All nodes; an edge is an index into them.
    pub nodes: Vec<GraphNode>,
    /// False if nodes were omitted because there are too many.
    pub is_complete: bool,
}

/// The graph of a text in any of the formats that have one.
pub fn file_graph(text: &[u8]) -> Option<FileGraph> {
    if let Some(dialect) = BtorDialect::guess(text) {
        return Some(of_btor(&BtorFile::read(text, dialect)));
    }
    let (script, _) = Script::parse(text);
    script.commands().next().map(|_| of_script(&script))
}

fn of_btor(file: &BtorFile) -> FileGraph {
    let lines = LineIndex::new(file.text());
    let is_drawn = |id: &LineId| file.line(*id).names.is_none();
    let drawn: Vec<LineId> = file.line_ids().filter(is_drawn).take(MAX_NODES).collect();
    let places: BTreeMap<LineId, u32> = drawn.iter().zip(0..).map(|(&id, at)| (id, at)).collect();
    let nodes = drawn.iter().map(|&id| btor_node(file, &lines, &places, id)).collect();
    let format = file.dialect().name();
    FileGraph { format, nodes, is_complete: drawn.len() < MAX_NODES }
}

fn btor_node(file: &BtorFile, lines: &LineIndex, places: &BTreeMap<LineId, u32>, id: LineId) -> GraphNode {
    let line = file.line(id);
    let text = |span: nub_text::Span| String::from_utf8_lossy(span.slice(file.text())).into_owned();
    let operands = file.operands(line);
    let to = |operand: &nub_btor::Operand| operand.line.and_then(|line| places.get(&line)).copied();
    let edges: Vec<GraphEdge> = operands
        .iter()
        .filter(|operand| operand.is_reference())
        .filter_map(|operand| to(operand).map(|to| GraphEdge::to(to).complemented(operand.negated)))
        .collect();
    let operator = text(line.tag_span);
    let numbers = operands.iter().filter(|operand| {
        matches!(operand.kind, nub_btor::OperandKind::Digits)
            || (matches!(operand.kind, nub_btor::OperandKind::Number) && !edges.is_empty())
    });
    let numbers: Vec<String> = numbers.map(|operand| text(operand.span)).collect();
    let name = line.symbol.map(text).or_else(|| (!numbers.is_empty()).then(|| numbers.join(":")));
    let is_property =
        matches!(operator.as_str(), "root" | "bad" | "constraint" | "fair" | "justice" | "output");
    let is_input = matches!(operator.as_str(), "var" | "array" | "input" | "state");
    let kind = match (is_property, is_input, edges.is_empty()) {
        (true, ..) => "root",
        (_, true, _) => "input",
        (_, _, true) => "constant",
        _ => "operator",
    };
    GraphNode {
        id: line.id.to_string(),
        label: cut(&name.map_or_else(|| operator.clone(), |name| format!("{operator} {name}"))),
        sort: line.sort.map(sort_text).unwrap_or_default(),
        kind,
        line: lines.place(line.id_span.start as usize).line,
        edges,
    }
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => width.to_string(),
        Sort::Array { index, element } => format!("{index}→{element}"),
    }
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LABEL_CHARS {
        return text.to_owned();
    }
    text.chars().take(LABEL_CHARS - 1).chain(['…']).collect()
}

/// The state while the graph of a script is built.
struct ScriptGraph<'script> {
    script: &'script Script,
    analysis: Analysis,
    lines: LineIndex,
    nodes: Vec<GraphNode>,
    /// The node of a term, or of the symbol that declares what it means.
    places: BTreeMap<NodeId, u32>,
}

fn of_script(script: &Script) -> FileGraph {
    let lines = LineIndex::new(script.text());
    let mut made =
        ScriptGraph { script, analysis: script.analyse(), lines, nodes: Vec::new(), places: BTreeMap::new() };
    let mut waiting = Vec::new();
    for (command, _) in script.commands() {
        let (label, terms) = terms_of(script, command);
        if terms.is_empty() {
            continue;
        }
        made.push(command, &label, "root");
        waiting.extend(terms.into_iter().map(|term| (command, term)));
    }
    let mut is_complete = true;
    // Each term is visited once; with an explicit stack, since terms can be as deep as files are long.
    while let Some((user, term)) = waiting.pop() {
        if made.nodes.len() >= MAX_NODES {
            is_complete = false;
            break;
        }
        let Some(term) = made.meaning(term) else { continue };
        let negated = made.is_negation(term);
        let target = if negated {
            made.operand(term).and_then(|inner| made.meaning(inner)).unwrap_or(term)
        } else {
            term
        };
        let to = made.enter(target, &mut waiting);
        let from = made.places[&user] as usize;
        made.nodes[from].edges.push(GraphEdge::to(to).complemented(negated && target != term));
    }
    // The stack gives operands from the last to the first.
    made.nodes.iter_mut().for_each(|node| node.edges.reverse());
    FileGraph { format: "SMT-LIB", nodes: made.nodes, is_complete }
}

/// What a command is called in a graph, and its terms.
fn terms_of(script: &Script, command: NodeId) -> (String, Vec<NodeId>) {
    let tree = script.tree();
    let text = |at| {
        let word = tree.child(command, at).map(|word| script.slice(word)).unwrap_or_default();
        String::from_utf8_lossy(word).into_owned()
    };
    let head = text(0);
    let one = |at| tree.child(command, at).into_iter().collect();
    match head.as_str() {
        "assert" | "assert-not" => ("assert".to_owned(), one(1)),
        "define-fun" | "define-fun-rec" => (format!("{head} {}", text(1)), one(4)),
        "define-const" => (format!("{head} {}", text(1)), one(3)),
        "check-sat-assuming" | "get-value" => {
            (head, tree.child(command, 1).map(|list| tree.children(list).collect()).unwrap_or_default())
        }
        _ => (head, Vec::new()),
    }
}

impl ScriptGraph<'_> {
    fn push(&mut self, node: NodeId, label: &str, kind: &'static str) -> u32 {
        let place = self.nodes.len() as u32;
        let sort = self.analysis.sort_of(node);
        let sort =
            sort.and_then(|sort| self.analysis.sort_text(self.script, sort, SORT_CHARS)).unwrap_or_default();
        let line = self.lines.place(self.script.tree().span(node).start as usize).line;
        self.nodes.push(GraphNode {
            id: place.to_string(),
            label: cut(label),
            sort: short_sort(&String::from_utf8_lossy(&sort)),
            kind,
            line,
            edges: Vec::new(),
        });
        self.places.insert(node, place);
        place
    }

    /// The term that a term stands for: the value of a `let` variable, the body of a `let` or annotation.
    fn meaning(&self, mut term: NodeId) -> Option<NodeId> {
        let tree = self.script.tree();
        // Each step reaches another node, and scopes make cycles impossible; the bound is for malformed
        // files.
        for _ in 0..tree.len() {
            let next = match self.script.tree().first_child(term) {
                Some(head) if self.script.slice(head) == b"let" => tree.child(term, 2),
                Some(head) if self.script.slice(head) == b"!" => tree.child(term, 1),
                Some(_) => None,
                None => self.analysis.decl_of(term).and_then(|decl| {
                    let decl = self.analysis.decl(decl);
                    (decl.kind == DeclKind::Let).then(|| tree.child(decl.owner, 1)).flatten()
                }),
            };
            match next {
                Some(next) => term = next,
                None => return Some(term),
            }
        }
        None
    }

    fn is_negation(&self, term: NodeId) -> bool {
        let head = self.script.tree().first_child(term).map(|head| self.script.slice(head));
        matches!(head, Some(b"not" | b"bvnot"))
    }

    fn operand(&self, term: NodeId) -> Option<NodeId> {
        self.script.tree().child(term, 1)
    }

    /// The node of a term. If it is new, its operands are queued.
    fn enter(&mut self, term: NodeId, waiting: &mut Vec<(NodeId, NodeId)>) -> u32 {
        let tree = self.script.tree();
        let text = |node| String::from_utf8_lossy(self.script.slice(node)).into_owned();
        let declared = self.analysis.decl_of(term).map(|decl| self.analysis.decl(decl).name);
        if let Some(&place) = self.places.get(&declared.unwrap_or(term)) {
            return place;
        }
        let Some(head) = tree.first_child(term) else {
            let kind = if declared.is_some() { "input" } else { "constant" };
            let place = self.push(term, &text(term), kind);
            self.places.insert(declared.unwrap_or(term), place);
            return place;
        };
        let label = text(head);
        let is_term = |node: &NodeId| self.analysis.role(*node) == NodeRole::Term;
        let operands: Vec<NodeId> = tree.children(term).skip(1).filter(is_term).collect();
        // The stack is last in, first out, and edges are turned round at the end.
        waiting.extend(operands.into_iter().map(|operand| (term, operand)));
        self.push(term, &label, "operator")
    }
}

/// `8` for `(_ BitVec 8)`: the most frequent sorts are the shortest.
fn short_sort(text: &str) -> String {
    text.strip_prefix("(_ BitVec ").and_then(|rest| rest.strip_suffix(')')).unwrap_or(text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(graph: &FileGraph, index: usize) -> Vec<(u32, bool)> {
        graph.nodes[index].edges.iter().map(|edge| (edge.to, edge.negated)).collect()
    }

    #[test]
    fn btor_is_drawn_with_widths_lines_and_complements() {
        let graph = file_graph(b"1 var 8 x\n2 constd 8 3\n; a comment\n3 ult 1 1 2\n4 root 1 -3\n").unwrap();
        assert_eq!(graph.format, "BTOR");
        let shown: Vec<_> =
            graph.nodes.iter().map(|node| (node.label.as_str(), node.sort.as_str(), node.line)).collect();
        assert_eq!(shown, [("var x", "8", 1), ("constd 3", "8", 2), ("ult", "1", 4), ("root", "1", 5)]);
        assert_eq!(edges(&graph, 2), [(0, false), (1, false)]);
        assert_eq!(edges(&graph, 3), [(2, true)]);
    }

    #[test]
    fn scripts_share_names_and_lets() {
        let text = b"(declare-const x (_ BitVec 8))\n(assert (let ((y (bvadd x #x01)))\n (not (= y (bvnot x)))))\n(assert (= x x))";
        let graph = file_graph(text).unwrap();
        let by_label = |label: &str| graph.nodes.iter().position(|node| node.label == label).unwrap();
        assert_eq!(graph.nodes.iter().filter(|node| node.label == "x").count(), 1);
        let (first, sum, x) = (by_label("assert"), by_label("bvadd"), by_label("x") as u32);
        assert!(graph.nodes[first].edges[0].negated, "a negation is an edge");
        let equal = graph.nodes[first].edges[0].to as usize;
        assert_eq!(edges(&graph, equal), [(sum as u32, false), (x, true)]);
        assert_eq!(graph.nodes[sum].sort, "8");
    }

    /// Commands other than `assert` contain terms too; an earlier version did not draw them.
    #[test]
    fn every_command_with_terms_is_a_root() {
        let text = b"(declare-const p Bool)(define-fun f ((x Bool)) Bool (or x p))(define-const q Bool (f p))(check-sat-assuming (p (not q)))";
        let graph = file_graph(text).unwrap();
        let roots: Vec<(&str, usize)> = graph
            .nodes
            .iter()
            .filter(|node| node.kind == "root")
            .map(|node| (node.label.as_str(), node.edges.len()))
            .collect();
        assert_eq!(roots, [("define-fun f", 1), ("define-const q", 1), ("check-sat-assuming", 2)]);
        let asked = graph.nodes.iter().position(|node| node.label == "check-sat-assuming").unwrap();
        assert_eq!(edges(&graph, asked).iter().map(|edge| edge.1).collect::<Vec<_>>(), [false, true]);
    }

    #[test]
    fn deep_terms_need_no_stack() {
        let depth = 50_000;
        let text =
            format!("(declare-const p Bool)(assert {}p{})", "(and p ".repeat(depth), ")".repeat(depth));
        let graph = file_graph(text.as_bytes()).unwrap();
        assert_eq!(graph.nodes.len(), depth + 2);
    }
}
