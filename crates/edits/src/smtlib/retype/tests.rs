//! The law of retyping: every edit of a well-sorted script gives a well-sorted script that is not wider.

use crate::smtlib::SmtView;
use crate::smtlib::array_sorts::ArraySorts;
use crate::smtlib::bv_width::BvWidth;
use crate::smtlib::fp_format::FpFormat;
use crate::smtlib::retype_sorts::Retype;
use crate::{Edit, MergedEdits, Pass, render};
use nub_random::Rng;
use nub_smtlib::{SmtSort, SortId};

const N_SCRIPTS: u64 = 150;
const N_ASSERTS: usize = 6;
const DEPTH: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum S {
    Bool,
    Int,
    Elem,
    Data,
    Bv(u32),
    Float(u32, u32),
    /// From `Bv` of a width to `Bv` of a width
    Array(u32, u32),
    /// From `Elem` to `Bv`
    Map(u32),
}

const WIDTHS: [u32; 5] = [1, 4, 8, 16, 32];

fn text(sort: S) -> String {
    match sort {
        S::Bool => "Bool".into(),
        S::Int => "Int".into(),
        S::Elem => "Elem".into(),
        S::Data => "Data".into(),
        S::Bv(16) => "Half".into(),
        S::Bv(width) => format!("(_ BitVec {width})"),
        S::Float(5, 11) => "Float16".into(),
        S::Float(eb, sb) => format!("(_ FloatingPoint {eb} {sb})"),
        S::Array(8, 32) => "Memory".into(),
        S::Array(key, element) => format!("(Array (_ BitVec {key}) {})", text(S::Bv(element))),
        S::Map(width) => format!("(Array Elem {})", text(S::Bv(width))),
    }
}

struct Script {
    random: Rng,
    vars: Vec<(String, S)>,
    out: String,
}

impl Script {
    fn new(seed: u64) -> Script {
        let mut script = Script { random: Rng::new(seed), vars: Vec::new(), out: String::new() };
        script.out += "(declare-sort Elem 0)\n(define-sort Half () (_ BitVec 16))\n";
        script.out += "(define-sort Memory () (Array (_ BitVec 8) (_ BitVec 32)))\n";
        script.out += "(declare-datatypes ((Data 0)) (((mk (field (_ BitVec 8)) (key Elem)) (none))))\n";
        script.out += "(declare-const mode RoundingMode)\n";
        script.out += "(declare-fun f ((_ BitVec 8) Elem) Half)\n";
        script.out += "(define-fun g ((p (_ BitVec 32))) (_ BitVec 8) ((_ extract 15 8) p))\n";
        let sorts =
            [S::Int, S::Elem, S::Data, S::Float(5, 11), S::Float(8, 24), S::Array(8, 32), S::Map(4), S::Bool];
        for sort in sorts.into_iter().chain(WIDTHS.map(S::Bv)) {
            for copy in 0..2 {
                let name = format!("v{}_{copy}", script.vars.len());
                script.out += &format!("(declare-const {name} {})\n", text(sort));
                script.vars.push((name, sort));
            }
        }
        for _ in 0..N_ASSERTS {
            let term = script.term(S::Bool, DEPTH);
            script.out += &format!("(assert {term})\n");
        }
        script
    }

    fn leaf(&mut self, sort: S) -> String {
        let vars: Vec<String> =
            self.vars.iter().filter(|var| var.1 == sort).map(|var| var.0.clone()).collect();
        let literal = match sort {
            S::Bv(width) if width.is_multiple_of(4) && self.random.below(2) == 0 => {
                Some(format!("#x{:0n$x}", self.random.below(1 << width.min(30)), n = width as usize / 4))
            }
            S::Bv(width) if width > 1 => {
                Some(format!("(_ bv{} {width})", self.random.below(1 << width.min(30))))
            }
            S::Bv(_) => Some("#b1".into()),
            S::Float(eb, sb) => Some(format!("(_ {} {eb} {sb})", self.random.pick(&["+oo", "NaN", "-zero"]))),
            S::Int => Some("7".into()),
            _ => None,
        };
        match literal {
            Some(literal) if vars.is_empty() || self.random.below(3) == 0 => literal,
            _ if vars.is_empty() => format!("((as const {}) {})", text(sort), self.leaf(S::Bv(4))),
            _ => vars[self.random.below(vars.len())].clone(),
        }
    }

