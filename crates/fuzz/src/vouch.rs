//! Who vouches for an input that a solver rejects?
//!
//! Our generator does for what it makes. A mutant has what its file had: an operator of one solver, a command of another, an
//! option that a third does not know. A solver that rejects such a script is right, and if it is reported every file
//! of another solver's tests becomes a group. So a mutant counts only if the standard vouches for it.

use crate::{Input, Language, Origin};
use nub_reduce::keeps_to_standard;

/// Whether no solver has a reason to reject an input.
pub(crate) fn is_vouched_for(input: &Input) -> bool {
    let is_script = input.language == Language::SmtLib;
    input.origin == Origin::Generated || !is_script || keeps_to_standard(&input.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_vouched_for_by_the_standard() {
        let is_vouched_for = |text: &str, origin| {
            let input =
                Input { seed: 1, text: text.into(), language: Language::SmtLib, status: None, origin };
            super::is_vouched_for(&input)
        };
        assert!(is_vouched_for("(check-sat)", Origin::Derived));
        assert!(!is_vouched_for("(eval true)", Origin::Derived));
        assert!(is_vouched_for("(eval true)", Origin::Generated));
    }
}
