//! A combinational model as an SMT-LIB script over `QF_BV` or `QF_ABV`.
//!
//! Every node that a property needs is a `define-fun` of its own, so deep graphs do not nest and shared nodes are written
//! once. The script is linear in the graph, but for `redxor`, which takes a line per halving of its width.
//!
//! ```
//! use nub_btor::{Dialect, File, Model, to_smtlib};
//! let model = Model::of(&File::read(b"1 var 8 x\n2 inc 8 1\n3 ult 1 2 1\n4 root 1 -3\n", Dialect::Btor)).unwrap();
//! let script = String::from_utf8(to_smtlib(&model).unwrap()).unwrap();
//! assert!(script.contains("(define-fun n1 () (_ BitVec 8) (bvadd x (_ bv1 8)))"));
//! assert!(script.contains("(assert (= (bvnot n2) #b1))"));
//! ```

mod names;

use crate::ops::Smt;
use crate::{Model, Node, NodeId, Property, Ref, Refusal, Rule, Sort, Tag, needed};
use names::Names;

/// Widest constant that is written at each use; wider ones are defined once.
const MAX_INLINE_WIDTH: u32 = 64;

/// The script: `root` and `constraint` lines are asserted, and that one of the `bad` lines holds. Outputs ask nothing.
pub fn to_smtlib(model: &Model) -> Result<Vec<u8>, Refusal> {
    check(model)?;
    let is_needed = needed(model);
    let mut script = Script { model, names: Names::of(model), out: Vec::new() };
    let has_arrays = model.node_ids().any(|node| is_needed[node.index()] && model.node(node).sort.is_array());
    script.line(&format!("(set-logic {})", if has_arrays { "QF_ABV" } else { "QF_BV" }));
    for node in model.node_ids().filter(|node| is_needed[node.index()]) {
        script.node(node);
    }
    script.assertions();
    script.line("(check-sat)");
    Ok(script.out)
}

fn check(model: &Model) -> Result<(), Refusal> {
    let assigned = model.states().iter().find(|state| state.init.is_some() || state.next.is_some());
    if let Some(state) = assigned {
        let message = "SMT-LIB has no states".to_owned();
        return Err(Refusal::of_state(state, message, "`--unroll K` makes K steps a formula"));
    }
    let live = model.properties().iter().find(|p| matches!(p.tag, Tag::Fair | Tag::Justice));
    if let Some(property) = live {
        let message = format!("SMT-LIB cannot say `{}`", property.tag.op().btor2);
        return Err(Refusal::of_property(
            property,
            message,
            "remove the line; only `bad` and `constraint` are asked",
        ));
    }
    Ok(())
}

/// A sort as SMT-LIB writes it.
fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Array { index, element } => format!("(Array (_ BitVec {index}) (_ BitVec {element}))"),
    }
}

struct Script<'a> {
    model: &'a Model,
    names: Names,
    out: Vec<u8>,
}

impl Script<'_> {
    fn line(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(b'\n');
    }

    fn define(&mut self, name: &[u8], sort: Sort, term: &[u8]) {
        self.out.extend_from_slice(b"(define-fun ");
        self.out.extend_from_slice(name);
        self.out.extend_from_slice(format!(" () {} ", sort_text(sort)).as_bytes());
        self.out.extend_from_slice(term);
        self.out.extend_from_slice(b")\n");
    }

    fn node(&mut self, id: NodeId) {
        let node = self.model.node(id);
        let name = self.names.get(id);
        match node.tag {
            Tag::Input | Tag::State => {
                self.out.extend_from_slice(b"(declare-fun ");
                self.out.extend_from_slice(&name);
                self.line(&format!(" () {})", sort_text(node.sort)));
            }
            _ if self.is_inline(id) => {}
            Tag::Redxor => self.redxor(&name, node.args()[0]),
            _ => {
                let term = if node.tag.is_constant() { self.constant(id) } else { self.operator(node) };
                self.define(&name, node.sort, &term);
            }
        }
    }

    /// Constants that are shorter than a name would save.
    fn is_inline(&self, id: NodeId) -> bool {
        let node = self.model.node(id);
        node.tag.is_constant() && (self.model.value(id).is_none() || node.sort.width() <= MAX_INLINE_WIDTH)
    }

    fn constant(&self, id: NodeId) -> Vec<u8> {
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

    fn operator(&self, node: &Node) -> Vec<u8> {
        let mut args: Vec<Vec<u8>> = node.args().iter().map(|&arg| self.term(arg)).collect();
        if node.tag.rule() == Rule::Shift {
            let missing = node.sort.width() - self.model.sort(node.args()[1]).width();
            if missing > 0 {
                args[1] = [format!("((_ zero_extend {missing}) ").as_bytes(), &args[1], b")"].concat();
            }
        }
        let width = self.model.sort(node.args()[0]).width();
        let apply = |function: &str| {
            let mut term = format!("({function}").into_bytes();
            args.iter().for_each(|arg| term.extend([&b" "[..], arg].concat()));
            term.push(b')');
            term
        };
        match node.tag.op().smt {
            Smt::Fun(function) => apply(function),
            Smt::Test(function) => to_bit(&apply(function)),
            Smt::Term(holes) => fill(holes, &args, width, node.params()),
            Smt::Formula(holes) => to_bit(&fill(holes, &args, width, node.params())),
            Smt::None => Vec::new(),
        }
    }

    /// The parity, by folding the vector onto itself until one bit is left.
    fn redxor(&mut self, name: &[u8], arg: Ref) {
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
            self.define(&text, Sort::Bits(width), &term);
            nth += 1;
        }
        if text != name {
            // One bit is its own parity.
            self.define(name, Sort::BIT, &text);
        }
    }

    fn assertions(&mut self) {
        let of_tag = |tags: &[Tag]| -> Vec<&Property> {
            self.model.properties().iter().filter(|property| tags.contains(&property.tag)).collect()
        };
        let assumed = of_tag(&[Tag::Root, Tag::Constraint]);
        let bads = of_tag(&[Tag::Bad]);
        for property in assumed {
            let formula = self.formula(property.refs[0]);
            self.assert(&formula);
        }
        let formulas: Vec<Vec<u8>> = bads.iter().map(|property| self.formula(property.refs[0])).collect();
        match formulas.as_slice() {
            [] => {}
            [one] => self.assert(one),
            many => self.assert(&[&b"(or "[..], &many.join(&b' '), b")"].concat()),
        }
    }

    /// A Boolean: some bit is set.
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

fn to_bit(formula: &[u8]) -> Vec<u8> {
    [b"(ite ", formula, b" #b1 #b0)"].concat()
}

/// A term of the operator table with its holes filled.
fn fill(holes: &str, args: &[Vec<u8>], width: u32, params: &[u32]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = holes;
    while let Some((before, after)) = rest.split_once('{') {
        out.extend_from_slice(before.as_bytes());
        let (hole, after) = after.split_once('}').unwrap_or((after, ""));
        let number = |number: Option<u32>| number.unwrap_or(0).to_string().into_bytes();
        out.extend(match hole {
            "a" | "b" | "c" => args.get((hole.as_bytes()[0] - b'a') as usize).cloned().unwrap_or_default(),
            "n" => number(Some(width)),
            "m" => number(width.checked_sub(1)),
            "u" => number(params.first().copied()),
            _ => number(params.get(1).copied()),
        });
        rest = after;
    }
    out.extend_from_slice(rest.as_bytes());
    out
}
