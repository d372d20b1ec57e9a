//! Checks models of BTOR files, in the format that Boolector prints with `-m`, by our evaluator.
//!
//! ```text
//! sat
//! x 00000111      the value of x; a bit `x` does not matter
//! mem[10] 0001    an element of the array mem
//! 3 10            the variable of line 3, which has no symbol
//! ```

use super::show::Names;
use super::steps::Steps;
use super::{check_widths, first_of, of_tag};
use crate::ModelCheck;
use nub_bitvec::{ArrayValue, Assignment, Datum, Pool, Rewriting, Sort, Value, evaluate};
use nub_btor::{BtorDialect, BtorFile, BtorModel, Tag};
use nub_text::Diagnostic;
use rustc_hash::FxHashMap;
use std::fmt;

/// Checks a model against all roots of a BTOR file of 2008. `output` may be everything that the solver printed; lines that
/// do not give a variable a value are skipped. Variables and elements without a value are zero; `a[*] 01` is our extension and gives
/// the value of the other elements of an array. O(file + output).
pub fn check_btor_model(btor: &[u8], output: &[u8]) -> ModelCheck {
    match try_check(btor, output) {
        Ok(check) => check,
        Err(refusal) => ModelCheck::Unsupported { reason: refusal.to_string() },
    }
}

/// Why the check is undecided.
enum Refusal {
    /// The file is malformed or not supported.
    File(Diagnostic),
    /// The file has states.
    Transitions,
    /// The output gives this variable a value that is not understood.
    Value(String),
}

impl From<Diagnostic> for Refusal {
    fn from(diagnostic: Diagnostic) -> Refusal {
        Refusal::File(diagnostic)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::File(diagnostic) => f.write_str(&diagnostic.message),
            Refusal::Transitions => f.write_str("the file is a transition system"),
            Refusal::Value(name) => write!(f, "the value of `{name}` is not understood"),
        }
    }
}

fn try_check(btor: &[u8], output: &[u8]) -> Result<ModelCheck, Refusal> {
    let file = BtorFile::read(btor, BtorDialect::Btor);
    let model = BtorModel::of(&file).map_err(|faults| first_of(&faults))?;
    check_widths(&file)?;
    if !model.is_combinational() {
        return Err(Refusal::Transitions);
    }
    let mut pool = Pool::with_rewriting(Rewriting::Off);
    let mut steps = Steps::new(&model);
    steps.advance(&mut pool)?;
    let names = Names::of(&file, &model);
    let said = Said::read(output);
    let mut assignment = Assignment::new();
    for &(id, var) in steps.free(0) {
        let name = names.get(id);
        if let Some(value) = said.value(name, pool.sort(var))? {
            assignment.set(var, value);
        }
    }
    let roots = of_tag(&mut pool, &steps, Tag::Root);
    let truths = evaluate(&pool, &assignment, &roots);
    let properties = model.properties().iter().filter(|property| property.tag == Tag::Root);
    let wrong = properties.zip(truths).find(|(_, truth)| !truth.is_true());
    Ok(match wrong {
        Some((root, _)) => {
            let span = root.origin.map(|line| file.line(line).tag_span);
            ModelCheck::Invalid { assertion: span.unwrap_or_default() }
        }
        None => ModelCheck::Valid,
    })
}

/// A line about a variable: the index, if any, and the bits.
type Line<'o> = (Option<&'o [u8]>, &'o [u8]);

/// The lines of an output, by name.
struct Said<'o> {
    values: FxHashMap<&'o [u8], Vec<Line<'o>>>,
}

impl<'o> Said<'o> {
    fn read(output: &'o [u8]) -> Said<'o> {
        let mut values: FxHashMap<&[u8], Vec<_>> = FxHashMap::default();
        for line in output.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            let Some(space) = line.iter().rposition(|byte| *byte == b' ') else { continue };
            let (name, bits) = (line[..space].trim_ascii(), &line[space + 1..]);
            let bracket = name.iter().rposition(|byte| *byte == b'[').filter(|_| name.ends_with(b"]"));
            let (name, index) = match bracket {
                Some(at) => (&name[..at], Some(&name[at + 1..name.len() - 1])),
                None => (name, None),
            };
            values.entry(name).or_default().push((index, bits));
        }
        Said { values }
    }

