//! Tests of a report have the same inputs, so that they are the columns of a table. Concrete runs have only the inputs that they ask for.

use crate::report::{TestInput, TestReport};
use rustc_hash::FxHashSet;

/// Adds to each test the inputs of the others, as zeros that it does not read. Elements of an array stay together, in their order.
pub(crate) fn give_same_inputs(tests: &mut [TestReport]) {
    let mut all: Vec<TestInput> = Vec::new();
    let mut names: FxHashSet<String> = FxHashSet::default();
    for input in tests.iter().flat_map(|test| &test.inputs) {
        if names.insert(input.name.clone()) {
            let unread =
                TestInput { value: "0".to_owned(), is_read: false, shown: None, hex: None, ..input.clone() };
            all.insert(place(&all, &input.name), unread);
        }
    }
    for test in tests {
        let own = std::mem::take(&mut test.inputs);
        let own: rustc_hash::FxHashMap<String, TestInput> =
            own.into_iter().map(|input| (input.name.clone(), input)).collect();
        test.inputs = all.iter().map(|input| own.get(&input.name).unwrap_or(input).clone()).collect();
    }
}

/// Where an input belongs: among the elements of its array, otherwise at the end.
fn place(all: &[TestInput], name: &str) -> usize {
    let Some((stem, index)) = element(name) else { return all.len() };
    let mut after = all.len();
    for (at, other) in all.iter().enumerate() {
        match element(&other.name) {
            Some((same, number)) if same == stem && number > index => return at,
            Some((same, _)) if same == stem => after = at + 1,
            _ => {}
        }
    }
    after
}

/// `s[3]` as `s` and 3.
fn element(name: &str) -> Option<(&str, u64)> {
    let (stem, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((stem, index.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_stay_in_order() {
        let input = |name: &str| TestInput {
            name: name.to_owned(),
            ty: "int".to_owned(),
            value: "1".to_owned(),
            is_read: true,
            shown: None,
            hex: None,
        };
        let mut all: Vec<TestInput> = Vec::new();
        for name in ["n", "s[0]", "s[4]", "t[0]", "s[2]", "s[10]", "m", "t[1]"] {
            all.insert(place(&all, name), input(name));
        }
        let names: Vec<&str> = all.iter().map(|input| input.name.as_str()).collect();
        assert_eq!(names, ["n", "s[0]", "s[2]", "s[4]", "s[10]", "t[0]", "t[1]", "m"]);
    }
}
