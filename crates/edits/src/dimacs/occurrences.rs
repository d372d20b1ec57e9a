//! The occurrences of each variable.

use nub_dimacs::{DimacsFile, LitId, Var};

/// The literals of every variable, in the matrix and in the prefix. Takes O(n log n) to build, and 8 bytes per literal; the numbers
/// of variables may be arbitrarily large.
pub struct Occurrences {
    /// Variable in the upper half, literal in the lower: sorted, so the literals of a variable are adjacent and in order.
    pairs: Vec<u64>,
}

impl Occurrences {
    pub(super) fn new(file: &DimacsFile) -> Occurrences {
        let pair = |(index, literal): (usize, &nub_dimacs::Literal)| {
            Some((u64::from(literal.lit?.var().number()) << 32) | index as u64)
        };
        let mut pairs: Vec<u64> = file.literals().iter().enumerate().filter_map(pair).collect();
        pairs.sort_unstable();
        Occurrences { pairs }
    }

    /// The largest variable.
    pub fn max(&self) -> Option<Var> {
        self.pairs.last().and_then(|&pair| Var::new((pair >> 32) as u32))
    }

    /// The literals of a variable, in the order of the text. A binary search.
    pub fn of(&self, var: Var) -> impl Iterator<Item = LitId> + Clone + '_ {
        let start = self.pairs.partition_point(|&pair| pair >> 32 < u64::from(var.number()));
        self.pairs[start..]
            .iter()
            .take_while(move |&&pair| pair >> 32 == u64::from(var.number()))
            .map(|&pair| LitId(pair as u32))
    }

    /// All variables with their literals, the smallest first. Can be iterated from either end.
    pub fn all(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Var, impl Iterator<Item = LitId> + Clone + '_)> + '_ {
        self.pairs.chunk_by(|left, right| left >> 32 == right >> 32).filter_map(|chunk| {
            let var = Var::new((chunk[0] >> 32) as u32)?;
            Some((var, chunk.iter().map(|&pair| LitId(pair as u32))))
        })
    }

    /// All variables, the smallest first.
    pub fn vars(&self) -> impl Iterator<Item = Var> + '_ {
        self.all().map(|(var, _)| var)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_dimacs::DimacsKind;

    #[test]
    fn by_variable() {
        let file = DimacsFile::read(b"p cnf 9 2\n9 -2 0\n-9 2000000000 0\n".to_vec(), DimacsKind::Cnf);
        let occurrences = Occurrences::new(&file);
        let numbers: Vec<u32> = occurrences.vars().map(Var::number).collect();
        assert_eq!(numbers, [2, 9, 2_000_000_000]);
        let nine: Vec<LitId> = occurrences.of(Var::new(9).unwrap()).collect();
        assert_eq!(nine, [LitId(0), LitId(2)]);
        assert_eq!(occurrences.of(Var::new(3).unwrap()).count(), 0);
        assert_eq!(occurrences.max(), Var::new(2_000_000_000));
    }
}
