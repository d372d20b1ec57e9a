//! Dependence between functions. Calls are not distinguished: an effect of one call counts for all.

use super::access::{Access, Reader, Variable};
use super::data::{Flow, shared_definitions};
use super::{Draft, Node, has_body, node};
use nub_c_ir::analysis::deciding;
use nub_c_ir::{FunctionId, LocalId, Program};
use std::collections::{BTreeMap, BTreeSet};

/// A function with what its instructions read and write.
pub(super) struct Code {
    pub id: FunctionId,
    pub accesses: Vec<Vec<Access>>,
}

/// The functions that calls lead to, in order.
pub(super) fn reached(program: &Program, root: FunctionId) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    let mut todo = vec![root];
    while let Some(id) = todo.pop() {
        if has_body(program, id) && found.insert(id) {
            todo.extend(program.callees(program.function(id)).into_iter().map(|(callee, _)| callee));
        }
    }
    found
}

/// Reads the functions.
pub(super) fn bodies(program: &Program, functions: &BTreeSet<FunctionId>) -> BTreeMap<FunctionId, Code> {
    let body = |id: &FunctionId| {
        let accesses = Reader::new(program, program.function(*id)).accesses();
        (*id, Code { id: *id, accesses })
    };
    functions.iter().map(body).collect()
}

/// What callers need to know about a function.
struct Summary {
    /// Lines that are executed whenever it is called, unless it ends early.
    top: Vec<Node>,
    returns: Vec<Node>,
    /// Uses of each parameter that its argument reaches.
    params: Vec<Vec<Node>>,
    /// Uses of shared variables that a value from before the call reaches.
    exposed: BTreeMap<Variable, Vec<Node>>,
    /// Lines that write shared variables.
    writes: BTreeMap<Variable, Vec<Node>>,
}

/// Adds the edges of data and of calls.
pub(super) fn edges(program: &Program, bodies: &BTreeMap<FunctionId, Code>, draft: &mut Draft) {
    let mut flows = BTreeMap::new();
    for (id, body) in bodies {
        let flow = Flow::new(program.function(*id), &body.accesses);
        flow.edges(draft);
        flows.insert(*id, flow);
    }
    let summaries: BTreeMap<FunctionId, Summary> =
        bodies.iter().map(|(id, body)| (*id, summary(program, body, &flows[id]))).collect();
    let written = written_below(program, bodies, &summaries);
    for (id, body) in bodies {
        for (block, list) in body.accesses.iter().enumerate() {
            for (at, access) in list.iter().enumerate() {
                for callee in access.calls.iter().filter_map(|callee| summaries.get(callee)) {
                    callee.top.iter().for_each(|to| draft.edge(access.node, *to));
                    callee.params.iter().flatten().for_each(|to| draft.edge(access.node, *to));
                    callee.returns.iter().for_each(|from| draft.edge(*from, access.node));
                }
                for (variable, lines) in
                    access.calls.iter().filter_map(|callee| written.get(callee)).flatten()
                {
                    for to in flows[id].after(block, at, *variable) {
                        lines.iter().for_each(|from| draft.edge(*from, to));
                    }
                }
            }
        }
    }
    between(&summaries, draft);
    initial_values(program, &summaries, draft);
}

fn summary(program: &Program, body: &Code, flow: &Flow<'_>) -> Summary {
    let function = program.function(body.id);
    let decided = deciding(function);
    let blocks = body.accesses.iter().zip(&decided);
    let top = blocks.filter(|(_, deciding)| deciding.is_empty()).flat_map(|(list, _)| list);
    let returns = body.accesses.iter().flatten().filter(|access| access.is_return);
    let params = (0..function.n_params as u32).map(|index| flow.at_start(Variable::Local(LocalId(index))));
    let shared: BTreeSet<Variable> = body
        .accesses
        .iter()
        .flatten()
        .flat_map(|access| &access.uses)
        .copied()
        .filter(|variable| variable.is_shared())
        .collect();
    Summary {
        top: top.map(|access| access.node).collect(),
        returns: returns.map(|access| access.node).collect(),
        params: params.collect(),
        exposed: shared.into_iter().map(|variable| (variable, flow.at_start(variable))).collect(),
        writes: shared_definitions(&body.accesses),
    }
}

type Writes = BTreeMap<Variable, BTreeSet<Node>>;

/// For each function the lines, its own and those of functions that it calls, that write shared variables. Repeated until nothing is added, since
/// functions may call each other.
fn written_below(
    program: &Program,
    bodies: &BTreeMap<FunctionId, Code>,
    summaries: &BTreeMap<FunctionId, Summary>,
) -> BTreeMap<FunctionId, Writes> {
    let own = |(id, summary): (&FunctionId, &Summary)| {
        let writes =
            summary.writes.iter().map(|(variable, lines)| (*variable, lines.iter().copied().collect()));
        (*id, writes.collect())
    };
    let mut written: BTreeMap<FunctionId, Writes> = summaries.iter().map(own).collect();
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for id in bodies.keys() {
            for (callee, _) in program.callees(program.function(*id)) {
                let Some(below) = written.get(&callee).cloned() else { continue };
                let own = written.entry(*id).or_default();
                for (variable, lines) in below {
                    let known = own.entry(variable).or_default();
                    let n_before = known.len();
                    known.extend(lines);
                    has_changed |= known.len() != n_before;
                }
            }
        }
    }
    written
}

/// A definition in one function reaches uses in another that depend on the value from before the call.
fn between(summaries: &BTreeMap<FunctionId, Summary>, draft: &mut Draft) {
    for (reader, to) in summaries {
        for (variable, uses) in &to.exposed {
            let others = summaries.iter().filter(|(writer, _)| *writer != reader);
            for from in others.filter_map(|(_, from)| from.writes.get(variable)).flatten() {
                uses.iter().for_each(|to| draft.edge(*from, *to));
            }
        }
    }
}

/// An initial value of a global has its own line, on which its uses depend.
fn initial_values(program: &Program, summaries: &BTreeMap<FunctionId, Summary>, draft: &mut Draft) {
    for (variable, uses) in summaries.values().flat_map(|summary| &summary.exposed) {
        let Variable::Global(global) = variable else { continue };
        for piece in &program.globals[global.index()].initial {
            let from = node(piece.position);
            draft.nodes.insert(from);
            uses.iter().for_each(|to| draft.edge(from, *to));
        }
    }
}
