//! Traces of the hosts of ranks: which file is of which rank, and what the join needs of it.

use std::io;
use std::path::{Path, PathBuf};

use bigtpu_cluster::{DumpPart, HostSide, HostSpan, Rank, is_communication};
use bigtpu_host_trace::{HostTrace, ReadOptions, TraceError, keep_outermost};
use bigtpu_measure::NamePattern;
use bigtpu_messages::{Arg, Message, message};
use rayon::prelude::*;
use walkdir::WalkDir;

use super::error::ClusterError;

/// Stands for a rank's number in a pattern of file names.
const RANK: &str = "{rank}";
/// torch's own markers of steps.
const STEP: &str = "ProfilerStep#";

/// What a host's trace says of the part of its rank.
pub(super) fn side_of(trace: &HostTrace, part: &DumpPart) -> HostSide {
    let offset = trace.anchors.device_offset(part.tail_offset_ns, part.latest_end);
    let own = |ns: i64| ns.saturating_sub(offset.unwrap_or(0));
    let mut spans: [Vec<HostSpan>; 2] = Default::default();
    for (_, slice) in trace.kept_slices() {
        let name = trace.strings.get(slice.name);
        let [calls, steps] = &mut spans;
        let list = match name {
            _ if name.starts_with(STEP) => steps,
            _ if is_communication(name) => calls,
            _ => continue,
        };
        let (start, end) = (own(slice.start_ns), own(slice.end_ns));
        list.push(HostSpan { name: name.to_owned(), start, end });
    }
    let [calls, steps] = spans.map(|mut spans| {
        spans.sort_by(|a, b| a.name.cmp(&b.name));
        keep_outermost(&mut spans, |span| (span.start, span.end));
        spans
    });
    HostSide { offset_ns: offset, calls, steps }
}

/// Reads one trace.
pub(super) fn open(file: &Path) -> Result<HostTrace, TraceError> {
    HostTrace::open(file, &ReadOptions::default())
}

/// Gives each rank what its host's trace says. `pattern`: of the files; `{rank}` in it stands for the number of the rank.
/// Files that are of no rank or of one that has its trace already are noted.
pub(super) fn add(
    ranks: &mut [Rank],
    pattern: &str,
    notes: &mut Vec<Message>,
) -> Result<(), ClusterError> {
    let files = files(pattern, notes);
    if files.is_empty() {
        return Err(ClusterError::NoHostTrace(pattern.to_owned()));
    }
    let read: Vec<(PathBuf, Option<u32>, Result<HostTrace, TraceError>)> = files
        .into_par_iter()
        .map(|(file, rank)| {
            let trace = open(&file);
            let said = trace.as_ref().ok().and_then(|trace| trace.rank);
            let rank = rank.or(said).or_else(|| number_in_name(&file));
            (file, rank, trace)
        })
        .collect();
    let mut given = Vec::new();
    for (file, number, trace) in read {
        let shown = file.display().to_string();
        let note = match (trace, number) {
            (Err(error), _) => message!("cluster-host-left-out", why = Message::displayed(&error)),
            (_, None) => message!("cluster-host-of-no-rank", file = shown),
            (_, Some(number)) if given.contains(&number) => {
                let rank = Arg::Number(number.into());
                message!("cluster-host-twice", file = shown, rank = rank)
            }
            (Ok(trace), Some(number)) => match ranks.iter_mut().find(|r| r.number == number) {
                None => {
                    let rank = Arg::Number(number.into());
                    message!("cluster-host-no-rank", file = shown, rank = rank)
                }
                Some(rank) => {
                    given.push(number);
                    let side = side_of(&trace, &rank.part);
                    let is_anchored = side.offset_ns.is_some();
                    rank.part.host = Some(side);
                    if is_anchored {
                        continue;
                    }
                    message!("cluster-host-not-anchored", file = shown)
                }
            },
        };
        notes.push(note);
    }
    Ok(())
}

