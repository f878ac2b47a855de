//! Views of many devices as one run: the page of all ranks, one Perfetto trace on the aligned clock, Parquet tables,
//! and a summary in lines.
#![forbid(unsafe_code)]

mod page;
mod summary;
mod table_file;
mod tables;
mod trace;

pub use page::{PAGE_FILE, RankPage, write_page};
pub use summary::summary;
pub use tables::{TABLES, rows_of_tables, write_tables};
pub use trace::{
    CoreEvent, CoreTrack, Cores, TRACE_FILE, core_bytes_at_most, trace_bytes_at_most, write_trace,
};
