//! The parts of a list that a solver printed.

use nub_oracle::balanced_end;

/// The elements of a list such as `(a (not b) |c d|)`, as printed; nothing if it is not a closed list.
#[must_use]
pub fn elements(list: &[u8]) -> Option<Vec<&[u8]>> {
    if list.first() != Some(&b'(') || balanced_end(list) != Some(list.len()) {
        return None;
    }
    let mut rest = &list[1..list.len() - 1];
    let mut found = Vec::new();
    loop {
        rest = rest.trim_ascii_start();
        let length = match rest.first() {
            None => return Some(found),
            Some(b';') => {
                let line = rest.iter().position(|byte| *byte == b'\n');
                rest = &rest[line.unwrap_or(rest.len())..];
                continue;
            }
            // Inside a balanced list each element is closed; the fallback guarantees progress otherwise.
            Some(b'(') => balanced_end(rest).unwrap_or(rest.len()),
            Some(quote @ (b'"' | b'|')) => {
                rest[1..].iter().position(|byte| byte == quote).map_or(rest.len(), |idx| idx + 2)
            }
            Some(_) => {
                let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"()\"|;".contains(byte);
                // A lone `)` cannot occur here; at least one byte, for progress.
                rest.iter().position(is_end).unwrap_or(rest.len()).max(1)
            }
        };
        found.push(&rest[..length]);
        rest = &rest[length..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_of_lists() {
        let read = |text: &str| {
            elements(text.as_bytes())
                .map(|found| found.iter().map(|part| String::from_utf8_lossy(part).into_owned()).collect())
        };
        let some = |parts: &[&str]| Some(parts.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>());
        assert_eq!(read("()"), some(&[]));
        assert_eq!(
            read("(a (not b)\n|c d| ;x)\n \"e\"\"f\")"),
            some(&["a", "(not b)", "|c d|", "\"e\"", "\"f\""])
        );
        assert_eq!(read("(a"), None);
        assert_eq!(read("(a) b"), None);
        assert_eq!(read("a"), None);
    }
}