    /// The value of a variable, if the output has one.
    fn value(&self, name: &[u8], sort: Sort) -> Result<Option<Datum>, Refusal> {
        let Some(lines) = self.values.get(name) else { return Ok(None) };
        let broken = || Refusal::Value(String::from_utf8_lossy(name).into_owned());
        let bits = |width: u32, digits: &[u8]| bits(width, digits).ok_or_else(broken);
        let Sort::Array { index: index_width, element } = sort else {
            let Sort::Bits(width) = sort else { return Ok(None) };
            return match lines.last() {
                Some((None, digits)) => Ok(Some(Datum::Bits(bits(width, digits)?))),
                _ => Err(broken()),
            };
        };
        let is_default = |index: Option<&[u8]>| index == Some(b"*");
        let default = match lines.iter().find(|(index, _)| is_default(*index)) {
            Some((_, digits)) => bits(element, digits)?,
            None => Value::zero(element),
        };
        let mut array = ArrayValue::constant(index_width, default);
        for (index, digits) in lines.iter().filter(|(index, _)| !is_default(*index)) {
            array.write(bits(index_width, index.ok_or_else(broken)?)?, bits(element, digits)?);
        }
        Ok(Some(Datum::Array(array)))
    }
}

/// Binary digits; a digit `x` is read as zero.
fn bits(width: u32, digits: &[u8]) -> Option<Value> {
    let known: Vec<u8> = digits.iter().map(|digit| if *digit == b'x' { b'0' } else { *digit }).collect();
    Value::parse_binary(&known).filter(|value| value.width() == width)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "1 var 8 x\n2 array 8 2 mem\n3 var 2\n4 read 8 2 3\n5 inc 8 1\n6 eq 1 4 5\n7 root 1 6\n\
        8 constd 8 7\n9 eq 1 1 8\n10 root 1 9\n11 array 4 4\n12 array 4 4\n13 eq 1 11 12\n14 root 1 -13\n15 var 4 free\n";

    fn check(output: &str) -> ModelCheck {
        check_btor_model(FILE.as_bytes(), output.as_bytes())
    }

    #[test]
    fn models_of_boolector() {
        let model = "sat\nx 00000111\nmem[10] 00001000\n3 10\nfree xxxx\n11[0000] 1000\n12[0000] 0000\n";
        assert_eq!(check(model), ModelCheck::Valid);
        let root = |line: &str| {
            let start = FILE.find(line).unwrap() as u32 + line.find("root").unwrap() as u32;
            ModelCheck::Invalid { assertion: nub_text::Span { start, end: start + 4 } }
        };
        assert_eq!(check(&model.replace("3 10", "3 11")), root("7 root"));
        assert_eq!(
            check(&model.replace("x 00000111\nmem[10] 00001000", "x 00000011\nmem[10] 00000100")),
            root("10 root")
        );
        assert_eq!(check(&model.replace("12[0000] 0000", "12[0000] 1000")), root("14 root"));
        assert_eq!(check(&model.replace("mem[10]", "mem[*]")), ModelCheck::Valid);
    }

    #[test]
    fn what_is_not_understood_is_said() {
        for output in
            ["x 0000011\n", "x 7\n", "mem 00000000\n", "mem[1] 00000000\n", "x[0] 00000111\n", "mem[10 x] 1"]
        {
            let ModelCheck::Unsupported { reason } = check(output) else { panic!("{output}") };
            assert!(reason.contains("not understood"), "{reason}");
        }
        assert!(matches!(check_btor_model(b"1 var", b""), ModelCheck::Unsupported { .. }));
        assert!(matches!(check(""), ModelCheck::Invalid { .. }));
    }
}
