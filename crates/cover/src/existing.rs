//! Existing tests of the user: read, and measured with the terms of the unrolled function.
//!
//! CSV has a line with the names of inputs, then a line per test; a column `observed` is skipped. JSON is what
//! `nub cover --json` prints, or `{"tests": [[1, 2], {"args": [3, 4]}]}` with the arguments in order.

use crate::encode::Encoded;
use crate::measure::Measure;
use crate::search::{Behaviour, to_value};
use nub_bitvec::Value;
use nub_bitvec::float::Float;
use nub_c_ir::{FloatEncoding, Program};
use nub_unroll::{InputPart, InputPlace, InputVariable, Unrolled};
use serde_json::Value as Json;
use std::fmt;

/// Why a test cannot be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunRefusal {
    /// Its loops run longer than they are unrolled, or it needs more memory than is modelled.
    Beyond,
    /// It has undefined behaviour: the number of the rule among [`Unrolled::rules`].
    BrokenRule(usize),
    /// The same with the place, as the user sees it: not inside of our model of a library function.
    Undefined(String),
    /// It breaks an assumption.
    Assumption,
    /// It names an input that runs within the bound do not have; longer ones may.
    Unreached(String),
    /// It does not fit the function, and why.
    Misfit(String),
}

impl fmt::Display for RunRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunRefusal::Beyond => f.write_str("its loops run longer than the bound"),
            RunRefusal::BrokenRule(_) => f.write_str("it has undefined behaviour"),
            RunRefusal::Undefined(place) => write!(f, "it has undefined behaviour in {place}"),
            RunRefusal::Assumption => f.write_str("it violates an assumption"),
            RunRefusal::Unreached(name) => write!(f, "no run within the bound has an input `{name}`"),
            RunRefusal::Misfit(why) => f.write_str(why),
        }
    }
}

/// A number of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GivenNumber {
    /// An integer.
    Integer(i128),
    /// A float as reports show it: `2.5`, `1e-3`, `0x1.8p+1`, `-inf`, `nan`, a NaN with a payload as `nan(0x7fc00001)`.
    Float(String),
}

/// A test of the user.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExistingTest {
    /// Inputs by name.
    pub named: Vec<(String, GivenNumber)>,
    /// Arguments by position.
    pub args: Vec<GivenNumber>,
}

/// What is wrong with a file of tests. Lines and tests are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TestFileError {
    /// The file is empty.
    Empty,
    /// This line of a CSV file has more values than the first line has names.
    TooManyValues(usize),
    /// This line of a CSV file has this value, which is not a number.
    NotNumber(usize, String),
    /// The file is not JSON, with the message of the parser.
    Json(String),
    /// The JSON has no list of tests.
    NoList,
    /// This test of a JSON file has another structure.
    Structure(usize),
}

impl fmt::Display for TestFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestFileError::Empty => f.write_str("the file is empty"),
            TestFileError::TooManyValues(line) => write!(f, "line {line}: more values than names"),
            TestFileError::NotNumber(line, value) => write!(f, "line {line}: `{value}` is not a number"),
            TestFileError::Json(message) => f.write_str(message),
            TestFileError::NoList => f.write_str("no list of tests"),
            TestFileError::Structure(test) => write!(f, "test {test} is not understood"),
        }
    }
}

/// Reads tests from CSV or JSON.
pub fn read_tests(text: &str) -> Result<Vec<ExistingTest>, TestFileError> {
    if text.trim_start().starts_with(['{', '[']) { from_json(text) } else { from_csv(text) }
}

fn from_csv(text: &str) -> Result<Vec<ExistingTest>, TestFileError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let Some((_, header)) = lines.next() else { return Err(TestFileError::Empty) };
    let names = cells(header);
    let mut tests = Vec::new();
    for (index, line) in lines {
        let mut test = ExistingTest::default();
        let values = cells(line);
        if values.len() > names.len() {
            return Err(TestFileError::TooManyValues(index + 1));
        }
        for (name, value) in names.iter().zip(&values).filter(|(name, _)| *name != "observed") {
            let number = number(value).ok_or_else(|| TestFileError::NotNumber(index + 1, value.clone()))?;
            test.named.push((name.clone(), number));
        }
        tests.push(test);
    }
    Ok(tests)
}

/// The cells of a line; quotes may be around a cell.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                cell.push('"');
                letters.next();
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(std::mem::take(&mut cell).trim().to_owned()),
            letter => cell.push(letter),
        }
    }
    cells.push(cell.trim().to_owned());
    cells
}

