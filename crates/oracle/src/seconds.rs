//! How times are shown: always in seconds, as they are given on the command line.

use std::fmt;
use std::time::Duration;

/// Shows a time with its unit and about three digits: `0.013 s`, `1.20 s`, `13.4 s`, `300 s`.
///
/// ```
/// use std::time::Duration;
/// assert_eq!(nub_oracle::Seconds(Duration::from_millis(13)).to_string(), "0.013 s");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        let n_decimals = match seconds {
            ..0.9995 => 3,
            ..9.995 => 2,
            ..99.95 => 1,
            _ => 0,
        };
        write!(f, "{seconds:.n_decimals$} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_three_digits() {
        let shown = |micros| Seconds(Duration::from_micros(micros)).to_string();
        assert_eq!(shown(0), "0.000 s");
        assert_eq!(shown(3_900), "0.004 s");
        assert_eq!(shown(150_000), "0.150 s");
        assert_eq!(shown(999_600), "1.00 s");
        assert_eq!(shown(1_204_000), "1.20 s");
        assert_eq!(shown(9_996_000), "10.0 s");
        assert_eq!(shown(13_360_000), "13.4 s");
        assert_eq!(shown(99_960_000), "100 s");
        assert_eq!(shown(300_000_000), "300 s");
    }
}
