//! Mutations of DIMACS cnf files.
//!
//! ```text
//! 1 -2 3 0   ->   1 2 3 0        a literal is flipped,
//! 1 -2 3 0   ->   1 -2 5 0       replaced,
//! 1 -2 3 0   ->   1 -2 3 4 0     added
//! 1 -2 3 0   ->   1 3 0          or dropped;
//! 1 -2 3 0   ->   1 -2 3 0       a clause is repeated with one sign changed,
//!                 1 -2 -3 0
//! 1 -2 3 0   ->                  or dropped
//! ```
//!
//! The header stays correct: variables are those of the header, and the number of clauses is adjusted.

use super::splice::{Plan, Splice};
use super::{Made, MutateConfig, MutationKind};
use crate::error::SeedError;
use nub_dimacs::{Clause, DimacsFile, DimacsKind, Var};
use nub_random::Rng;

/// The longest clause that is generated from scratch.
const MAX_NEW_LITERALS: u32 = 4;
const TRIES_PER_MUTATION: u32 = 8;
const MAX_MUTATIONS: u32 = 1_000;

/// A cnf file.
pub(super) struct DimacsSeed {
    file: DimacsFile,
    n_vars: u32,
}

/// A mutation, and by how much it changes the number of clauses.
struct Change {
    splice: Splice,
    n_more: i64,
}

impl DimacsSeed {
    /// Reads a file; the error says why it cannot be a seed. Linear.
    pub(super) fn read(text: Vec<u8>, kind: DimacsKind) -> Result<DimacsSeed, SeedError> {
        if kind != DimacsKind::Cnf {
            return Err(SeedError::NotCnf(kind));
        }
        let file = DimacsFile::read(text, kind);
        if let Some(fault) = file.faults().first() {
            return Err(SeedError::Dimacs(fault.kind));
        }
        let n_vars = file.header().and_then(|header| header.n_vars).map_or(0, |number| number.value);
        let n_vars = u32::try_from(n_vars).unwrap_or(Var::MAX).min(Var::MAX);
        if n_vars == 0 || file.clauses().is_empty() {
            return Err(SeedError::NothingToMutate);
        }
        Ok(DimacsSeed { file, n_vars })
    }

    fn literal(&self, rng: &mut Rng) -> i64 {
        let var = i64::from(rng.between(1, self.n_vars.min(Var::MAX)));
        if rng.percent(50) { var } else { -var }
    }

    fn clause(&self, rng: &mut Rng) -> Clause {
        self.file.clauses()[rng.below(self.file.clauses().len() as u32) as usize]
    }

    fn edit_literal(&self, rng: &mut Rng) -> Option<Change> {
        let clause = self.clause(rng);
        let literals = self.file.literals_of(&clause);
        let splice = match rng.below(4) {
            3 => Splice::insert(clause.zero, format!("{} ", self.literal(rng))),
            _ if literals.is_empty() => return None,
            which => {
                let literal = literals[rng.below(literals.len() as u32) as usize];
                let old = literal.lit?.to_int();
                match which {
                    0 => Splice::replace(literal.span, (-i64::from(old)).to_string()),
                    1 => {
                        let new = self.literal(rng);
                        (new != i64::from(old)).then(|| Splice::replace(literal.span, new.to_string()))?
                    }
                    _ => Splice::remove(literal.span),
                }
            }
        };
        Some(Change { splice, n_more: 0 })
    }

    fn edit_clause(&self, rng: &mut Rng) -> Option<Change> {
        let clause = self.clause(rng);
        if rng.below(3) == 0 {
            let is_last = self.file.clauses().len() < 2;
            return (!is_last).then(|| Change { splice: Splice::remove(clause.span), n_more: -1 });
        }
        let mut literals: Vec<i64> = if rng.percent(50) {
            (0..rng.between(1, MAX_NEW_LITERALS)).map(|_| self.literal(rng)).collect()
        } else {
            let literals = self.file.literals_of(&clause).iter();
            literals.filter_map(|literal| literal.lit).map(|lit| i64::from(lit.to_int())).collect()
        };
        if !literals.is_empty() {
            let at = rng.below(literals.len() as u32) as usize;
            literals[at] = -literals[at];
        }
        let mut text = String::from("\n");
        for literal in literals {
            text.push_str(&format!("{literal} "));
        }
        text.push('0');
        Some(Change { splice: Splice::insert(clause.span.end, text), n_more: 1 })
    }
}

/// The techniques for this format, with their weights.
const KINDS: &[(MutationKind, u32)] = &[(MutationKind::EditLiteral, 2), (MutationKind::EditClause, 1)];

/// Appends a mutant of `seed`. Linear in it.
pub(super) fn write(
    config: &MutateConfig,
    seed: &DimacsSeed,
    rng: &mut Rng,
    out: &mut Vec<u8>,
) -> Option<Made> {
    let choices = config.choices(KINDS);
    if choices.is_empty() {
        return None;
    }
    let n_wanted = rng.between(1, config.max_mutations.clamp(1, MAX_MUTATIONS));
    let mut plan = Plan::default();
    let mut kinds = Vec::new();
    let mut n_clauses = seed.file.clauses().len() as i64;
    for _ in 0..n_wanted * TRIES_PER_MUTATION {
        if kinds.len() == n_wanted as usize {
            break;
        }
        let kind = rng.pick(&choices);
        let change = match kind {
            MutationKind::EditLiteral => seed.edit_literal(rng),
            _ => seed.edit_clause(rng),
        };
        let Some(Change { splice, n_more }) = change else { continue };
        if plan.add(vec![splice]) {
            n_clauses += n_more;
            kinds.push(kind);
        }
    }
    let header = seed.file.header()?.n_clauses?;
    if header.value != n_clauses as u64 {
        plan.add(vec![Splice::replace(header.span, n_clauses.to_string())]);
    }
    let mut text = Vec::with_capacity(seed.file.text().len() + 64);
    plan.render(seed.file.text(), &mut text);
    let again = DimacsFile::read(text, DimacsKind::Cnf);
    let is_good = !kinds.is_empty() && again.faults().is_empty() && again.text() != seed.file.text();
    is_good.then(|| {
        out.extend_from_slice(again.text());
        Made { kinds, takes_other: false }
    })
}

#[cfg(test)]
mod tests {
    use crate::mutate::MutationKind;
    use crate::mutate::testing::expect;

    #[test]
    fn the_header_stays_true() {
        let seed = "p cnf 2 2\n1 -2 0\n2 0\n";
        let literals = ["p cnf 2 2\n-1 -2 0\n2 0\n", "p cnf 2 2\n1  0\n2 0\n", "p cnf 2 2\n1 -2 1 0\n2 0\n"];
        expect(MutationKind::EditLiteral, seed, &literals);
        let clauses = ["p cnf 2 1\n1 -2 0\n\n", "p cnf 2 3\n1 -2 0\n1 2 0\n2 0\n"];
        expect(MutationKind::EditClause, seed, &clauses);
    }
}
