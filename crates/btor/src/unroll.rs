//! K steps of a sequential model as one combinational model.
//!
//! Step 0 begins with the initial values, each later step with the next values of the step before; states without such a value become
//! fresh inputs. Constraints must hold in every step up to the bad one, but not after it. Symbols get the step as a suffix, `x@3`;
//! inputs without a symbol are named by their number, `input0@3`.
//!
//! Neither format can express a constant array. An array that begins with the same element everywhere is an input `a@0` with a
//! constraint for every index that is read in any step. That is exact as long as arrays are only read: elements that are never read may
//! have any value. If arrays are compared, all elements are written one by one, up to a limit.

use crate::rebuild::Rebuild;
use crate::rules::Misfit;
use crate::{
    BtorDialect, BtorModel, BtorNode, BtorNodeId, BtorState, ConversionRefusal, Ref, Sort, Tag, WidthRule,
    convert, prune,
};

/// In which step to look for a bad state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadStateStep {
    /// In any step from 0 to K.
    UpTo,
    /// Only in step K.
    Exactly,
}

/// Limit on the nodes of an unrolled model. The number of steps comes from the command line, so the size of the file does not limit it.
const MAX_NODES: usize = 50_000_000;

/// Widest index of an array whose elements are written one by one.
const MAX_FILLED_INDEX: u32 = 10;

/// Steps 0 to `k` of `model` as a model without states. If the model has bad states, the result has one `Bad`, which holds if a bad state
/// is reached. With [`BadStateStep::Exactly`] there is one `Constraint` per constraint and step; with [`BadStateStep::UpTo`] the
/// constraints up to each step are part of its bad state. Outputs and everything else that no property needs are omitted.
pub fn unroll(model: &BtorModel, k: u32, reach: BadStateStep) -> Result<BtorModel, ConversionRefusal> {
    check(model, k)?;
    let model = convert(model, BtorDialect::Btor2)?;
    let compares_arrays = compares_arrays(&model);
    let mut unrolling = Unrolling {
        rebuild: Rebuild::new(&model),
        nexts: Vec::new(),
        bads: Vec::new(),
        constraints: Vec::new(),
        assumed: Vec::new(),
        held: None,
        filled: Vec::new(),
        constants: Vec::new(),
        compares_arrays,
    };
    let mut run = || {
        for step in 0..=k {
            unrolling.step(step)?;
            if reach == BadStateStep::UpTo {
                unrolling.hold(step)?;
            }
            if reach == BadStateStep::UpTo || step == k {
                unrolling.collect_bads()?;
            }
        }
        unrolling.properties(reach)
    };
    run().map_err(|misfit| ConversionRefusal::internal(&misfit))?;
    Ok(prune(&unrolling.rebuild.new))
}

fn check(model: &BtorModel, k: u32) -> Result<(), ConversionRefusal> {
    let live = model.properties().iter().find(|p| matches!(p.tag, Tag::Fair | Tag::Justice));
    if let Some(property) = live {
        let message = format!("`{}` is about infinite runs", property.tag.op().btor2);
        return Err(ConversionRefusal::of_property(
            property,
            message,
            "remove the line; finite runs can only show `bad` states",
        ));
    }
    let n_nodes = (k as usize).saturating_add(1).saturating_mul(model.nodes().len());
    if n_nodes > MAX_NODES {
        let message =
            format!("{k} steps of {} nodes exceed the limit of {MAX_NODES} nodes", model.nodes().len());
        return Err(ConversionRefusal::limit(message, "unroll fewer steps"));
    }
    let compares_arrays = compares_arrays(model);
    for state in model.states() {
        if let Sort::Array { index, .. } = model.node(state.node).sort
            && state.init.is_some_and(|init| !model.sort(init).is_array())
            && compares_arrays
            && index > MAX_FILLED_INDEX
        {
            let message = "an array with a constant initial value is too large to be compared".to_owned();
            return Err(ConversionRefusal::of_state(
                state,
                message,
                "use a smaller index, or drop the comparison",
            ));
        }
    }
    Ok(())
}

fn compares_arrays(model: &BtorModel) -> bool {
    let is_such =
        |node: &BtorNode| node.tag.rule() == WidthRule::Equal && model.sort(node.args()[0]).is_array();
    model.nodes().iter().any(is_such)
}

/// An array that has the same element everywhere.
struct Filled {
    array: Ref,
    sort: Sort,
    element: Ref,
}

struct Unrolling<'a> {
    rebuild: Rebuild<'a>,
    /// Values of the states in the next step.
    nexts: Vec<Option<Ref>>,
    bads: Vec<Ref>,
    /// Constraints that define the arrays that begin with the same element everywhere.
    constraints: Vec<Ref>,
    /// Constraints of the model, step by step.
    assumed: Vec<Ref>,
    /// The conjunction of all constraints of the model up to the current step.
    held: Option<Ref>,
    filled: Vec<Filled>,
    /// The nodes of step 0, for constants, which do not change.
    constants: Vec<Ref>,
    compares_arrays: bool,
}

