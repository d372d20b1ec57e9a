//! Formulas and their meaning, by the simplest methods that suffice.

use nub_dimacs::{ClauseId, DimacsFile, Quantifier};
use nub_random::Rng;

/// The clauses as numbers.
pub fn clauses(file: &DimacsFile) -> Vec<Vec<i32>> {
    let ints =
        |clause| file.literals_of(clause).iter().filter_map(|literal| literal.lit).map(|lit| lit.to_int());
    file.clauses().iter().map(|clause| ints(clause).collect()).collect()
}

/// The text of a formula.
pub fn cnf(n_vars: usize, clauses: &[Vec<i32>]) -> String {
    let mut text = format!("p cnf {n_vars} {}\n", clauses.len());
    for clause in clauses {
        clause.iter().for_each(|lit| text.push_str(&format!("{lit} ")));
        text.push_str("0\n");
    }
    text
}

/// `n` random clauses of `length` different variables. All are satisfied by the assignment that makes every third
/// variable false, so any set of them is satisfiable.
pub fn padding(n: usize, n_vars: i32, length: usize, seed: u64) -> Vec<Vec<i32>> {
    let mut rng = Rng::new(seed);
    let mut next = |below: i32| rng.below(below);
    let mut found = Vec::new();
    while found.len() < n {
        let mut clause: Vec<i32> = Vec::new();
        while clause.len() < length {
            let var = next(n_vars) + 1;
            if !clause.iter().any(|lit: &i32| lit.abs() == var) {
                clause.push(if next(2) == 0 { var } else { -var });
            }
        }
        if clause.iter().any(|&lit| (lit > 0) == (lit % 3 != 0)) {
            found.push(clause);
        }
    }
    found
}

/// Every pigeon has a hole, and no hole has two.
pub fn pigeons(n_pigeons: i32, n_holes: i32) -> Vec<Vec<i32>> {
    let var = |pigeon: i32, hole: i32| pigeon * n_holes + hole + 1;
    let mut clauses: Vec<Vec<i32>> =
        (0..n_pigeons).map(|pigeon| (0..n_holes).map(|hole| var(pigeon, hole)).collect()).collect();
    for hole in 0..n_holes {
        for second in 0..n_pigeons {
            clauses.extend((0..second).map(|first| vec![-var(first, hole), -var(second, hole)]));
        }
    }
    clauses
}

/// DPLL: unit propagation and splitting. For small formulas.
pub fn is_sat(clauses: &[Vec<i32>]) -> bool {
    let Some(shortest) = clauses.iter().min_by_key(|clause| clause.len()) else { return true };
    let Some(&lit) = shortest.first() else { return false };
    let assigned = |lit: i32| -> Vec<Vec<i32>> {
        let open = clauses.iter().filter(|clause| !clause.contains(&lit));
        open.map(|clause| clause.iter().copied().filter(|other| *other != -lit).collect()).collect()
    };
    is_sat(&assigned(lit)) || (shortest.len() > 1 && is_sat(&assigned(-lit)))
}

/// Whether a quantified formula is true; by expansion.
pub fn is_true(file: &DimacsFile) -> bool {
    let mut prefix: Vec<(Quantifier, i32)> = Vec::new();
    for block in file.blocks() {
        let lits = file.variables_of(block).iter().filter_map(|literal| literal.lit);
        prefix.extend(lits.map(|lit| (block.quantifier, lit.to_int())));
    }
    expand(&prefix, &clauses(file))
}

fn expand(prefix: &[(Quantifier, i32)], clauses: &[Vec<i32>]) -> bool {
    let Some((&(quantifier, var), rest)) = prefix.split_first() else { return clauses.is_empty() };
    let under = |lit: i32| {
        let open = clauses.iter().filter(|clause| !clause.contains(&lit));
        let open: Vec<Vec<i32>> =
            open.map(|clause| clause.iter().copied().filter(|other| *other != -lit).collect()).collect();
        expand(rest, &open)
    };
    match quantifier {
        Quantifier::ForAll => under(var) && under(-var),
        Quantifier::Exists => under(var) || under(-var),
    }
}

/// The minimum weight of violated soft clauses over all assignments; `u64::MAX` if the hard clauses contradict each
/// other. Hard clauses are considered only with `with_hard`.
pub fn cost(file: &DimacsFile, with_hard: bool) -> u64 {
    let clauses = clauses(file);
    let n_vars = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
    assert!(n_vars <= 12, "for small formulas");
    let holds = |clause: &[i32], bits: u32| {
        clause.iter().any(|lit| (bits >> (lit.unsigned_abs() - 1)) & 1 == u32::from(*lit > 0))
    };
    let of = |bits: u32| {
        let mut sum = 0u64;
        for (index, _) in clauses.iter().enumerate().filter(|(_, clause)| !holds(clause, bits)) {
            let id = ClauseId(index as u32);
            match (file.is_hard(id), with_hard) {
                (true, true) => return u64::MAX,
                (true, false) => {}
                (false, _) => {
                    sum = sum.saturating_add(file.weight(id).and_then(|weight| weight.value).unwrap_or(0))
                }
            }
        }
        sum
    };
    (0..1 << n_vars).map(of).min().unwrap_or(0)
}
