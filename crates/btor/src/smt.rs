//! A combinational model as an SMT-LIB script over `QF_BV` or `QF_ABV`.
//!
//! Every node that a property needs is written once: a `let` binds all nodes of the same depth. A graph that is
//! deeper than [`MAX_LEVELS`] gets a `define-fun` per node instead, so that no parser overflows its stack; z3 4.8.12 takes 18 s to
//! read 1,000 of these, and 0.1 s for the bindings. The script is linear in the graph, except for `redxor`, which takes one
//! binding for each halving of its width.
//!
//! ```
//! use nub_btor::{BtorDialect, BtorFile, BtorModel, to_smtlib};
//! let model = BtorModel::of(&BtorFile::read(b"1 var 8 x\n2 inc 8 1\n3 ult 1 2 1\n4 root 1 -3\n", BtorDialect::Btor)).unwrap();
//! let script = String::from_utf8(to_smtlib(&model).unwrap()).unwrap();
//! assert!(script.contains("(let ((n1 (bvadd x (_ bv1 8))))"));
//! assert!(script.contains("(= (bvnot n2) #b1)"));
//! ```

mod names;

use crate::{
    BtorModel, BtorNode, BtorNodeId, BtorProperty, ConversionRefusal, Ref, Sort, Tag, WidthRule, needed,
};
use names::Names;
use nub_bitvec::{Holes, Meaning, Op};

/// The widest constant that is repeated at each use; wider ones are defined once.
const MAX_INLINE_WIDTH: u32 = 64;

/// The deepest nesting of `let`. Recursive parsers cope with some ten thousand levels.
const MAX_LEVELS: usize = 2_000;

/// The script: asserts all `root` and `constraint` lines, and that some `bad` line holds. Outputs assert nothing.
pub fn to_smtlib(model: &BtorModel) -> Result<Vec<u8>, ConversionRefusal> {
    check(model)?;
    let is_needed = needed(model);
    let mut script = Script {
        model,
        names: Names::of(model),
        out: Vec::new(),
        depths: vec![0; is_needed.len()],
        levels: Vec::new(),
        is_deep: depth(model) > MAX_LEVELS,
    };
    let has_arrays = model.node_ids().any(|node| is_needed[node.index()] && model.node(node).sort.is_array());
    script.line(&format!("(set-logic {})", if has_arrays { "QF_ABV" } else { "QF_BV" }));
    for node in model.node_ids().filter(|node| is_needed[node.index()]) {
        script.node(node);
    }
    script.assertions();
    script.line("(check-sat)");
    Ok(script.out)
}

fn check(model: &BtorModel) -> Result<(), ConversionRefusal> {
    let assigned = model.states().iter().find(|state| state.init.is_some() || state.next.is_some());
    if let Some(state) = assigned {
        let message = "SMT-LIB has no states".to_owned();
        return Err(ConversionRefusal::of_state(state, message, "`--unroll K` turns K steps into a formula"));
    }
    let live = model.properties().iter().find(|p| matches!(p.tag, Tag::Fair | Tag::Justice));
    if let Some(property) = live {
        let message = format!("SMT-LIB cannot express `{}`", property.tag.op().btor2);
        return Err(ConversionRefusal::of_property(
            property,
            message,
            "remove the line; only `root`, `bad` and `constraint` are translated",
        ));
    }
    Ok(())
}

/// The number of nodes on the longest path, including those that `redxor` expands to.
fn depth(model: &BtorModel) -> usize {
    let mut depths = Vec::new();
    for id in model.node_ids() {
        let node = model.node(id);
        let below = node.args().iter().map(|arg| depths[arg.node().index()]).max().unwrap_or(0);
        let own = if node.tag == Tag::Redxor { u32::BITS as usize } else { 1 };
        depths.push(below + own);
    }
    depths.into_iter().max().unwrap_or(0)
}

struct Script<'a> {
    model: &'a BtorModel,
    names: Names,
    out: Vec<u8>,
    /// By node: the level of bindings that defines it; 0 if it needs none.
    depths: Vec<usize>,
    /// The bindings of each level, from 1.
    levels: Vec<Vec<u8>>,
    /// True if the graph is too deep for bindings; then definitions are used.
    is_deep: bool,
}

