//! Public, versioned result types and their JSON.
//!
//! `nub reduce --json` prints one [`Event`] per line. Every event has a `version` and a `type`; readers skip types and
//! fields they do not know. A change that could break a reader raises [`VERSION`]. `docs/json.md` is the description
//! for users, and the tests below hold it to the types.
//!
//! ```
//! use nub_report::{Accepted, Event};
//! let event = Event::Accepted(Accepted { bytes: 120, asks: 7, accepted: 2, pass: "commands".into(), seconds: 0.25 });
//! assert_eq!(
//!     event.to_line(),
//!     r#"{"version":1,"type":"accepted","bytes":120,"asks":7,"accepted":2,"pass":"commands","seconds":0.25}"#
//! );
//! ```

mod compare;
pub mod fuzz;
mod fuzz_page;
mod reduce;

pub use compare::{Comparison, FailedFile, Outcome, Row, Subject};
pub use fuzz_page::campaign_page;
pub use reduce::{
    Accepted, Confirmed, End, Event, Fault, PassYield, Place, Refused, Size, StageSize, Start, StopReason,
    VERSION,
};