    fn term(&mut self, sort: S, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(sort);
        }
        let depth = depth - 1;
        match self.random.below(8) {
            0 => {
                let (c, a, b) = (self.term(S::Bool, depth), self.term(sort, depth), self.term(sort, depth));
                format!("(ite {c} {a} {b})")
            }
            1 => self.binding(sort, depth),
            _ => self.operation(sort, depth),
        }
    }

    fn any_sort(&mut self) -> S {
        let width = self.random.pick(&WIDTHS);
        self.random.pick(&[
            S::Bv(width),
            S::Bv(width),
            S::Elem,
            S::Float(8, 24),
            S::Array(8, 32),
            S::Data,
            S::Int,
        ])
    }

    fn binding(&mut self, sort: S, depth: usize) -> String {
        let bound = self.any_sort();
        let name = format!("b{}", self.vars.len());
        if sort == S::Bool && self.random.below(2) == 0 {
            self.vars.push((name.clone(), bound));
            let body = self.term(S::Bool, depth);
            self.vars.pop();
            return format!("(forall (({name} {})) (! {body} :weight 1))", text(bound));
        }
        let value = self.term(bound, depth);
        self.vars.push((name.clone(), bound));
        let body = self.term(sort, depth);
        self.vars.pop();
        format!("(let (({name} {value})) {body})")
    }

    fn operation(&mut self, sort: S, depth: usize) -> String {
        match sort {
            S::Bool => self.formula(depth),
            S::Bv(width) => self.bits(width, depth),
            S::Float(eb, sb) => self.float(eb, sb, depth),
            S::Array(key, element) => {
                let (a, i, e) =
                    (self.term(sort, depth), self.term(S::Bv(key), depth), self.term(S::Bv(element), depth));
                format!("(store {a} {i} {e})")
            }
            S::Map(element) => {
                let (a, i, e) =
                    (self.term(sort, depth), self.term(S::Elem, depth), self.term(S::Bv(element), depth));
                format!("(store {a} {i} {e})")
            }
            S::Elem => format!("(key {})", self.term(S::Data, depth)),
            S::Data => format!("(mk {} {})", self.term(S::Bv(8), depth), self.term(S::Elem, depth)),
            S::Int => format!("(+ 1 (bv2nat {}))", self.term(S::Bv(8), depth)),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        let width = self.random.pick(&WIDTHS);
        match self.random.below(6) {
            0 => format!("(and {} (not {}))", self.term(S::Bool, depth), self.term(S::Bool, depth)),
            1 => format!("(bvult {} {})", self.term(S::Bv(width), depth), self.term(S::Bv(width), depth)),
            2 => format!("((_ is none) {})", self.term(S::Data, depth)),
            3 => format!(
                "(fp.leq {} {})",
                self.term(S::Float(8, 24), depth),
                self.term(S::Float(8, 24), depth)
            ),
            4 => format!(
                "(match {} (((mk m n) (= m {})) (o true)))",
                self.term(S::Data, depth),
                self.term(S::Bv(8), depth)
            ),
            _ => {
                let sort = self.any_sort();
                let (a, b) = (self.term(sort, depth), self.term(sort, depth));
                format!("({} {a} {b})", self.random.pick(&["=", "distinct"]))
            }
        }
    }

    fn bits(&mut self, width: u32, depth: usize) -> String {
        let same = |script: &mut Script| script.term(S::Bv(width), depth);
        let special = match (width, self.random.below(10)) {
            (1, 0..5) => format!("(bvcomp {} {})", self.term(S::Bv(8), depth), self.term(S::Bv(8), depth)),
            (4, 0) => format!("(select {} {})", self.term(S::Map(4), depth), self.term(S::Elem, depth)),
            (4, 1) => format!("((_ repeat 4) {})", self.term(S::Bv(1), depth)),
            (8, 0) => format!("(g {})", self.term(S::Bv(32), depth)),
            (8, 1) => format!("(field {})", self.term(S::Data, depth)),
            (8, 2) => format!("((_ int_to_bv 8) {})", self.term(S::Int, depth)),
            (8, 3 | 4) => format!("(concat {} {})", self.term(S::Bv(4), depth), self.term(S::Bv(4), depth)),
            (16, 0) => format!("(f {} {})", self.term(S::Bv(8), depth), self.term(S::Elem, depth)),
            (16, 1 | 2) => format!("(concat {} {})", self.term(S::Bv(8), depth), self.term(S::Bv(8), depth)),
            (16, 3) => format!("((_ fp.to_sbv 16) RTZ {})", self.term(S::Float(8, 24), depth)),
            (32, 0) => {
                format!("(select {} {})", self.term(S::Array(8, 32), depth), self.term(S::Bv(8), depth))
            }
            (32, 1) => format!("((_ sign_extend 16) {})", self.term(S::Bv(16), depth)),
            (32, 2) => format!("(fp.to_ieee_bv {})", self.term(S::Float(8, 24), depth)),
            (_, 5) => {
                let wider = self.random.pick(&WIDTHS).max(width);
                let low = self.random.below((wider - width) as usize + 1) as u32;
                format!("((_ extract {} {low}) {})", low + width - 1, self.term(S::Bv(wider), depth))
            }
            (_, 6) => {
                let narrower = self.random.pick(&WIDTHS).min(width);
                format!("((_ zero_extend {}) {})", width - narrower, self.term(S::Bv(narrower), depth))
            }
            (_, 7) => format!("((_ rotate_left 3) {})", same(self)),
            _ => String::new(),
        };
        if !special.is_empty() {
            return special;
        }
        let op = self.random.pick(&["bvadd", "bvmul", "bvand", "bvshl", "bvudiv", "bvsub"]);
        format!("({op} {} {})", same(self), same(self))
    }

    fn float(&mut self, eb: u32, sb: u32, depth: usize) -> String {
        let same = |script: &mut Script| script.term(S::Float(eb, sb), depth);
        match self.random.below(5) {
            0 => format!("(fp.add RNE {} {})", same(self), same(self)),
            1 => format!("((_ to_fp {eb} {sb}) RNE {})", self.term(S::Float(13 - eb, 35 - sb), depth)),
            2 => format!("((_ to_fp {eb} {sb}) {})", self.term(S::Bv(eb + sb), depth)),
            3 => format!("((_ to_fp {eb} {sb}) mode {})", self.term(S::Bv(8), depth)),
            _ => {
                let zeros = "0".repeat(sb as usize - 2);
                format!("(fp #b0 #b0{} #b1{zeros})", "1".repeat(eb as usize - 1))
            }
        }
    }
}

