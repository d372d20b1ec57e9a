//! BTOR2: which sort each sort line defines under the new widths.
//!
//! A sort line whose users all need the same new sort is changed in place; arrays are decided before the bit-vectors of
//! which they consist. Any other user is redirected to an earlier line with the sort it needs. No lines are added: they
//! would cost more bytes than narrower sorts save.

use super::write::sort_field;
use crate::btor::BtorView;
use nub_btor::{LineId, Operand, OperandKind, Sort};
use nub_text::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A sort field and the sort it must refer to.
#[derive(Clone, Copy)]
struct Wish<'v> {
    /// The line that has the field.
    by: LineId,
    field: &'v Operand,
    sort: Sort,
}

pub(super) struct NewSorts<'v> {
    view: &'v BtorView,
    wishes: Vec<Wish<'v>>,
    /// Sort lines that change in place.
    changed: BTreeMap<LineId, Sort>,
}

impl<'v> NewSorts<'v> {
    /// Computed from the new sorts of nodes.
    pub fn new(view: &'v BtorView, nodes: impl Iterator<Item = (LineId, Sort)>) -> NewSorts<'v> {
        let mut sorts = NewSorts { view, wishes: Vec::new(), changed: BTreeMap::new() };
        for (node, sort) in nodes {
            for by in view.assignments(node).chain([node]) {
                sorts.wishes.extend(sort_field(view, by).map(|field| Wish { by, field, sort }));
            }
        }
        sorts.decide(Sort::is_array);
        let arrays: Vec<(LineId, Sort)> = sorts.changed.iter().map(|(&line, &sort)| (line, sort)).collect();
        arrays.into_iter().for_each(|(line, sort)| sorts.wish_for_parts(line, sort));
        sorts.decide(|sort| !sort.is_array());
        sorts
    }

    /// An array sort that changes uses the sorts of its indices and elements.
    fn wish_for_parts(&mut self, by: LineId, sort: Sort) {
        let Sort::Array { index, element } = sort else { return };
        let fields = self.view.operands(by).iter().filter(|operand| operand.kind == OperandKind::Sort);
        for (field, width) in fields.zip([index, element]) {
            self.wishes.push(Wish { by, field, sort: Sort::Bits(width) });
        }
    }

    /// Changes sort lines of one kind whose users all need the same new sort.
    fn decide(&mut self, is_kind: impl Fn(Sort) -> bool) {
        let mut wanted: BTreeMap<LineId, (usize, Option<Sort>)> = BTreeMap::new();
        for wish in &self.wishes {
            let Some(line) = wish.field.line else { continue };
            let (n_users, sort) = wanted.entry(line).or_insert((0, Some(wish.sort)));
            *n_users += 1;
            *sort = sort.filter(|&sort| sort == wish.sort);
        }
        for (line, (n_users, sort)) in wanted {
            let Some(old) = self.view.line(line).names.filter(|&names| is_kind(names)) else { continue };
            if let Some(sort) = sort
                && n_users == self.view.uses(line).len()
                && sort != old
            {
                self.changed.insert(line, sort);
            }
        }
    }

    fn says(&self, line: LineId) -> Option<Sort> {
        self.changed.get(&line).copied().or(self.view.line(line).names)
    }

    /// `None` if a sort is needed that no earlier line defines. `sort_lines` are all sort lines of the file.
    pub fn write(&self, sort_lines: &[LineId], splices: &mut Vec<(Span, Vec<u8>)>) -> Option<()> {
        let mut first: FxHashMap<Sort, LineId> = FxHashMap::default();
        for &line in sort_lines {
            if let Some(sort) = self.says(line) {
                first.entry(sort).or_insert(line);
            }
        }
        for wish in &self.wishes {
            if wish.field.line.and_then(|line| self.says(line)) != Some(wish.sort) {
                let line = first.get(&wish.sort).filter(|&&line| line < wish.by)?;
                splices.push((wish.field.span, self.view.reference((*line).into())));
            }
        }
        for (&line, &sort) in &self.changed {
            let number = self.view.operands(line).first();
            if let (Sort::Bits(width), Some(number)) = (sort, number) {
                splices.push((number.span, width.to_string().into_bytes()));
            }
        }
        Some(())
    }
}
