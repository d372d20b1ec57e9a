//! A run of the model with all inputs zero.

use crate::btor::BtorView;
use crate::btor::constant::MAX_BITS;
use nub_bitvec::Datum;
use nub_btor::{BtorDialect, BtorModel, BtorNodeId, LineId, Ref, Sort, Tag, eval};

/// Limit on the simulated steps.
const MAX_STEPS: usize = 1 << 10;
/// Limit on the evaluated nodes, and on their bits, over all steps.
const MAX_WORK: usize = 1 << 19;
const MAX_WORK_BITS: usize = 1 << 26;

/// The values of states with an initial value, in every step.
pub(super) struct Trace {
    states: Vec<LineId>,
    /// By step, by state.
    values: Vec<Vec<Datum>>,
    /// The first step in which a `bad` holds.
    bad_at: Option<usize>,
}

impl Trace {
    /// `None` if there is nothing to simulate: no state has an initial value, or the file is ill formed or too wide.
    pub fn new(view: &BtorView) -> Option<Trace> {
        if view.file().dialect() != BtorDialect::Btor2 || !view.lines().any(|line| is_init(view, line)) {
            return None;
        }
        let widths: Vec<u32> = view.lines().map(|line| view.sort(line).map_or(0, widest)).collect();
        let n_steps = n_steps(widths.len(), widths.iter().map(|&width| width as usize).sum());
        if n_steps == 0 || widths.iter().any(|&width| width > MAX_BITS) {
            return None;
        }
        let model = BtorModel::of(view.file()).ok()?;
        // The model lists states in the order of their lines.
        let lines = view.lines().filter(|&line| view.tag(line) == Some(Tag::State));
        let has_init = |line: LineId| view.assignments(line).any(|other| is_init(view, other));
        let (states, nodes): (Vec<LineId>, Vec<BtorNodeId>) = lines
            .zip(model.states().iter().map(|state| state.node))
            .filter(|&(line, _)| has_init(line))
            .unzip();
        let mut trace = Trace { states, values: Vec::new(), bad_at: None };
        trace.run(&model, &nodes, n_steps)?;
        Some(trace)
    }

    fn run(&mut self, model: &BtorModel, nodes: &[BtorNodeId], n_steps: usize) -> Option<()> {
        let zero = |node: BtorNodeId| Datum::zero(sort(model.node(node).sort));
        let mut now = eval::first_step(model, zero).ok()?;
        for step in 0..=n_steps {
            self.values.push(nodes.iter().map(|&node| now.get(Ref::from(node))).collect());
            if now.is_bad(model) {
                self.bad_at = Some(step);
                break;
            }
            now = eval::next_step(model, &now, zero).ok()?;
        }
        Some(())
    }

    pub fn states(&self) -> &[LineId] {
        &self.states
    }

    pub fn value(&self, step: usize, state: usize) -> &Datum {
        &self.values[step][state]
    }

    /// The step of the failure, the step before it, then steps at distances that are powers of two from the last. Step 0 only if it fails
    /// there: it changes no initial value.
    pub fn telling_steps(&self) -> Vec<usize> {
        let last = self.values.len() - 1;
        let near = self.bad_at.into_iter().flat_map(|step| [Some(step), step.checked_sub(1)]).flatten();
        let powers = (0..usize::BITS).map(|exponent| 1 << exponent).take_while(|&step| step <= last);
        let mut steps: Vec<usize> = near.filter(|&step| step > 0 || self.bad_at == Some(0)).collect();
        let mut far: Vec<usize> = powers.filter(|step| !steps.contains(step)).collect();
        far.reverse();
        steps.append(&mut far);
        steps
    }
}

fn n_steps(n_lines: usize, n_bits: usize) -> usize {
    MAX_STEPS.min(MAX_WORK / n_lines.max(1)).min(MAX_WORK_BITS / n_bits.max(1))
}

fn is_init(view: &BtorView, line: LineId) -> bool {
    view.tag(line) == Some(Tag::Init)
}

fn widest(sort: Sort) -> u32 {
    match sort {
        Sort::Bits(width) => width,
        Sort::Array { index, element } => index.max(element),
    }
}

fn sort(sort: Sort) -> nub_bitvec::Sort {
    match sort {
        Sort::Bits(width) => nub_bitvec::Sort::Bits(width),
        Sort::Array { index, element } => nub_bitvec::Sort::Array { index, element },
    }
}
