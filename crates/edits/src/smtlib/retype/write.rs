//! From new sorts of classes to the splices of an edit.

use super::literal::narrow;
use super::sites::{Site, Target};
use super::widths::{Dim, Widths};
use super::{Model, Var};
use crate::Edit;
use crate::smtlib::SmtView;
use nub_smtlib::{NodeId, NodeKind, SmtSort};
use nub_text::Span;

/// Sites by what they depend on: a dimension or a class.
pub(in crate::smtlib) struct SiteIndex {
    starts: Vec<u32>,
    sites: Vec<u32>,
}

impl SiteIndex {
    /// Sorts pairs of key and site by key.
    fn new(n_keys: usize, mut pairs: Vec<(u32, u32)>) -> SiteIndex {
        pairs.sort_unstable();
        let mut starts = vec![0u32; n_keys + 1];
        for &(key, _) in &pairs {
            starts[key as usize + 1] += 1;
        }
        for at in 0..n_keys {
            starts[at + 1] += starts[at];
        }
        SiteIndex { starts, sites: pairs.into_iter().map(|(_, site)| site).collect() }
    }

    fn get(&self, key: u32) -> &[u32] {
        &self.sites[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize]
    }

    /// Number of sites that depend on a dimension.
    pub(in crate::smtlib) fn count(&self, dim: Dim) -> usize {
        self.get(dim.0).len()
    }
}

