//! The workbench: a local page that shows what nub does, and its server.
//!
//! [`Workbench::new`] takes [`WorkbenchOptions`] (folders, registered programs, a port), [`Workbench::bind`] takes a port of the
//! loopback interface, and [`Listening::serve`] answers until it is cancelled. The page itself is in `nub_page`: plain
//! JavaScript modules that are part of the binary, with no build step.
//!
//! Any web page that a browser shows can reach a local port. So every request passes [`guard`] first: the right `Host`, no
//! foreign origin, a session cookie, and for every request that changes something, a second token that only our own page
//! can read. A request never carries a command line: it names a registered program. Only files below the given folders are
//! opened; the kernel checks that ([`roots`]).
//!
//! Work is done by `nub_jobs`; this crate translates forms into requests ([`forms`]) and passes events on.

mod answer;
mod api;
mod command_line;
mod console;
mod doctor;
mod examples;
mod files;
mod forms;
mod found;
mod graph;
pub mod guard;
mod headline;
mod job;
mod job_api;
mod job_page;
mod launch;
mod limits;
mod options;
mod page;
mod requests;
pub mod roots;
mod secret;
mod server;
mod setup;
mod source;
mod work;

pub use options::{RegisteredProgram, WorkbenchOptions};
pub use server::{Listening, Workbench, WorkbenchError};
pub use setup::WorkbenchRequest;
