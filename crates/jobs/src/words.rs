//! A command in one string, split as a POSIX shell would: blanks, quotes, backslashes; no expansion.

use std::ffi::OsString;

/// Why a string is not a list of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SplitError {
    /// A quote is not closed.
    OpenQuote(char),
    /// Nothing follows the last backslash.
    OpenEscape,
}

impl std::fmt::Display for SplitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SplitError::OpenQuote(quote) => write!(f, "the quote {quote} is not closed"),
            SplitError::OpenEscape => f.write_str("nothing follows the last backslash"),
        }
    }
}

/// Splits a string into words.
pub fn split(text: &str) -> Result<Vec<OsString>, SplitError> {
    let mut words = Vec::new();
    // `None` between words: an empty pair of quotes is a word, white space is not.
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                let next = chars.next().ok_or(SplitError::OpenEscape)?;
                let word = word.get_or_insert_default();
                // Inside double quotes a backslash is literal unless it escapes something.
                if quote.is_some() && !matches!(next, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(next);
            }
            (None, c) if c.is_ascii_whitespace() => words.extend(word.take().map(OsString::from)),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    match quote {
        Some(open) => Err(SplitError::OpenQuote(open)),
        None => {
            words.extend(word.map(OsString::from));
            Ok(words)
        }
    }
}

/// Quotes a word for a shell if necessary. [`split`] is the inverse.
pub fn quote(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,+%@^".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_quotes_and_escapes() {
        assert_eq!(split(" cvc5  --lang smt2 ").unwrap(), ["cvc5", "--lang", "smt2"]);
        assert_eq!(
            split(r#"a 'b c' "d \" \e" f\ g '' x"y"z"#).unwrap(),
            ["a", "b c", "d \" \\e", "f g", "", "xyz"]
        );
        assert_eq!(split("").unwrap(), [""; 0]);
        assert_eq!(split("a 'b"), Err(SplitError::OpenQuote('\'')));
        assert_eq!(split("a \\"), Err(SplitError::OpenEscape));
    }
}
