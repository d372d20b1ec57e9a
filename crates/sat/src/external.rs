//! A program that reads DIMACS on its standard input and answers as in the SAT competitions: a line `s SATISFIABLE` with
//! `v` lines, or `s UNSATISFIABLE`.
//!
//! Every question starts it anew with all clauses; assumptions go along as units. A model is checked against the clauses
//! before it is believed. There is no core but all assumptions, and preferred phases are not passed on.

use crate::{Answer, Limits, Solver, Stop};
use nub_cnf::{Cnf, Lit, Sink};
use nub_process::{Command, End, Input, Outcome, Runner};
use std::ffi::OsString;
use std::io;
use std::sync::Arc;

/// See the module.
pub struct External {
    runner: Runner,
    program: OsString,
    args: Vec<OsString>,
    limits: nub_process::Limits,
    cnf: Cnf,
    /// By variable.
    model: Vec<bool>,
    core: Vec<Lit>,
}

/// A model of a hundred million variables has a gigabyte of `v` lines.
const MAX_OUTPUT: usize = 1 << 30;

impl External {
    /// A program with its arguments. Limits on time and memory may be set on `limits`; those on output are set here.
    pub fn new(program: OsString, args: Vec<OsString>, limits: nub_process::Limits) -> io::Result<External> {
        let limits = nub_process::Limits { keep_output: MAX_OUTPUT, ..limits };
        let runner = Runner::new()?;
        Ok(External { runner, program, args, limits, cnf: Cnf::new(), model: Vec::new(), core: Vec::new() })
    }

    fn judge(&mut self, outcome: &Outcome, assumptions: &[Lit]) -> Result<Answer, String> {
        let said = match outcome.end {
            End::Exit(_) => read(&outcome.stdout.bytes)?,
            End::Cancelled | End::WallLimit | End::CpuLimit => return Ok(Answer::Unknown(Stop::Cancelled)),
            ref end => return Err(format!("the solver ended with {end:?}")),
        };
        match said {
            Said::Unknown => Ok(Answer::Unknown(Stop::Failed("the solver said unknown".to_owned()))),
            Said::Unsat => {
                self.core = assumptions.to_vec();
                Ok(Answer::Unsat)
            }
            Said::Sat(lits) => {
                self.model = vec![false; self.cnf.n_vars() as usize];
                for lit in lits.iter().filter(|lit| lit.var() < self.cnf.n_vars()) {
                    self.model[lit.var() as usize] = !lit.is_negative();
                }
                self.check_model(assumptions).map(|()| Answer::Sat)
            }
        }
    }

    /// A wrong model is the solver's fault and never leaves as an answer.
    fn check_model(&self, assumptions: &[Lit]) -> Result<(), String> {
        let holds = |lit: &Lit| self.model[lit.var() as usize] != lit.is_negative();
        let is_model =
            self.cnf.clauses().all(|clause| clause.iter().any(holds)) && assumptions.iter().all(holds);
        if is_model { Ok(()) } else { Err("the solver's model does not satisfy the clauses".to_owned()) }
    }
}

/// What the output says.
#[derive(PartialEq, Eq, Debug)]
enum Said {
    Sat(Vec<Lit>),
    Unsat,
    Unknown,
}

fn read(output: &[u8]) -> Result<Said, String> {
    let mut status = None;
    let mut lits = Vec::new();
    for line in output.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(rest) = line.strip_prefix(b"s ") {
            if status.replace(rest.trim_ascii()).is_some() {
                return Err("the solver gave two answers".to_owned());
            }
        } else if let Some(rest) = line.strip_prefix(b"v ") {
            for word in rest.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()) {
                let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                let number: i32 = number.ok_or("a value line of the solver has no number")?;
                lits.extend(Lit::from_dimacs(number));
            }
        }
    }
    match status {
        Some(b"SATISFIABLE") => Ok(Said::Sat(lits)),
        Some(b"UNSATISFIABLE") => Ok(Said::Unsat),
        Some(b"UNKNOWN") => Ok(Said::Unknown),
        _ => Err("the solver gave no answer".to_owned()),
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

impl Solver for External {
    fn solve(&mut self, assumptions: &[Lit], limits: &Limits) -> Answer {
        self.core.clear();
        let command = Command {
            program: self.program.clone(),
            args: self.args.clone(),
            folder: None,
            env: Vec::new(),
            input: Input::Bytes(Arc::from(self.cnf.to_dimacs_with(assumptions).into_bytes())),
        };
        let judged = match self.runner.run(&command, &self.limits, &limits.cancel) {
            Ok(outcome) => self.judge(&outcome, assumptions),
            Err(error) => Err(error.to_string()),
        };
        judged.unwrap_or_else(|message| {
            let program = self.program.to_string_lossy();
            Answer::Unknown(Stop::Failed(format!("{program}: {message}")))
        })
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.model.get(lit.var() as usize).copied().unwrap_or(false) != lit.is_negative()
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
        assert_eq!(read(b"c hi\ns SATISFIABLE\nv 1 -2\nv 3 0\n"), Ok(Said::Sat(lits(&[1, -2, 3]))));
        assert_eq!(read(b"s UNSATISFIABLE\r\n"), Ok(Said::Unsat));
        assert_eq!(read(b"s UNKNOWN"), Ok(Said::Unknown));
        for bad in
            ["", "SATISFIABLE\n", "s SATIS", "s SATISFIABLE\nv 1 x 0\n", "s UNKNOWN\ns UNSATISFIABLE\n"]
        {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(read(b"s SATISFIABLE\nv 99999999999 0\n").is_err());
    }
}