/// The files of a pattern by name, with the rank that the pattern names.
/// A directory that can't be read is noted.
fn files(pattern: &str, notes: &mut Vec<Message>) -> Vec<(PathBuf, Option<u32>)> {
    let exact = Path::new(pattern);
    if exact.is_file() {
        return vec![(exact.to_owned(), None)];
    }
    // Directories are walked below the last one that is no pattern.
    let parts: Vec<&str> = pattern.split('/').collect();
    let is_plain = |part: &&&str| !part.contains(['*', '?', '{']);
    let fixed = parts.iter().take(parts.len() - 1).take_while(is_plain).count();
    let root = match parts.get(..fixed).unwrap_or_default().join("/") {
        root if root.is_empty() && pattern.starts_with('/') => "/".to_owned(),
        root if root.is_empty() => ".".to_owned(),
        root => root,
    };
    let rest: Vec<&str> = parts.get(fixed..).unwrap_or_default().to_vec();
    let walk = WalkDir::new(&root).min_depth(rest.len()).max_depth(rest.len()).sort_by_file_name();
    let listed = walk.into_iter().filter_map(|entry| match entry {
        Ok(entry) => Some(entry),
        Err(error) => {
            let path = error.path().unwrap_or(Path::new(&root)).display().to_string();
            let why = io::Error::from(error);
            let why = why.to_string();
            notes.push(message!("cluster-host-unread", path = path, why = why));
            None
        }
    });
    let found = listed.filter(|entry| entry.file_type().is_file());
    let mut files: Vec<(PathBuf, Option<u32>)> = found
        .filter_map(|entry| {
            let below = entry.path().strip_prefix(&root).ok()?;
            let names: Vec<String> =
                below.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
            let mut rank = None;
            for (name, part) in names.iter().zip(&rest) {
                match part.split_once(RANK) {
                    None if NamePattern::new(part).matches(name) => {}
                    None => return None,
                    Some((before, after)) => rank = Some(number_of(name, before, after)?),
                }
            }
            (names.len() == rest.len()).then(|| (entry.into_path(), rank))
        })
        .collect();
    files.sort();
    files
}

/// The number in a name between two patterns.
fn number_of(name: &str, before: &str, after: &str) -> Option<u32> {
    let is_digit = |at: usize| name.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    // A number begins where no digit stands before it.
    let starts =
        (0..name.len()).filter(|&at| is_digit(at) && !at.checked_sub(1).is_some_and(is_digit));
    for start in starts {
        let end = (start..name.len()).find(|&at| !is_digit(at)).unwrap_or(name.len());
        let (head, tail) = (name.get(..start)?, name.get(end..)?);
        if NamePattern::new(before).matches(head) && NamePattern::new(after).matches(tail) {
            return name.get(start..end)?.parse().ok();
        }
    }
    None
}

/// The number behind `rank` in a file's name, else its only number.
fn number_in_name(file: &Path) -> Option<u32> {
    let name = file.file_name()?.to_string_lossy().to_lowercase();
    let after_rank = name.split_once("rank").map(|(_, rest)| rest.trim_start_matches(['_', '-']));
    let digits = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        text.get(..end)?.parse().ok()
    };
    if let Some(number) = after_rank.and_then(digits) {
        return Some(number);
    }
    let mut numbers = name.split(|c: char| !c.is_ascii_digit()).filter(|text| !text.is_empty());
    let first = numbers.next()?;
    numbers.next().is_none().then(|| first.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_with_their_ranks() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["host0/trace_rank0.json", "host1/trace_rank12.json", "host1/other.json"] {
            let file = dir.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "[]").unwrap();
        }
        let ranks = |pattern: &str| -> Vec<Option<u32>> {
            let pattern = dir.path().join(pattern).display().to_string();
            files(&pattern, &mut Vec::new()).into_iter().map(|(_, rank)| rank).collect()
        };
        assert_eq!(ranks("*/trace_rank{rank}.json"), [Some(0), Some(12)]);
        assert_eq!(ranks("host?/*.json"), [None, None, None]);
        assert_eq!(ranks("host1/trace*{rank}*"), [Some(12)]);
        assert_eq!(ranks("host1/other.json"), [None]);
        assert_eq!(ranks("*.json"), []);
    }

    #[test]
    fn names_say_ranks() {
        let of = |name: &str| number_in_name(Path::new(name));
        assert_eq!(of("host3/Trace_rank_7.1234.json"), Some(7));
        assert_eq!(of("worker5.json"), Some(5));
        assert_eq!(of("worker5.1.json"), None);
    }
}
