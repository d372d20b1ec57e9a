//! Values as people write them: `'x'`, `"text"`, numbers.

use crate::setup::decimal;
use nub_bitvec::Value;
use nub_c_ir::{IntKind, Program, StubMemory, TypeId};

/// A scalar; a printable `char` is shown as a character.
pub fn shown(program: &Program, ty: TypeId, value: &Value) -> String {
    character(program, ty, value).unwrap_or_else(|| decimal(program, ty, value))
}

/// `'x'`, for the type `char` only: `signed char` and `unsigned char` are often small numbers.
pub fn character(program: &Program, ty: TypeId, value: &Value) -> Option<String> {
    if program.types.int_kind(ty) != Some(IntKind::Char) {
        return None;
    }
    let byte = u8::try_from(value.to_u64()?).ok()?;
    Some(match byte {
        b'\'' => "'\\''".to_owned(),
        b'\\' => "'\\\\'".to_owned(),
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        0 => "'\\0'".to_owned(),
        _ => return None,
    })
}

/// Bytes as a string literal if they are a terminated string, otherwise as characters or hexadecimal numbers.
pub fn shown_bytes(bytes: &[u8]) -> String {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r');
    let n_plain = |bytes: &[u8]| bytes.iter().filter(|byte| is_plain(byte)).count();
    let text = bytes.iter().position(|byte| *byte == 0).map(|end| &bytes[..end]);
    match text.filter(|text| 2 * n_plain(text) >= text.len()) {
        Some(text) => format!("\"{}\"", text.iter().map(|byte| letter(*byte)).collect::<String>()),
        // Not a string, because it is not terminated.
        None if !bytes.is_empty() && n_plain(bytes) == bytes.len() => {
            let letters: Vec<String> =
                bytes.iter().map(|byte| format!("'{}'", byte.escape_ascii())).collect();
            format!("{{{}}}", letters.join(", "))
        }
        None => {
            let bytes: Vec<String> = bytes.iter().map(|byte| format!("0x{byte:02x}")).collect();
            format!("{{{}}}", bytes.join(", "))
        }
    }
}

/// A byte in a string literal. Three octal digits, so that a following digit is not part of the escape.
fn letter(byte: u8) -> String {
    match byte {
        b'\\' => "\\\\".to_owned(),
        b'"' => "\\\"".to_owned(),
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

/// The memory behind a pointer, as far as it can be read; `None` if nothing can be.
pub(crate) fn shown_memory(
    program: &Program,
    memory: &StubMemory,
    values: &[Option<Value>],
) -> Option<String> {
    let known: Vec<&Value> = values.iter().map_while(Option::as_ref).collect();
    if known.is_empty() {
        return None;
    }
    let is_byte = program.types.size_of(memory.element) == Some(1) && memory.parts.len() == 1;
    if is_byte {
        let bytes = known.iter().map(|value| value.to_u64().map_or(0, |value| value as u8));
        return Some(shown_bytes(&bytes.collect::<Vec<u8>>()));
    }
    let types = memory.parts.iter().map(|part| part.ty).cycle();
    let texts: Vec<String> = known.iter().zip(types).map(|(value, ty)| shown(program, ty, value)).collect();
    Some(format!("{{{}}}", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_with_an_end_are_texts() {
        assert_eq!(shown_bytes(b"a\"b\\\n\0rest"), "\"a\\\"b\\\\\\n\"");
        assert_eq!(shown_bytes(b"\0"), "\"\"");
        assert_eq!(shown_bytes(&[1, 0xff, 0]), "{0x01, 0xff, 0x00}");
        assert_eq!(shown_bytes(b"a\x017\0"), r#""a\0017""#);
        assert_eq!(shown_bytes(b"ab"), "{'a', 'b'}");
    }

    #[test]
    fn only_char_is_a_character() {
        let (unit, _) = nub_c_syntax::parse(b"char c; unsigned char u; int i;");
        let program = nub_c_ir::lower(&unit, &nub_c_ir::DataModel::lp64()).0;
        let texts = |value: u64| {
            let of = |global: &nub_c_ir::Global| {
                let width = program.types.int_format(global.ty).unwrap().width;
                shown(&program, global.ty, &Value::from_u64(width, value))
            };
            program.globals.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(texts(120), ["'x'", "120", "120"]);
        assert_eq!(texts(39)[0], "'\\''");
        assert_eq!(texts(200)[0], "-56");
    }
}
