//! Units of work of a static model, and what each did: layers, and the blocks that they are in. `tables` has the columns that they
//! share with kernel functions.

mod blocks;
mod layers;
mod unit_work;

pub use blocks::{BlockRow, TreeLine};
pub use layers::LayerRow;
pub use unit_work::UnitWork;
