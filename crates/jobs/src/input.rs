//! Files that a request names.

use crate::context::{JobContext, StandardInput};
use crate::failure::Failure;
use crate::unreadable::unreadable;
use std::io::Read;
use std::path::Path;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    checked(path, std::fs::read(path))
}

/// The bytes of a file, or of standard input for `-`.
pub fn read_or_stdin(path: &Path, context: &JobContext) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() != "-" {
        return read(path);
    }
    if context.stdin == StandardInput::Refused {
        return Err(Failure::usage("standard input cannot be read here").with_hint("name a file"));
    }
    let mut text = Vec::new();
    checked(path, std::io::stdin().lock().read_to_end(&mut text).map(|_| text))
}

fn checked(path: &Path, read: std::io::Result<Vec<u8>>) -> Result<Vec<u8>, Failure> {
    match read {
        Ok(text) if text.len() > nub_text::MAX_INPUT => {
            Err(Failure::usage(format!("{}: files of more than 4 GiB are not supported", path.display())))
        }
        Ok(text) => Ok(text),
        Err(error) => Err(unreadable(path, &error)),
    }
}
