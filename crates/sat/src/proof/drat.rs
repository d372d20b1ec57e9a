//! DRAT as text: one clause per line, terminated by 0; `d` at the start deletes it.

use super::{Action, Proof};
use nub_cnf::Lit;
use std::io::{self, Write};

impl Proof {
    /// Writes the proof as text, in the format that `drat-trim` and others read.
    pub fn write_drat(&self, out: &mut dyn Write) -> io::Result<()> {
        for (action, clause) in self.steps() {
            if action == Action::Delete {
                out.write_all(b"d ")?;
            }
            for lit in clause {
                write!(out, "{lit} ")?;
            }
            out.write_all(b"0\n")?;
        }
        Ok(())
    }

    /// The text of the proof.
    pub fn to_drat(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(8 * self.lits.len() + 2 * self.len());
        self.write_drat(&mut text).expect("writing to memory cannot fail");
        text
    }

    /// Reads a proof from text; `None` if it is not DRAT. Lines that begin with `c` are comments.
    pub fn from_drat(text: &[u8]) -> Option<Proof> {
        let lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let words = lines
            .filter(|line| !line.starts_with(b"c"))
            .flat_map(|line| line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()));
        let mut proof = Proof::new();
        let (mut action, mut clause): (Option<Action>, Vec<Lit>) = (None, Vec::new());
        for word in words {
            match word {
                b"d" if action.is_none() && clause.is_empty() => action = Some(Action::Delete),
                b"0" => proof.push(action.take().unwrap_or(Action::Add), clause.drain(..)),
                word => {
                    let number = std::str::from_utf8(word).ok()?.parse().ok()?;
                    clause.push(Lit::from_dimacs(number)?);
                }
            }
        }
        (action.is_none() && clause.is_empty()).then_some(proof)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back() {
        let text = b"1 -2 0\nd 1 2 0\n0\n";
        let proof = Proof::from_drat(text).unwrap();
        assert_eq!(proof.len(), 3);
        assert_eq!(proof.to_drat(), text);
        assert_eq!(Proof::from_drat(b"c hi\n 1\n-2 0 d 1 2 0 0"), Some(proof));
        for bad in ["1", "d", "d d 1 0", "1 d 0", "x 0", "99999999999 0", "-2147483648 0"] {
            assert_eq!(Proof::from_drat(bad.as_bytes()), None, "{bad}");
        }
    }
}
