//! The symbolic machine: frames, states, and the loop that runs them.
//!
//! One step executes a block, or the rest of it after a call, on one merged state. Calls push a frame, so neither calls nor loops nor nesting use the
//! host's stack. Each block is executed once per iteration of the loops around it, so the work is the number of unrolled instructions, plus the
//! differences where states merge.

use crate::access::Address;
use crate::addresses::Addresses;
use crate::cells::{CellId, Cells};
use crate::config::{Limit, UnrollConfig, UnrollRefusal};
use crate::current::Current;
use crate::made_nans::MadeNans;
use crate::memory::Memory;
use crate::paths::{PathId, Paths};
use crate::places::*;
use crate::plan::{Item, Plan};
use crate::products::PathRanges;
use crate::scalars::Value;
use crate::sequence::CallSequence;
use crate::single_run::ChooseInput;
use crate::ssa::{Names, Ssa};
use crate::unrolled::*;
use crate::work::Work;
use nub_bitvec::float::FloatTerms;
use nub_bitvec::{Pool, TermId};
use nub_c_ir::{BlockId, DecisionId, Function, FunctionId, Instr, LocalId, Program, SourceOrigin};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// One path through the program up to now, or several that were merged.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub path: PathId,
    pub cells: Cells,
    /// No run gets past the current instruction.
    pub is_dead: bool,
}

/// The current iteration of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    /// The loop in the plan.
    pub number: usize,
    /// Iterations before this one.
    pub done: u32,
    /// Those of them whose continuation condition was not constant.
    pub counted: u32,
    /// Whether the continuation condition of this iteration is not constant.
    pub is_open: bool,
    /// The path at the start of this iteration.
    pub path: PathId,
    pub context: ContextId,
}

/// Where execution continues after a call.
#[derive(Debug)]
pub(crate) struct Running {
    pub block: BlockId,
    /// The next instruction.
    pub at: usize,
    pub state: State,
}

/// A call that has begun.
#[derive(Debug)]
pub(crate) struct PendingCall {
    pub args: Vec<Value>,
    /// Where the returned value goes.
    pub result: Option<Address>,
    pub origin: SourceOrigin,
    /// Functions it may refer to that have not run yet, the next one last, each with its state.
    pub others: Vec<(FunctionId, State)>,
    /// States that have returned.
    pub came_back: Vec<State>,
}

/// An activation of a function.
#[derive(Debug)]
pub(crate) struct Frame {
    pub function: FunctionId,
    pub plan: Rc<Plan>,
    /// The activation.
    pub context: ContextId,
    pub locals: Vec<ObjectId>,
    /// Cells of the locals: start and end.
    pub cells: (CellId, CellId),
    /// States that wait at the start of each block.
    pub waiting: Vec<Vec<State>>,
    /// The next item of the plan.
    pub at: usize,
    pub rounds: Vec<Round>,
    pub running: Option<Running>,
    pub returned: Vec<State>,
    /// Where the returned value goes, in the caller.
    pub result: Option<Address>,
    /// The call that it is waiting for.
    pub call: Option<PendingCall>,
    /// Evaluations in this iteration.
    pub evaluations: FxHashMap<DecisionId, EvaluationId>,
}

pub(crate) struct Machine<'a> {
    pub program: &'a Program,
    pub config: &'a UnrollConfig,
    /// Variables of values, if requested.
    pub names: Option<Names>,
    /// Chooses the values of inputs; without it they are variables.
    pub choose: Option<ChooseInput<'a>>,
    pub pool: Pool,
    /// Operations on floats that were lowered.
    pub floats: FloatTerms,
    pub made_nans: MadeNans,
    pub paths: Paths,
    /// What the last path that was asked about says about values.
    pub ranges: PathRanges,
    pub memory: Memory,
    pub plans: FxHashMap<FunctionId, Rc<Plan>>,
    pub frames: Vec<Frame>,
    pub current: Current,
    pub work: Work,
    pub sequence: CallSequence,
    pub out: Unrolled,
}

/// The result of anything that may be refused.
pub(crate) type Step<T> = Result<T, UnrollRefusal>;

