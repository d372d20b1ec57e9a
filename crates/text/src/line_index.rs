//! From byte offset to line and column.

/// A position as people count it: line and column start at 1; columns count bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Byte within the line, from 1.
    pub column: usize,
}

/// Offsets of line starts. Building costs one scan; a look-up is a binary search.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    /// Scans `text` once.
    pub fn new(text: &[u8]) -> LineIndex {
        let mut starts = vec![0];
        starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
        LineIndex { starts }
    }

    /// The line and column of `offset`.
    pub fn place(&self, offset: usize) -> LineColumn {
        let line = self.starts.partition_point(|&start| start as usize <= offset);
        LineColumn { line, column: offset - self.starts[line - 1] as usize + 1 }
    }

    /// Number of lines. Text without a newline is one line.
    pub fn n_lines(&self) -> usize {
        self.starts.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_on_line_borders() {
        let index = LineIndex::new(b"a\n\nbc");
        let at = |offset| (index.place(offset).line, index.place(offset).column);
        assert_eq!([at(0), at(1), at(2), at(3), at(5)], [(1, 1), (1, 2), (2, 1), (3, 1), (3, 3)]);
        assert_eq!(index.n_lines(), 3);
    }
}
