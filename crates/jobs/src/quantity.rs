//! Times and shares, as people write them in options and settings.

use std::time::Duration;

/// Why a text is not a time that an option takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TimeError {
    /// It is not a number with a unit.
    #[error("not a time such as 90, 90s or 2m")]
    NotATime,
    /// It is negative or too long.
    #[error("must not be negative, and at most a week")]
    OutOfRange,
    /// It is zero, which leaves no time for a run.
    #[error("must be above 0 and at most a week")]
    Zero,
}

/// Longest time that can be given: a week.
const MAX_SECONDS: f64 = 7.0 * 24.0 * 3600.0;
/// Units of times, and their seconds.
const UNITS: [(&str, f64); 4] = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// Reads a time: `90`, `90s`, `2m`, `1.5h`, `300ms`.
///
/// # Errors
/// If it is not a time, or longer than a week.
pub fn parse_time(text: &str) -> Result<Duration, TimeError> {
    let is_unit = |(unit, _): &&(&str, f64)| text.ends_with(unit);
    let (digits, factor) = match UNITS.iter().find(is_unit) {
        Some((unit, factor)) => (&text[..text.len() - unit.len()], *factor),
        None => (text, 1.0),
    };
    let number: f64 = digits.parse().map_err(|_| TimeError::NotATime)?;
    let seconds = number * factor;
    if (0.0..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(TimeError::OutOfRange)
    }
}

/// Reads the time limit of one run of a command, which must not be zero.
///
/// # Errors
/// As for [`parse_time`], or if it is 0.
pub fn parse_run_time(text: &str) -> Result<Duration, TimeError> {
    match parse_time(text)? {
        Duration::ZERO => Err(TimeError::Zero),
        time => Ok(time),
    }
}

/// A text that is not a share in percent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a number from 0 to 100 is expected")]
pub struct NotPercent;

/// Reads a share in percent.
///
/// # Errors
/// If it is not a number from 0 to 100.
pub fn parse_percent(text: &str) -> Result<f64, NotPercent> {
    text.parse().ok().filter(|number| (0.0..=100.0).contains(number)).ok_or(NotPercent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_takes_some_time() {
        let is_good = |text| parse_run_time(text).is_ok();
        assert!(!is_good("0") && !is_good("0ms") && is_good("1ms"));
        assert!(parse_time("0").is_ok(), "the whole work may be over at once");
    }

    #[test]
    fn times_have_units() {
        let seconds = |text| parse_time(text).map(|time| time.as_secs_f64());
        for (text, expected) in
            [("90", 90.0), ("90s", 90.0), ("2m", 120.0), ("1.5h", 5400.0), ("250ms", 0.25), ("0", 0.0)]
        {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for wrong in ["", "s", "abc", "-1", "1d", "NaN", "inf", "200h", "1 2"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_from_0_to_100() {
        assert_eq!(["0", "99.5", "100"].map(parse_percent), [Ok(0.0), Ok(99.5), Ok(100.0)]);
        for wrong in ["", "-1", "100.1", "NaN", "50%"] {
            assert_eq!(parse_percent(wrong), Err(NotPercent), "{wrong}");
        }
    }
}
