//! How times and words of a command are written in JSON.

/// Seconds as a number.
pub mod seconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    /// Writes seconds.
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }

    /// Reads seconds.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(deserializer)?;
        Duration::try_from_secs_f64(seconds).map_err(serde::de::Error::custom)
    }
}

/// Seconds as a number, or nothing.
pub mod some_seconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    /// Writes seconds or `null`.
    pub fn serialize<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => super::seconds::serialize(time, serializer),
            None => serializer.serialize_none(),
        }
    }

    /// Reads seconds or `null`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(deserializer)?;
        seconds.map(Duration::try_from_secs_f64).transpose().map_err(serde::de::Error::custom)
    }
}

/// Words of a command as strings. In a word that is not UTF-8, invalid bytes are replaced.
pub mod words {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::ffi::OsString;

    /// Writes strings.
    pub fn serialize<S: Serializer>(words: &[OsString], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(words.iter().map(|word| word.to_string_lossy()))
    }

    /// Reads strings.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<OsString>, D::Error> {
        Ok(Vec::<String>::deserialize(deserializer)?.into_iter().map(OsString::from).collect())
    }
}
