//! Smaller numbers.
//!
//! ```text
//! x[100]   =>   x[0], x[1], x[10], x[50], ... x[99]
//! ```

use super::PlainView;
use super::words::{is_name_byte, runs};
use crate::smaller_numbers::smaller;
use crate::{Edit, Pass};
use nub_text::Span;

/// Limit on the numbers that are tried.
const MAX_NUMBERS: usize = 1 << 12;

/// See the module.
pub struct Numbers;

impl Pass<PlainView> for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }

    /// If a number has several edits, a group takes the first.
    fn edits(&self, view: &PlainView) -> Vec<Edit> {
        let text = view.text();
        let digits = runs(text, |byte| byte.is_ascii_digit());
        let is_whole = |span: &Span| span.start == 0 || !is_name_byte(text[span.start as usize - 1]);
        digits.filter(is_whole).take(MAX_NUMBERS).flat_map(|span| edits(text, span)).collect()
    }
}

fn edits(text: &[u8], span: Span) -> Vec<Edit> {
    let digits = span.slice(text);
    let mut new: Vec<Vec<u8>> = [b"0", b"1"].iter().map(|digit| digit.to_vec()).collect();
    match std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok()) {
        Some(value) => new.extend(smaller(value).map(|value| value.to_string().into_bytes())),
        None => new.push(digits[..digits.len() / 2].to_vec()),
    }
    new.retain(|new| (new.len(), new.as_slice()) < (digits.len(), digits));
    new.into_iter().map(|new| Edit::replace(span, new)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_only() {
        let view = PlainView::new(b"x12 2 007 1 0".to_vec());
        let texts: Vec<String> = Numbers
            .edits(&view)
            .iter()
            .map(|edit| String::from_utf8(edit.splices[0].text.to_vec()).unwrap())
            .collect();
        assert_eq!(texts, ["0", "1", "1", "0", "1", "4", "6", "0"]);
        let digits = "9".repeat(1_000_000);
        let edits = Numbers.edits(&PlainView::new(digits.into()));
        assert_eq!(edits.len(), 3);
        assert_eq!(edits[2].gain(), 500_000);
    }
}
