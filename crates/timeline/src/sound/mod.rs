//! What is sound in a monitor block, and what is put right before anything else (section 5.0): torn and zeroed records,
//! doubled and exchanged ones, and times that can't be.

mod order;
mod pieces;
mod ports;
mod times;

pub(crate) use order::{OrderFault, repair_order};
pub use pieces::Records;
pub(crate) use pieces::{Hole, Piece, Places, pieces};
pub(crate) use ports::{repair_port_times, repair_thread_ids};
pub(crate) use times::{TimeFault, repair_times};

/// Fewer records say too little to tell damage from another way of writing.
const FEWEST_RECORDS: usize = 23;
/// Damage is rare: a fault in more than one of so many records is a way of writing.
const RECORDS_PER_FAULT: usize = 16;

/// Cycles from one reading of a 32-bit counter to another, at most half a turn forth or back.
fn cycles_between(from: u32, to: u32) -> i64 {
    i64::from(to.wrapping_sub(from) as i32)
}
