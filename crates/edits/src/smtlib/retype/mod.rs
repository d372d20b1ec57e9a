//! Sorts that can change throughout the file: the basis of the passes that narrow widths and simplify sorts.
//!
//! Every written sort and every term has a *sort variable*; operators determine which variables are the same
//! ([`classes`]), and how widths depend on each other ([`widths`]). A class of variables is everything that must
//! change together:
//!
//! ```text
//! (declare-const x (_ BitVec 8))          x, y and the literal are one class of width 8,
//! (declare-fun y () (_ BitVec 8))         the result of the extension is another one of width 16,
//! (assert (= ((_ zero_extend 8) (bvadd x y #x01)) z))         and the index is their difference
//! ```
//!
//! 1. [`Model::new`] reads the variables, the classes and the [`Site`]s, which are the places where text depends on a
//!    class: a sort, a literal, an index. Linear in the file.
//! 2. A pass picks new sorts for classes; [`widths::Widths`] makes them consistent.
//! 3. [`write`] turns the difference into the splices of one edit. Linear in the number of sites that change.
//!
//! Whatever is not understood is *fixed*: a class with an unknown operator, an unknown sort, a
//! parametric datatype, or a function used as a value never changes. So in a file with exotic parts the ordinary
//! parts are still narrowed.

mod applications;
mod build;
mod classes;
mod declarations;
mod listing;
mod literal;
mod narrowing;
mod operators;
mod sites;
mod solve;
mod widths;
mod write;

#[cfg(test)]
mod tests;

pub(super) use build::Model;
pub(super) use classes::Var;
pub(super) use listing::Listing;
pub(super) use narrowing::{FpBits, Narrowing};
pub(super) use sites::Target;
pub(super) use widths::{Dim, Measure};
pub(super) use write::SiteIndex;

/// Files with more terms are not changed: other passes make them smaller first.
const MAX_TERMS: usize = 200_000;
/// Limit on the sort variables of one file. Additional ones are fixed, which loses edits but is never wrong.
const MAX_VARS: usize = 1 << 21;
