//! Lanes for overlapping slices: each slice is placed in the first free lane for it.
//!
//! [`assign_lanes`] is for slices that may not overlap within a lane; a caller with another rule, such as slices that
//! nest, keeps its own order and asks the [`LaneTree`].

mod assign;
mod tree;

pub use assign::{Lanes, assign_lanes};
pub use tree::{FREE, LaneTree};
