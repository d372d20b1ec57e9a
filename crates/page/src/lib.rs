//! What the browser loads. One page shows all of nub, and there are two ways to it:
//!
//! - `nub workbench` serves the [`document`] and its [`asset`]s, and answers what the page asks;
//! - a report (`--html`) is a [`ReportPage`]: the same modules and the same view in one file, with the answers inside. It
//!   needs no server and loads nothing.
//!
//! So there is one look and one code for both. The files are in `files/`: plain modules of JavaScript, no build step.
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
