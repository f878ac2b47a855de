//! Tables as data.

mod column;
mod kernels;

pub use column::{Better, Bilingual, Datum, TableColumn, TableColumnHead, Unit};
pub use kernels::{KERNEL_COLUMNS, KernelColumn, KernelRow, kernel_columns};
