//! The classical workflow: clauses for any SAT solver, and its answer converted back to tests ([Weiler13] §3.3 and chapter IV).
//!
//! The file is plain DIMACS. A comment `c input TEST signed NAME LITERALS` names the bits of an input of one test, the least
//! significant first, so that the answer can be read without the program.

use crate::describe::SourceQuotes;
use crate::encode::{UndefinedBehaviour, encode as to_clauses};
use crate::goals::goals;
use crate::options::{Bounds, CoverOptions, Error, Unwind, unroll_config};
use crate::search::choose::add_goals;
use crate::search::copies::Builder;
use crate::search::{self, AtomId, Explorer};
use crate::session::{too_many_ways, with_routes};
use nub_bitvec::Value;
use nub_c_ir::FunctionId;
use nub_cnf::Cnf;
use rustc_hash::FxHashSet;
use std::fmt::{self, Write};

const NEVER_FAILS: &str = "writing to a string cannot fail";
/// Iterations of loops, unless given.
const DEFAULT_UNWIND: u32 = 8;

/// Clauses that are satisfiable if `n` tests reach all goals that can be reached. `None` if there are no goals.
pub fn encode(
    source: SourceQuotes<'_>,
    function: FunctionId,
    options: &CoverOptions,
    n: usize,
) -> Result<Option<String>, Error> {
    let refusals = source.program.whole_refusals(function);
    if !refusals.is_empty() {
        return Err(Error::Refused(refusals));
    }
    let Some(reading) = options.readings.first().copied() else { return Ok(None) };
    let list =
        goals(source.program, function, reading).map_err(|(decision, _)| too_many_ways(source, decision))?;
    let unwind = match options.unwind {
        Unwind::Exactly(unwind) => unwind,
        Unwind::UpTo(_) => DEFAULT_UNWIND,
    };
    let config = unroll_config(source, function, options, Bounds { unwind, doublings: 0 });
    let mut unrolled = nub_unroll::unroll(source.program, function, &config)
        .map_err(|refusal| Error::Refused(refusal.diagnostics()))?;
    let (lists, routes) = with_routes(source, &mut unrolled, options, vec![list])?;
    if let Some(stop) = &routes.stop {
        return Err(Error::TooLarge(format!("not all paths were found: {stop}")));
    }
    let list = lists.concat();
    let undefined = UndefinedBehaviour::Excluded;
    let (evaluation, limits) = (reading.evaluation, &options.limits);
    let encoded =
        to_clauses(source.program, &mut unrolled, &list, &routes.list, evaluation, undefined, limits)
            .map_err(|error| Error::TooLarge(error.to_string()))?;
    if list.is_empty() {
        return Ok(None);
    }
    // Goals that no run reaches would make every number of tests too small.
    let mut explorer = Explorer::new(&encoded.problem, options.limits.new_solver());
    let all: Vec<search::SuiteObjective> = list.iter().map(|goal| encoded.goal(goal)).collect();
    let atoms: Vec<AtomId> = encoded.problem.atom_ids().collect();
    search::decide(&mut explorer, &atoms, &options.limits)
        .map_err(|stop| Error::TooLarge(format!("it is undecided which goals can be reached: {stop}")))?;
    let coverable: Vec<&search::SuiteObjective> =
        all.iter().filter(|goal| explorer.known().is_coverable(goal) == Some(true)).collect();
    let mut cnf = Cnf::new();
    let mut builder = Builder::new(&encoded.problem, explorer.known(), &coverable);
    (0..n).for_each(|_| builder.add_copy(&mut cnf, None));
    let seen = builder.seen_lits(&mut cnf);
    add_goals(&mut cnf, &coverable, |atom| builder.seen_lit(&seen, atom), None);
    let name = &source.program.function(function).name;
    let mut text =
        format!("c {n} tests of {name}: {} of {} goals can be reached\n", coverable.len(), all.len());
    for test in 0..n {
        for (input, bits) in unrolled.inputs.iter().zip(&encoded.problem.inputs) {
            let sign = if bits.is_signed { "signed" } else { "unsigned" };
            write!(text, "c input {} {sign} {}", test + 1, input.name.replace(' ', "_")).expect(NEVER_FAILS);
            for bit in &bits.bits {
                write!(text, " {}", builder.shifted(*bit, test)).expect(NEVER_FAILS);
            }
            text.push('\n');
        }
    }
    Ok(Some(text + &cnf.to_dimacs()))
}

/// Why the answer of a solver has no tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// The solver gave up.
    Unknown,
    /// The file has no answer.
    NoAnswer,
    /// This word of the answer is not a literal.
    Literal(String),
    /// This word of the CNF file is not a literal.
    Clause(String),
    /// The answer does not satisfy the clauses.
    Unsatisfied,
    /// What is wrong with the lines of the CNF file that name the inputs.
    Inputs(&'static str),
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Unknown => f.write_str("the solver found no answer"),
            DecodeError::NoAnswer => f.write_str("the file has no answer of a SAT solver"),
            DecodeError::Literal(word) => write!(f, "`{word}` is not a literal"),
            DecodeError::Clause(word) => write!(f, "`{word}` of the cnf file is not a literal"),
            DecodeError::Unsatisfied => f.write_str(
                "the answer does not satisfy the clauses: it is cut off, or belongs to another file",
            ),
            DecodeError::Inputs(fault) => f.write_str(fault),
        }
    }
}

