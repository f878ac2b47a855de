//! Tables as data.

mod column;
mod units;

pub use column::{Better, Bilingual, Datum, TableColumn, TableColumnHead, Unit};
pub use units::{UNIT_COLUMNS, UnitColumn, UnitKind, WorkUnit, unit_columns};