/// Decimal, or hexadecimal with `0x`; or a float.
fn number(text: &str) -> Option<GivenNumber> {
    let text = text.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) =
        digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).map_or((digits, 10), |hex| (hex, 16));
    let is_number = digits.starts_with(|first: char| first.is_digit(radix));
    match i128::from_str_radix(digits, radix) {
        Ok(magnitude) if is_number => Some(GivenNumber::Integer(sign * magnitude)),
        _ => float(text, FloatEncoding::DOUBLE).map(|_| GivenNumber::Float(text.to_owned())),
    }
}

/// The bits of a float as reports show it, rounded once.
fn float(text: &str, format: FloatEncoding) -> Option<u128> {
    let (sign, magnitude) = text.strip_prefix('-').map_or((0, text), |rest| (format.sign_mask(), rest));
    if let Some(bits) = magnitude.strip_prefix("nan(0x").and_then(|rest| rest.strip_suffix(')')) {
        // All its bits, with the sign.
        return u128::from_str_radix(bits, 16).ok();
    }
    let bits = match magnitude {
        "inf" => format.encode(&Float::named("+oo", format.values)?),
        "nan" => format.encode(&Float::named("NaN", format.values)?),
        digits if digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') => {
            format.read(digits.as_bytes())?
        }
        _ => return None,
    };
    Some(bits & !format.sign_mask() | sign)
}

/// The bits of a number, if the input has room for it, with or without a sign.
fn bits(
    program: &Program,
    input: &InputVariable,
    number: &GivenNumber,
    width: u32,
) -> Result<Value, RunRefusal> {
    let name = &input.name;
    let misfit = |what: String| RunRefusal::Misfit(format!("{what} `{name}`"));
    let format = program.types.float_format(input.ty).filter(|_| input.part == InputPart::Value);
    let number = match (number, format) {
        (GivenNumber::Integer(number), None) => *number,
        (GivenNumber::Float(text), None) => return Err(misfit(format!("{text} is not an integer, as is"))),
        (number, Some(format)) => {
            let text = match number {
                GivenNumber::Integer(number) => number.to_string(),
                GivenNumber::Float(text) => text.clone(),
            };
            let bits = float(&text, format).ok_or_else(|| misfit(format!("{text} is not a number for")))?;
            return Ok(Value::from_bits((0..width).map(|bit| bits >> bit.min(127) & 1 == 1)));
        }
    };
    let value = to_value(number, width);
    let is_kept = [value.to_signed_decimal(), value.to_decimal()].contains(&number.to_string());
    is_kept.then_some(value).ok_or_else(|| misfit(format!("{number} does not fit into the {width} bits of")))
}

fn from_json(text: &str) -> Result<Vec<ExistingTest>, TestFileError> {
    let json: Json = serde_json::from_str(text).map_err(|error| TestFileError::Json(error.to_string()))?;
    let list = json.get("tests").unwrap_or(&json).as_array().ok_or(TestFileError::NoList)?;
    list.iter()
        .enumerate()
        .map(|(index, test)| json_test(test).ok_or(TestFileError::Structure(index + 1)))
        .collect()
}

fn json_test(json: &Json) -> Option<ExistingTest> {
    let value = |json: &Json| match json {
        Json::String(text) => number(text),
        Json::Number(given) => number(&given.to_string()),
        Json::Bool(truth) => Some(GivenNumber::Integer(i128::from(*truth))),
        _ => None,
    };
    let args = |list: &Json| list.as_array()?.iter().map(value).collect::<Option<Vec<GivenNumber>>>();
    if json.is_array() {
        return Some(ExistingTest { args: args(json)?, named: Vec::new() });
    }
    if let Some(inputs) = json.get("inputs").and_then(Json::as_array) {
        let input = |json: &Json| Some((json.get("name")?.as_str()?.to_owned(), value(json.get("value")?)?));
        return Some(ExistingTest {
            named: inputs.iter().map(input).collect::<Option<_>>()?,
            args: Vec::new(),
        });
    }
    Some(ExistingTest { args: args(json.get("args")?)?, named: Vec::new() })
}

