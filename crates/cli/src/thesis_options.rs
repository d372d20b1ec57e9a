//! Options of `nub generate` as the generator of 2008 spells them (Vida 2008, A.2.2): one dash, and truth values.
//!
//! ```text
//! -clauses=4 -cnf=false -dag 30        =>        --clauses=4 --dag 30
//! ```

use std::ffi::OsString;

const NUMBERS: [&str; 8] =
    ["vars", "arrays", "writes", "clauses", "minwidth", "maxwidth", "arrmaxwidth", "dag"];
const SWITCHES: [&str; 6] = ["cnf", "all", "noarrays", "newformat", "oldformat", "cnfonly"];

/// The arguments in the form that clap expects. Words after `--` are a command and not changed.
pub fn modern(args: Vec<OsString>) -> Vec<OsString> {
    if args.get(1).is_none_or(|command| command != "generate") {
        return args;
    }
    let n_own = args.iter().position(|word| word == "--").unwrap_or(args.len());
    let own = args[..n_own].iter().filter_map(|word| match word.to_str() {
        Some(text) => option(text).unwrap_or_else(|| Some(word.clone())),
        None => Some(word.clone()),
    });
    own.chain(args[n_own..].iter().cloned()).collect()
}

/// The present form of an option of the thesis; `Some(None)` for a switch that is off, `None` for other words.
fn option(word: &str) -> Option<Option<OsString>> {
    let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'))?;
    let (name, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
    if SWITCHES.contains(&name) {
        return match value {
            None | Some("true") => Some(Some(format!("--{name}").into())),
            Some("false") => Some(None),
            Some(_) => None,
        };
    }
    let is_old = NUMBERS.contains(&name) && !word.starts_with("--");
    is_old.then(|| Some(format!("-{word}").into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(line: &str) -> String {
        let words = modern(line.split(' ').map(OsString::from).collect());
        words.join(std::ffi::OsStr::new(" ")).into_string().unwrap_or_default()
    }

    #[test]
    fn one_dash_and_truth_values() {
        assert_eq!(
            after("nub generate -clauses=4 -cnf=false -dag 30 -n 5"),
            "nub generate --clauses=4 --dag 30 -n 5"
        );
        assert_eq!(after("nub generate -cnf=true -all -noarrays"), "nub generate --cnf --all --noarrays");
        assert_eq!(after("nub generate --cnf=false --dag 3 -s 1"), "nub generate --dag 3 -s 1");
    }

    #[test]
    fn nothing_else_changes() {
        for line in
            ["nub reduce -cnf=false", "nub generate -- solver -cnf=false", "nub generate -cnf=maybe -x"]
        {
            assert_eq!(after(line), line);
        }
    }
}
