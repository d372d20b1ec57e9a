//! Stack traces in the output of a dying program, normalised so that two can be compared.
//!
//! | written by | line |
//! |---|---|
//! | sanitizers | `#2 0x55d1 in elim_vars /src/btorder.c:401:7` |
//! | gdb | `#2  0x000055d1 in elim_vars (btor=0x1) at btorder.c:401` |
//! | glibc `backtrace` | `./boolector(elim_vars+0x1a) [0x401136]` |
//! | Rust | `2: nub::elim_vars` and below it `at src/der.rs:401:7` |
//! | Java | `at org.smt.Der.elimVars(Der.java:401)` |
//! | Python | `File "der.py", line 401, in elim_vars` |
//!
//! All become `elim_vars at btorder.c:401`, innermost first; the place is omitted if it is unknown. Frames of libc, of
//! sanitizers, allocators and language runtimes are dropped: they say how the program died, not where. Recursion is
//! folded, since its depth depends on the input and not on the bug. Of several traces the first counts: in a
//! sanitizer's report the later ones show where memory was allocated.

mod common;
mod fold;
mod frames;
mod machinery;

pub(crate) use common::function as stack_function;
pub use common::{have_common_origin, informative};

use frames::{Frame, frame_of};

/// How many lines are examined; a trace is near the start or the end of its stream.
const MAX_LINES: usize = 20_000;
/// How many bytes of a line are examined.
const MAX_LINE_BYTES: usize = 4_096;
/// Frames kept.
const MAX_FRAMES: usize = 64;
/// Frames read before folding; sanitizers stop at 256.
const MAX_READ: usize = 1_024;

/// The first stack trace in a stream, normalised; empty if there is none.
#[must_use]
pub fn read_stack(stream: &[u8]) -> Vec<String> {
    let mut found: Vec<Frame> = Vec::new();
    let mut python: Vec<Frame> = Vec::new();
    for line in stream.split(|byte| *byte == b'\n').take(MAX_LINES) {
        let line = String::from_utf8_lossy(&line[..line.len().min(MAX_LINE_BYTES)]);
        if line.starts_with("Traceback (most recent call last)") {
            // The last traceback ended the program; earlier ones were being handled.
            python.clear();
        }
        match frame_of(&line) {
            Some(Frame { number: Some(0), .. }) if !found.is_empty() => break,
            Some(frame) if frame.is_python => python.push(frame),
            // gdb: the frames above belong to the handler, the cause is below.
            Some(frame) if frame.function == "<signal handler called>" => found.clear(),
            Some(frame) => found.push(frame),
            None => frames::add_place(found.last_mut(), &line),
        }
        if found.len() >= MAX_READ || python.len() >= MAX_READ {
            break;
        }
    }
    if found.is_empty() {
        python.reverse();
        found = python;
    }
    normalise(found)
}

fn normalise(frames: Vec<Frame>) -> Vec<String> {
    let kept = frames.into_iter().filter(|frame| !machinery::is_machinery(&frame.function));
    let mut frames = fold::fold(kept.collect());
    frames.truncate(MAX_FRAMES);
    frames.iter().map(Frame::text).collect()
}
