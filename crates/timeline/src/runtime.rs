//! The runtime's own work around a static model (section 6): input and output copies, and barriers of all cores.
//!
//! The runtime issues them next to the model's command stream: in capture mode 0 the dump has no words for them.
//! They are known by their place, in sections of ids of their own, and by their counters.

use bigtpu_chip::{Chip, Engine};

use crate::core_engines::CORE_ENGINES;
use crate::ledger::EngineId;
use crate::monitor::{Clean, Monitor};
use crate::sections::{self, Section};
use crate::wide_events::WideEvents;

/// What the runtime did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuntimeKind {
    /// A copy of the model's inputs, from DDR to DDR, before its first command.
    InputCopy,
    /// A copy of the model's outputs, from DDR to DDR, behind its last command.
    OutputCopy,
    /// A copy from DDR to DDR between two launches.
    Copy,
    /// A send or wait of a barrier of all cores.
    Barrier,
}

impl RuntimeKind {
    /// Name as shown.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::InputCopy => "runtime input copy",
            Self::OutputCopy => "runtime output copy",
            Self::Copy => "runtime copy",
            Self::Barrier => "runtime barrier",
        }
    }

    /// Whether it moves data.
    #[must_use]
    pub fn is_copy(self) -> bool {
        self != Self::Barrier
    }
}

/// One piece of the runtime's own work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuntimeEvent {
    /// Engine that did it.
    pub engine_id: EngineId,
    /// What it was.
    pub kind: RuntimeKind,
    /// ns; below 0 before the model's first command.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// Cycles of the engine's clock.
    pub cycles: i64,
    /// Command id.
    pub id: i64,
    /// Bytes copied, by the counters; 0 for a barrier.
    pub bytes: u64,
    /// Index of the PMU record in the engine's monitor.
    pub record: u32,
    /// The event of the engine's track that shows the same record: in capture modes 1 and 2 the words name the
    /// command, so that it is in the command stream as well.
    pub event: Option<u32>,
}

impl RuntimeEvent {
    /// ns.
    #[must_use]
    pub fn duration(&self) -> i64 {
        self.end - self.start
    }
}

/// A record that the runtime's own work explains, before the time line is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuntimeRecord {
    pub(crate) engine: usize,
    pub(crate) kind: RuntimeKind,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) cycles: i64,
    pub(crate) id: i64,
    pub(crate) bytes: u64,
    pub(crate) record: u32,
}

impl RuntimeRecord {
    pub(crate) fn into_event(self, index: u32, event: Option<u32>) -> RuntimeEvent {
        let place = EngineId {
            index,
            engine: CORE_ENGINES.get(self.engine).copied().unwrap_or(Engine::Tiu),
        };
        let Self { kind, start, end, cycles, id, bytes, record, .. } = self;
        RuntimeEvent { engine_id: place, kind, start, end, cycles, id, bytes, record, event }
    }
}

/// Takes the runtime's own records out of a core's static run: sections without a command of which every DMA record
/// copies within global memory or moves nothing. `is_model`: the engines whose records were joined to a model.
pub(crate) fn take_runtime(
    chip: &Chip,
    monitors: &mut [Clean<'_>; 3],
    is_model: [bool; 3],
) -> Vec<RuntimeRecord> {
    let mut found = Vec::new();
    let mut barriers = Barriers::default();
    // The TIU counts nothing: its part of a barrier is known by the DMA engines' parts.
    for engine in [1, 2, 0] {
        if !is_model[engine] {
            continue;
        }
        if engine == 0 {
            barriers.sort();
        }
        let Clean { monitor, events, .. } = &mut monitors[engine];
        let (first, last) = model_span(events);
        let mut keep = vec![true; events.len()];
        for section in sections::by_id(&events.id, |id| *id) {
            let range = section.first..section.first + section.len;
            if events.binding[range.clone()].iter().any(|b| b.is_bound()) {
                continue;
            }
            let span = (events.start[section.first], events.end[range.end - 1]);
            let Some(parts) = parts(chip, monitor, events, section, engine, &barriers) else {
                continue;
            };
            for (i, bytes) in range.zip(parts) {
                keep[i] = false;
                let kind = match bytes {
                    None => RuntimeKind::Barrier,
                    Some(_) if i < first => RuntimeKind::InputCopy,
                    Some(_) if i > last => RuntimeKind::OutputCopy,
                    Some(_) => RuntimeKind::Copy,
                };
                if kind == RuntimeKind::Barrier && engine != 0 {
                    barriers.spans.push(span);
                }
                found.push(RuntimeRecord {
                    engine,
                    kind,
                    start: events.start[i],
                    end: events.end[i],
                    cycles: events.cycles[i],
                    id: events.id[i],
                    bytes: bytes.unwrap_or(0),
                    record: events.record[i],
                });
            }
        }
        if keep.contains(&false) {
            let order: Vec<usize> = (0..events.len()).filter(|&i| keep[i]).collect();
            events.reorder(&order);
        }
    }
    found.sort_by_key(|r| (r.engine, r.start));
    found
}

/// The first and the last record with a command.
fn model_span(events: &WideEvents) -> (usize, usize) {
    let first = events.binding.iter().position(|b| b.is_bound()).unwrap_or(usize::MAX);
    let last = events.binding.iter().rposition(|b| b.is_bound()).unwrap_or(usize::MAX);
    (first, last)
}

/// Most records of an engine in one barrier: a send and a wait.
const BARRIER_RECORDS: usize = 2;

/// The spans of barriers on the DMA engines.
#[derive(Default)]
struct Barriers {
    /// Start and end of each barrier in ns, by start once sorted. The end is then the latest of all spans up to there.
    spans: Vec<(i64, i64)>,
}

impl Barriers {
    fn sort(&mut self) {
        self.spans.sort_unstable();
        let mut last = i64::MIN;
        for (_, end) in &mut self.spans {
            last = last.max(*end);
            *end = last;
        }
    }

    /// Whether one shares a time with a span.
    fn overlap(&self, start: i64, end: i64) -> bool {
        let begun = self.spans.partition_point(|&(from, _)| from <= end);
        let last = begun.checked_sub(1).and_then(|last| self.spans.get(last));
        last.is_some_and(|&(_, to)| to >= start)
    }
}

/// For each record of a section its copied bytes, `None` for a part of a barrier; nothing if a record is neither.
fn parts(
    chip: &Chip,
    monitor: &Monitor<'_>,
    events: &WideEvents,
    section: Section,
    engine: usize,
    barriers: &Barriers,
) -> Option<Vec<Option<u64>>> {
    let range = section.first..section.first + section.len;
    if engine == 0 {
        let (start, end) = (events.start[section.first], events.end[range.end - 1]);
        let is_barrier = section.len <= BARRIER_RECORDS && barriers.overlap(start, end);
        return is_barrier.then(|| vec![None; section.len]);
    }
    if section.span != section.len as u64 {
        return None;
    }
    let part = |i: usize| {
        let pmu = monitor.pmu(chip, events.record[i])?;
        match pmu.copied_bytes() {
            Some(bytes) => Some(Some(bytes)),
            None => (pmu.is_idle() && section.len <= BARRIER_RECORDS).then_some(None),
        }
    };
    range.map(part).collect()
}
