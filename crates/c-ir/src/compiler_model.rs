//! The data model of a compiler, read from its predefined macros.
//!
//! gcc, clang and compilers derived from them print their macros with `-dM -E`: sizes, byte order, whether `char` is signed. So the user need not
//! describe the target of a cross compiler, and results hold for the machine that the program is built for.

use crate::model::{ByteOrder, DataModel, FloatEvaluation, LongDouble, SignedOverflow};
use rustc_hash::FxHashMap;

impl DataModel {
    /// The data model in the macros of a compiler, as `-dM -E` prints them; `None` if sizes are missing or not supported. O(n).
    pub fn from_macros(text: &str) -> Option<DataModel> {
        let defined = text.lines().filter_map(|line| line.strip_prefix("#define "));
        let macros: FxHashMap<&str, &str> = defined.filter_map(|line| line.split_once(' ')).collect();
        let number = |name: &str| macros.get(name)?.trim().parse::<u32>().ok();
        let char_bits = number("__CHAR_BIT__")?;
        let bits =
            |name: &str| Some(number(name)?.checked_mul(char_bits)?).filter(|bits| (1..=128).contains(bits));
        let byte_order = match *macros.get("__BYTE_ORDER__")? {
            "__ORDER_BIG_ENDIAN__" => ByteOrder::Big,
            "__ORDER_LITTLE_ENDIAN__" => ByteOrder::Little,
            _ => return None,
        };
        let long_double = match number("__LDBL_MANT_DIG__") {
            Some(53) => LongDouble::Double,
            Some(64) => LongDouble::Extended,
            _ => LongDouble::Other,
        };
        let float_evaluation = match macros.get("__FLT_EVAL_METHOD__").map(|method| method.trim()) {
            Some("1") => FloatEvaluation::Double,
            Some("2") => FloatEvaluation::LongDouble,
            _ => FloatEvaluation::AsTyped,
        };
        Some(DataModel {
            char_bits,
            short_bits: bits("__SIZEOF_SHORT__")?,
            int_bits: bits("__SIZEOF_INT__")?,
            long_bits: bits("__SIZEOF_LONG__")?,
            long_long_bits: bits("__SIZEOF_LONG_LONG__")?,
            pointer_bits: bits("__SIZEOF_POINTER__")?,
            char_is_signed: !macros.contains_key("__CHAR_UNSIGNED__"),
            max_align: scalar_alignment(|name| macros.contains_key(name), number("__BIGGEST_ALIGNMENT__")?),
            byte_order,
            long_double,
            float_evaluation,
            signed_overflow: SignedOverflow::Undefined,
            extra_checks: Default::default(),
        })
    }

    /// The model as [`DataModel::by_name`] takes it: a name, or all properties in one line.
    pub fn spelled(&self) -> String {
        let plain = DataModel {
            signed_overflow: SignedOverflow::Undefined,
            extra_checks: Default::default(),
            ..self.clone()
        };
        let is_it = |name: &&&str| DataModel::by_name(name).is_some_and(|model| model == plain);
        if let Some(name) = DataModel::NAMES.iter().find(is_it) {
            return (*name).to_owned();
        }
        let long_double = match self.long_double {
            LongDouble::Double => 64,
            LongDouble::Extended => 80,
            LongDouble::Other => 128,
        };
        let evaluation = match self.float_evaluation {
            FloatEvaluation::AsTyped => 0,
            FloatEvaluation::Double => 1,
            FloatEvaluation::LongDouble => 2,
        };
        let order = match self.byte_order {
            ByteOrder::Little => "little",
            ByteOrder::Big => "big",
        };
        format!(
            "char_bitlength: {}; short_bitlength: {}; int_bitlength: {}; long_bitlength: {}; long_long_bitlength: {}; pointer_bitlength: {}; \
             char_is_signed: {}; max_alignment: {}; long_double_bitlength: {long_double}; flt_eval_method: {evaluation}; byte_order: {order}",
            self.char_bits,
            self.short_bits,
            self.int_bits,
            self.long_bits,
            self.long_long_bits,
            self.pointer_bits,
            self.char_is_signed,
            self.max_align,
        )
    }
}

