//! Parses inputs, conditions, weights and places as written by the user.

use crate::failure::Failure;
use nub_c_ir::CheckKind;
use nub_explain::{MetricWeights, Predicate, PropertyKind, property_kind};
use std::path::PathBuf;

/// Why a word is not the value of an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ValueError {
    /// It does not have this form.
    #[error("{0} is expected")]
    Form(&'static str),
    /// It is none of these names.
    #[error("one of {} is expected", .0.join(", "))]
    Name(Vec<&'static str>),
    /// This part is not a number.
    #[error("`{0}` is not a number")]
    Number(String),
    /// The value of this name in a file is not a number.
    #[error("`{name}`: `{value}` is not a number")]
    NumberOf {
        /// The name.
        name: String,
        /// Its value.
        value: String,
    },
    /// This part is not the number of a line.
    #[error("`{0}` is not a line")]
    Line(String),
    /// The weight is too large.
    #[error("a weight is at most {}", MetricWeights::MAX)]
    Weight,
    /// The file is not JSON.
    #[error("{0}")]
    Json(String),
}

/// An input of the failing run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenInput {
    /// A value by name.
    Value(String, i128),
    /// A file with more.
    File(PathBuf),
}

/// What a weight is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weighted {
    /// Guards.
    Guards,
    /// Inputs.
    Inputs,
    /// Values where paths meet.
    Phis,
    /// Assignments, arguments, returned values.
    Others,
    /// A line.
    Line(u32),
}

/// Reads the values of an option.
pub fn all<T>(
    option: &str,
    texts: &[String],
    read: impl Fn(&str) -> Result<T, ValueError>,
) -> Result<Vec<T>, Failure> {
    let wrong = |text: &str, error: ValueError| Failure::usage(format!("{option} {text}: {error}"));
    texts.iter().map(|text| read(text).map_err(|error| wrong(text, error))).collect()
}

/// `x=1`, or `@inputs.json`.
pub fn input(text: &str) -> Result<GivenInput, ValueError> {
    if let Some(path) = text.strip_prefix('@') {
        return Ok(GivenInput::File(PathBuf::from(path)));
    }
    let (name, value) = text.rsplit_once('=').ok_or(ValueError::Form("NAME=VALUE"))?;
    let value = number(value).ok_or_else(|| ValueError::Number(value.to_owned()))?;
    Ok(GivenInput::Value(name.trim().to_owned(), value))
}

/// A number in decimal, or with `0x`.
fn number(text: &str) -> Option<i128> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // A second sign is not a digit.
        Some(digits) if !digits.starts_with(['+', '-']) => {
            i128::from_str_radix(digits, 16).ok().map(|number| sign * number)
        }
        Some(_) => None,
        None => text.parse().ok(),
    }
}

/// `{"x": 1, "y": "-2"}`: numbers, or strings for numbers that JSON parsers would round.
pub fn inputs_of_json(text: &[u8]) -> Result<Vec<(String, i128)>, ValueError> {
    let json: serde_json::Value =
        serde_json::from_slice(text).map_err(|error| ValueError::Json(error.to_string()))?;
    let object = json.as_object().ok_or(ValueError::Form("an object of names and numbers"))?;
    let entry = |(name, value): (&String, &serde_json::Value)| {
        let digits = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match number(&digits) {
            Some(value) => Ok((name.clone(), value)),
            None => Err(ValueError::NumberOf { name: name.clone(), value: digits }),
        }
    };
    object.iter().map(entry).collect()
}

/// The name of a kind of property.
pub fn kind(text: &str) -> Result<PropertyKind, ValueError> {
    let names = || ValueError::Name(PropertyKind::ALL.into_iter().map(PropertyKind::name).collect());
    PropertyKind::by_name(text.trim()).ok_or_else(names)
}

/// The name of a kind of check: of a property that is neither an assertion nor a bound.
pub fn check_kind(text: &str) -> Result<PropertyKind, ValueError> {
    let is_check =
        |kind: &PropertyKind| CheckKind::ALL.into_iter().any(|check| property_kind(check) == *kind);
    kind(text).ok().filter(is_check).ok_or_else(|| {
        let checks = PropertyKind::ALL.into_iter().filter(is_check);
        ValueError::Name(checks.map(PropertyKind::name).collect())
    })
}

/// `x > 3 @ file.c:12`; the file may be omitted.
pub fn predicate(text: &str) -> Result<Predicate, ValueError> {
    let (expression, place) = text.rsplit_once('@').ok_or(ValueError::Form("EXPR @ LINE"))?;
    let (file, line) = file_line(place)?;
    Ok(Predicate { text: expression.trim().to_owned(), file, line })
}

/// `file.c:12` or `12`.
pub fn file_line(text: &str) -> Result<(Option<String>, u32), ValueError> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file.trim().to_owned()), line),
        None => (None, text),
    };
    let line = line.trim().parse().map_err(|_| ValueError::Line(line.to_owned()))?;
    Ok((file, line))
}

/// `guards=5`, `12=0`.
pub fn weight(text: &str) -> Result<(Weighted, u32), ValueError> {
    let (what, number) = text.split_once('=').ok_or(ValueError::Form("WHAT=N"))?;
    let number: u32 = number.trim().parse().map_err(|_| ValueError::Number(number.to_owned()))?;
    if number > MetricWeights::MAX {
        return Err(ValueError::Weight);
    }
    let what = match what.trim() {
        "guards" => Weighted::Guards,
        "inputs" => Weighted::Inputs,
        "phis" => Weighted::Phis,
        "others" => Weighted::Others,
        line => Weighted::Line(
            line.parse().map_err(|_| ValueError::Form("guards, inputs, phis, others or a line"))?,
        ),
    };
    Ok((what, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs() {
        assert_eq!(input("a[1]=-3"), Ok(GivenInput::Value("a[1]".into(), -3)));
        assert_eq!(input("@x.json"), Ok(GivenInput::File("x.json".into())));
        assert_eq!(input("a=0xfF"), Ok(GivenInput::Value("a".into(), 255)));
        assert_eq!(input("a=-0x10"), Ok(GivenInput::Value("a".into(), -16)));
        for wrong in ["a", "a=b", "a=", "a=0x", "a=0x-1", "a=--1", "a=0xfffffffffffffffffffffffffffffffff"] {
            assert!(input(wrong).is_err(), "{wrong}");
        }
        let json = inputs_of_json(br#"{"a": 1, "b": "-170141183460469231731687303715884105728"}"#).unwrap();
        assert_eq!(json, [("a".to_owned(), 1), ("b".to_owned(), i128::MIN)]);
        assert!(inputs_of_json(b"[1]").is_err() && inputs_of_json(br#"{"a": 1.5}"#).is_err());
    }

    #[test]
    fn predicates() {
        let found = predicate("x > 3 @ lib/f.c:12").unwrap();
        assert_eq!((found.text.as_str(), found.file.as_deref(), found.line), ("x > 3", Some("lib/f.c"), 12));
        assert_eq!(predicate("x@7").unwrap().file, None);
        assert!(predicate("x > 3").is_err() && predicate("x @ f.c").is_err());
    }

    #[test]
    fn weights() {
        assert_eq!(weight("guards=5"), Ok((Weighted::Guards, 5)));
        assert_eq!(weight("12=0"), Ok((Weighted::Line(12), 0)));
        assert!(weight("gards=5").is_err() && weight("12").is_err() && weight("inputs=1000").is_err());
    }
}
