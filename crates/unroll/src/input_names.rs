//! The names of inputs in reports.

use crate::{InputPlace, InputVariable, Unrolled, What};
use nub_bitvec::{Op, TermId};
use nub_c_ir::Program;
use rustc_hash::FxHashMap;

/// The names of the inputs: a value that is read into a variable has the name of the variable.
pub fn input_names(program: &Program, unrolled: &Unrolled) -> Vec<String> {
    let mut names: FxHashMap<TermId, String> = FxHashMap::default();
    for found in unrolled.assignments.iter().filter(|found| found.what == What::Store) {
        let name = || unrolled.target_name(program, found.target);
        let term = unrolled.pool.term(found.term);
        // `long x = nondet_int();` also names it.
        let taken = if matches!(term.op(), Op::Sext | Op::Uext) { term.arg(0) } else { found.term };
        names.entry(taken).or_insert_with(name);
    }
    let name_of = |input: &InputVariable| match &input.place {
        InputPlace::Read { .. } => names.get(&input.term).filter(|name| !name.is_empty()).cloned(),
        _ => None,
    };
    let all = unrolled.inputs.iter().enumerate();
    let names = all.map(|(index, input)| name_of(input).unwrap_or_else(|| input_name(unrolled, index)));
    numbered(names.collect())
}

/// The name of an input. The single object `*a` is `a[0]` if `a[1]` comes next.
pub fn input_name(unrolled: &Unrolled, index: usize) -> String {
    let name = &unrolled.inputs[index].name;
    let next = unrolled.inputs.get(index + 1).map_or("", |input| &input.name);
    let array = name.strip_prefix('*').filter(|array| *next == format!("{array}[1]"));
    array.map_or_else(|| name.clone(), |array| format!("{array}[0]"))
}

/// If several inputs have the same name, such as those that a loop reads into one variable, the second is `x #2`.
fn numbered(mut names: Vec<String>) -> Vec<String> {
    let mut n_seen: FxHashMap<String, usize> = FxHashMap::default();
    for name in &mut names {
        let n = n_seen.entry(name.clone()).or_insert(0);
        *n += 1;
        if *n > 1 {
            name.push_str(&format!(" #{n}"));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let names = ["x", "y", "x", "x"].map(str::to_owned).to_vec();
        assert_eq!(numbered(names), ["x", "y", "x #2", "x #3"]);
    }
}
