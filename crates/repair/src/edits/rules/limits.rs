//! The limits of types: as numbers in the text that is searched, which was preprocessed, and by their names for a reader who includes `<limits.h>`.

use nub_c_ir::IntKind;

/// Types whose limits have names, with these names and the width.
const NAMED: [(&str, u32); 2] = [("INT", 32), ("LONG", 64)];

/// The largest value of a signed type of this width.
pub(super) fn largest(width: u32) -> String {
    ((1_i128 << (width - 1)) - 1).to_string()
}

/// The smallest value. C has no literal for this number.
pub(super) fn smallest(width: u32) -> String {
    format!("(-{} - 1)", largest(width))
}

/// The type in which the sum, difference or product of two values of a type fits.
pub(super) fn wider(kind: IntKind) -> Option<IntKind> {
    matches!(kind, IntKind::Int).then_some(IntKind::LongLong)
}

/// Replaces limits by their names.
pub(crate) fn with_names(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, width) in NAMED {
        text = text.replace(&smallest(width), &format!("{name}_MIN"));
        text = text.replace(&largest(width), &format!("{name}_MAX"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_have_names() {
        let text = format!("a > {} || a < {}", largest(32), smallest(32));
        assert_eq!(text, "a > 2147483647 || a < (-2147483647 - 1)");
        assert_eq!(with_names(&text), "a > INT_MAX || a < INT_MIN");
    }
}
