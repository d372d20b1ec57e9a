//! Laws about the options of all commands, read from clap's own tables. There is no list of exceptions.

use super::Cli;
use crate::exit::EXIT_CODES;
use clap::{Arg, Command, CommandFactory};
use nub_jobs::{FileFormat, Vocabulary};

/// Every command and subcommand with its own name, except those that clap adds.
pub(super) fn commands() -> Vec<(String, Command)> {
    let mut todo = vec![(String::from("nub"), Cli::command())];
    let mut found = Vec::new();
    while let Some((name, command)) = todo.pop() {
        for inner in command.get_subcommands() {
            todo.push((format!("{name} {}", inner.get_name()), inner.clone()));
        }
        found.push((name, command));
    }
    found
}

/// All options, as `COMMAND --OPTION`.
fn options() -> Vec<(String, Arg)> {
    let of = |(name, command): (String, Command)| {
        let named = move |arg: &Arg| Some((format!("{name} --{}", arg.get_long()?), arg.clone()));
        command.get_arguments().filter_map(named).collect::<Vec<_>>()
    };
    commands().into_iter().flat_map(of).collect()
}

fn is(arg: &Arg, long: &str) -> bool {
    arg.get_long() == Some(long)
}

fn help(arg: &Arg) -> String {
    arg.get_help().map(ToString::to_string).unwrap_or_default()
}

/// The options with this name; there must be at least one.
fn named(long: &str) -> Vec<(String, Arg)> {
    let found: Vec<_> = options().into_iter().filter(|(_, arg)| is(arg, long)).collect();
    assert!(!found.is_empty(), "no command has --{long}");
    found
}

#[test]
fn a_letter_means_one_option() {
    let letters = [
        ('s', "solver"),
        ('o', "out"),
        ('j', "jobs"),
        ('q', "quiet"),
        ('v', "verbose"),
        ('f', "function"),
        ('c', "criterion"),
    ];
    for (letter, long) in letters {
        for (name, arg) in options() {
            let has_letter = arg.get_short() == Some(letter);
            assert_eq!(has_letter, is(&arg, long), "{name}: -{letter} is --{long}, everywhere");
        }
    }
}

#[test]
fn total_time_and_time_of_a_run() {
    for (name, arg) in options() {
        let long = arg.get_long().unwrap_or_default();
        let value = arg.get_value_names().and_then(<[_]>::first).map(ToString::to_string);
        assert!(long != "time" && long != "time-limit", "{name}: the whole work has --max-time");
        if long.ends_with("time") || long.ends_with("timeout") || matches!(long, "cpu" | "slower-than") {
            assert_eq!(value.as_deref(), Some("TIME"), "{name} is a time");
        } else {
            assert_ne!(value.as_deref(), Some("TIME"), "{name} is not called a time");
        }
    }
    for (name, arg) in named("timeout") {
        assert!(
            ["one ", "per run", "CMD"].iter().any(|word| help(&arg).contains(word)),
            "{name} is about one run: {}",
            help(&arg)
        );
        let command = commands().into_iter().find(|(command, _)| name == format!("{command} --timeout"));
        let runs_commands = command.is_some_and(|(_, command)| {
            command.get_arguments().any(|arg| arg.get_id() == "command" || is(arg, "solver"))
        });
        assert!(runs_commands, "{name}: there is no command of the user's");
    }
}

#[test]
fn seeds_have_no_letter_and_one_default() {
    for (name, arg) in named("seed") {
        assert_eq!(arg.get_short(), None, "{name}");
        assert_eq!(arg.get_default_values(), ["0"], "{name}");
    }
}

#[test]
fn formats_have_one_vocabulary() {
    let words: Vec<&str> = FileFormat::WORDS.iter().map(|word| word.name).collect();
    assert_eq!(words, ["smt2", "btor", "btor2", "dimacs", "text", "c"]);
    for (name, arg) in ["format", "from", "to"].into_iter().flat_map(named) {
        let values: Vec<String> =
            arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        assert_eq!(values, words, "{name}");
    }
}

#[test]
fn the_same_option_takes_the_same_values() {
    for long in ["json", "quiet", "verbose", "csv"] {
        for (name, arg) in named(long) {
            assert!(!arg.get_action().takes_values(), "{name} is a switch");
        }
    }
    for (long, value) in
        [("html", "FILE"), ("color", "WHEN"), ("folder", "DIR"), ("jobs", "N"), ("seed", "N")]
    {
        for (name, arg) in named(long) {
            let names: Vec<String> =
                arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
            assert_eq!(names, [value], "{name}");
        }
    }
    for long in ["quiet", "verbose", "color", "data-model", "cc"] {
        let texts: Vec<String> = named(long).iter().map(|(_, arg)| help(arg)).collect();
        assert!(
            texts.windows(2).all(|pair| pair[0] == pair[1]),
            "--{long} means the same everywhere: {texts:?}"
        );
    }
}

#[test]
fn whoever_works_can_be_quiet() {
    for (name, command) in commands() {
        let has = |long: &str| command.get_arguments().any(|arg| is(arg, long));
        assert_eq!(has("quiet"), has("verbose"), "{name}");
        assert_eq!(has("quiet"), has("color"), "{name}");
    }
}

#[test]
fn the_table_of_exit_codes_names_every_command() {
    for command in Cli::command().get_subcommands() {
        let name = command.get_name();
        let is_named =
            EXIT_CODES.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|word| word == name);
        assert!(is_named, "the table does not say how `nub {name}` ends");
    }
}
