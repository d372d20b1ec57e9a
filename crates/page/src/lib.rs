//! The files that the browser loads. One page shows everything that nub does, in two ways:
//!
//! - `nub workbench` serves the [`document`] and its [`asset`]s, and answers the requests of the page;
//! - a report (`--html`) is a [`ReportPage`]: the same modules and the same view in one file, with the answers inside. It
//!   needs no server and loads nothing.
//!
//! So both share one look and one code base. The files are in `files/`: plain JavaScript modules, no build step.
//!
//! ```
//! use nub_page::{ReportPage, PageView};
//!
//! let page = ReportPage::new(PageView::Cover, "f.c").answer(&["/api/file", "f.c"], &"int f(void);");
//! assert!(page.html().starts_with("<!doctype html>"));
//! ```

mod assets;
mod base64;
mod modules;
mod report;

pub use assets::{CLOSED, asset, document};
pub use report::{PageView, ReportPage};
