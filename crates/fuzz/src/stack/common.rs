//! Whether two stacks are the same bug: compares their *common* part, not the top.
//!
//! Nine Boolector reports of one day (issues 97, 99, 101, 102, 105 to 109) crash in nine functions, one per operator, all
//! called through one constructor from one wrong place: frames 0 and 1 differ, everything below is the same. Comparing
//! the topmost frames would yield nine bugs.
//!
//! On the other hand, every stack of a solver has the same frames from `main` through the parser to the check. These
//! frames are the *spine*. They are ignored: two bugs below one `check_sat` need not be related.

use std::sync::LazyLock;

use regex::Regex;

/// Innermost frames that may differ.
const MAX_DIFFERENT: usize = 3;
/// Frames that must be the same below.
const MIN_COMMON: usize = 3;

/// Functions that every run calls, whatever the input, by their qualified names.
static SPINE: LazyLock<Regex> = LazyLock::new(|| {
    let generic = r"(\w*_)?main|<module>";
    let checks = r"(.*[:._])?(check_?sat|checkSat)(_\w+|Internal|Assuming)?|boolector_sat|btor_check_sat";
    let parsers = r"(btor|boolector)_parse(_\w+)?|parse_aux|parse_\w*_parser|read_command\w*|(parse|read)_(file|script|smt2?_commands?)";
    let z3 = r"cmd_context::.*|smt2::parser::.*|parse_smt2_commands\w*|read_smtlib2_commands|combined_solver::.*|solver_na2as::.*|tactic2solver::.*";
    let cvc = r"(cvc[45]::)?(internal::)?(main|parser)::.*|cvc[45]::\w*(Command|Solver|Executor)\w*::.*|.*::(SolverEngine|SmtEngine|SmtSolver\w*|CommandExecutor|PropEngine|TheoryEngine)::check\w*";
    let others = r"bzla_(parse|main|check_sat)\w*|bitwuzla::(main|parser)::.*|smt2_\w*_(commands?|exec)|yices_(smt2_)?main|exec_\w*command\w*";
    let whole = format!("^(?:{generic}|{checks}|{parsers}|{z3}|{cvc}|{others})$");
    Regex::new(&whole).expect("a constant, used by a test")
});

/// The frames that distinguish bugs: those inside the spine.
#[must_use]
pub fn informative(stack: &[String]) -> &[String] {
    let end = stack.iter().position(|frame| SPINE.is_match(function(frame))).unwrap_or(stack.len());
    &stack[..end]
}

/// Whether two normalised stacks have a common origin: except for at most three innermost frames of each, all frames
/// down to the spine are equal, and there are at least three of them; or the stacks are identical. O(n).
#[must_use]
pub fn have_common_origin(one: &[String], two: &[String]) -> bool {
    let (one, two) = (informative(one), informative(two));
    let pairs = one.iter().rev().zip(two.iter().rev());
    let n_common = pairs.take_while(|(one, two)| is_same_call(one, two)).count();
    let is_whole = n_common > 0 && n_common == one.len() && n_common == two.len();
    let is_deep = n_common >= MIN_COMMON && one.len().max(two.len()) - n_common <= MAX_DIFFERENT;
    is_whole || is_deep
}

/// The same function, calling from the same line if both lines are known.
fn is_same_call(one: &str, two: &str) -> bool {
    let same_place = match (place(one), place(two)) {
        (Some(one), Some(two)) => one == two,
        _ => true,
    };
    same_place && function(one) == function(two)
}

/// The function of a normalised frame.
pub(crate) fn function(frame: &str) -> &str {
    frame.rsplit_once(" at ").map_or(frame, |(function, _)| function)
}

fn place(frame: &str) -> Option<&str> {
    frame.rsplit_once(" at ").map(|(_, place)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(text: &str) -> Vec<String> {
        text.split(", ").map(str::to_owned).collect()
    }

    fn is_one(one: &str, two: &str) -> bool {
        let forth = have_common_origin(&stack(one), &stack(two));
        assert_eq!(forth, have_common_origin(&stack(two), &stack(one)), "symmetric");
        forth
    }

    #[test]
    fn the_top_may_differ_the_rest_not() {
        assert!(is_one("a at x.c:1, b, c, d, e, main", "z at x.c:9, b, c, d, e, main"));
        assert!(is_one("a, b at x.c:1, c, d, e, main", "z, b at x.c:2, c, d, e, main"));
        assert!(is_one("1, 2, 3, c, d, e, main", "c, d, e, main"));
        assert!(!is_one("1, 2, 3, 4, c, d, e, main", "c, d, e, main"), "four frames differ");
        assert!(!is_one("a, b, c, main", "z, b, c, main"), "two frames in common");
        assert!(!is_one("a, b, c, d, e, main", "a, b, c, d, f, main"), "the outermost differs");
    }

    #[test]
    fn short_stacks_must_be_the_same() {
        assert!(is_one("a, main", "a, main"));
        assert!(!is_one("a, main", "b, main"));
        assert!(!is_one("a, main", "a, b, main"));
        assert!(!is_one("main", "main"), "nothing but the spine");
        assert!(!have_common_origin(&[], &[]));
    }

    #[test]
    fn the_spine_is_no_common_origin() {
        let spine = "btor_check_sat at btorcore.c:3036, boolector_sat, check_sat, read_command_smt2, parse_smt2_parser, parse_aux, btor_parse, boolector_main";
        assert!(!is_one(&format!("a, b, {spine}"), &format!("c, d, {spine}")));
        let z3 = "solver_na2as::check_sat, combined_solver::check_sat, cmd_context::check_sat, smt2::parser::parse_check_sat, main";
        assert!(!is_one(&format!("a, {z3}"), &format!("b, {z3}")));
        let cvc5 = "cvc5::internal::SolverEngine::checkSatInternal, cvc5::Solver::checkSat, cvc5::main::CommandExecutor::doCommand, main";
        assert!(!is_one(&format!("a, {cvc5}"), &format!("b, {cvc5}")));
    }
}
