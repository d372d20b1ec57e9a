//! `--dump-config`: the options as ddSMT prints them, as a Python dictionary.

use crate::options::DdsmtOptions;
use nub_jobs::{DDSMT_THEORIES, DdsmtSwitches, VariableOrder};
use std::collections::BTreeMap;

/// The dictionary, a line per option, in alphabetical order.
pub fn dump(args: &DdsmtOptions, switches: &DdsmtSwitches) -> String {
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let mut put = |name: &str, value: String| _ = all.insert(name.replace('-', "_"), value);
    let (options, checker, debug) = (&args.form, &args.checker, &args.debug);
    for (name, &is_on) in &switches.mutators {
        put(&format!("mutator_{name}"), flag(is_on));
    }
    for theory in DDSMT_THEORIES {
        let value = switches.theories.get(theory).map_or_else(none, |&is_on| flag(is_on));
        put(&format!("mutators_{theory}"), value);
    }
    let is_dec = switches.order == Some(VariableOrder::Decreasing);
    let strings = [
        ("infile", Some(args.infile.display().to_string())),
        ("outfile", Some(args.outfile.display().to_string())),
        ("match-err", checker.match_err.clone()),
        ("match-out", checker.match_out.clone()),
        ("match-err-cc", checker.match_err_cc.clone()),
        ("match-out-cc", checker.match_out_cc.clone()),
        ("strategy", Some(options.strategy.clone())),
        ("replace-by-variable-mode", Some(if is_dec { "dec" } else { "inc" }.to_owned())),
    ];
    strings.into_iter().for_each(|(name, value)| put(name, value.map_or_else(none, |text| quoted(&text))));
    let flags = [
        ("check-loops", debug.check_loops),
        ("profile", debug.profile),
        ("dump-diffs", debug.dump_diffs),
        ("dump-config", true),
        ("ignore-err", checker.ignore_err),
        ("ignore-out", checker.ignore_out),
        ("ignore-output", checker.ignore_output),
        ("ignore-output-cc", checker.ignore_output_cc),
        ("parser-test", options.parser_test),
        ("pretty-print", options.pretty_print),
        ("unchecked", checker.unchecked),
        ("wrap-lines", options.wrap_lines),
    ];
    flags.into_iter().for_each(|(name, is_on)| put(name, flag(is_on)));
    put("disable-all", if switches.disables_all { flag(true) } else { none() });
    let words = |words: Vec<String>| {
        format!("[{}]", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", "))
    };
    put("cmd", words(args.cmd.iter().map(|word| word.to_string_lossy().into_owned()).collect()));
    let second =
        checker.cross_check.as_ref().map(|text| text.split_whitespace().map(str::to_owned).collect());
    put("cmd-cc", second.map_or_else(none, words));
    let seconds = |time: Option<std::time::Duration>| {
        time.map_or_else(none, |time| format!("{:?}", time.as_secs_f64()))
    };
    put("timeout", seconds(checker.timeout));
    put("timeout-cc", seconds(checker.timeout_cc));
    put("memout", checker.memout.map_or_else(none, |megabytes| megabytes.to_string()));
    put("jobs", checker.jobs.to_string());
    put("quietness", options.quiet.to_string());
    put("verbosity", options.verbose.to_string());
    let lines: Vec<String> = all.iter().map(|(name, value)| format!("'{name}': {value}")).collect();
    format!("{{{}}}", lines.join(",\n "))
}

fn flag(is_on: bool) -> String {
    if is_on { "True" } else { "False" }.to_owned()
}

fn none() -> String {
    "None".to_owned()
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n"))
}
