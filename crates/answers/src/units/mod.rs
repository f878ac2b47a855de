//! Units of work, and what each did: layers of a static model, and the blocks that they are in. `tables` has the columns that they
//! share with kernel functions and steps.

mod blocks;
mod layers;
mod sums;
mod unit_work;

pub use blocks::{BlockRow, BlockRun, TreeLine};
pub use layers::LayerRow;
pub(crate) use sums::Sums;
pub use unit_work::UnitWork;
