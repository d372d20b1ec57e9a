//! The inputs of a test as a list, for tests that are too wide for a table.
//!
//! A pointer has inputs that say whether it is null and which other pointers it equals. Most of them say what is usual: not null, and to an
//! object of its own. A list leaves these out, and writes the others as assignments:
//!
//! ```text
//! p != 0 = 1, q != 0 = 0, r != 0 = 1, r == p = 1, s == p = 0      as inputs
//! q = NULL, r = p                                                 in a list
//! ```

use std::collections::BTreeMap;

/// What a list of inputs does not say.
pub(super) const UNSAID: &str =
    "Pointers that are not named are not null, and point to objects of their own.\n";

/// What an input says about a pointer: the pointer, what it is equal to, and the value with which it is.
fn about_pointer(name: &str) -> Option<(&str, &str, &str)> {
    let null = name.strip_suffix(" != 0").map(|pointer| (pointer, "NULL", "0"));
    null.or_else(|| name.split_once(" == ").map(|(pointer, other)| (pointer, other, "1")))
}

/// The inputs, given by name and value, as `name = value`. The content of an object that no pointer points to is not listed.
pub(super) fn listed_inputs(given: &[(&str, &str)]) -> Vec<String> {
    // The first input that says something unusual about a pointer decides.
    let mut targets: BTreeMap<&str, &str> = BTreeMap::new();
    for (name, value) in given {
        if let Some((pointer, target, _)) = about_pointer(name).filter(|(.., unusual)| value == unusual) {
            targets.entry(pointer).or_insert(target);
        }
    }
    let is_unused = |name: &str| {
        let is_below = |(pointer, _): &(&&str, &&str)| is_content(name, pointer);
        let owner = targets.iter().find(is_below);
        owner.is_some_and(|(pointer, _)| !targets.values().any(|target| target == pointer))
    };
    let shown = |(name, value): &(&str, &str)| match about_pointer(name) {
        Some((pointer, target, unusual)) => {
            let is_first = *value == unusual && targets.get(pointer) == Some(&target);
            is_first.then(|| format!("{pointer} = {target}"))
        }
        None => (!is_unused(name)).then(|| format!("{name} = {value}")),
    };
    given.iter().filter_map(shown).collect()
}

/// Whether a name is that of the object a pointer points to, or of a part of it: `p` as a string, `*p`, `p[1]`, `p->x`.
fn is_content(name: &str, pointer: &str) -> bool {
    let rest = name.strip_prefix('*').unwrap_or(name).strip_prefix(pointer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("->") || rest.starts_with('['))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_unusual_about_pointers_is_listed() {
        let given = [("p != 0", "1"), ("q != 0", "0"), ("q == p", "1"), ("r != 0", "1"), ("r == q", "0")];
        let more = [("r == p", "1"), ("r == s", "1"), ("n", "3"), ("s != 0", "1"), ("s == p", "0")];
        assert_eq!(listed_inputs(&[given, more].concat()), ["q = NULL", "r = p", "n = 3"]);
    }

    /// The own object of `r` is not used, but that of `q` is: `s` points to it.
    #[test]
    fn objects_that_nothing_points_to_are_not_listed() {
        let given = [("q == p", "1"), ("r == p", "1"), ("s == q", "1"), ("p->x", "1"), ("q->x", "2")];
        let more = [("r->x", "3"), ("r[1].x", "4"), ("*r", "5"), ("r", "\"text\""), ("rest", "6")];
        let found = listed_inputs(&[given, more].concat());
        assert_eq!(found, ["q = p", "r = p", "s = q", "p->x = 1", "q->x = 2", "rest = 6"]);
    }
}