/// Scripts with parts removed or swapped: no law holds for them, but nothing may panic.
#[test]
fn broken_scripts() {
    let passes: [&dyn Pass<SmtView>; 4] = [&BvWidth, &FpFormat, &ArraySorts, &Retype];
    for seed in 0..N_SCRIPTS {
        let mut random = Rng::new(seed);
        let mut text = Script::new(seed).out.into_bytes();
        for _ in 0..8 {
            let view = SmtView::new(&text);
            let n_nodes = view.tree().len();
            let [a, b] = [0; 2].map(|_| view.span(nub_smtlib::NodeId(random.below(n_nodes) as u32)));
            if a.overlaps(b) || a.len() > 400 {
                continue;
            }
            let edit = match random.below(3) {
                0 => Edit::cut(a),
                1 => Edit::replace(a, b.slice(&text)),
                _ => Edit::of([(a, b.slice(&text)), (b, a.slice(&text))]),
            };
            text = render(&text, &edit.splices);
        }
        let view = SmtView::new(&text);
        for edit in passes.iter().flat_map(|pass| pass.edits(&view)) {
            assert!(edit.gain() >= 0);
            if view.analysis().errors().is_empty() {
                let new = candidate(&view, &edit);
                assert!(new.analysis().errors().is_empty(), "{}", String::from_utf8_lossy(new.text()));
            }
        }
    }
}