/// What a test of the user does; an error if it names an unknown input, or is not a valid run.
pub fn measure(
    program: &Program,
    unrolled: &Unrolled,
    encoded: &Encoded,
    test: &ExistingTest,
) -> Result<Behaviour, RunRefusal> {
    let mut inputs: Vec<Value> =
        unrolled.inputs.iter().map(|input| Value::zero(unrolled.pool.width(input.term))).collect();
    for (name, number) in &test.named {
        let index = unrolled.inputs.iter().position(|input| input.name == *name);
        let index = index.ok_or_else(|| unknown(unrolled, name))?;
        inputs[index] = bits(program, &unrolled.inputs[index], number, inputs[index].width())?;
    }
    for (position, number) in test.args.iter().enumerate() {
        let is_it = |place: &InputPlace| match place {
            InputPlace::Parameter { call: 0, index, path } => *index == position && path.is_empty(),
            _ => false,
        };
        let index = unrolled.inputs.iter().position(|input| is_it(&input.place));
        let misfit = || RunRefusal::Misfit(format!("parameter {} is not an integer", position + 1));
        let index = index.ok_or_else(misfit)?;
        inputs[index] = bits(program, &unrolled.inputs[index], number, inputs[index].width())?;
    }
    Measure::new(unrolled, encoded).run(inputs).map_err(|why| match why {
        RunRefusal::BrokenRule(number) => match unrolled.rules().nth(number) {
            Some(rule) => {
                let position = unrolled.position_of(program, rule);
                RunRefusal::Undefined(program.line_text(unrolled.function, position))
            }
            None => why,
        },
        why => why,
    })
}

/// Later reads and elements appear with larger bounds: `REG #4` where there is `REG #1`, `s[9]` where there is `s[1]`.
fn unknown(unrolled: &Unrolled, name: &str) -> RunRefusal {
    let stem = name.rfind(['#', '[']).map(|at| &name[..=at]);
    match stem.filter(|stem| unrolled.inputs.iter().any(|input| input.name.starts_with(stem))) {
        Some(_) => RunRefusal::Unreached(name.to_owned()),
        None => RunRefusal::Misfit(format!("there is no input `{name}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_and_json_are_read() {
        let csv = read_tests("x,\"p[0,1]\",observed\n1,-2,5\n0x10, 7 ,aborted\n").unwrap();
        let named = |pairs: [(&str, i128); 2]| {
            pairs.map(|(name, number)| (name.to_owned(), GivenNumber::Integer(number))).to_vec()
        };
        assert_eq!(csv[0].named, named([("x", 1), ("p[0,1]", -2)]));
        assert_eq!(csv[1].named, named([("x", 16), ("p[0,1]", 7)]));
        let json = read_tests(
            r#"{"tests": [[1, -2], {"args": ["3", 4]}, {"inputs": [{"name": "x", "value": "9"}]}]}"#,
        )
        .unwrap();
        let args = |numbers: [i128; 2]| numbers.map(GivenNumber::Integer).to_vec();
        assert_eq!((&json[0].args, &json[1].args), (&args([1, -2]), &args([3, 4])));
        assert_eq!(json[2].named, [("x".to_owned(), GivenNumber::Integer(9))]);
    }

    #[test]
    fn floats_are_read_to_the_bit() {
        for (text, bits) in [
            ("2.5", 0x4020_0000),
            ("-0.0", 0x8000_0000),
            ("0x1.8p+1", 0x4040_0000),
            ("1e-45", 1),
            ("-inf", 0xff80_0000),
            ("nan", 0x7fc0_0000),
            ("-nan", 0xffc0_0000),
            ("-nan(0xff800001)", 0xff80_0001),
            ("7", 0x40e0_0000),
        ] {
            assert_eq!(float(text, FloatEncoding::SINGLE), Some(bits), "{text}");
            assert!(read_tests(&format!("x\n{text}\n")).is_ok(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| read_tests(text).unwrap_err().to_string();
        assert_eq!(error("x\nfoo\n"), "line 2: `foo` is not a number");
        for number in ["--5", "+5", "0x-5", "0x", "-", "1.5.2", "--inf", "nan(0xg)", ""] {
            assert_eq!(error(&format!("y,x\n1,{number}\n")), format!("line 2: `{number}` is not a number"));
        }
        assert_eq!(error("x\n1,2\n"), "line 2: more values than names");
        assert_eq!(error(""), "the file is empty");
        assert!(read_tests("{").is_err() && read_tests("{}").is_err());
        assert_eq!(error(r#"[{"x": 1}]"#), "test 1 is not understood");
    }
}
