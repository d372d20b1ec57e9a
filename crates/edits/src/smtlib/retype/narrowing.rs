//! What the passes on widths share: a model, its widths, and how choices become edits.

use super::Model;
use super::listing::Listing;
use super::solve::{lower, raise};
use super::widths::{Dim, Measure, Widths};
use super::write::SiteIndex;
use crate::Edit;
use crate::smtlib::SmtView;

/// A floating-point format: bits of the exponent and of the significand.
#[derive(Clone, Copy)]
pub(in crate::smtlib) struct FpBits {
    pub exponent: u32,
    pub significand: u32,
}

/// A file whose widths can be narrowed, and the edits listed so far.
pub(in crate::smtlib) struct Narrowing<'v> {
    model: Model<'v>,
    widths: Widths,
    index: SiteIndex,
    /// Consistent widths, as small as known.
    floor: Vec<u32>,
    listing: Listing,
}

impl<'v> Narrowing<'v> {
    /// `None` if the file is too large or not understood.
    pub(in crate::smtlib) fn new(view: &'v SmtView) -> Option<Narrowing<'v>> {
        let mut model = Model::new(view)?;
        let widths = Widths::new(&mut model);
        let floor = raise(&widths, widths.least.clone())?;
        let index = model.by_dim(&widths);
        Some(Narrowing { model, widths, index, floor, listing: Listing::default() })
    }

    /// Dimensions that can shrink, in the order of their classes.
    pub(in crate::smtlib) fn dims(&self) -> impl Iterator<Item = Dim> + '_ {
        (0..self.widths.values.len() as u32).map(Dim).filter(|&dim| self.floor(dim) < self.value(dim))
    }

    /// The value of a dimension in the file.
    pub(in crate::smtlib) fn value(&self, dim: Dim) -> u32 {
        self.widths.values[dim.index()]
    }

    /// The smallest value that other dimensions allow.
    pub(in crate::smtlib) fn floor(&self, dim: Dim) -> u32 {
        self.floor[dim.index()]
    }

    /// What a dimension measures.
    pub(in crate::smtlib) fn measure(&self, dim: Dim) -> Measure {
        self.widths.measures[dim.index()]
    }

    /// Number of places that depend on a dimension.
    pub(in crate::smtlib) fn n_sites(&self, dim: Dim) -> usize {
        self.index.count(dim)
    }

    /// Lists the edit that gives each bit-vector a width as close to the wanted one as the others allow; floats do not change.
    pub(in crate::smtlib) fn bit_vectors_to(&mut self, wanted: impl Fn(u32) -> u32) {
        let start = (0..self.widths.values.len())
            .map(|at| match self.widths.measures[at] {
                Measure::Bits => {
                    wanted(self.widths.values[at]).clamp(self.widths.least[at], self.widths.values[at])
                }
                _ => self.widths.values[at],
            })
            .collect();
        let solution = raise(&self.widths, start);
        self.list_narrower(solution);
    }

    /// Lists the edit that gives all floats one format, which may be wider than theirs, if that makes the file shorter and
    /// no bit-vector depends on it.
    pub(in crate::smtlib) fn floats_to(&mut self, format: FpBits) {
        let Widths { values, measures, is_fixed, .. } = &self.widths;
        let wanted = |at: usize| match measures[at] {
            Measure::Exponent if !is_fixed[at] => format.exponent,
            Measure::Significand if !is_fixed[at] => format.significand,
            _ => values[at],
        };
        let solution: Vec<u32> = (0..values.len()).map(wanted).collect();
        if self.widths.rules.iter().all(|rule| rule.holds(&solution)) {
            let edit = self.model.narrow(&self.widths, &self.index, &solution);
            self.listing.push(edit.filter(|edit| edit.gain() > 0));
        }
    }

    /// Lists the edit that narrows some dimensions, and others as far as they depend on them.
    pub(in crate::smtlib) fn narrow(&mut self, choice: &[(Dim, u32)]) {
        let mut start = self.widths.values.clone();
        let mut changed = Vec::with_capacity(choice.len());
        for &(dim, wanted) in choice {
            let value = wanted.max(self.floor(dim));
            if value < start[dim.index()] {
                start[dim.index()] = value;
                changed.push(dim);
            }
        }
        if !changed.is_empty() {
            let solution = lower(&self.widths, start, &changed, &self.floor);
            self.list_narrower(solution);
        }
    }

    fn list_narrower(&mut self, solution: Option<Vec<u32>>) {
        let is_narrower = |new: &Vec<u32>| new.iter().zip(&self.widths.values).all(|(new, old)| new <= old);
        debug_assert!(solution.as_ref().is_none_or(is_narrower));
        self.list(solution);
    }

    fn list(&mut self, solution: Option<Vec<u32>>) {
        let Some(solution) = solution.filter(|solution| self.listing.is_new(solution)) else { return };
        debug_assert!(self.widths.rules.iter().all(|rule| rule.holds(&solution)));
        self.listing.push(self.model.narrow(&self.widths, &self.index, &solution));
    }

    /// True if no more edits are accepted.
    pub(in crate::smtlib) fn is_full(&self) -> bool {
        self.listing.is_full()
    }

    /// The edits listed.
    pub(in crate::smtlib) fn into_edits(self) -> Vec<Edit> {
        self.listing.into_edits()
    }
}
