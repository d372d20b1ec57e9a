//! Models as text.
//!
//! The model of a formula has one line per variable, as Boolector prints it with `-m`: `x 0101`, and for elements of arrays
//! `a[01] 0101`. Elements without a line are zero, unless a line `a[*] 0101` gives their value. The model of a transition
//! system is a BTOR2 witness: the bad lines that hold in the last step, values of states (`#0`) and of inputs (`@0`).

use super::steps::Steps;
use crate::BvModel as Found;
use nub_bitvec::{Datum, Pool, TermId};
use nub_btor::{BtorFile, BtorModel, BtorNodeId, Tag};
use rustc_hash::FxHashMap;

/// Names of variables: their symbol, or the id of their line.
pub(super) struct Names {
    names: FxHashMap<BtorNodeId, Vec<u8>>,
}

impl Names {
    pub(super) fn of(file: &BtorFile, model: &BtorModel) -> Names {
        let is_leaf = |tag: Tag| matches!(tag, Tag::Var | Tag::Array | Tag::Input | Tag::State);
        let lines = file.lines().iter().filter(|line| line.tag.is_some_and(is_leaf));
        // Both are in the order of the file.
        let nodes = model.node_ids().filter(|id| is_leaf(model.node(*id).tag));
        let name_of = |id: BtorNodeId, line: &nub_btor::BtorLine| match model.symbol(id) {
            Some(symbol) => symbol.to_vec(),
            None => line.id.to_string().into_bytes(),
        };
        Names { names: nodes.zip(lines).map(|(id, line)| (id, name_of(id, line))).collect() }
    }

    /// The name of a variable.
    pub(super) fn get(&self, id: BtorNodeId) -> &[u8] {
        self.names.get(&id).map_or(&b""[..], Vec::as_slice)
    }
}

/// Lines for a value: `before`, an index in brackets if it is an array, the bits, `after`.
fn lines_of(out: &mut Vec<u8>, value: &Datum, before: &[u8], after: &[u8]) {
    let mut line = |index: &str, bits: &str| {
        out.extend_from_slice(&[before, index.as_bytes(), b" ", bits.as_bytes(), after, b"\n"].concat());
    };
    match value {
        Datum::Bits(value) => line("", &value.to_binary()),
        Datum::Array(array) => {
            if !array.default().is_zero() {
                line("[*]", &array.default().to_binary());
            }
            for (index, element) in array.exceptions() {
                line(&format!("[{}]", index.to_binary()), &element.to_binary());
            }
        }
    }
}

/// The values of the variables of a formula.
pub(super) fn assignment(
    names: &Names,
    free: &[(BtorNodeId, TermId)],
    found: &Found,
    pool: &Pool,
) -> Vec<u8> {
    let terms: Vec<TermId> = free.iter().map(|(_, term)| *term).collect();
    let mut out = Vec::new();
    for ((id, _), value) in free.iter().zip(found.values(pool, &terms)) {
        lines_of(&mut out, &value, names.get(*id), b"");
    }
    out
}

/// What follows the `sat` of a witness.
pub(super) fn witness(steps: &Steps<'_>, bads: &[TermId], found: &Found, pool: &Pool) -> Vec<u8> {
    let mut out = Vec::new();
    let held = found.values(pool, bads).into_iter().enumerate().filter(|(_, value)| value.is_true());
    let held: Vec<String> = held.map(|(number, _)| format!("b{number}")).collect();
    if !held.is_empty() {
        out.extend_from_slice(format!("{}\n", held.join(" ")).as_bytes());
    }
    for step in 0..steps.n_steps() {
        frame(&mut out, steps, step, found, pool);
    }
    out.extend_from_slice(b".\n");
    out
}

/// One step: the states that were unconstrained, then the inputs.
fn frame(out: &mut Vec<u8>, steps: &Steps<'_>, step: usize, found: &Found, pool: &Pool) {
    let model = steps.model();
    let (states, inputs): (Vec<_>, Vec<_>) =
        steps.free(step).iter().copied().partition(|(id, _)| model.node(*id).tag == Tag::State);
    for (mark, leaves) in [('#', states), ('@', inputs)] {
        if mark == '@' || step == 0 || !leaves.is_empty() {
            out.extend_from_slice(format!("{mark}{step}\n").as_bytes());
        }
        let terms: Vec<TermId> = leaves.iter().map(|(_, term)| *term).collect();
        for ((id, _), value) in leaves.iter().zip(found.values(pool, &terms)) {
            let place = match mark {
                '#' => model.states().binary_search_by_key(id, |state| state.node),
                _ => model.inputs().binary_search(id),
            };
            let number = place.unwrap_or_else(|place| place);
            let symbol = model
                .symbol(*id)
                .map_or(Vec::new(), |symbol| [b" ", symbol, format!("{mark}{step}").as_bytes()].concat());
            let is_array = matches!(value, Datum::Array(_));
            let before = format!("{number}{}", if is_array { " " } else { "" });
            lines_of(out, &value, before.as_bytes(), &symbol);
        }
    }
}
