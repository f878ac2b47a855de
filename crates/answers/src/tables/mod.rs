//! Tables as data.

mod column;
mod units;

pub use column::{Better, Bilingual, Datum, TableColumn, TableColumnHead, Unit};
pub use units::{
    KERNEL_COLUMNS, PHASE_COLUMNS, UNIT_COLUMNS, UnitColumn, UnitKind, WorkUnit, unit_columns,
};
