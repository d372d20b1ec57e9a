//! One journal record and its line of text.
//!
//! ```text
//! v1 3f9c0a7be12d4458 step pass=drop-command size=4711 hash=%00%ff...
//! ```
//!
//! Version, checksum (the first eight bytes of the BLAKE3 hash of the rest, which also protects its length),
//! kind, fields. It is text, so that a user with a broken run can read it; bytes other than printable ASCII
//! are written as `%xx`, so a newline always ends a record.

use std::fmt::Write as _;

const VERSION: &str = "v1";
const CHECK_HEX_DIGITS: usize = 16;

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JournalRecordKind {
    /// What the run is about: original, command, seed, version. A resumed run adds another one.
    Header,
    /// An accepted step.
    Step,
    /// The run ended by itself.
    End,
    /// A campaign: a range of seeds has been run.
    Unit,
    /// A campaign: something was found.
    Finding,
    /// A campaign: a finding was reduced.
    Reduced,
    /// A campaign: records of another campaign were taken over.
    Merged,
}

impl JournalRecordKind {
    const ALL: [JournalRecordKind; 7] = [
        JournalRecordKind::Header,
        JournalRecordKind::Step,
        JournalRecordKind::End,
        JournalRecordKind::Unit,
        JournalRecordKind::Finding,
        JournalRecordKind::Reduced,
        JournalRecordKind::Merged,
    ];

    fn word(self) -> &'static str {
        match self {
            JournalRecordKind::Header => "header",
            JournalRecordKind::Step => "step",
            JournalRecordKind::End => "end",
            JournalRecordKind::Unit => "unit",
            JournalRecordKind::Finding => "finding",
            JournalRecordKind::Reduced => "reduced",
            JournalRecordKind::Merged => "merged",
        }
    }
}

/// A kind and named byte strings, in order. The store gives the names no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalRecord {
    /// What the record is about.
    pub kind: JournalRecordKind,
    /// Names and values; any bytes.
    pub fields: Vec<(String, Vec<u8>)>,
}

impl JournalRecord {
    /// A record without fields.
    pub fn new(kind: JournalRecordKind) -> Self {
        JournalRecord { kind, fields: Vec::new() }
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl AsRef<[u8]>) -> Self {
        self.fields.push((name.to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Adds a number as a field.
    #[must_use]
    pub fn with_number(self, name: &str, value: u64) -> Self {
        self.with(name, value.to_string())
    }

    /// The first field of that name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.fields.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_slice())
    }

    /// The first field of that name, if it is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        std::str::from_utf8(self.get(name)?).ok()?.parse().ok()
    }

    /// The record as a line, newline included.
    pub(crate) fn to_line(&self) -> Vec<u8> {
        let mut body = self.kind.word().to_owned();
        for (name, value) in &self.fields {
            body.push(' ');
            escape(name.as_bytes(), &mut body);
            body.push('=');
            escape(value, &mut body);
        }
        format!("{VERSION} {} {body}\n", checksum(body.as_bytes())).into_bytes()
    }

    /// Reads a line without its newline. `None` if the line is incomplete, damaged, or of another version.
    pub(crate) fn from_line(line: &[u8]) -> Option<JournalRecord> {
        let line = std::str::from_utf8(line).ok()?;
        let rest = line.strip_prefix(VERSION)?.strip_prefix(' ')?;
        let (check, body) = rest.split_once(' ')?;
        if check != checksum(body.as_bytes()) {
            return None;
        }
        let mut words = body.split(' ');
        let word = words.next()?;
        let kind = JournalRecordKind::ALL.into_iter().find(|kind| kind.word() == word)?;
        let fields = words.map(parse_field).collect::<Option<_>>()?;
        Some(JournalRecord { kind, fields })
    }
}

fn parse_field(word: &str) -> Option<(String, Vec<u8>)> {
    let (name, value) = word.split_once('=')?;
    Some((String::from_utf8(unescape(name)?).ok()?, unescape(value)?))
}

fn checksum(body: &[u8]) -> String {
    let mut hex = blake3::hash(body).to_hex().to_string();
    hex.truncate(CHECK_HEX_DIGITS);
    hex
}

fn escape(bytes: &[u8], out: &mut String) {
    for &byte in bytes {
        if byte.is_ascii_graphic() && byte != b'%' && byte != b'=' {
            out.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02x}");
        }
    }
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (hex, tail) = rest.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()?);
        rest = tail;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_byte() -> JournalRecord {
        let all: Vec<u8> = (0..=255).collect();
        JournalRecord::new(JournalRecordKind::Step)
            .with("all bytes", all)
            .with("", "")
            .with("=% \n", "x")
            .with_number("size", u64::MAX)
    }

    #[test]
    fn reading_inverts_writing() {
        let line = every_byte().to_line();
        assert_eq!(line.iter().filter(|&&byte| byte == b'\n').count(), 1);
        assert_eq!(JournalRecord::from_line(&line[..line.len() - 1]), Some(every_byte()));
    }

    #[test]
    fn every_proper_prefix_is_refused() {
        let line = every_byte().to_line();
        for end in 0..line.len() - 1 {
            assert_eq!(JournalRecord::from_line(&line[..end]), None, "prefix of {end} bytes");
        }
    }

    #[test]
    fn every_changed_byte_is_refused() {
        let line = every_byte().to_line();
        for position in 0..line.len() - 1 {
            let mut damaged = line[..line.len() - 1].to_owned();
            damaged[position] ^= 1;
            assert_eq!(JournalRecord::from_line(&damaged), None, "byte {position}");
        }
    }

    #[test]
    fn fields_are_found_by_name() {
        let record = every_byte();
        assert_eq!(record.number("size"), Some(u64::MAX));
        assert_eq!(record.get(""), Some(&b""[..]));
        assert_eq!(record.number("all bytes"), None);
        assert_eq!(record.get("absent"), None);
    }
}