impl<'a> Machine<'a> {
    pub(crate) fn new(program: &'a Program, function: FunctionId, config: &'a UnrollConfig) -> Machine<'a> {
        let mut pool = Pool::new();
        let paths = Paths::new(&mut pool);
        let returned = pool.truth(false);
        let out = Unrolled::new(function, config, returned);
        Machine {
            program,
            config,
            names: None,
            choose: None,
            pool,
            floats: FloatTerms::default(),
            made_nans: MadeNans::default(),
            paths,
            ranges: PathRanges::default(),
            memory: Memory::new(program.model.pointer_bits),
            plans: FxHashMap::default(),
            frames: Vec::new(),
            current: Current::default(),
            work: Work::default(),
            sequence: CallSequence::default(),
            out,
        }
    }

    /// Runs until all frames are done.
    pub(crate) fn run(mut self) -> Step<(Unrolled, Ssa)> {
        self.start()?;
        self.run_to_end()?;
        let ssa = self.take_ssa();
        self.finish_decisions();
        self.depart_where_open_values_matter();
        Ok((self.into_unrolled(), ssa))
    }

    /// Runs everything that has been started.
    pub(crate) fn run_to_end(&mut self) -> Step<()> {
        while !self.frames.is_empty() && !self.is_lost() {
            self.step()?;
        }
        Ok(())
    }

    pub(crate) fn into_unrolled(mut self) -> Unrolled {
        self.out.pool = self.pool;
        self.out.addresses = self.memory.pointers.addresses;
        self.out
    }

    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a step is made only while there is a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a step is made only while there is a frame")
    }

    /// The function of the last frame.
    pub(crate) fn function(&self) -> &'a Function {
        let program: &'a Program = self.program;
        &program.functions[self.frame().function.index()]
    }

    /// The object of a local of the last frame.
    pub(crate) fn local(&self, local: LocalId) -> ObjectId {
        self.frame().locals[local.index()]
    }

    /// Call stack and iterations at this moment; between calls of the function under test, those of the first call.
    pub(crate) fn context(&self) -> ContextId {
        let Some(frame) = self.frames.last() else { return ContextId(0) };
        frame.rounds.last().map_or(frame.context, |round| round.context)
    }

    pub(crate) fn new_context(&mut self, parent: Option<ContextId>, kind: ContextKind) -> ContextId {
        let id = ContextId(u32::try_from(self.out.contexts.len()).unwrap_or(u32::MAX));
        self.out.contexts.push(CallContext { parent, kind });
        id
    }

    pub(crate) fn guard(&self, path: PathId) -> TermId {
        self.paths.guard(path)
    }

    pub(crate) fn plan(&mut self, function: FunctionId) -> Rc<Plan> {
        if let Some(plan) = self.plans.get(&function) {
            return Rc::clone(plan);
        }
        let plan = Rc::new(Plan::new(self.program, &self.program.functions[function.index()]));
        self.plans.insert(function, Rc::clone(&plan));
        plan
    }

    /// One block, or one item of the plan.
    fn step(&mut self) -> Step<()> {
        if self.is_in_long_call() {
            return self.cut_long_call();
        }
        if let Some(running) = self.frame_mut().running.take() {
            return self.run_block(running);
        }
        let (plan, at) = (Rc::clone(&self.frame().plan), self.frame().at);
        let Some(item) = plan.items.get(at) else { return self.leave_frame() };
        self.frame_mut().at += 1;
        match *item {
            Item::Block(block) => {
                let states = std::mem::take(&mut self.frame_mut().waiting[block.index()]);
                if let Some(state) = self.meet_all(states)? {
                    self.frame_mut().running = Some(Running { block, at: 0, state });
                }
            }
            Item::Open(number) => self.open_loop(number)?,
            Item::Close(number) => self.close_loop(number)?,
        }
        Ok(())
    }

    /// Executes instructions up to a call, or to the end of the block.
    fn run_block(&mut self, running: Running) -> Step<()> {
        let Running { block, mut at, mut state } = running;
        let code = &self.function().blocks[block.index()];
        while let Some(instr) = code.instrs.get(at) {
            self.begin_instruction(&instr.origin, state.path)?;
            at += 1;
            if self.is_call(instr) {
                return self.call(instr, Running { block, at, state });
            }
            self.instruction(instr, &mut state)?;
            if state.is_dead || self.is_lost() {
                return Ok(());
            }
        }
        self.begin_instruction(&code.terminator.origin, state.path)?;
        self.terminator(block, &code.terminator, state)
    }

    fn is_call(&self, instr: &Instr) -> bool {
        matches!(instr.kind, nub_c_ir::InstrKind::Call { .. })
    }

    /// Discards the values of the last instruction, and counts the new one.
    fn begin_instruction(&mut self, origin: &SourceOrigin, path: PathId) -> Step<()> {
        self.current.begin(origin, path);
        let counted = self.work.count_instruction(self.config, self.pool.len());
        counted.map_err(|limit| self.limit(limit))
    }

    pub(crate) fn limit(&self, limit: Limit) -> UnrollRefusal {
        UnrollRefusal::Limit(limit, self.current.span)
    }
}

impl Unrolled {
    /// An empty result.
    pub(crate) fn new(function: FunctionId, config: &crate::UnrollConfig, returned: TermId) -> Unrolled {
        Unrolled {
            pool: Pool::new(),
            function,
            world: config.world,
            inputs: Vec::new(),
            assignments: Vec::new(),
            decisions: Vec::new(),
            statements: Vec::new(),
            asserts: Vec::new(),
            checks: Vec::new(),
            assumes: Vec::new(),
            over: Vec::new(),
            departures: Vec::new(),
            register_writes: Vec::new(),
            leaves_open: false,
            stops: Vec::new(),
            returned,
            result: None,
            max_calls: config.calls,
            calls: Vec::new(),
            stub_calls: Vec::new(),
            library_calls: Vec::new(),
            variable_arguments: Vec::new(),
            outputs: Vec::new(),
            varying: Vec::new(),
            objects: Vec::new(),
            contexts: Vec::new(),
            addresses: Addresses::default(),
        }
    }
}
