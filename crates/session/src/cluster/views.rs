//! The files of a joined cluster.

use std::str::FromStr;

use bigtpu_cluster::{Joined, RankView};
use bigtpu_emit_cluster::{
    RankPage, TRACE_FILE, core_bytes_at_most, rows_of_tables, trace_bytes_at_most, write_page,
    write_tables, write_trace,
};
use bigtpu_messages::{Arg, Message, error_message, message};
use bigtpu_output::{Json, OutDir, Written};

use super::error::ClusterError;
use super::{Dumps, cores};
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
    pub(crate) notes: Vec<Message>,
}

/// Ranks whose cores and engines are in the trace.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum TraceScope {
    /// All ranks, if there are 16 or fewer and the trace stays below 2 GiB.
    #[default]
    Usual,
    /// No rank.
    Communication,
    /// All ranks.
    Full,
    /// The ranks of these numbers.
    Ranks(Vec<u32>),
}

impl FromStr for TraceScope {
    type Err = Message;

    fn from_str(text: &str) -> Result<Self, Message> {
        let ranks = || {
            let list = text.strip_prefix("ranks=")?;
            list.split(',').map(|rank| rank.parse().ok()).collect::<Option<Vec<u32>>>()
        };
        match text {
            "comm" => Ok(Self::Communication),
            "full" => Ok(Self::Full),
            _ => {
                ranks().map(Self::Ranks).ok_or_else(|| error_message!("problem-trace-scope", text))
            }
        }
    }
}

/// Most ranks whose cores are shown without being asked for.
const MOST_RANKS: usize = 16;

impl TraceScope {
    /// The ranks whose cores are shown.
    fn ranks(&self, joined: &Joined) -> Vec<u32> {
        let all = || joined.ranks().map(|view| view.rank.number).collect();
        match self {
            Self::Communication => Vec::new(),
            Self::Full => all(),
            Self::Ranks(ranks) => ranks.clone(),
            Self::Usual if joined.ranks().len() > MOST_RANKS => Vec::new(),
            Self::Usual => {
                let ports = trace_bytes_at_most(joined, MOST_TRACE);
                let cores: u64 = joined.ranks().map(|rank| core_bytes_at_most(&rank)).sum();
                if ports + cores > MOST_TRACE { Vec::new() } else { all() }
            }
        }
    }
}

/// Writes the trace, with the cores of the ranks of the scope whose dumps are at hand. Notes those that are not, where
/// they are asked for.
fn write_trace_with_cores(
    joined: &Joined,
    scope: &TraceScope,
    dumps: &Dumps,
    out: &OutDir,
    notes: &mut Vec<Message>,
) -> Result<Written, ClusterError> {
    let ranks = scope.ranks(joined);
    let mut unread = None;
    let is_asked = !matches!(scope, TraceScope::Usual);
    for rank in ranks.iter().filter(|rank| !joined.ranks().any(|v| v.rank.number == **rank)) {
        let rank = Arg::Number((*rank).into());
        notes.push(message!("cluster-trace-no-rank", rank = rank));
    }
    let mut cores = |view: &RankView<'_>| {
        let number = view.rank.number;
        if !ranks.contains(&number) {
            return None;
        }
        let found = cores::core_tracks(view, &dumps.session);
        if found.is_none() && dumps.are_read {
            unread.get_or_insert_with(|| view.rank.part.identity.dump.clone());
        } else if found.is_none() && is_asked {
            let dump = &view.rank.part.identity.dump;
            let rank = Arg::Number(number.into());
            notes.push(message!(
                "cluster-trace-no-cores",
                file = TRACE_FILE,
                rank = rank,
                dump = dump
            ));
        }
        found
    };
    let written = write_trace(joined, &mut cores, out)?;
    match unread {
        Some(dump) => Err(ClusterError::Changed(dump)),
        None => Ok(written),
    }
}

/// Writes the views that are asked for; without a choice all that are of use. `pages`: pages of single ranks.
pub(crate) fn write(
    joined: &Joined,
    asked: &[View],
    scope: &TraceScope,
    dumps: &Dumps,
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
            notes.push(message!("cluster-trace-left-out", file = TRACE_FILE, size = size(bytes)));
        } else {
            written.push(write_trace_with_cores(joined, scope, dumps, out, &mut notes)?);
        }
    }
    if wants(View::Report) {
        written.push(out.write(CLUSTER_REPORT, &Json::in_file(&report))?);
    }
    if wants(View::Tables) {
        let rows = rows_of_tables(joined);
        let all = rows <= MOST_ROWS || !asked.is_empty();
        if !all {
            notes.push(message!("cluster-tables-left-out", rows = rows));
        }
        written.extend(write_tables(joined, all, out)?);
    }
    Ok(Views { report, written, notes })
}
