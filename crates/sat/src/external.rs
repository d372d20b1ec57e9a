//! A program that reads DIMACS on its standard input and answers as in the SAT competitions: a line `s SATISFIABLE` with
//! `v` lines, or `s UNSATISFIABLE`.
//!
//! Every question starts the program again with all clauses; assumptions become unit clauses. Its answers are not trusted: a model is checked
//! against the clauses, and for `unsat` the built-in solver repeats the question up to a limit of conflicts, which often finds a smaller core, too. A
//! program that gave a wrong answer is not asked again; see [`crate::SolverFactory::fault`]. Preferred phases are not passed on.

use crate::{SatAnswer, SatLimits, SatSolver, SatStop, SolverFault, built_in};
use nub_cnf::{Cnf, Lit, Sink};
use nub_process::{ChildInput, Command, ProcessEnd, ProcessOutcome, Runner};
use std::ffi::OsString;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A program, how to run it, and what is wrong with it.
#[derive(Clone)]
pub(crate) struct Program {
    pub runner: Arc<Runner>,
    pub program: OsString,
    pub args: Vec<OsString>,
    pub limits: nub_process::ProcessLimits,
    /// Limit on the conflicts for repeating an `unsat`; no limit if absent.
    pub recheck: Option<u64>,
    /// Shared by all solvers that run it.
    pub fault: Arc<OnceLock<SolverFault>>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Program").field(&self.program).field(&self.args).finish()
    }
}

/// See the module documentation.
pub(crate) struct External {
    program: Program,
    cnf: Cnf,
    /// The values of the variables.
    model: Vec<bool>,
    core: Vec<Lit>,
    /// Repeats an `unsat`. It has the first `n_given` clauses.
    second: Option<Box<dyn SatSolver>>,
    n_given: usize,
}

/// A model of a hundred million variables has a gigabyte of `v` lines.
const MAX_OUTPUT: usize = 1 << 30;

impl External {
    /// No clauses.
    pub fn new(program: Program) -> External {
        let limits = nub_process::ProcessLimits { keep_output: MAX_OUTPUT, ..program.limits };
        let program = Program { limits, ..program };
        External { program, cnf: Cnf::new(), model: Vec::new(), core: Vec::new(), second: None, n_given: 0 }
    }

    fn judge(
        &mut self,
        outcome: &ProcessOutcome,
        assumptions: &[Lit],
        limits: &SatLimits,
    ) -> Result<SatAnswer, SolverFault> {
        let said = match outcome.end {
            ProcessEnd::Exit(_) => {
                read(&outcome.stdout.bytes).map_err(|error| SolverFault::Failed(error.to_string()))?
            }
            ProcessEnd::Cancelled | ProcessEnd::WallLimit | ProcessEnd::CpuLimit => {
                return Ok(SatAnswer::Unknown(SatStop::Cancelled));
            }
            ref end => return Err(SolverFault::Failed(format!("it ended with {end:?}"))),
        };
        match said {
            SolverOutput::Unknown => {
                Ok(SatAnswer::Unknown(SatStop::Failed("the SAT solver answered unknown".to_owned())))
            }
            SolverOutput::Unsat => self.recheck(assumptions, limits),
            SolverOutput::Sat(lits) => {
                self.model = vec![false; self.cnf.n_vars() as usize];
                for lit in lits.iter().filter(|lit| lit.var() < self.cnf.n_vars()) {
                    self.model[lit.var() as usize] = !lit.is_negative();
                }
                if is_model(&self.cnf, assumptions, |lit| self.holds(lit)) {
                    return Ok(SatAnswer::Sat);
                }
                Err(SolverFault::Lied("its model does not satisfy the clauses".to_owned()))
            }
        }
    }

    /// Repeats an `unsat`. If that reaches its limit, the answer is accepted, and the core is all assumptions.
    fn recheck(&mut self, assumptions: &[Lit], limits: &SatLimits) -> Result<SatAnswer, SolverFault> {
        self.core = assumptions.to_vec();
        let mut second = self.second.take().unwrap_or_else(built_in);
        (second.n_vars()..self.cnf.n_vars()).for_each(|_| _ = second.new_var());
        self.cnf.clauses().skip(self.n_given).for_each(|clause| second.add(clause));
        self.n_given = self.cnf.n_clauses();
        let limits = match self.program.recheck {
            Some(conflicts) => limits.with_conflicts(conflicts),
            None => limits.clone(),
        };
        let answer = match second.solve(assumptions, &limits) {
            SatAnswer::Sat if is_model(&self.cnf, assumptions, |lit| second.value(*lit)) => {
                Err(SolverFault::Lied("it answered unsatisfiable, and there is a model".to_owned()))
            }
            SatAnswer::Unsat => {
                self.core = second.core().to_vec();
                Ok(SatAnswer::Unsat)
            }
            SatAnswer::Unknown(stop) if self.program.recheck.is_none() => Ok(SatAnswer::Unknown(stop)),
            SatAnswer::Sat => Ok(SatAnswer::Unknown(SatStop::WrongModel)),
            SatAnswer::Unknown(_) => Ok(SatAnswer::Unsat),
        };
        self.second = Some(second);
        answer
    }

