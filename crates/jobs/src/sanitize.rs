//! Makes control characters in user text visible before it is printed to a terminal.

/// Text with control characters and bytes that are not UTF-8 made visible. Tabs become blanks.
pub fn sanitize(bytes: &[u8]) -> String {
    let mut shown = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push(&mut shown, c);
        }
        for byte in chunk.invalid() {
            shown.push_str(&format!("\\x{byte:02x}"));
        }
    }
    shown
}

fn push(shown: &mut String, c: char) {
    match c {
        '\t' => shown.push(' '),
        // Also the marks that reorder a line, so that the text is shown in its real order.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => shown.extend(c.escape_unicode()),
        c if c.is_control() => shown.extend(c.escape_default()),
        c => shown.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::sanitize;

    #[test]
    fn nothing_reaches_the_terminal_unseen() {
        assert_eq!(sanitize(b"a\tb\x1b[31m\n\xff"), "a b\\u{1b}[31m\\n\\xff");
        assert_eq!(sanitize("ä\u{202e}".as_bytes()), "ä\\u{202e}");
    }
}
