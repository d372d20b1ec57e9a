//! From offsets in preprocessed text to places in the files it was made from.
//!
//! The preprocessor leaves line markers, `# 12 "file.c" 2` or `#line 12 "file.c"`: the line after the marker is line
//! 12 of `file.c`. Columns are those of the preprocessed line; they are right wherever no macro was expanded.

use nub_text::LineIndex;
use rustc_hash::FxHashMap;

/// A place in an original file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourcePlace<'a> {
    /// As the marker names it; empty before the first marker.
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// Byte within the line, from 1.
    pub column: u32,
}

/// One line marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Marker {
    /// First byte of the line after it.
    start: u32,
    /// The number of that line in the original file.
    line: u32,
    /// Index of the file name.
    file: u32,
}

/// Maps offsets to places. A look-up is two binary searches.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<String>,
    numbers: FxHashMap<String, u32>,
    markers: Vec<Marker>,
    lines: Option<LineIndex>,
}

impl SourceMap {
    pub(crate) fn set_text(&mut self, text: &[u8]) {
        self.lines = Some(LineIndex::new(text));
    }

    /// Records that the line that begins at `start` is line `line`, of `file` if it is given.
    pub(crate) fn add(&mut self, start: usize, line: u32, file: Option<&str>) {
        let file = match file {
            Some(name) => self.file_number(name),
            None => match self.markers.last() {
                Some(marker) => marker.file,
                None => self.file_number(""),
            },
        };
        self.markers.push(Marker { start: start as u32, line, file });
    }

    fn file_number(&mut self, name: &str) -> u32 {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.files.len() as u32;
        self.files.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }

    /// The position of `offset` in the original source.
    pub fn place(&self, offset: u32) -> SourcePlace<'_> {
        let Some(lines) = &self.lines else { return SourcePlace { file: "", line: 1, column: offset + 1 } };
        let here = lines.place(offset as usize);
        let next = self.markers.partition_point(|marker| marker.start <= offset);
        let column = here.column as u32;
        match next.checked_sub(1).map(|at| self.markers[at]) {
            None => SourcePlace { file: "", line: here.line as u32, column },
            Some(marker) => {
                let first = lines.place(marker.start as usize).line;
                let line = marker.line.saturating_add((here.line - first) as u32);
                SourcePlace { file: &self.files[marker.file as usize], line, column }
            }
        }
    }

    /// File names that markers mention, in order of first mention.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }
}
