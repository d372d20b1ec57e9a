//! Names of nodes in a script: the symbols of inputs where possible, otherwise numbered names.

use crate::{BtorModel, BtorNodeId};
use rustc_hash::FxHashSet;

/// Names by node.
pub(super) struct Names {
    /// The name of an input whose symbol can be used; empty for all other nodes.
    symbols: Vec<Vec<u8>>,
    /// The prefix of generated names. No symbol is this prefix followed by digits.
    prefix: Vec<u8>,
}

/// Words that a script must not declare: reserved words, commands, and functions of the theories in use. Names that begin
/// with `bv` are avoided, too.
const TAKEN: &str = "\
    ! _ as let par match forall exists lambda BINARY DECIMAL HEXADECIMAL NUMERAL STRING \
    Bool Int Real String RegLan Array BitVec true false not and or xor => = distinct ite iff implies if \
    select store const default map concat extract repeat zero_extend sign_extend rotate_left rotate_right \
    ext_rotate_left ext_rotate_right int2bv + - * / < <= > >= div mod abs is union intersection setminus complement subset \
    assert check-sat check-sat-assuming declare-const declare-datatype declare-datatypes declare-fun declare-sort \
    define-const define-fun define-fun-rec define-funs-rec define-sort echo exit get-assertions get-assignment get-info \
    get-model get-option get-proof get-unsat-assumptions get-unsat-core get-value pop push reset reset-assertions \
    set-info set-logic set-option";

impl Names {
    pub fn of(model: &BtorModel) -> Names {
        let mut used: FxHashSet<&[u8]> = TAKEN.split_whitespace().map(str::as_bytes).collect();
        let mut symbols = vec![Vec::new(); model.nodes().len()];
        let leaves = model.inputs().iter().copied().chain(model.states().iter().map(|state| state.node));
        for node in leaves {
            let Some(symbol) = model.symbol(node) else { continue };
            let Some(quoted) = quote(symbol) else { continue };
            // The second of two equal symbols gets a generated name.
            if used.insert(symbol) {
                symbols[node.index()] = quoted;
            }
        }
        Names { prefix: free_prefix(&used), symbols }
    }

    pub fn get(&self, node: BtorNodeId) -> Vec<u8> {
        let symbol = &self.symbols[node.index()];
        if symbol.is_empty() {
            return [&self.prefix, node.index().to_string().as_bytes()].concat();
        }
        symbol.clone()
    }
}

/// One more `n` than in any symbol that consists of `n`s followed by a digit, so that no generated name equals a symbol.
fn free_prefix(used: &FxHashSet<&[u8]>) -> Vec<u8> {
    let n_leading = |symbol: &&[u8]| {
        let n = symbol.iter().take_while(|&&byte| byte == b'n').count();
        if symbol.get(n).is_some_and(u8::is_ascii_digit) { n } else { 0 }
    };
    vec![b'n'; used.iter().map(n_leading).max().unwrap_or(0) + 1]
}

/// The symbol as it is, or quoted with bars; `None` if neither is possible.
fn quote(symbol: &[u8]) -> Option<Vec<u8>> {
    let is_simple = |byte: &u8| byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(byte);
    let first = *symbol.first()?;
    if symbol.starts_with(b"bv") || matches!(first, b'@' | b'.') {
        return None;
    }
    if symbol.iter().all(is_simple) && !first.is_ascii_digit() {
        return Some(symbol.to_vec());
    }
    let is_quotable = |byte: &u8| matches!(byte, b' '..=b'~') && !matches!(byte, b'|' | b'\\');
    symbol.iter().all(is_quotable).then(|| [b"|", symbol, b"|"].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sort;

    fn names(symbols: &[&str]) -> Vec<String> {
        let mut model = BtorModel::new();
        for symbol in symbols {
            let node = model.push_input(Sort::BIT);
            model.set_symbol(node, symbol.as_bytes());
        }
        let names = Names::of(&model);
        model.node_ids().map(|node| String::from_utf8(names.get(node)).unwrap()).collect()
    }

    #[test]
    fn symbols_stay_where_they_can() {
        assert_eq!(names(&["x", "a@3", "1a", "a[0]"]), ["x", "a@3", "|1a|", "|a[0]|"]);
    }

    #[test]
    fn names_are_free_and_distinct() {
        assert_eq!(names(&["x", "x", "and", "bvadd", "a|b", "@x"]), ["x", "n1", "n2", "n3", "n4", "n5"]);
        assert_eq!(names(&["n1", "n", "let"]), ["n1", "n", "nn2"]);
        assert_eq!(names(&["nn7x", "or"]), ["nn7x", "nnn1"]);
    }
}
