//! Counters of the host trace.

use bigtpu_host_trace::{CounterValue, EventId, HostTrace};

use super::processes::Processes;
use crate::room::{PIECE, Room};
use crate::sequence::Sequence;
use crate::source::{PlainSource, Source};
use crate::tracks::{Kind, Tracks};

/// Host traces name no units.
const UNIT: &str = "value";

/// One track for each counter's series.
pub(super) fn sources<'h>(
    host: &'h HostTrace,
    processes: &mut Processes<'h>,
    tracks: &mut Tracks,
) -> Vec<Box<dyn Source + 'h>> {
    let text = |id| host.strings.get(id);
    let mut sources: Vec<Box<dyn Source + 'h>> = Vec::new();
    for counter in &host.counters {
        let mut name = text(counter.name).to_owned();
        match counter.id {
            Some(EventId::Number(n)) => name += &format!(" {n}"),
            Some(EventId::Text(id)) => name += &format!(" {}", text(id)),
            None => {}
        }
        if text(counter.series) != name {
            name += &format!(" {}", text(counter.series));
        }
        let mut samples: Vec<(i64, CounterValue)> =
            counter.samples.iter().map(|s| (host.bulk.shown_ns(s.at_ns), s.value)).collect();
        samples.sort_by_key(|s| s.0);
        let parent = processes.process(counter.process, tracks);
        let sequence =
            tracks.sequence(&name, Kind { parent, counter: Some(UNIT), ..Kind::default() });
        sources.push(Box::new(HostCounterSource { samples, at: 0, sequence }));
    }
    sources
}

struct HostCounterSource {
    samples: Vec<(i64, CounterValue)>,
    at: usize,
    sequence: Sequence,
}

impl PlainSource for HostCounterSource {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.samples.get(self.at..).unwrap_or(&[]);
        let piece = &rest[..rest.len().min(PIECE)];
        for &(time, value) in piece {
            match value {
                CounterValue::Int(n) => self.sequence.count_whole(out, time, n),
                CounterValue::Double(x) => self.sequence.count(&mut Room::for_one(out), time, x),
            }
        }
        self.at += piece.len();
        piece.len()
    }
}
