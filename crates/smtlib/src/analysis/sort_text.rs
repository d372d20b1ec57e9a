//! Sorts to text.

use super::Analysis;
use crate::{Script, SmtSort, SortId};

/// What remains to be written.
enum Todo {
    Sort(SortId),
    Close,
}

impl Analysis {
    /// A sort in SMT-LIB syntax; `None` if that takes more than `max_len` bytes (sorts share their parts, texts cannot)
    /// or if part of it is unknown.
    pub fn sort_text(&self, script: &Script, sort: SortId, max_len: usize) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let mut open = vec![Todo::Sort(sort)];
        while let Some(todo) = open.pop() {
            match todo {
                Todo::Close => text.push(b')'),
                Todo::Sort(sort) => {
                    if !matches!(text.last(), None | Some(b'(')) {
                        text.push(b' ');
                    }
                    self.write_sort(script, sort, &mut text, &mut open)?;
                }
            }
            if text.len() > max_len {
                return None;
            }
        }
        Some(text)
    }

    fn write_sort(
        &self,
        script: &Script,
        id: SortId,
        text: &mut Vec<u8>,
        open: &mut Vec<Todo>,
    ) -> Option<()> {
        let sort = self.sorts().get(id);
        let name: &[u8] = match sort {
            SmtSort::Unknown => return None,
            SmtSort::Bool => b"Bool",
            SmtSort::Int => b"Int",
            SmtSort::Real => b"Real",
            SmtSort::String => b"String",
            SmtSort::RegLan => b"RegLan",
            SmtSort::RoundingMode => b"RoundingMode",
            SmtSort::BitVec(width) => return write(text, format!("(_ BitVec {width})").as_bytes()),
            SmtSort::Float(exponent, significand) => {
                return write(text, format!("(_ FloatingPoint {exponent} {significand})").as_bytes());
            }
            SmtSort::FiniteField(prime) => {
                return write(text, &[b"(_ FiniteField ", &prime[..], b")"].concat());
            }
            SmtSort::Array(..) => b"Array",
            SmtSort::Seq(_) => b"Seq",
            SmtSort::Set(_) => b"Set",
            SmtSort::Bag(_) => b"Bag",
            SmtSort::Tuple(parts) if parts.is_empty() => b"UnitTuple",
            SmtSort::Tuple(_) => b"Tuple",
            SmtSort::Fun(_) => b"->",
            SmtSort::User(decl, _) | SmtSort::Param(decl) => script.slice(self.decl(*decl).name),
            SmtSort::Other(bytes) => bytes,
        };
        if sort.part(0).is_some() {
            text.push(b'(');
            text.extend_from_slice(name);
            open.push(Todo::Close);
            let at = open.len();
            open.extend(sort.parts().map(Todo::Sort));
            open[at..].reverse();
        } else {
            text.extend_from_slice(name);
        }
        Some(())
    }
}

fn write(text: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    text.extend_from_slice(bytes);
    Some(())
}
