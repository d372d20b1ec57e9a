//! Makes the header declare exactly what the file contains.
//!
//! ```text
//! p cnf 9 7        p cnf 1 1
//! 1 0         =>   1 0
//! ```
//!
//! Once a number is correct, `render` keeps it correct. The last edit removes the header, which is only asked if the
//! candidate may be ill formed.

use super::DimacsView;
use crate::{Edit, Pass};

/// The header of a larger file is not removed: such a candidate would not be checked before it is asked.
const MAX_WITHOUT: usize = 1 << 12;

/// See the module.
pub struct HeaderCounts;

impl Pass<DimacsView> for HeaderCounts {
    fn name(&self) -> &'static str {
        "header"
    }

    fn edits(&self, view: &DimacsView) -> Vec<Edit> {
        let Some(header) = view.file().header() else { return Vec::new() };
        let n_vars = u64::from(view.max_var());
        let n_clauses = view.file().clauses().len() as u64;
        let numbers = [(header.n_vars, n_vars), (header.n_clauses, n_clauses)];
        let wrong = numbers.into_iter().filter_map(|(number, value)| Some((number?, value)));
        let wrong = wrong.filter(|(number, value)| number.value != *value);
        let edits = wrong.map(|(number, value)| Edit::replace(number.span, value.to_string().into_bytes()));
        let cut = (view.text().len() <= MAX_WITHOUT).then(|| view.cut(header.span));
        edits.chain(cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render;
    use nub_dimacs::DimacsKind;

    #[test]
    fn wrong_numbers_only() {
        let view = DimacsView::new(b"p cnf 9 1\n-2 0\n".to_vec(), DimacsKind::Cnf);
        let after: Vec<Vec<u8>> =
            HeaderCounts.edits(&view).iter().map(|edit| render(view.text(), &edit.splices)).collect();
        assert_eq!(after, [b"p cnf 2 1\n-2 0\n".as_slice(), b"-2 0\n"]);
    }
}
