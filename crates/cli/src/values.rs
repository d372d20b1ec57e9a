//! Values of options that several commands share.

use crate::live::Talk;
use crate::reporter::{Form, Manner};
use crate::terminal::ColorChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nub_jobs::Vocabulary;

/// A share, the time limit of one run, and of the whole work, which may be zero.
pub use nub_jobs::{parse_percent as percent, parse_run_time as run_time, parse_time as total_time};

/// One of the names of a vocabulary.
pub fn choices<T: Vocabulary>() -> impl TypedValueParser<Value = T> {
    let value = |word: &nub_jobs::Word<T>| {
        PossibleValue::new(word.name).aliases(word.aliases.iter().copied()).help(word.about)
    };
    PossibleValuesParser::new(T::WORDS.iter().map(value))
        .map(|name| T::by_word(&name).expect("clap lets only these names through"))
}

/// Options about output; the same for all commands.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct TalkArgs {
    /// Print only errors and the result
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more details
    #[arg(short, long)]
    pub verbose: bool,
    /// When to use colour
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub color: ColorChoice,
}

impl TalkArgs {
    /// With results in this form.
    pub fn manner(&self, form: Form) -> Manner {
        let talk = match (self.quiet, self.verbose) {
            (true, _) => Talk::Quiet,
            (false, true) => Talk::Verbose,
            (false, false) => Talk::Normal,
        };
        Manner { form, talk, color: self.color }
    }
}

/// The commands, with options that take `-1` for a value: the error is then about that value, not about an option `-1`.
pub fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| {
        if arg.is_positional() || !arg.get_action().takes_values() {
            arg
        } else {
            arg.allow_negative_numbers(true)
        }
    });
    command.mut_subcommands(with_negative_numbers)
}
