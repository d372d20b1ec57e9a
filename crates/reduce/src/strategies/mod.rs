//! Which passes, in which order.

pub mod auto;
pub mod ddsmt;
pub mod sound;
pub mod substitute;

pub use ddsmt::ddsmt;
pub use sound::{Recursion, sound};