/// The largest alignment of a scalar. No macro gives it: `__BIGGEST_ALIGNMENT__` includes vectors on some machines.
fn scalar_alignment(is_defined: impl Fn(&str) -> bool, biggest: u32) -> u64 {
    let is_any = |names: &[&str]| names.iter().any(|name| is_defined(name));
    if is_any(&["__i386__"]) {
        4
    } else if is_any(&["__m68k__", "__MSP430__"]) {
        2
    } else {
        u64::from(biggest.clamp(1, 16))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn macros(rows: &[(&str, &str)]) -> String {
        rows.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect()
    }

    /// A machine with the usual sizes, except those given.
    fn machine(other: &[(&str, &str)]) -> Option<DataModel> {
        let mut rows = vec![
            ("__CHAR_BIT__", "8"),
            ("__SIZEOF_SHORT__", "2"),
            ("__SIZEOF_INT__", "4"),
            ("__SIZEOF_LONG__", "4"),
            ("__SIZEOF_LONG_LONG__", "8"),
            ("__SIZEOF_POINTER__", "4"),
            ("__BYTE_ORDER__", "__ORDER_LITTLE_ENDIAN__"),
            ("__BIGGEST_ALIGNMENT__", "8"),
            ("__LDBL_MANT_DIG__", "53"),
            ("__FLT_EVAL_METHOD__", "0"),
        ];
        rows.retain(|(name, _)| !other.iter().any(|(own, _)| own == name));
        DataModel::from_macros(&macros(&[&rows[..], other].concat()))
    }

    #[test]
    fn machines_of_the_field() {
        let arm = machine(&[("__CHAR_UNSIGNED__", "1")]).unwrap();
        assert_eq!((arm.long_bits, arm.pointer_bits, arm.max_align, arm.char_is_signed), (32, 32, 8, false));
        let power =
            machine(&[("__BYTE_ORDER__", "__ORDER_BIG_ENDIAN__"), ("__CHAR_UNSIGNED__", "1")]).unwrap();
        assert_eq!(power, DataModel { char_is_signed: false, ..DataModel::by_name("ilp32be").unwrap() });
        let avr = [("__SIZEOF_INT__", "2"), ("__SIZEOF_POINTER__", "2"), ("__BIGGEST_ALIGNMENT__", "1")];
        let avr = machine(&avr).unwrap();
        assert_eq!((avr.int_bits, avr.pointer_bits, avr.max_align), (16, 16, 1));
        let wide = [("__SIZEOF_LONG__", "8"), ("__SIZEOF_POINTER__", "8"), ("__BIGGEST_ALIGNMENT__", "16")];
        let arm64 =
            machine(&[&wide[..], &[("__LDBL_MANT_DIG__", "113"), ("__CHAR_UNSIGNED__", "1")]].concat())
                .unwrap();
        assert_eq!((arm64.long_double, arm64.char_is_signed), (LongDouble::Other, false));
        let host = machine(&[&wide[..], &[("__LDBL_MANT_DIG__", "64")]].concat()).unwrap();
        assert_eq!((host.spelled().as_str(), host), ("lp64", DataModel::lp64()));
        let i386 = [
            ("__i386__", "1"),
            ("__BIGGEST_ALIGNMENT__", "16"),
            ("__LDBL_MANT_DIG__", "64"),
            ("__FLT_EVAL_METHOD__", "2"),
        ];
        let expected = DataModel { float_evaluation: FloatEvaluation::LongDouble, ..DataModel::ilp32() };
        assert_eq!(machine(&i386), Some(expected));
        assert_eq!(machine(&[("__CHAR_BIT__", "many")]), None);
        assert_eq!(DataModel::from_macros("int main(void);"), None);
    }

    #[test]
    fn what_is_spelled_is_read_again() {
        let models = [
            machine(&[("__CHAR_UNSIGNED__", "1")]).unwrap(),
            machine(&[
                ("__LDBL_MANT_DIG__", "113"),
                ("__FLT_EVAL_METHOD__", "2"),
                ("__BYTE_ORDER__", "__ORDER_BIG_ENDIAN__"),
            ])
            .unwrap(),
            machine(&[("__SIZEOF_INT__", "2"), ("__SIZEOF_POINTER__", "2"), ("__BIGGEST_ALIGNMENT__", "1")])
                .unwrap(),
        ];
        for model in
            models.into_iter().chain(DataModel::NAMES.iter().filter_map(|name| DataModel::by_name(name)))
        {
            assert_eq!(DataModel::by_name(&model.spelled()), Some(model));
        }
    }
}
