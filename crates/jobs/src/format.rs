//! The formats of files, and which one a file has.

use crate::vocabulary::vocabulary;
use nub_btor::BtorDialect;
use std::path::Path;

vocabulary! {
    /// The format of a file.
    FileFormat {
        /// SMT-LIB 2 and its dialects
        Smt2: "smt2" | "smtlib",
        /// BTOR of 2008
        Btor: "btor",
        /// BTOR2 of 2018
        Btor2: "btor2",
        /// DIMACS: cnf, wcnf, qdimacs
        Dimacs: "dimacs" | "cnf",
        /// Lines, brackets, words, bytes
        Text: "text",
        /// C
        C: "c",
    }
}

impl FileFormat {
    /// The format by content; if the content is not recognised, such as an empty file, by name.
    pub fn detect(path: &Path, content: &[u8]) -> FileFormat {
        if is_list(content) {
            return FileFormat::Smt2;
        }
        match BtorDialect::guess(content) {
            Some(BtorDialect::Btor) => FileFormat::Btor,
            Some(BtorDialect::Btor2) => FileFormat::Btor2,
            None if nub_dimacs::guess(content).is_some() => FileFormat::Dimacs,
            None => FileFormat::of_extension(path)
                .filter(|format| matches!(format, FileFormat::Smt2 | FileFormat::C))
                .unwrap_or(FileFormat::Text),
        }
    }

    /// The format by the extension of a name.
    pub fn of_extension(path: &Path) -> Option<FileFormat> {
        Some(match path.extension()?.to_str()? {
            "smt2" => FileFormat::Smt2,
            "btor" => FileFormat::Btor,
            "btor2" => FileFormat::Btor2,
            "cnf" | "wcnf" | "qdimacs" | "dimacs" => FileFormat::Dimacs,
            "txt" => FileFormat::Text,
            "c" | "i" => FileFormat::C,
            _ => return None,
        })
    }

    /// The usual extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            FileFormat::Smt2 => "smt2",
            FileFormat::Btor => "btor",
            FileFormat::Btor2 => "btor2",
            FileFormat::Dimacs => "cnf",
            FileFormat::Text => "txt",
            FileFormat::C => "c",
        }
    }

    /// The dialect of BTOR that it is.
    pub fn dialect(self) -> Option<BtorDialect> {
        match self {
            FileFormat::Btor => Some(BtorDialect::Btor),
            FileFormat::Btor2 => Some(BtorDialect::Btor2),
            _ => None,
        }
    }
}

/// A bracket comes first, after lines that are comments in SMT-LIB.
fn is_list(content: &[u8]) -> bool {
    let mut lines = content.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    lines.find(|line| !line.is_empty() && !line.starts_with(b";")).is_some_and(|line| line.starts_with(b"("))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_comes_before_names() {
        let detect = |path: &str, content: &str| FileFormat::detect(Path::new(path), content.as_bytes());
        assert_eq!(detect("x.cnf", "; a comment\n\n (assert true)"), FileFormat::Smt2);
        assert_eq!(detect("x", "1 var 1\n2 root 1 1\n"), FileFormat::Btor);
        assert_eq!(detect("x", "1 sort bitvec 1\n2 input 1\n3 bad 2\n"), FileFormat::Btor2);
        assert_eq!(detect("x.smt2", "p cnf 1 1\n1 0\n"), FileFormat::Dimacs);
        assert_eq!(detect("x.smt2", ""), FileFormat::Smt2);
        assert_eq!(detect("x.c", "int f(void) { return 1; }\n"), FileFormat::C);
        assert_eq!(detect("x.btor", "hello\n"), FileFormat::Text);
    }
}
