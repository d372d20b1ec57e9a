//! CaDiCaL, built in.

use crate::{Answer, Limits, Solver, Stop};
use cadical_sys::{CaDiCal, Status, Terminator};
use nub_cnf::{Lit, Sink};
use nub_process::Cancel;

/// CaDiCaL by Armin Biere and others, version 3.0.1.
///
/// Two of its options differ from the default. `lucky=0`: a lucky guess ignores preferred phases, and phases are what
/// finding close runs depends on. `factor=0`: bounded variable addition wants variables declared in advance.
pub struct Cadical {
    solver: CaDiCal,
    n_vars: u32,
    core: Vec<Lit>,
    has_model: bool,
}

/// Asks whether to stop.
struct Watch(Cancel);

impl Terminator for Watch {
    fn terminated(&mut self) -> bool {
        self.0.is_cancelled()
    }
}

impl Cadical {
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

impl Solver for Cadical {
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        self.core.clear();
        self.has_model = false;
        if limits.cancel.is_cancelled() {
            return Answer::Unknown(Stop::Cancelled);
        }
        assumptions.iter().for_each(|lit| self.solver.assume(lit.to_dimacs()));
        // A limit holds for one question. -1 is none.
        let conflicts = limits.conflicts.map_or(-1, |most| i32::try_from(most).unwrap_or(i32::MAX));
        self.solver.limit("conflicts", conflicts);
        self.solver.connect_terminator(Watch(limits.cancel.clone()));
        let status = self.solver.solve();
        let answer = match status {
            Status::SATISFIABLE => {
                self.has_model = true;
                Answer::Sat
            }
            Status::UNSATISFIABLE => {
                let mut core = Vec::new();
                for lit in assumptions {
                    if self.solver.failed(lit.to_dimacs()) {
                        core.push(*lit);
                    }
                }
                self.core = core;
                Answer::Unsat
            }
            Status::UNKNOWN if limits.cancel.is_cancelled() => Answer::Unknown(Stop::Cancelled),
            Status::UNKNOWN => Answer::Unknown(Stop::Conflicts),
        };
        self.solver.disconnect_terminator();
        answer
    }

    fn value(&mut self, lit: Lit) -> bool {
        // A variable that is in no clause is unknown to the solver, and false to us.
        if !self.has_model || lit.var() >= self.solver.vars() as u32 {
            return lit.is_negative();
        }
        // The literal if it is true, its negation if not.
        self.solver.val(lit.to_dimacs()) == lit.to_dimacs()
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn prefer(&mut self, lit: Lit) {
        self.solver.phase(lit.to_dimacs());
    }

    fn n_vars(&self) -> u32 {
        self.n_vars
    }
}
