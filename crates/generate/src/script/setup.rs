//! The parts of one script, drawn from the seed: its sorts, its operators, its logic.

use super::builder::Builder;
use super::catalog::OpRef;
use super::config::Arithmetic;
use super::dialect::ScriptDialect;
use super::evaluate::Evaluation;
use super::logic::{self, Needs};
use super::theories::Fragment;
use super::universe::Kind;
use crate::config::ExpectedStatus;
use nub_smtlib::{SmtSort, SortId};

/// How often, in percent, a script has an operator. Scripts that lack some operators reach states that scripts with all operators hide
/// (Groce et al., "Swarm Testing", 2012).
const KEPT: u32 = 75;
/// Widths, with a preference for the boundaries of machine words.
const WIDTHS: &[u32] = &[1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 63, 64, 65, 127, 128];
/// Floating-point formats: small ones, and those with names. cvc5 does not accept `fp` with one bit of significand.
const FORMATS: &[(u32, u32)] = &[(2, 3), (3, 3), (3, 5), (4, 4), (5, 11), (8, 24), (11, 53), (15, 113)];
/// Bits of the smallest format.
const SMALLEST_FORMAT: u32 = 5;
/// Limit on the array sorts of one script.
const MAX_ARRAYS: u32 = 3;
/// How often, in percent, the truth values of a script are combined by `and`: the higher, the fewer scripts are satisfiable.
const CONJUNCTIONS: &[u32] = &[0, 0, 10, 30];

impl Builder<'_> {
    /// Draws everything; returns the name of the logic.
    pub(super) fn set_up(&mut self) -> &'static str {
        let theories = self.config.theories;
        let is_sat = self.config.status == Some(ExpectedStatus::Sat);
        self.evaluation = is_sat.then(Evaluation::default);
        self.globals.may_hide = !is_sat;
        self.is_linear = match self.config.arithmetic {
            Arithmetic::BySeed => self.rng.percent(60),
            Arithmetic::Linear => true,
            Arithmetic::Nonlinear => false,
        };
        // z3 supports constant arrays only in the logic `ALL`.
        let may_be_all = theories.has_any(&[Fragment::Arrays, Fragment::Quantifiers]);
        // A named logic does not include a solver's own operators.
        let is_own = matches!(self.config.dialect, ScriptDialect::Z3 | ScriptDialect::Cvc5);
        let needs_all = is_own || may_be_all && !is_sat && self.rng.percent(50);
        self.has_const_arrays = needs_all && !is_sat;
        let logic = logic::name(theories, Needs { nonlinear: !self.is_linear, all: needs_all });
        self.has_const_arrays |= logic == "ALL" && !is_sat;
        self.conjunctions = self.rng.pick(CONJUNCTIONS);
        self.draw_palette();
        // Named logics with bit-vectors only have arrays of bit-vectors.
        self.draw_sorts(logic != "ALL" && theories.has(Fragment::Bv));
        logic
    }

    fn draw_palette(&mut self) {
        let catalog = self.catalog;
        for group in &catalog.groups {
            let mut kept: Vec<OpRef> = group.iter().copied().filter(|_| self.rng.percent(KEPT)).collect();
            if kept.is_empty() {
                kept.clone_from(group);
            }
            self.palette.push(kept);
        }
    }

    fn draw_sorts(&mut self, is_flat: bool) {
        let theories = self.config.theories;
        let has = |fragment| theories.has(fragment);
        if has(Fragment::Bv) {
            for _ in 0..self.rng.between(1, 3) {
                let width = self.draw_width();
                self.universe.add(SmtSort::BitVec(width));
            }
        }
        if has(Fragment::Fp) {
            self.universe.add(SmtSort::RoundingMode);
            for _ in 0..self.rng.between(1, 2) {
                let (exponent, significand) = self.draw_format();
                self.universe.add(SmtSort::Float(exponent, significand));
            }
        }
        if has(Fragment::Ints) || has(Fragment::Strings) {
            self.universe.add(SmtSort::Int);
        }
        if has(Fragment::Reals) {
            self.universe.add(SmtSort::Real);
        }
        if has(Fragment::Strings) {
            self.universe.add(SmtSort::String);
            self.universe.add(SmtSort::RegLan);
        }
        // Arrays need an element sort.
        let is_bare = self.universe.first_class() == [SortId::BOOL] && has(Fragment::Arrays);
        if has(Fragment::Uf) || is_bare && self.evaluation.is_none() {
            self.declare_sort();
        }
        if has(Fragment::Arrays) {
            self.draw_arrays(is_flat || self.evaluation.is_some());
        }
        if has(Fragment::Datatypes) {
            self.declare_datatypes();
        }
        if has(Fragment::Uf) {
            self.declare_functions();
        }
    }

    fn draw_width(&mut self) -> u32 {
        let most = self.config.max_width;
        if self.rng.percent(20) {
            return self.rng.between(1, most);
        }
        let n_fitting = WIDTHS.partition_point(|width| *width <= most);
        // Small widths are more likely, because solvers can solve them.
        let at = self.rng.below(n_fitting as u32).min(self.rng.below(n_fitting as u32));
        WIDTHS[at as usize]
    }

    fn draw_format(&mut self) -> (u32, u32) {
        let most = self.config.max_width.max(SMALLEST_FORMAT);
        let n_fitting = FORMATS.partition_point(|(exponent, significand)| exponent + significand <= most);
        FORMATS[self.rng.below(n_fitting as u32) as usize]
    }

    /// One to three array sorts, possibly nested unless they must be flat.
    fn draw_arrays(&mut self, is_flat: bool) {
        for _ in 0..self.rng.between(1, MAX_ARRAYS) {
            let (mut index, mut element) = (self.some_sort(), self.some_sort());
            if is_flat {
                let mut flat = || self.sort_of(Kind::Bits).unwrap_or(SortId::BOOL);
                (index, element) = (flat(), flat());
            }
            // An index that is an array is legal, but cvc5 does not accept it.
            let is_read = matches!(self.config.dialect, ScriptDialect::Standard | ScriptDialect::Z3);
            if self.universe.kind(index) == Kind::Array && !is_read {
                index = self.sort_of(Kind::Bits).or_else(|| self.sort_of(Kind::Int)).unwrap_or(SortId::BOOL);
            }
            self.universe.add(SmtSort::Array(index, element));
        }
    }
}
