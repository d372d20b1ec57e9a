//! Laws about the whole command line.

mod documents;
mod options;

use super::Cli;