    fn holds(&self, lit: &Lit) -> bool {
        self.model.get(lit.var() as usize).copied().unwrap_or(false) != lit.is_negative()
    }

    /// Records what is wrong, and cancels the work that depends on an answer.
    fn accuse(&self, fault: SolverFault, limits: &SatLimits) -> SatAnswer {
        let program = self.program.program.to_string_lossy();
        let fault = match fault {
            SolverFault::Lied(message) => SolverFault::Lied(format!("{program}: {message}")),
            SolverFault::Failed(message) => SolverFault::Failed(format!("{program}: {message}")),
        };
        limits.cancel.cancel();
        let first = self.program.fault.get_or_init(|| fault);
        SatAnswer::Unknown(SatStop::Failed(first.to_string()))
    }
}

/// True if all clauses and assumptions hold.
fn is_model(cnf: &Cnf, assumptions: &[Lit], mut holds: impl FnMut(&Lit) -> bool) -> bool {
    cnf.clauses().all(|clause| clause.iter().any(&mut holds)) && assumptions.iter().all(holds)
}

/// What a program printed.
#[derive(PartialEq, Eq, Debug)]
enum SolverOutput {
    Sat(Vec<Lit>),
    Unsat,
    Unknown,
}

/// Why an output is not an answer.
#[derive(PartialEq, Eq, Debug)]
enum OutputError {
    NoAnswer,
    TwoAnswers,
    NotANumber,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OutputError::NoAnswer => "the solver gave no answer",
            OutputError::TwoAnswers => "the solver gave two answers",
            OutputError::NotANumber => "a value line of the solver contains something other than numbers",
        })
    }
}

fn read(output: &[u8]) -> Result<SolverOutput, OutputError> {
    let mut status = None;
    let mut lits = Vec::new();
    for line in output.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(rest) = line.strip_prefix(b"s ") {
            if status.replace(rest.trim_ascii()).is_some() {
                return Err(OutputError::TwoAnswers);
            }
        } else if let Some(rest) = line.strip_prefix(b"v ") {
            for word in rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                let number: i32 = number.ok_or(OutputError::NotANumber)?;
                lits.extend(Lit::from_dimacs(number));
            }
        }
    }
    match status {
        Some(b"SATISFIABLE") => Ok(SolverOutput::Sat(lits)),
        Some(b"UNSATISFIABLE") => Ok(SolverOutput::Unsat),
        Some(b"UNKNOWN") => Ok(SolverOutput::Unknown),
        _ => Err(OutputError::NoAnswer),
    }
}

impl Sink for External {
    fn new_var(&mut self) -> Lit {
        self.cnf.new_var()
    }

    fn add(&mut self, clause: &[Lit]) {
        self.cnf.add(clause);
    }
}

impl SatSolver for External {
    fn solve(&mut self, assumptions: &[Lit], limits: &SatLimits) -> SatAnswer {
        self.core.clear();
        if let Some(fault) = self.program.fault.get() {
            return SatAnswer::Unknown(SatStop::Failed(fault.to_string()));
        }
        let command = Command {
            program: self.program.program.clone(),
            args: self.program.args.clone(),
            folder: None,
            env: Vec::new(),
            input: ChildInput::Bytes(Arc::from(self.cnf.to_dimacs_with(assumptions).into_bytes())),
        };
        let judged = match self.program.runner.run(&command, &self.program.limits, &limits.cancel) {
            Ok(outcome) => self.judge(&outcome, assumptions, limits),
            Err(error) => Err(SolverFault::Failed(error.to_string())),
        };
        judged.unwrap_or_else(|fault| self.accuse(fault, limits))
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.holds(&lit)
    }

    fn core(&self) -> &[Lit] {
        &self.core
    }

    fn prefer(&mut self, _: Lit) {}

    fn n_vars(&self) -> u32 {
        self.cnf.n_vars()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_read() {
        let lits = |numbers: &[i32]| numbers.iter().filter_map(|n| Lit::from_dimacs(*n)).collect::<Vec<_>>();
        assert_eq!(read(b"c hi\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(SolverOutput::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read(b"s UNSATISFIABLE\r\n"), Ok(SolverOutput::Unsat));
        assert_eq!(read(b"s UNKNOWN"), Ok(SolverOutput::Unknown));
        for bad in
            ["", "SATISFIABLE\n", "s SATIS", "s SATISFIABLE\nv 1 x 0\n", "s UNKNOWN\ns UNSATISFIABLE\n"]
        {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(read(b"s SATISFIABLE\nv 99999999999 0\n").is_err());
    }
}
