//! Prints BTOR directly from the graph. Going through `nub_btor::BtorModel` would take twice as long, and it has no old format.

use crate::dag::{FormulaDag, FormulaNode};
use crate::digits::push_number;
use nub_bitvec::Value;
use nub_btor::{BtorDialect, Ref, Sort, Tag};

/// Which version of the format (figure 1.1 of the thesis).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// Version 2: `cond` on arrays.
    Old,
    /// Version 3, and 4 if there are states: `acond`, `next`, `anext`. What Boolector reads.
    New,
}

/// Bytes reserved per node, so that memory is allocated once per file.
const BYTES_PER_NODE: usize = 24;

/// Appends the formula. The id of a node is its index plus 1.
pub fn print_btor(dag: &FormulaDag, version: Version, out: &mut Vec<u8>) {
    out.reserve(BYTES_PER_NODE * dag.len());
    for (idx, node) in dag.nodes.iter().enumerate() {
        push_number(out, idx as u64 + 1);
        out.push(b' ');
        print_node(dag, node, version, out);
        out.push(b'\n');
    }
    let mut id = dag.len() as u64;
    for state in &dag.states {
        let Some(next) = state.next else { continue };
        id += 1;
        let sort = dag.node(state.node).sort;
        let tag = if sort.is_array() { Tag::Anext } else { Tag::Next };
        push_number(out, id);
        push_head(tag, sort, out);
        push_edges(&[state.node.into(), next], out);
        out.push(b'\n');
    }
    if let Some(root) = dag.root {
        push_number(out, id + 1);
        push_head(Tag::Root, Sort::BIT, out);
        push_edges(&[root], out);
        out.push(b'\n');
    }
}

fn print_node(dag: &FormulaDag, node: &FormulaNode, version: Version, out: &mut Vec<u8>) {
    let tag = match (node.tag, node.sort) {
        (Tag::Acond, _) if version == Version::Old => Tag::Ite,
        (Tag::State, Sort::Bits(_)) => Tag::Var,
        (Tag::State, Sort::Array { .. }) => Tag::Array,
        (tag, _) => tag,
    };
    // Every operator of the generator has a name in BTOR.
    out.extend_from_slice(tag.op().btor.as_bytes());
    out.push(b' ');
    push_number(out, u64::from(node.sort.width()));
    match tag {
        Tag::Const | Tag::Constd | Tag::Consth => {
            out.push(b' ');
            push_digits(tag, &dag.values[node.params[0] as usize], out);
        }
        Tag::Slice => {
            push_edges(node.edges(), out);
            push_param(node.params[0], out);
            push_param(node.params[1], out);
        }
        Tag::Uext | Tag::Sext => {
            push_edges(node.edges(), out);
            push_param(node.params[0], out);
        }
        Tag::Array | Tag::Write | Tag::Acond => {
            push_index_width(node.sort, out);
            push_edges(node.edges(), out);
        }
        _ => push_edges(node.edges(), out),
    }
}

/// ` OP WIDTH`, and the index width of an array.
fn push_head(tag: Tag, sort: Sort, out: &mut Vec<u8>) {
    out.push(b' ');
    out.extend_from_slice(tag.name(BtorDialect::Btor).unwrap_or_default().as_bytes());
    push_param(sort.width(), out);
    push_index_width(sort, out);
}

fn push_index_width(sort: Sort, out: &mut Vec<u8>) {
    if let Sort::Array { index, .. } = sort {
        push_param(index, out);
    }
}

fn push_param(number: u32, out: &mut Vec<u8>) {
    out.push(b' ');
    push_number(out, u64::from(number));
}

#[inline]
fn push_edges(edges: &[Ref], out: &mut Vec<u8>) {
    for edge in edges {
        out.push(b' ');
        if edge.negated() {
            out.push(b'-');
        }
        push_number(out, edge.node().index() as u64 + 1);
    }
}

fn push_digits(tag: Tag, value: &Value, out: &mut Vec<u8>) {
    match (tag, value.to_u64()) {
        (Tag::Constd, Some(number)) => push_number(out, number),
        (Tag::Constd, None) => out.extend_from_slice(value.to_decimal().as_bytes()),
        (Tag::Consth, _) => out.extend_from_slice(value.to_hex().as_bytes()),
        _ => {
            let bits = (0..value.width()).rev().map(|bit| b'0' + u8::from(value.bit(bit)));
            out.extend(bits);
        }
    }
}
