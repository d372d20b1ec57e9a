//! Passes on any text, one file each: lines, balanced brackets, strings, words, numbers, bytes.
//!
//! They know nothing about the format, and the bytes need not even be text. Listing edits takes linear time and memory, and the number
//! of edits has a named limit; if there are more places than that, several are combined.

pub mod blanks;
pub mod brackets;
pub mod bytes;
pub mod check;
pub mod lines;
pub mod names;
pub mod nests;
pub mod numbers;
mod render;
pub mod strings;
mod view;
pub mod words;

pub use render::render;
pub use view::PlainView;
