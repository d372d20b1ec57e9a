//! Corner values of all sorts that have literals.

use nub_random::Rng;
use nub_smtlib::{SmtSort, SortId, Sorts};

/// The widest bit-vector that is written digit by digit.
const MAX_DIGITS: u32 = 256;

/// A corner value of a sort, as text; `None` if the sort has no literals.
pub(super) fn corner(sorts: &Sorts, sort: SortId, rng: &mut Rng) -> Option<Vec<u8>> {
    const INTS: &[&str] = &[
        "0",
        "1",
        "(- 1)",
        "2",
        "(- 2)",
        "127",
        "255",
        "256",
        "2147483647",
        "(- 2147483648)",
        "4294967296",
        "9223372036854775807",
        "(- 9223372036854775808)",
        "18446744073709551616",
        "1000000000000000000000000000000",
    ];
    const REALS: &[&str] = &[
        "0.0",
        "1.0",
        "(- 1.0)",
        "0.5",
        "(- 0.5)",
        "2.0",
        "(/ 1.0 3.0)",
        "(- (/ 2.0 3.0))",
        "4294967296.0",
        "(- 9223372036854775808.0)",
        "1000000000000000000000000000000.0",
        "0.000000000000000000001",
    ];
    const STRINGS: &[&str] = &[
        "\"\"",
        "\"a\"",
        "\"ab\"",
        "\"0\"",
        "\"-1\"",
        "\"01\"",
        "\"\"\"\"",
        "\"\\\"",
        "\"\\u{0}\"",
        "\"\\u{7f}\"",
        "\"\\u{ff}\"",
        "\"\\x41\"",
        "\" \"",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
        "\"4294967296\"",
    ];
    let one_of = |choices: &[&'static str], rng: &mut Rng| Some(rng.pick(choices).as_bytes().to_vec());
    match *sorts.get(sort) {
        SmtSort::Bool => one_of(&["true", "false"], rng),
        SmtSort::Int => one_of(INTS, rng),
        SmtSort::Real => one_of(REALS, rng),
        SmtSort::String => one_of(STRINGS, rng),
        SmtSort::RegLan => one_of(&["re.none", "re.all", "re.allchar"], rng),
        SmtSort::RoundingMode => one_of(&["RNE", "RNA", "RTP", "RTN", "RTZ"], rng),
        SmtSort::BitVec(width) if width > 0 => Some(bits_corner(width, rng)),
        SmtSort::Float(eb, sb) => float_corner(eb, sb, rng),
        _ => None,
    }
}

/// Digits of a corner value: zero, one, all ones, smallest and largest signed, alternating, or random.
fn digits(width: u32, rng: &mut Rng) -> Vec<u8> {
    let which = rng.below(8);
    let last = width - 1;
    let random = rng.bits();
    let digit = |at: u32| match which {
        0 => false,
        1 => at == last,
        2 => true,
        3 => at == 0,
        4 => at > 0,
        5 => at.is_multiple_of(2),
        6 => at < last,
        _ => random.rotate_left(at.wrapping_mul(7)) & 1 == 1,
    };
    (0..width).map(|at| if digit(at) { b'1' } else { b'0' }).collect()
}

fn bits_corner(width: u32, rng: &mut Rng) -> Vec<u8> {
    if width > MAX_DIGITS {
        return match rng.below(3) {
            2 => format!("(bvnot (_ bv0 {width}))").into_bytes(),
            value => format!("(_ bv{value} {width})").into_bytes(),
        };
    }
    [b"#b", &digits(width, rng)[..]].concat()
}

fn float_corner(eb: u32, sb: u32, rng: &mut Rng) -> Option<Vec<u8>> {
    if eb < 2 || sb < 2 {
        return None;
    }
    let special = rng.pick(&["+oo", "-oo", "+zero", "-zero", "NaN"]);
    let which = rng.below(10);
    if which < 5 || eb > MAX_DIGITS || sb > MAX_DIGITS {
        return Some(format!("(_ {special} {eb} {sb})").into_bytes());
    }
    let repeat = |digit: &str, n: u32| digit.repeat(n as usize);
    let (exponent, fraction) = match which {
        // The smallest positive number, the largest subnormal, the smallest normal, the largest number, and one.
        5 => (repeat("0", eb), repeat("0", sb - 2) + "1"),
        6 => (repeat("0", eb), repeat("1", sb - 1)),
        7 => (repeat("0", eb - 1) + "1", repeat("0", sb - 1)),
        8 => (repeat("1", eb - 1) + "0", repeat("1", sb - 1)),
        _ => ("0".to_owned() + &repeat("1", eb - 1), repeat("0", sb - 1)),
    };
    let sign = rng.below(2);
    Some(format!("(fp #b{sign} #b{exponent} #b{fraction})").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nub_smtlib::Script;

    /// A corner value of a sort has that sort.
    #[test]
    fn corners_are_of_their_sort() {
        let written = [
            "Bool",
            "Int",
            "Real",
            "String",
            "RegLan",
            "RoundingMode",
            "(_ BitVec 1)",
            "(_ BitVec 2)",
            "(_ BitVec 65)",
            "(_ BitVec 300)",
            "(_ FloatingPoint 2 2)",
            "(_ FloatingPoint 8 24)",
        ];
        for sort in written {
            let (script, _) = Script::parse(format!("(declare-const x {sort})").as_bytes());
            let analysis = script.analyse();
            let id = analysis.decls()[0].result;
            for seed in 0..60 {
                let value = corner(analysis.sorts(), id, &mut Rng::new(seed)).unwrap();
                let value = String::from_utf8(value).unwrap();
                let (script, diagnostics) =
                    Script::parse(format!("(define-fun x () {sort} {value})").as_bytes());
                assert!(diagnostics.is_empty(), "{value}");
                let analysis = script.analyse();
                let body = script.tree().child(nub_smtlib::NodeId(0), 4).unwrap();
                assert_eq!(analysis.sort_of(body), Some(analysis.decls()[0].result), "{value}");
            }
        }
    }
}
