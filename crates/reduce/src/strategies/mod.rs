//! Which passes, in which order.

pub mod auto;
