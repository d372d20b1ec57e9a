//! The parent's ends of a child's standard streams, read and written without blocking.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;

use rustix::io::{Errno, ioctl_fionbio, ioctl_fionread};

use crate::outcome::CapturedOutput;

/// Bytes moved by one system call; the usual capacity of a pipe.
const CHUNK: usize = 1 << 16;
/// System calls on one stream before the loop looks at its other descriptors and the clock.
const MAX_CHUNKS: usize = 16;

/// An output stream of the child. Its first `keep` bytes are kept, the rest only counted.
pub(crate) struct Capture {
    /// `None` after the end of the stream.
    pub pipe: Option<OwnedFd>,
    output: CapturedOutput,
    keep: usize,
}

impl Capture {
    pub(crate) fn new(pipe: OwnedFd, keep: usize) -> io::Result<Capture> {
        ioctl_fionbio(&pipe, true)?;
        Ok(Capture { pipe: Some(pipe), output: CapturedOutput::default(), keep })
    }

    pub(crate) fn total(&self) -> u64 {
        self.output.total
    }

    pub(crate) fn into_output(self) -> CapturedOutput {
        self.output
    }

    /// Reads what is available, up to a limit.
    pub(crate) fn read(&mut self, scratch: &mut Scratch) {
        for _ in 0..MAX_CHUNKS {
            if self.read_chunk(scratch, CHUNK) < CHUNK {
                break;
            }
        }
    }

    /// Reads only what is available now, however quickly others write.
    pub(crate) fn drain(&mut self, scratch: &mut Scratch) {
        let available = self.pipe.as_ref().and_then(|pipe| ioctl_fionread(pipe).ok());
        let mut left = available.unwrap_or(0);
        while left > 0 {
            let length = self.read_chunk(scratch, usize::try_from(left).unwrap_or(CHUNK).min(CHUNK));
            if length == 0 {
                break;
            }
            left = left.saturating_sub(length as u64);
        }
    }

    /// Returns 0 when there is nothing to read, now or ever.
    fn read_chunk(&mut self, scratch: &mut Scratch, most: usize) -> usize {
        let Some(pipe) = &self.pipe else { return 0 };
        let buffer = scratch.get();
        match rustix::io::retry_on_intr(|| rustix::io::read(pipe, &mut buffer[..most])) {
            Ok(length) if length > 0 => {
                let room = self.keep - self.output.bytes.len();
                self.output.bytes.extend_from_slice(&buffer[..length.min(room)]);
                self.output.total += length as u64;
                length
            }
            Err(Errno::AGAIN) => 0,
            // End of file and an unreadable pipe are treated the same.
            Ok(_) | Err(_) => {
                self.pipe = None;
                0
            }
        }
    }
}

/// The standard input of the child, fed from memory.
pub(crate) struct Feed {
    /// `None` when all is written or the child stopped reading.
    pub pipe: Option<OwnedFd>,
    bytes: Arc<[u8]>,
    written: usize,
}

impl Feed {
    pub(crate) fn new(pipe: OwnedFd, bytes: Arc<[u8]>) -> io::Result<Feed> {
        ioctl_fionbio(&pipe, true)?;
        Ok(Feed { pipe: Some(pipe), bytes, written: 0 })
    }

    /// Writes what fits. Closes the pipe at the end of the bytes, and on EPIPE.
    pub(crate) fn write(&mut self) {
        while let Some(pipe) = &self.pipe {
            let rest = &self.bytes[self.written..];
            if rest.is_empty() {
                self.pipe = None;
                break;
            }
            let chunk = &rest[..rest.len().min(CHUNK)];
            match rustix::io::retry_on_intr(|| rustix::io::write(pipe, chunk)) {
                Ok(length) => self.written += length,
                Err(Errno::AGAIN) => break,
                Err(_) => self.pipe = None,
            }
        }
    }
}

/// A buffer made at the first read: most solver runs in a reduction print a line or nothing.
#[derive(Default)]
pub(crate) struct Scratch(Vec<u8>);

impl Scratch {
    fn get(&mut self) -> &mut [u8] {
        self.0.resize(CHUNK, 0);
        &mut self.0
    }
}
