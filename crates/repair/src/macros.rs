//! Macros on a line: a fault may be in their definition.

use nub_report::ranking::MacroUse;
use std::collections::BTreeMap;

/// The definitions of all files, by file and name. Of several definitions of one name, the last one before the line is used.
pub struct Macros<'a> {
    files: BTreeMap<&'a str, File<'a>>,
}

struct File<'a> {
    lines: Vec<&'a [u8]>,
    definitions: BTreeMap<&'a [u8], Vec<u32>>,
}

impl<'a> Macros<'a> {
    /// From files before preprocessing: name and text. Cost: their size.
    pub fn new(files: &[(&'a str, &'a [u8])]) -> Macros<'a> {
        let file = |(name, text): &(&'a str, &'a [u8])| {
            let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
            let mut definitions: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
            for (number, line) in (1..).zip(&lines) {
                if let Some(name) = defined(line) {
                    definitions.entry(name).or_default().push(number);
                }
            }
            (*name, File { lines, definitions })
        };
        Macros { files: files.iter().map(file).collect() }
    }

    /// The lines of a file.
    pub(super) fn lines(&self, file: &str) -> Option<&[&'a [u8]]> {
        self.files.get(file).map(|file| file.lines.as_slice())
    }

    /// Whether some file includes this header of the library.
    pub(super) fn includes(&self, header: &str) -> bool {
        let is_it = |line: &&[u8]| {
            let line = line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start);
            let name = line.and_then(|line| line.strip_prefix(b"include")).map(<[u8]>::trim_ascii);
            name.is_some_and(|name| {
                name.strip_prefix(b"<").is_some_and(|name| name.starts_with(header.as_bytes()))
            })
        };
        self.files.values().any(|file| file.lines.iter().any(is_it))
    }

    /// Macros whose names appear on these lines of a file, by their names.
    pub(super) fn on_lines(&self, file: &str, first: u32, last: u32) -> Vec<MacroUse> {
        let Some(found) = self.files.get(file) else { return Vec::new() };
        let mut uses: BTreeMap<&[u8], u32> = BTreeMap::new();
        for number in first..=last {
            let line = found.lines.get((number as usize).wrapping_sub(1)).copied().unwrap_or_default();
            for word in words(line) {
                let before = found.definitions.get(word).into_iter().flatten().filter(|at| **at < number);
                if let Some(at) = before.max() {
                    uses.insert(word, *at);
                }
            }
        }
        let name = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
        uses.into_iter()
            .map(|(word, line)| MacroUse { name: name(word), file: file.to_owned(), line })
            .collect()
    }
}

/// Identifiers of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    line.split(move |byte| !is_part(byte))
        .filter(|word| word.first().is_some_and(|byte| !byte.is_ascii_digit()))
}

/// The name that a line defines.
fn defined(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?.trim_ascii_start();
    let rest = line.strip_prefix(b"define")?;
    rest.first().filter(|byte| byte.is_ascii_whitespace())?;
    words(rest).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_definition_before_the_line() {
        let text = b"#define LIMIT 3\n# define OTHER LIMIT\nint a = LIMIT;\n#define LIMIT 4\nint b = OTHER + LIMIT_2;\n#defined LIMIT_2";
        let macros = Macros::new(&[("a.c", text)]);
        let on = |line: u32| -> Vec<(String, u32)> {
            macros.on_lines("a.c", line, line).into_iter().map(|found| (found.name, found.line)).collect()
        };
        assert_eq!(on(3), [("LIMIT".to_owned(), 1)]);
        assert_eq!(on(5), [("OTHER".to_owned(), 2)]);
        assert_eq!(on(99), []);
        assert!(macros.on_lines("b.c", 1, 9).is_empty());
    }
}
