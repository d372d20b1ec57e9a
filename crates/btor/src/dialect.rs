//! The two formats, and how to recognise them.

use crate::Tag;

/// Which of the two formats.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BtorDialect {
    /// The format of 2008, with the widths on each line.
    Btor,
    /// The format of 2018, with sorts as lines.
    Btor2,
}

impl BtorDialect {
    /// The widest bit-vector that a file may contain.
    pub const MAX_WIDTH: u32 = i32::MAX as u32 - 1;

    /// Largest id.
    pub fn max_id(self) -> u64 {
        match self {
            BtorDialect::Btor => i32::MAX as u64,
            BtorDialect::Btor2 => 1 << 40,
        }
    }

    /// The other dialect.
    pub fn other(self) -> BtorDialect {
        match self {
            BtorDialect::Btor => BtorDialect::Btor2,
            BtorDialect::Btor2 => BtorDialect::Btor,
        }
    }

    /// The name that people use.
    pub fn name(self) -> &'static str {
        match self {
            BtorDialect::Btor => "BTOR",
            BtorDialect::Btor2 => "BTOR2",
        }
    }

    /// The format of `text`, from the first operator that only one of the two has. A file without such an operator is
    /// BTOR, since BTOR2 cannot express anything without `sort`. `None` if the first line has the form of neither format.
    ///
    /// Linear in the worst case; in practice it reads a line or two.
    pub fn guess(text: &[u8]) -> Option<BtorDialect> {
        let mut is_btor = false;
        for line in text.split(|&byte| byte == b'\n') {
            let line = line.trim_ascii();
            if line.is_empty() || line[0] == b';' {
                continue;
            }
            let mut fields =
                line.split(|byte| matches!(byte, b' ' | b'\t')).filter(|field| !field.is_empty());
            let id = fields.next()?;
            let name = fields.next().unwrap_or_default();
            let tags = [BtorDialect::Btor, BtorDialect::Btor2].map(|dialect| Tag::by_name(name, dialect));
            match tags {
                _ if !is_btor && !id.iter().all(u8::is_ascii_digit) => return None,
                [Some(_), None] => return Some(BtorDialect::Btor),
                [None, Some(_)] => return Some(BtorDialect::Btor2),
                [None, None] if !is_btor => return None,
                _ => is_btor = true,
            }
        }
        is_btor.then_some(BtorDialect::Btor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_telling_operator_decides() {
        let cases: [(&[u8], Option<BtorDialect>); 10] = [
            (b"; c\n\n1 var 8\n", Some(BtorDialect::Btor)),
            (b"1 sort bitvec 8\n", Some(BtorDialect::Btor2)),
            (b"1 zero 2\n2 not 2 1\n3 root 1 2", Some(BtorDialect::Btor)),
            (b"1 zero 2\n", Some(BtorDialect::Btor)),
            (b"  1\tsort bitvec 1\r\n", Some(BtorDialect::Btor2)),
            (b"p cnf 1 1\n1 0\n", None),
            (b"(set-logic QF_BV)\n", None),
            (b"1 2 0\n", None),
            (b"; only a comment\n", None),
            (b"", None),
        ];
        for (text, expected) in cases {
            assert_eq!(BtorDialect::guess(text), expected, "{}", text.escape_ascii());
        }
    }
}