impl Unrolling<'_> {
    fn step(&mut self, step: u32) -> Result<(), Misfit> {
        let model = self.rebuild.old;
        self.rebuild.restart();
        let mut n_states = 0;
        for (at, id) in model.node_ids().enumerate() {
            let node = model.node(id);
            let new = match node.tag {
                Tag::Input => self.fresh(id, step, "input", at),
                Tag::State => {
                    let state = &model.states()[n_states];
                    n_states += 1;
                    match self.value_of(state, n_states - 1, step)? {
                        Some(value) => value,
                        None => self.fresh(id, step, "state", at),
                    }
                }
                // Constants are the same in all steps.
                _ if node.tag.is_constant() && step > 0 => self.constants[at],
                _ => self.rebuild.copy(id)?.into(),
            };
            if step == 0 {
                self.constants.push(new);
            }
            if let Some(symbol) =
                model.symbol(id).filter(|_| node.tag != Tag::State && !node.tag.is_constant())
            {
                self.rebuild.new.set_symbol(new.node(), &at_step(symbol, step));
            }
            self.rebuild.set(new);
            if node.tag == Tag::Read {
                self.constrain_read(new)?;
            }
        }
        let nexts = model.states().iter().map(|state| state.next.map(|next| self.rebuild.get(next)));
        self.nexts = nexts.collect();
        for property in model.properties().iter().filter(|property| property.tag == Tag::Constraint) {
            self.assumed.push(self.rebuild.get(property.refs[0]));
        }
        Ok(())
    }

    /// The value of a state at the beginning of a step; `None` if it may be anything.
    fn value_of(&mut self, state: &BtorState, nth: usize, step: u32) -> Result<Option<Ref>, Misfit> {
        if step > 0 {
            return Ok(self.nexts[nth]);
        }
        let Some(init) = state.init else { return Ok(None) };
        let sort = self.rebuild.old.node(state.node).sort;
        let value = self.rebuild.get(init);
        if self.rebuild.new.sort(value) == sort {
            return Ok(Some(value));
        }
        self.fill(state, sort, value).map(Some)
    }

    /// A fresh input for a leaf.
    fn fresh(&mut self, id: BtorNodeId, step: u32, kind: &str, at: usize) -> Ref {
        let model = self.rebuild.old;
        let new = self.rebuild.new.push_input(model.node(id).sort);
        let name = format!("{kind}{at}");
        let name = model.symbol(id).unwrap_or(name.as_bytes());
        self.rebuild.new.set_symbol(new, &at_step(name, step));
        new.into()
    }

    /// An array with `element` everywhere.
    fn fill(&mut self, state: &BtorState, sort: Sort, element: Ref) -> Result<Ref, Misfit> {
        let mut array = self.fresh(state.node, 0, "state", state.node.index());
        let Sort::Array { index, .. } = sort else { return Ok(array) };
        if !self.compares_arrays {
            self.filled.push(Filled { array, sort, element });
            return Ok(array);
        }
        // The limit was checked before.
        for number in 0..1u64 << index.min(MAX_FILLED_INDEX) {
            let place = self.rebuild.number(index, number)?;
            array = self.rebuild.op(Tag::Write, &[array, place, element], &[])?;
        }
        Ok(array)
    }

    /// Constrains a read from an array that began with the same element everywhere.
    fn constrain_read(&mut self, read: Ref) -> Result<(), Misfit> {
        let new = &self.rebuild.new;
        let args = new.node(read.node()).args();
        let (sort, place) = (new.sort(args[0]), args[1]);
        for at in 0..self.filled.len() {
            let Filled { array, sort: of, element } = self.filled[at];
            if of == sort {
                let found = self.rebuild.op(Tag::Read, &[array, place], &[])?;
                let is_so = self.rebuild.op(Tag::Eq, &[found, element], &[])?;
                self.constraints.push(is_so);
            }
        }
        Ok(())
    }

    /// Adds the constraints of a step to those that must hold up to it.
    fn hold(&mut self, step: u32) -> Result<(), Misfit> {
        let per_step = self.assumed.len() / (step as usize + 1);
        let new = self.assumed[self.assumed.len() - per_step..].to_vec();
        let all: Vec<Ref> = self.held.into_iter().chain(new).collect();
        self.held = self.rebuild.join(Tag::And, &all)?;
        Ok(())
    }

    fn collect_bads(&mut self) -> Result<(), Misfit> {
        for property in self.rebuild.old.properties().iter().filter(|property| property.tag == Tag::Bad) {
            let bad = self.rebuild.get(property.refs[0]);
            let bad = match self.held {
                Some(held) => self.rebuild.op(Tag::And, &[bad, held], &[])?,
                None => bad,
            };
            self.bads.push(bad);
        }
        Ok(())
    }

    fn properties(&mut self, reach: BadStateStep) -> Result<(), Misfit> {
        let bad = self.rebuild.join(Tag::Or, &self.bads)?;
        let assumed =
            if reach == BadStateStep::UpTo && bad.is_some() { Vec::new() } else { self.assumed.clone() };
        for &constraint in self.constraints.iter().chain(&assumed) {
            self.rebuild.new.add_property(Tag::Constraint, &[constraint])?;
        }
        bad.map_or(Ok(()), |bad| self.rebuild.new.add_property(Tag::Bad, &[bad]))
    }
}

/// The symbol of a node in a step.
fn at_step(symbol: &[u8], step: u32) -> Vec<u8> {
    let mut name = symbol.to_vec();
    name.extend_from_slice(format!("@{step}").as_bytes());
    name
}
