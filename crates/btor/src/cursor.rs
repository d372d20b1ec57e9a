//! The fields of one line.

use nub_text::Span;

/// A position within one line. A field ends at a blank, at a comment, or at the end of the line.
pub(crate) struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    /// True once two fields were not separated by exactly one space.
    pub odd_spacing: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor over the bytes `start..end` of `text`, without the line terminator.
    pub fn new(text: &'a [u8], start: usize, end: usize) -> Cursor<'a> {
        Cursor { text, at: start, end, odd_spacing: false }
    }

    pub fn at(&self) -> usize {
        self.at
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        (self.at < self.end).then(|| self.text[self.at])
    }

    /// Skips the indentation: spaces are fine in both formats, tabs only in BTOR.
    #[inline]
    pub fn skip_indentation(&mut self) {
        while let Some(byte @ (b' ' | b'\t')) = self.peek() {
            self.odd_spacing |= byte == b'\t';
            self.at += 1;
        }
    }

    #[inline]
    fn skip_blanks(&mut self) {
        let start = self.at;
        while let Some(b' ' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.odd_spacing |= self.at != start + 1 || self.text[start] != b' ';
    }

    /// The next field. It is empty at the end of the line or before a comment.
    #[inline]
    pub fn field(&mut self) -> Span {
        self.skip_blanks();
        self.rest_of_field()
    }

    /// The field that begins here.
    #[inline]
    pub fn rest_of_field(&mut self) -> Span {
        let start = self.at;
        while let Some(byte) = self.peek() {
            if matches!(byte, b' ' | b'\t' | b';') {
                break;
            }
            self.at += 1;
        }
        Span { start: start as u32, end: self.at as u32 }
    }

    /// The word that begins here. It may contain `;`, even at the start.
    pub fn symbol(&mut self) -> Span {
        let start = self.at;
        while self.peek().is_some_and(|byte| !matches!(byte, b' ' | b'\t')) {
            self.at += 1;
        }
        Span { start: start as u32, end: self.at as u32 }
    }

    /// Goes back to where `span` begins.
    pub fn back_to(&mut self, span: Span) {
        self.at = span.start as usize;
    }

    pub fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    pub fn is_at_comment(&self) -> bool {
        self.peek() == Some(b';')
    }

    /// The rest of the line.
    pub fn rest(&self) -> Span {
        Span { start: self.at as u32, end: self.end as u32 }
    }

    /// Skips blanks; true if only a comment, or nothing, is left.
    pub fn finish(&mut self) -> bool {
        if self.is_at_end() {
            return true;
        }
        self.skip_blanks();
        // Trailing blanks.
        self.odd_spacing |= self.is_at_end();
        self.is_at_end() || self.is_at_comment()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_a_line() {
        let text = b"  12 add 3;c";
        let mut cursor = Cursor::new(text, 0, text.len());
        cursor.skip_indentation();
        assert_eq!(cursor.rest_of_field().slice(text), b"12");
        assert_eq!(cursor.field().slice(text), b"add");
        assert_eq!(cursor.field().slice(text), b"3");
        assert!(!cursor.odd_spacing);
        assert!(cursor.finish() && cursor.is_at_comment());
        assert!(cursor.odd_spacing, "a comment needs a space before it in BTOR2");
        assert_eq!(cursor.rest().slice(text), b";c");
    }

    #[test]
    fn symbols_keep_semicolons() {
        let text = b"1 var 1 ;x;  y";
        let mut cursor = Cursor::new(text, 7, text.len());
        assert!(cursor.finish());
        assert_eq!(cursor.symbol().slice(text), b";x;");
        assert!(!cursor.odd_spacing);
        assert!(!cursor.finish(), "a word is left");
        assert!(cursor.odd_spacing, "two spaces");
    }
}
