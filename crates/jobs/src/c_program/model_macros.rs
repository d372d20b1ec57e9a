//! Macros of a data model that the compiler's own machine does not have. A compiler for this machine defines its own sizes, limits and byte order, and
//! programs and headers look at them.

use nub_c_ir::{ByteOrder, DataModel};

/// Macros for big-endian targets, which a compiler for this machine would define differently.
const BIG_ENDIAN: [&str; 6] = [
    "-U__BYTE_ORDER__",
    "-D__BYTE_ORDER__=__ORDER_BIG_ENDIAN__",
    "-U__FLOAT_WORD_ORDER__",
    "-D__FLOAT_WORD_ORDER__=__ORDER_BIG_ENDIAN__",
    "-U__LITTLE_ENDIAN__",
    "-D__BIG_ENDIAN__=1",
];

/// Options of the compiler for the byte order of a model.
pub fn order_macros(model: &DataModel) -> Vec<String> {
    let words = BIG_ENDIAN.iter().filter(|_| model.byte_order == ByteOrder::Big);
    words.map(|word| (*word).to_owned()).collect()
}

/// Options of a compiler for this machine for the sizes and limits of a model. Any other compiler has the right ones.
pub fn size_macros(model: &DataModel) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    if model.char_bits != 8 || has_sizes_of_host(model) {
        return words;
    }
    if model.long_bits != 64 || model.pointer_bits != 64 {
        words.extend(["-U__LP64__", "-U_LP64"].map(str::to_owned));
    }
    let types = [
        ("SHORT", "SHRT", model.short_bits, ""),
        ("INT", "INT", model.int_bits, ""),
        ("LONG", "LONG", model.long_bits, "L"),
        ("LONG_LONG", "LONG_LONG", model.long_long_bits, "LL"),
    ];
    let mut defined: Vec<(String, String)> = Vec::new();
    let mut define = |name: String, value: String| defined.push((name, value));
    for (size, name, bits, suffix) in types {
        define(format!("__SIZEOF_{size}__"), (bits / 8).to_string());
        define(format!("__{name}_MAX__"), format!("{:#x}{suffix}", largest(bits - 1)));
        define(format!("__{name}_WIDTH__"), bits.to_string());
    }
    let pointer = match types.iter().find(|(_, _, bits, _)| *bits == model.pointer_bits) {
        Some((_, "SHRT", ..)) => "short",
        Some((_, "LONG", ..)) => "long",
        Some((_, "LONG_LONG", ..)) => "long long",
        _ => "int",
    };
    for name in ["POINTER", "SIZE_T", "PTRDIFF_T"] {
        define(format!("__SIZEOF_{name}__"), (model.pointer_bits / 8).to_string());
    }
    for (unsigned, signed) in [("SIZE", "PTRDIFF"), ("UINTPTR", "INTPTR")] {
        define(format!("__{unsigned}_TYPE__"), format!("unsigned {pointer}"));
        define(format!("__{signed}_TYPE__"), pointer.to_owned());
        define(format!("__{unsigned}_MAX__"), format!("{:#x}u", largest(model.pointer_bits)));
        define(format!("__{signed}_MAX__"), format!("{:#x}", largest(model.pointer_bits - 1)));
    }
    // Without the first option, compilers warn.
    words.extend(defined.iter().flat_map(|(name, value)| [format!("-U{name}"), format!("-D{name}={value}")]));
    words
}

/// The largest number of this many bits.
fn largest(bits: u32) -> u128 {
    u128::MAX >> (128 - bits.clamp(1, 128))
}

fn has_sizes_of_host(model: &DataModel) -> bool {
    let host = DataModel::lp64();
    let sizes = |model: &DataModel| {
        [model.short_bits, model.int_bits, model.long_bits, model.long_long_bits, model.pointer_bits]
    };
    sizes(model) == sizes(&host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_limits_are_those_of_the_model() {
        let ilp32 = size_macros(&DataModel::by_name("ilp32").expect("a model"));
        for word in [
            "-U__LP64__",
            "-D__SIZEOF_LONG__=4",
            "-D__LONG_MAX__=0x7fffffffL",
            "-D__SIZE_TYPE__=unsigned int",
        ] {
            assert!(ilp32.iter().any(|own| own == word), "{word}: {ilp32:?}");
        }
        let big = DataModel::by_name("lp64be").expect("a model");
        assert!(size_macros(&big).is_empty());
        assert_eq!(order_macros(&big), BIG_ENDIAN);
        assert!(order_macros(&DataModel::lp64()).is_empty());
    }
}