fn check(view: &SmtView, what: &str) {
    let fail = |why: String| panic!("{what}: {why}\n{}", String::from_utf8_lossy(view.text()));
    if let Some(error) = view.analysis().errors().first() {
        fail(format!("{error:?}"));
    }
    if let Some(&node) = view.analysis().unknown().first() {
        fail(format!("{:?}", String::from_utf8_lossy(view.slice(node))));
    }
    if let Some(term) = view.terms().find(|&term| view.analysis().sort_of(term) == Some(SortId::UNKNOWN)) {
        fail(format!("no sort: {:?}", String::from_utf8_lossy(view.slice(term))));
    }
}

/// Total number of bits of all terms.
fn total_width(view: &SmtView) -> u64 {
    let width = |sort| match *view.analysis().sorts().get(sort) {
        SmtSort::BitVec(width) => u64::from(width),
        SmtSort::Float(eb, sb) => u64::from(eb + sb),
        _ => 0,
    };
    view.terms().filter_map(|term| view.sort(term)).map(width).sum()
}

fn candidate(view: &SmtView, edit: &Edit) -> SmtView {
    SmtView::new(&render(view.text(), &edit.splices))
}

#[test]
fn every_edit_keeps_the_script_well_sorted() {
    let passes: [&dyn Pass<SmtView>; 4] = [&BvWidth, &FpFormat, &ArraySorts, &Retype];
    let mut n_edits = [0; 4];
    for seed in 0..N_SCRIPTS {
        let view = SmtView::new(Script::new(seed).out.as_bytes());
        check(&view, "the generator");
        for (pass, n_edits) in passes.iter().zip(&mut n_edits) {
            let edits = pass.edits(&view);
            *n_edits += edits.len();
            for edit in edits.iter().take(40) {
                let new = candidate(&view, edit);
                check(&new, pass.name());
                // Only a format with a name may be wider, because it is shorter.
                let is_named = pass.name() == FpFormat.name() && edit.gain() > 0;
                let is_narrow = is_named || total_width(&new) <= total_width(&view);
                assert!(is_narrow, "{}", String::from_utf8_lossy(new.text()));
            }
        }
    }
    assert!(n_edits.iter().all(|&n| n > N_SCRIPTS as usize / 4), "{n_edits:?}");
}

#[test]
fn edits_of_classes_can_be_put_together() {
    let passes: [&dyn Pass<SmtView>; 2] = [&ArraySorts, &Retype];
    for seed in 0..N_SCRIPTS {
        let view = SmtView::new(Script::new(seed).out.as_bytes());
        let mut merged = MergedEdits::default();
        for edit in passes.iter().flat_map(|pass| pass.edits(&view)) {
            merged.add(&edit);
        }
        check(&SmtView::new(&render(view.text(), &merged.splices())), "together");
    }
}

#[test]
fn narrowing_ends_at_one_bit() {
    for seed in 0..N_SCRIPTS / 10 {
        let mut text = Script::new(seed).out;
        // Always the first edit: it must not be offered again.
        for round in 0.. {
            assert!(round < 50, "{text}");
            let view = SmtView::new(text.as_bytes());
            let Some(edit) = BvWidth.edits(&view).into_iter().next() else { break };
            let new = candidate(&view, &edit);
            assert!(total_width(&new) < total_width(&view) || new.text() != view.text());
            text = String::from_utf8(new.text().to_vec()).unwrap();
        }
    }
}
