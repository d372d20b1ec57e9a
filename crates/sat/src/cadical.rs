//! CaDiCaL, built in.

use crate::proof::{Action, Proof};
use crate::{SatAnswer, SatLimits, SatSolver, SatStop};
use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use nub_cnf::{Lit, Sink};
use nub_process::Cancel;
use std::cell::RefCell;
use std::rc::Rc;

/// CaDiCaL by Armin Biere and others, version 3.0.1.
///
/// Two of its options differ from the default. `lucky=0`: lucky guesses ignore preferred phases, and finding close runs
/// depends on phases. `factor=0`: bounded variable addition requires variables to be declared in advance.
pub struct Cadical {
    solver: CaDiCal,
    n_vars: u32,
    core: Vec<Lit>,
    has_model: bool,
}

/// Tells CaDiCaL when to stop.
struct Watch(Cancel);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.is_cancelled()
    }
}

/// What CaDiCaL derives and deletes, in memory.
pub(crate) type Log = Rc<RefCell<Proof>>;

/// Receives CaDiCaL's steps and writes the log.
struct Tracer(Log);

impl Tracer {
    fn push(&self, action: Action, clause: impl Iterator<Item = i32>) {
        self.0.borrow_mut().push(action, clause.filter_map(Lit::from_dimacs));
    }
}

impl ProofTracer for Tracer {
    fn add_derived_clause(&mut self, _: i64, _: bool, witness: i32, clause: &[i32], _: &[i64]) {
        // The literal that a clause is blocked on comes first.
        let rest = clause.iter().copied().filter(|lit| *lit != witness);
        self.push(Action::Add, (witness != 0).then_some(witness).into_iter().chain(rest));
    }

    fn delete_clause(&mut self, _: i64, _: bool, clause: &[i32]) {
        self.push(Action::Delete, clause.iter().copied());
    }

    // The other callbacks are about identifiers, incremental use and models.
    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, _: i64, _: &[i32]) {}
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}

impl Cadical {
    /// A solver without clauses, and the log of what it derives.
    pub(crate) fn logging() -> (Cadical, Log) {
        let mut made = Cadical::new();
        let log = Log::default();
        made.solver.connect_proof_tracer1(Tracer(log.clone()), false, false);
        (made, log)
    }

    /// No clauses.
    pub fn new() -> Cadical {
        let mut solver = CaDiCal::new();
        for (option, value) in [("quiet", 1), ("lucky", 0), ("factor", 0)] {
            solver.set(option, value);
        }
        Cadical { solver, n_vars: 0, core: Vec::new(), has_model: false }
    }
}

impl Default for Cadical {
    fn default() -> Cadical {
        Cadical::new()
    }
}

impl Sink for Cadical {
    fn new_var(&mut self) -> Lit {
        let lit = Lit::positive(self.n_vars);
        self.n_vars += 1;
        lit
    }

    fn add(&mut self, clause: &[Lit]) {
        self.has_model = false;
        clause.iter().for_each(|lit| self.solver.add(lit.to_dimacs()));
        self.solver.add(0);
    }
}

impl SatSolver for Cadical {
    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer {
        self.core.clear();
        self.has_model = false;
        if limits.cancel.is_cancelled() {
            return SatAnswer::Unknown(SatStop::Cancelled);
        }
        assumptions.iter().for_each(|lit| self.solver.assume(lit.to_dimacs()));
        // A limit applies to one question. -1 means no limit.
        let conflicts = limits.conflicts.map_or(-1, |most| i32::try_from(most).unwrap_or(i32::MAX));
        self.solver.limit("conflicts", conflicts);
        self.solver.connect_terminator(Watch(limits.cancel.clone()));
        let status = self.solver.solve();
        let answer = match status {
            Status::SATISFIABLE => {
                self.has_model = true;
                SatAnswer::Sat
            }
            Status::UNSATISFIABLE => {
                let mut core = Vec::new();
                for lit in assumptions {
                    if self.solver.failed(lit.to_dimacs()) {
                        core.push(*lit);
                    }
                }
                self.core = core;
                SatAnswer::Unsat
            }
            Status::UNKNOWN if limits.cancel.is_cancelled() => SatAnswer::Unknown(SatStop::Cancelled),
            Status::UNKNOWN => SatAnswer::Unknown(SatStop::Conflicts),
        };
        self.solver.disconnect_terminator();
        answer
    }

    fn value(&mut self, lit: Lit) -> bool {
        // The solver does not know a variable that is in no clause. We make it false.
        if !self.has_model || lit.var() >= self.solver.vars() as u32 {
            return lit.is_negative();
        }
        // `val` returns the literal if it is true, otherwise its negation.
        self.solver.val(lit.to_dimacs()) == lit.to_dimacs()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn prefer(&mut self, lit: Lit) {
        self.solver.phase(lit.to_dimacs());
    }

    fn n_ticks(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("ticks")).unwrap_or(0)
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }
}
