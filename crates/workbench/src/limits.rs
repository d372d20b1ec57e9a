//! Every bound of the server, in one place.

use std::time::Duration;

/// Bytes of a request body: a pasted file of 16 MiB, escaped as JSON.
pub const BODY_BYTES: usize = 32 << 20;
/// Bytes of all headers of a request together.
pub const HEADER_BYTES: usize = 16 << 10;
/// Header lines of a request.
pub const N_HEADERS: usize = 64;
/// Connections at once. A browser opens six.
pub const N_CONNECTIONS: usize = 128;
/// Time until the headers of a request are complete.
pub const HEADER_TIME: Duration = Duration::from_secs(10);
/// Time until the body of a request is complete.
pub const BODY_TIME: Duration = Duration::from_secs(30);
/// Bytes of a file that is shown.
pub const FILE_BYTES: u64 = 64 << 20;
/// Entries of a folder that are listed.
pub const N_ENTRIES: usize = 2_000;
/// How many jobs may run at once; others are refused until one ends.
pub const N_RUNNING: usize = 4;
/// Time that a program may take in the console.
pub const CONSOLE_TIME: Duration = Duration::from_secs(20);
/// Bytes of each stream that the console shows.
pub const CONSOLE_BYTES: usize = 256 << 10;
/// Links for other browsers that are valid at once; the oldest is dropped.
pub const N_LINKS: usize = 8;
/// Time that jobs have to finish when the server ends.
pub const FAREWELL_TIME: Duration = Duration::from_secs(10);
