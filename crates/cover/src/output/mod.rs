//! Reports as text: for people, spreadsheets, compilers and auditors. One file per format; each is a function of the report.

mod c_file;
mod columns;
mod csv;
mod ctest;
mod listed_inputs;
mod markdown;
mod mutants;
mod table;
mod unity;

pub use c_file::{c_file, data, one_text};
pub use csv::csv;
pub use ctest::ctest;
pub use markdown::markdown;
pub use table::table;
pub use unity::unity;