/// The tests in the answer of a solver, as CSV; `None` if it is unsatisfiable.
pub fn decode(answer: &str, cnf: &str) -> Result<Option<String>, DecodeError> {
    use DecodeError::Inputs;
    let Some(is_true) = model(answer)? else { return Ok(None) };
    check(&is_true, cnf)?;
    let mut rows: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for line in cnf.lines().filter_map(|line| line.strip_prefix("c input ")) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().ok_or(Inputs("a line of the cnf file is cut off"));
        let test: usize = word()?.parse().map_err(|_| Inputs("a test without a number in the cnf file"))?;
        let is_signed = word()? == "signed";
        let name = word()?.to_owned();
        let bits = words.map(|lit| lit.parse::<i64>().map(|lit| (lit > 0) == is_true.contains(&lit.abs())));
        let bits: Vec<bool> = bits
            .collect::<Result<_, _>>()
            .map_err(|_| Inputs("a literal of the cnf file is not a number"))?;
        if test == 0 || test > rows.len() + 1 || bits.is_empty() {
            return Err(Inputs("the tests of the cnf file are not in order"));
        }
        if test > rows.len() {
            rows.push((Vec::new(), Vec::new()));
        }
        rows[test - 1].0.push(name);
        let value = Value::from_bits(bits);
        rows[test - 1].1.push(if is_signed { value.to_signed_decimal() } else { value.to_decimal() });
    }
    let Some((names, _)) = rows.first() else { return Err(Inputs("the cnf file names no inputs")) };
    let mut text = names.join(",") + "\n";
    rows.iter().for_each(|(_, values)| text.push_str(&(values.join(",") + "\n")));
    Ok(Some(text))
}

/// Half an answer, or one to other clauses, would make tests that reach something else.
fn check(is_true: &FxHashSet<i64>, cnf: &str) -> Result<(), DecodeError> {
    let mut is_satisfied = false;
    for line in cnf.lines().filter(|line| !line.starts_with(['c', 'p'])) {
        for word in line.split_whitespace() {
            match word.parse::<i64>().map_err(|_| DecodeError::Clause(word.to_owned()))? {
                0 if !is_satisfied => return Err(DecodeError::Unsatisfied),
                0 => is_satisfied = false,
                lit => is_satisfied |= (lit > 0) == is_true.contains(&lit.abs()),
            }
        }
    }
    Ok(())
}

/// The variables that are true, from the formats of the solvers: `s SATISFIABLE` and `v` lines, or `SAT` and a line of literals.
fn model(answer: &str) -> Result<Option<FxHashSet<i64>>, DecodeError> {
    let mut is_sat = false;
    let mut is_true = FxHashSet::default();
    for line in answer.lines().map(str::trim) {
        let line = line.strip_prefix("s ").unwrap_or(line);
        match line {
            "UNSATISFIABLE" | "UNSAT" => return Ok(None),
            "SATISFIABLE" | "SAT" => {
                is_sat = true;
                continue;
            }
            "UNKNOWN" | "INDET" | "INDETERMINATE" => return Err(DecodeError::Unknown),
            _ => {}
        }
        let literals = line.strip_prefix("v ").unwrap_or(line);
        let is_literals = line.starts_with("v ")
            || literals.starts_with(|letter: char| letter == '-' || letter.is_ascii_digit());
        if !is_sat || !is_literals {
            continue;
        }
        for word in literals.split_whitespace() {
            let lit: i64 = word.parse().map_err(|_| DecodeError::Literal(word.to_owned()))?;
            if lit > 0 {
                is_true.insert(lit);
            }
        }
    }
    if is_sat { Ok(Some(is_true)) } else { Err(DecodeError::NoAnswer) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CNF: &str = "c 2 tests of f: 2 of 2 goals can be reached\n\
        c input 1 signed x 1 2 3\nc input 1 unsigned y 4 -5\nc input 2 signed x 6 7 8\nc input 2 unsigned y 9 10\np cnf 10 0\n";

    #[test]
    fn answers_of_many_solvers() {
        let expected = Some("x,y\n-3,2\n1,0\n".to_owned());
        for answer in [
            "c comment\ns SATISFIABLE\nv 1 -2 3 -4 -5\nv 6 -7 -8 -9 -10 0\n",
            "SAT\n1 -2 3 -4 -5 6 -7 -8 -9 -10 0\n",
        ] {
            assert_eq!(decode(answer, CNF).unwrap(), expected);
        }
        for answer in ["s UNSATISFIABLE\n", "UNSAT\n", "c x\ns UNSATISFIABLE\n"] {
            assert_eq!(decode(answer, CNF).unwrap(), None);
        }
    }

    #[test]
    fn an_answer_satisfies_the_clauses() {
        let cnf = CNF.replace("p cnf 10 0\n", "p cnf 10 2\n1 -2 0\n-4 6\n8 0\n");
        assert!(decode("SAT\n1 -2 3 -4 -5 6 -7 -8 -9 -10 0\n", &cnf).is_ok());
        let other = decode("SAT\n-1 2 3 -4 -5 6 -7 -8 -9 -10 0\n", &cnf);
        assert_eq!(other, Err(DecodeError::Unsatisfied));
        assert!(decode("s SATISFIABLE\n", &CNF.replace("10 0\n", "10 1\n6 8 0\n")).is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(decode("", CNF).is_err());
        assert!(decode("s UNKNOWN\n", CNF).is_err());
        assert!(decode("SAT\n1 x 0\n", CNF).is_err());
        assert!(decode("SAT\n1 0\n", "p cnf 1 0\n").is_err());
        assert!(decode("SAT\n1 0\n", "c input 2 signed x 1\n").is_err());
        assert!(decode("SAT\n1 0\n", "c input 1 signed\n").is_err());
    }
}