impl Model<'_> {
    /// Sites by dimension.
    pub(in crate::smtlib) fn by_dim(&mut self, widths: &Widths) -> SiteIndex {
        let mut pairs = Vec::new();
        for (at, (var, site)) in (0..).zip(&self.sites) {
            let other = match site {
                Site::Extend(_, other) | Site::Repeat(_, other) | Site::Extract(_, other) => Some(*other),
                _ => None,
            };
            for var in [Some(*var), other].into_iter().flatten() {
                pairs.extend(widths.dims(&mut self.classes, var).map(|dim| (dim.0, at)));
            }
        }
        SiteIndex::new(widths.values.len(), pairs)
    }

    /// Sites by class.
    pub(in crate::smtlib) fn by_class(&mut self) -> SiteIndex {
        let mut pairs = Vec::new();
        for (at, (var, _)) in (0..).zip(&self.sites) {
            pairs.push((self.classes.find(*var).0, at));
        }
        SiteIndex::new(self.classes.len(), pairs)
    }

    /// The edit that gives the dimensions new values; `None` if no text depends on the change.
    pub(in crate::smtlib) fn narrow(
        &mut self,
        widths: &Widths,
        index: &SiteIndex,
        new: &[u32],
    ) -> Option<Edit> {
        let changed = (0..).zip(widths.values.iter().zip(new)).filter(|(_, (old, new))| old != new);
        let mut sites: Vec<u32> = changed.flat_map(|(dim, _)| index.get(dim)).copied().collect();
        sites.sort_unstable();
        sites.dedup();
        let mut splices: Vec<(Span, Vec<u8>)> = Vec::new();
        for at in sites {
            let (var, site) = self.sites[at as usize];
            self.splice(widths, var, site, new, &mut splices)?;
        }
        splices.retain(|(span, text)| span.slice(self.view.text()) != &text[..]);
        if splices.is_empty() { None } else { Edit::try_of(splices) }
    }

    fn splice(
        &mut self,
        widths: &Widths,
        var: Var,
        site: Site,
        new: &[u32],
        splices: &mut Vec<(Span, Vec<u8>)>,
    ) -> Option<()> {
        let view = self.view;
        let values: Vec<u32> = widths.dims(&mut self.classes, var).map(|dim| new[dim.index()]).collect();
        let width = *values.first()?;
        let number = |node: NodeId, value: u32| (view.span(node), value.to_string().into_bytes());
        match site {
            Site::Sort(node) => splices.push((view.span(node), self.sort_text(&values))),
            Site::Literal(node, bits) => splices.push((view.span(node), narrow(view, node, bits, width))),
            Site::Indices(first) => {
                splices.extend(siblings(view, first).zip(&values).map(|(node, &value)| number(node, value)));
            }
            Site::Extend(index, arg) => {
                splices.push(number(index, width.checked_sub(self.value(widths, arg, new)?)?))
            }
            Site::Repeat(index, arg) => {
                splices.push(number(index, width.checked_div(self.value(widths, arg, new)?)?))
            }
            Site::Extract(high, arg) => {
                let source = self.value(widths, arg, new)?;
                let low = siblings(view, high).nth(1)?;
                // The same low end if that still fits, otherwise as high as possible.
                let start = numeral(view, low)?.min(source.checked_sub(width)?);
                splices.extend([number(high, start + width - 1), number(low, start)]);
            }
            Site::Bit(index) => splices.push(number(index, numeral(view, index)?.min(width.checked_sub(1)?))),
        }
        Some(())
    }

    /// A bit-vector or float sort, in the shortest notation.
    fn sort_text(&self, values: &[u32]) -> Vec<u8> {
        let short = match values {
            [width] => return format!("(_ BitVec {width})").into_bytes(),
            _ if self.hides_float_names => None,
            [5, 11] => Some("Float16"),
            [8, 24] => Some("Float32"),
            [11, 53] => Some("Float64"),
            [15, 113] => Some("Float128"),
            _ => None,
        };
        short
            .map_or_else(|| format!("(_ FloatingPoint {} {})", values[0], values[1]), str::to_owned)
            .into_bytes()
    }

    fn value(&mut self, widths: &Widths, var: Var, new: &[u32]) -> Option<u32> {
        widths.dims(&mut self.classes, var).next().map(|dim| new[dim.index()])
    }

    /// Classes that a sort of another kind can replace, with the number of their sites.
    pub(in crate::smtlib) fn free_classes(&mut self, index: &SiteIndex) -> Vec<(Var, usize)> {
        let all = (0..self.classes.len() as u32).map(Var);
        all.map(|var| (var, index.get(var.0).len()))
            .filter(|&(var, n_sites)| n_sites > 0 && self.classes.is_free(var))
            .collect()
    }

    /// True if the class is an index or element of arrays.
    pub(in crate::smtlib) fn is_array_part(&mut self, class: Var) -> bool {
        self.classes.is_array_part(class)
    }

    /// The sort of a class.
    pub(in crate::smtlib) fn sort(&self, class: Var) -> &SmtSort {
        self.view.analysis().sorts().get(self.classes.sort(class))
    }

    /// The edit that gives a class another sort; `None` if its literals have no counterpart in that sort.
    pub(in crate::smtlib) fn replace(&self, index: &SiteIndex, class: Var, target: &Target) -> Option<Edit> {
        let mut splices: Vec<(Span, Vec<u8>)> = Vec::new();
        for &at in index.get(class.0) {
            let (node, text) = match self.sites[at as usize].1 {
                Site::Sort(node) => (node, target.sort.clone()),
                Site::Literal(node, _) => {
                    let (zero, other) = target.literals?;
                    (node, if is_zero(self.view, node) { zero } else { other }.to_vec())
                }
                _ => return None,
            };
            splices.push((self.view.span(node), text));
        }
        splices.retain(|(span, text)| span.slice(self.view.text()) != &text[..]);
        splices.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
        // In ill-sorted files, a class may contain a sort and a part of it.
        let nested = splices.windows(2).any(|pair| pair[0].0.overlaps(pair[1].0));
        if nested || splices.is_empty() { None } else { Edit::try_of(splices) }
    }
}

/// A node and those after it in its list.
fn siblings(view: &SmtView, first: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    let end = view.tree().parent(first).map_or(first, |list| view.tree().after(list));
    std::iter::successors(Some(first), move |&node| Some(view.tree().after(node)).filter(|&next| next < end))
}

fn numeral(view: &SmtView, node: NodeId) -> Option<u32> {
    std::str::from_utf8(view.slice(node)).ok()?.parse().ok()
}

/// True if a literal is zero, or empty.
fn is_zero(view: &SmtView, node: NodeId) -> bool {
    let text = view.slice(node);
    match view.tree().kind(node) {
        NodeKind::List => view.tree().child(node, 1).is_some_and(|name| view.slice(name) == b"bv0"),
        NodeKind::String => text == b"\"\"",
        NodeKind::Hex | NodeKind::Binary => text[2..].iter().all(|&digit| digit == b'0'),
        _ => text.iter().all(|&digit| matches!(digit, b'0' | b'.')),
    }
}
