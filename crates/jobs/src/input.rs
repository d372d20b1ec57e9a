//! Files that a request names.

use crate::context::{JobContext, StandardInput};
use crate::failure::Failure;
use crate::unreadable::unreadable;
use std::io::Read;
use std::path::Path;

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    checked(path, std::fs::File::open(path))
}

/// The bytes of a file, or of standard input for `-`.
pub fn read_or_stdin(path: &Path, context: &JobContext) -> Result<Vec<u8>, Failure> {
    if path.as_os_str() != "-" {
        return read(path);
    }
    if context.stdin == StandardInput::Refused {
        return Err(Failure::usage("standard input cannot be read here").with_hint("name a file"));
    }
    checked(path, Ok(std::io::stdin().lock()))
}

/// A device may have no end: what is too large is not read to its end.
fn checked(path: &Path, source: std::io::Result<impl Read>) -> Result<Vec<u8>, Failure> {
    let read = |source: &mut dyn Read| {
        let mut text = Vec::new();
        source.take(nub_text::MAX_INPUT as u64 + 1).read_to_end(&mut text).map(|_| text)
    };
    match source.and_then(|mut source| read(&mut source)) {
        Ok(text) if text.len() > nub_text::MAX_INPUT => {
            Err(Failure::usage(format!("{}: files of more than 4 GiB are not supported", path.display())))
        }
        Ok(text) => Ok(text),
        Err(error) => Err(unreadable(path, &error)),
    }
}