impl Script<'_> {
    fn line(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    /// Names a term whose parts are known after this many levels.
    fn define(&mut self, name: &[u8], sort: Sort, term: &[u8], below: usize) {
        if self.is_deep {
            let sort = format!(" () {} ", sort.in_smtlib());
            self.out.extend([b"(define-fun ", name, sort.as_bytes(), term, b")\n"].concat());
            return;
        }
        if self.levels.len() <= below {
            self.levels.resize_with(below + 1, Vec::new);
        }
        let level = &mut self.levels[below];
        let space: &[u8] = if level.is_empty() { b"" } else { b" " };
        level.extend([space, b"(", name, b" ", term, b")"].concat());
    }

    /// The level after which all of these are known.
    fn below(&self, refs: &[Ref]) -> usize {
        refs.iter().map(|of| self.depths[of.node().index()]).max().unwrap_or(0)
    }

    fn node(&mut self, id: BtorNodeId) {
        let node = self.model.node(id);
        let name = self.names.get(id);
        match node.tag {
            Tag::Input | Tag::State => {
                self.out.extend_from_slice(b"(declare-fun ");
                self.out.extend_from_slice(&name);
                self.line(&format!(" () {})", node.sort.in_smtlib()));
            }
            _ if self.is_inline(id) => {}
            Tag::Redxor => self.depths[id.index()] = self.redxor(&name, node.args()[0]),
            _ => {
                let term = if node.tag.is_constant() { self.constant(id) } else { self.operator(node) };
                let below = self.below(node.args());
                self.define(&name, node.sort, &term, below);
                self.depths[id.index()] = below + 1;
            }
        }
    }

    /// True for constants that are so short that naming them saves nothing.
    fn is_inline(&self, id: BtorNodeId) -> bool {
        let node = self.model.node(id);
        node.tag.is_constant() && (self.model.value(id).is_none() || node.sort.width() <= MAX_INLINE_WIDTH)
    }

    fn constant(&self, id: BtorNodeId) -> Vec<u8> {
        let node = self.model.node(id);
        let width = node.sort.width();
        let text = match node.tag {
            Tag::Zero => format!("(_ bv0 {width})"),
            Tag::One => format!("(_ bv1 {width})"),
            Tag::Ones => format!("(bvnot (_ bv0 {width}))"),
            _ => self.model.value(id).map_or_else(String::new, ToString::to_string),
        };
        text.into_bytes()
    }

    /// A reference as a term.
    fn term(&self, of: Ref) -> Vec<u8> {
        let id = of.node();
        let text = if self.is_inline(id) { self.constant(id) } else { self.names.get(id) };
        if of.negated() { [&b"(bvnot "[..], &text, b")"].concat() } else { text }
    }

    fn operator(&self, node: &BtorNode) -> Vec<u8> {
        let mut args: Vec<Vec<u8>> = node.args().iter().map(|&arg| self.term(arg)).collect();
        if node.tag.rule() == WidthRule::Shift {
            let missing = node.sort.width() - self.model.sort(node.args()[1]).width();
            if missing > 0 {
                args[1] = [format!("((_ zero_extend {missing}) ").as_bytes(), &args[1], b")"].concat();
            }
        }
        // A `proxy` has the value of its operand.
        let Some(op) = node.tag.meaning() else { return args.swap_remove(0) };
        let args: Vec<&[u8]> = args.iter().map(Vec::as_slice).collect();
        // Here both operands have the same width, so a shorter term than that of the table is enough.
        if let Op::Shl | Op::Lshr | Op::Ashr = op {
            return [b"(", op.info().smtlib[0].as_bytes(), b" ", args[0], b" ", args[1], b")"].concat();
        }
        let width = |index: usize| node.args().get(index).map_or(0, |arg| self.model.sort(*arg).width());
        let amount = if node.tag.rule() == WidthRule::Shift { width(0) } else { width(1) };
        let index = |index: usize| node.params().get(index).copied().unwrap_or(0);
        let holes =
            Holes { args: &args, widths: [width(0), amount], indices: [index(0), index(1)], sort: node.sort };
        match op.info().meaning {
            Meaning::Term(template) => holes.fill(template),
            Meaning::Truth(template) => to_bit(&holes.fill(template)),
            Meaning::Parity | Meaning::Leaf => unreachable!("written elsewhere: {op}"),
        }
    }

    /// The parity, computed by folding the vector onto itself until one bit is left. Returns the level of the last binding.
    fn redxor(&mut self, name: &[u8], arg: Ref) -> usize {
        let below = self.below(&[arg]);
        let mut width = self.model.sort(arg).width();
        let mut text = self.term(arg);
        let mut nth = 0;
        while width > 1 {
            let half = width.div_ceil(2);
            let (low, high, missing) = (half - 1, width - 1, 2 * half - width);
            let upper = format!("((_ zero_extend {missing}) ((_ extract {high} {half}) ");
            let lower = format!("(bvxor ((_ extract {low} 0) ");
            let term = [lower.as_bytes(), &text, b") ", upper.as_bytes(), &text, b")))"].concat();
            width = half;
            text = if width == 1 { name.to_vec() } else { [name, format!("_{nth}").as_bytes()].concat() };
            self.define(&text, Sort::Bits(width), &term, below + nth);
            nth += 1;
        }
        if text != name {
            // A single bit is its own parity.
            self.define(name, Sort::BIT, &text, below);
            nth = 1;
        }
        below + nth
    }

    fn assertions(&mut self) {
        let of_tag = |tags: &[Tag]| -> Vec<&BtorProperty> {
            self.model.properties().iter().filter(|property| tags.contains(&property.tag)).collect()
        };
        let assumed = of_tag(&[Tag::Root, Tag::Constraint]);
        let bads = of_tag(&[Tag::Bad]);
        let mut all: Vec<Vec<u8>> = assumed.iter().map(|property| self.formula(property.refs[0])).collect();
        let bads: Vec<Vec<u8>> = bads.iter().map(|property| self.formula(property.refs[0])).collect();
        if !bads.is_empty() {
            all.push(joined(b"or", &bads));
        }
        if self.is_deep || self.levels.is_empty() {
            all.iter().for_each(|formula| self.assert(formula));
        } else if !all.is_empty() {
            self.assert_below(&joined(b"and", &all));
        }
    }

    /// An assertion within all bindings, one line per level.
    fn assert_below(&mut self, formula: &[u8]) {
        let levels = std::mem::take(&mut self.levels);
        self.out.extend_from_slice(b"(assert\n");
        for level in &levels {
            self.out.extend([b"(let (", &level[..], b")\n"].concat());
        }
        self.out.extend_from_slice(formula);
        self.line(&")".repeat(levels.len() + 1));
    }

    /// A Boolean term: some bit is set.
    fn formula(&self, of: Ref) -> Vec<u8> {
        let term = self.term(of);
        match self.model.sort(of).width() {
            1 => [&b"(= "[..], &term, b" #b1)"].concat(),
            width => [&b"(distinct "[..], &term, format!(" (_ bv0 {width}))").as_bytes()].concat(),
        }
    }

    fn assert(&mut self, formula: &[u8]) {
        self.out.extend_from_slice(b"(assert ");
        self.out.extend_from_slice(formula);
        self.out.extend_from_slice(b")\n");
    }
}

/// Several formulas combined to one.
fn joined(connective: &[u8], formulas: &[Vec<u8>]) -> Vec<u8> {
    match formulas {
        [one] => one.clone(),
        many => [b"(", connective, b" ", &many.join(&b' ')[..], b")"].concat(),
    }
}

fn to_bit(formula: &[u8]) -> Vec<u8> {
    [b"(ite ", formula, b" #b1 #b0)"].concat()
}

#[cfg(test)]
mod tests {
    use crate::{BtorDialect, BtorFile, BtorModel, to_smtlib};

    /// The meaning of a rotation binds names, which may equal symbols of the file.
    #[test]
    fn symbols_are_not_captured() {
        let text =
            b"1 sort bitvec 8\n2 sort bitvec 1\n3 input 1 y\n4 input 1 m\n5 rol 1 3 4\n6 redor 2 5\n7 bad 6\n";
        let model = BtorModel::of(&BtorFile::read(text, BtorDialect::Btor2)).unwrap();
        let script = String::from_utf8(to_smtlib(&model).unwrap()).unwrap();
        assert!(script.contains("(let ((x ((_ zero_extend 8) y)) (y ((_ zero_extend 8) m)) (m "), "{script}");
    }
}
