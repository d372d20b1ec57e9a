//! Values of options that several commands share.

use crate::live::Talk;
use crate::reporter::{Form, Manner};
use crate::terminal::ColorChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nub_jobs::{Vocabulary, parse_time};
use std::time::Duration;

/// One of the names of a vocabulary.
pub fn choices<T: Vocabulary>() -> impl TypedValueParser<Value = T> {
    let value = |word: &nub_jobs::Word<T>| {
        PossibleValue::new(word.name).aliases(word.aliases.iter().copied()).help(word.about)
    };
    PossibleValuesParser::new(T::WORDS.iter().map(value))
        .map(|name| T::by_word(&name).expect("clap lets only these names through"))
}

/// The time of the whole work. None at all is over at once.
pub fn total_time(text: &str) -> Result<Duration, String> {
    parse_time(text)
}

/// The time of one run of a command: more than none.
pub fn run_time(text: &str) -> Result<Duration, String> {
    match parse_time(text)? {
        Duration::ZERO => Err("must be above 0 and at most a week".to_owned()),
        time => Ok(time),
    }
}

/// How a command speaks; the same for all commands.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct TalkArgs {
    /// Print only errors and the result
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Say more about what is done
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

    /// With results as text, or as JSON if that is asked for.
    pub fn text_or_json(&self, is_json: bool) -> Manner {
        self.manner(if is_json { Form::Json } else { Form::Text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_takes_some_time() {
        assert!(run_time("0").is_err() && run_time("0ms").is_err() && run_time("1ms").is_ok());
        assert!(total_time("0").is_ok(), "the whole work may be over at once");
    }
}
