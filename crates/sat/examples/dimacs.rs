//! A SAT solver program: reads DIMACS on standard input, prints the output format of the competitions. The tests run it as the external solver.

#![allow(clippy::print_stdout, clippy::exit)] // A program of its own.

use nub_cnf::{Lit, Sink};
use nub_sat::{Cdcl, SatAnswer, SatLimits, SatSolver};
use std::io::Read;

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap_or_default();
    let mut solver = Cdcl::new();
    let mut clause: Vec<Lit> = Vec::new();
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    for number in lines.flat_map(str::split_whitespace).filter_map(|word| word.parse::<i32>().ok()) {
        match Lit::from_dimacs(number) {
            Some(lit) => {
                while solver.n_vars() <= lit.var() {
                    solver.new_var();
                }
                clause.push(lit);
            }
            None => solver.add(&std::mem::take(&mut clause)),
        }
    }
    match solver.solve(&[], &SatLimits::none()) {
        SatAnswer::Sat => {
            let lits = (0..solver.n_vars()).map(Lit::positive);
            let values: Vec<String> =
                lits.map(|lit| lit.negated_if(!solver.value(lit)).to_string()).collect();
            println!("s SATISFIABLE\nv {} 0", values.join(" "));
            std::process::exit(10);
        }
        SatAnswer::Unsat => {
            println!("s UNSATISFIABLE");
            std::process::exit(20);
        }
        SatAnswer::Unknown(_) => println!("s UNKNOWN"),
    }
}
