//! The files of a joined cluster.

use bigtpu_cluster::Joined;
use bigtpu_emit_cluster::{
    RankPage, TRACE_FILE, rows_of_tables, trace_bytes_at_most, write_page, write_tables,
    write_trace,
};
use bigtpu_output::{ByLibrary, OutDir, Written};

use super::error::ClusterError;
use crate::outputs::CLUSTER_REPORT;
use crate::size::size;

/// A view of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// All ranks on one page.
    Page,
    /// All ranks on one clock, for Perfetto.
    Trace,
    /// `cluster.json`.
    Report,
    /// Operations, pairs, states and links as Parquet.
    Tables,
}

/// Bytes above which the trace is written only if it is asked for: viewers open no larger ones.
const MOST_TRACE: u64 = 2 << 30;

/// Rows above which the tables of pairs and states are written only if they are asked for.
const MOST_ROWS: u64 = 8 << 20;

/// What was written, and what was not.
pub(crate) struct Views {
    pub(crate) report: String,
    pub(crate) written: Vec<Written>,
    pub(crate) notes: Vec<String>,
}

/// Writes the views that are asked for; without a choice all that are of use. `pages`: pages of single ranks.
pub(crate) fn write(
    joined: &Joined,
    asked: &[View],
    pages: &[RankPage],
    out: &OutDir,
) -> Result<Views, ClusterError> {
    let wants = |view| asked.is_empty() || asked.contains(&view);
    let report = serde_json::to_string_pretty(&joined.cluster)? + "\n";
    let (mut written, mut notes) = (Vec::new(), Vec::new());
    if wants(View::Page) {
        written.push(write_page(joined, pages, out)?);
    }
    if wants(View::Trace) {
        let bytes = trace_bytes_at_most(joined, MOST_TRACE);
        if bytes > MOST_TRACE && asked.is_empty() {
            notes.push(format!(
                "{TRACE_FILE} is left out: it would take up to {}; --emit trace writes it",
                size(bytes)
            ));
        } else {
            written.push(write_trace(joined, out)?);
        }
    }
    if wants(View::Report) {
        written.push(out.write(CLUSTER_REPORT, &ByLibrary(report.as_bytes()))?);
    }
    if wants(View::Tables) {
        let rows = rows_of_tables(joined);
        let all = rows <= MOST_ROWS || !asked.is_empty();
        if !all {
            notes.push(format!(
                "pairs.parquet and states.parquet are left out: they would have more than {rows} rows; --emit tables writes them"
            ));
        }
        written.extend(write_tables(joined, all, out)?);
    }
    Ok(Views { report, written, notes })
}
