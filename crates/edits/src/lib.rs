//! Edits as data: what to cut or replace in a subject, and how much that saves.
//!
//! An [`Edit`] is a set of [`Splice`]s on the subject's bytes. Scheduling,
//! merging and rendering are written once for all formats, here and in
//! `reduce`; a [`Pass`] only lists edits of one kind. A candidate is the
//! subject's bytes with spans replaced ([`render`]), never a re-printed tree.
//!
//! ```
//! use nub_edits::{Edit, render};
//! use nub_text::Span;
//! let text = b"(assert (and a b))";
//! let edit = Edit::replace(Span::new(8, 17), b"a".as_slice());
//! assert_eq!(render(text, &edit.splices), b"(assert a)");
//! assert_eq!(edit.gain(), 8);
//! ```

pub mod btor;
pub mod check;
pub mod dag;
pub mod dimacs;
mod edit;
mod merge;
mod pass;
pub mod plain;
mod render;
mod smaller_numbers;
pub mod smtlib;
mod units;

pub use edit::{Edit, Splice};
pub use merge::MergedEdits;
pub use pass::{Grouping, Pass};
pub use render::{render, render_into, trim_before, trim_before_on_line};
