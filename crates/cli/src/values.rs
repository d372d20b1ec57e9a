//! Values of options that several commands share.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use nub_jobs::Vocabulary;
use std::time::Duration;

/// Longest time that can be given: a week.
const MAX_SECONDS: f64 = 7.0 * 24.0 * 3600.0;

/// Units of times, and their seconds.
const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// One of the names of a vocabulary.
pub fn choices<T: Vocabulary>() -> impl TypedValueParser<Value = T> {
    let value = |word: &nub_jobs::Word<T>| {
        PossibleValue::new(word.name).aliases(word.aliases.iter().copied()).help(word.about)
    };
    PossibleValuesParser::new(T::WORDS.iter().map(value))
        .map(|name| T::by_word(&name).expect("clap lets only these names through"))
}

/// A time: `90`, `90s`, `2m`, `1.5h`, `300ms`.
fn time(text: &str) -> Result<Duration, String> {
    let is_unit = |(unit, _): &&(&str, f64)| text.ends_with(unit);
    let (digits, factor) = match UNITS.iter().find(is_unit) {
        Some((unit, factor)) => (&text[..text.len() - unit.len()], *factor),
        None => (text, 1.0),
    };
    let number: f64 = digits.trim_end().parse().map_err(|_| "not a time such as 90, 90s or 2m".to_owned())?;
    let seconds = number * factor;
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err("must not be negative, and at most a week".to_owned())
    }
}

/// The time of the whole work. None at all is over at once.
pub fn total_time(text: &str) -> Result<Duration, String> {
    time(text)
}

/// The time of one run of a command: more than none.
pub fn run_time(text: &str) -> Result<Duration, String> {
    match time(text)? {
        Duration::ZERO => Err("must be above 0 and at most a week".to_owned()),
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        let seconds = |text| total_time(text).map(|time| time.as_secs_f64());
        for (text, expected) in
            [("90", 90.0), ("90s", 90.0), ("2m", 120.0), ("1.5h", 5400.0), ("250ms", 0.25), ("0", 0.0)]
        {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for wrong in ["", "s", "abc", "-1", "1d", "NaN", "inf", "200h", "1 2"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        assert!(run_time("0").is_err() && run_time("0ms").is_err());
    }
}
