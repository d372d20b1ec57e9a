//! Names, stored in one block.

/// A name, or no name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Symbol(u32);

impl Symbol {
    pub const NONE: Symbol = Symbol(0);
}

/// All names of a model. A node without a name, like most of them, takes four bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    bytes: Vec<u8>,
    /// Where each name ends.
    ends: Vec<usize>,
}

impl Symbols {
    pub fn add(&mut self, name: &[u8]) -> Symbol {
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len());
        Symbol(self.ends.len() as u32)
    }

    pub fn get(&self, symbol: Symbol) -> Option<&[u8]> {
        let at = (symbol.0 as usize).checked_sub(1)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.bytes[start..self.ends[at]])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let mut symbols = Symbols::default();
        let names: [&[u8]; 3] = [b"first", b"", b"x\xff"];
        let found = names.map(|name| symbols.add(name));
        assert_eq!(found.map(|symbol| symbols.get(symbol)), names.map(Some));
        assert_eq!(symbols.get(Symbol::NONE), None);
    }
}
