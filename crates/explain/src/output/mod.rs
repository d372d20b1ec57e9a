//! Reports of an explanation: for people, programs, code review tools and browsers. One file per format; each is a function of [`ExplainReport`].

mod cause;
mod columns;
mod place;
mod properties;
mod ranking;
mod reference;
mod runs;
mod sarif;
mod text;
mod trace;

pub use cause::cause_text;
pub use properties::properties;
pub use sarif::sarif;
pub use text::{Detail, report_text, text};

pub use nub_report::explain::{Compiled, ExplainReport, Reference};
