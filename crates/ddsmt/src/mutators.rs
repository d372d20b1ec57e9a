//! The switches of ddSMT's mutators, parsed in order.

use clap::ArgMatches;
use clap::parser::ValueSource;
use nub_jobs::{DDSMT_MUTATORS, DDSMT_THEORIES, DdsmtSwitches, Failure, VariableOrder};

/// Reads the switches in the order in which they were given: a later one wins.
///
/// # Errors
/// If a mutator that nub refuses was enabled by name; names the first one.
pub fn switches(matches: &ArgMatches) -> Result<DdsmtSwitches, Failure> {
    let mut switches = DdsmtSwitches::default();
    if matches.value_source("replace-by-variable-mode") == Some(ValueSource::CommandLine) {
        let mode = matches.get_one::<String>("replace-by-variable-mode").map(String::as_str);
        let is_decreasing = mode == Some("dec");
        switches.order =
            Some(if is_decreasing { VariableOrder::Decreasing } else { VariableOrder::Increasing });
    }
    for (name, value) in in_order(matches) {
        match value {
            true if name == "disable-all" => switches.disable_all(),
            true => switches.enable(name)?,
            false => switches.disable(name),
        }
    }
    Ok(switches)
}

/// The given switches, in order. If a switch is given twice, only the last occurrence counts: it repeats everything
/// that the first did.
fn in_order(matches: &ArgMatches) -> Vec<(&'static str, bool)> {
    let names = DDSMT_MUTATORS.iter().map(|mutator| mutator.name).chain(DDSMT_THEORIES.iter().copied());
    let both = names.flat_map(|name| [(name, name.to_owned(), true), (name, format!("no-{name}"), false)]);
    let all = both.chain([("disable-all", "disable_all".to_owned(), true)]);
    let mut found: Vec<(usize, &'static str, bool)> = Vec::new();
    for (name, id, value) in all {
        let is_given = matches.value_source(&id) == Some(ValueSource::CommandLine);
        let last = matches.indices_of(&id).and_then(Iterator::last).filter(|_| is_given);
        found.extend(last.map(|index| (index, name, value)));
    }
    found.sort_unstable();
    found.into_iter().map(|(_, name, value)| (name, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(args: &[&str]) -> DdsmtSwitches {
        let args = [&["ddsmt"], args, &["in", "out", "cmd"]].concat();
        let matches =
            crate::options::command(crate::options::MutatorHelp::Hidden).try_get_matches_from(args).unwrap();
        switches(&matches).unwrap()
    }

    #[test]
    fn the_last_switch_wins() {
        assert!(given(&[]).is_all());
        assert!(!given(&["--no-bv"]).is_all());
        assert_eq!(given(&["--disable-all"]).enabled(), Vec::<&str>::new());
        assert_eq!(given(&["--disable-all", "--constants"]).enabled(), ["constants"]);
        assert_eq!(given(&["--constants", "--disable-all"]).enabled(), Vec::<&str>::new());
        assert_eq!(given(&["--disable-all", "--fp"]).enabled(), ["fp-short-sort"]);
        assert_eq!(given(&["--disable-all", "--fp", "--no-fp", "--fp"]).enabled(), ["fp-short-sort"]);
        assert_eq!(given(&["--disable-all", "--datatypes", "--no-dt-rm-identity"]).enabled().len(), 2);
    }
}
