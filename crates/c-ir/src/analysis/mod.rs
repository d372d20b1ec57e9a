//! Facts about a program that follow from its graphs alone.

mod calls;
mod checkers;
mod control;
mod order;
mod purity;

pub use calls::reached;
pub use checkers::{checkers, is_reference};
pub use control::deciding;
pub use order::leaves_order_open;
pub use purity::{direct_callees, is_pure, writes_only_locals};
