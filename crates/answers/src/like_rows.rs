//! TIU commands that follow one another alike, while no transfer brings other operands.

use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_measure::{CommandKind, DumpModel, EngineTrack, MeasuredEvent};

/// A row has at least so many commands.
const LEAST_COMMANDS: usize = 4;
/// Its shortest command takes at least this share of its longest one.
const ALIKE: f64 = 0.9;
/// A command follows the one before within this share of its own time.
const PAUSE: f64 = 0.1;

/// Rows of commands of the same operation, data type and shape and of about the same time, by their indices on the track: one right after another, while no transfer of
/// the core ends. `is_meant`: which commands count.
pub(crate) fn like_rows<'m, 'a: 'm>(
    model: &'m DumpModel<'a>,
    track: &'m EngineTrack<'a>,
    is_meant: impl Fn(&MeasuredEvent<'a>) -> bool,
) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    let mut row: Option<Row<'a>> = None;
    let mut arrivals: Option<Vec<i64>> = None;
    for event in model.events(track) {
        if !event.kind.activity.is_work() || !is_meant(&event) {
            rows.extend(row.take().and_then(Row::finish));
            continue;
        }
        let arrivals = arrivals.get_or_insert_with(|| arrivals_of(model, track.engine_id.index));
        if let Some(known) = &mut row
            && known.has_added(&event, arrivals)
        {
            continue;
        }
        rows.extend(row.replace(Row::begin(&event)).and_then(Row::finish));
    }
    rows.extend(row.and_then(Row::finish));
    rows
}

/// Operation, data type and shape.
fn operation(kind: &CommandKind) -> [&str; 3] {
    [&kind.function_name, &kind.data_type, &kind.shape]
}

/// When transfers of a core end, ascending.
fn arrivals_of(model: &DumpModel<'_>, core: u32) -> Vec<i64> {
    let others = model.core(core).filter(|track| track.engine_id.engine != Engine::Tiu);
    let events = others.flat_map(|track| model.events(track));
    let mut ends: Vec<i64> =
        events.filter(|event| event.kind.activity.is_work()).map(|event| event.end).collect();
    ends.sort_unstable();
    ends
}

/// A row that may go on.
struct Row<'a> {
    kind: &'a CommandKind,
    events: Range<usize>,
    /// Start of its first command and end of its last one, in ns.
    start: i64,
    end: i64,
    /// ns of its shortest and its longest command.
    shortest: i64,
    longest: i64,
}

impl<'a> Row<'a> {
    fn begin(event: &MeasuredEvent<'a>) -> Self {
        let ns = event.ns();
        Self {
            kind: event.kind,
            events: event.index..event.index + 1,
            start: event.start,
            end: event.end,
            shortest: ns,
            longest: ns,
        }
    }

    /// Adds a command, if it is a part of the row.
    fn has_added(&mut self, event: &MeasuredEvent<'a>, arrivals: &[i64]) -> bool {
        let ns = event.ns();
        let (shortest, longest) = (self.shortest.min(ns), self.longest.max(ns));
        let follows = event.index == self.events.end
            && operation(event.kind) == operation(self.kind)
            && shortest as f64 >= ALIKE * longest as f64
            && (event.start - self.end) as f64 <= PAUSE * ns as f64;
        let ended = |at: i64| arrivals.partition_point(|end| *end <= at);
        if !follows || ended(event.start) > ended(self.start) {
            return false;
        }
        (self.events.end, self.end) = (event.index + 1, event.end);
        (self.shortest, self.longest) = (shortest, longest);
        true
    }

    fn finish(self) -> Option<Range<usize>> {
        (self.events.len() >= LEAST_COMMANDS).then_some(self.events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn rows_end_where_operands_arrive_or_commands_differ() {
        let mut planted = Planted::default();
        // Six alike, a pause, three, then four of which a load ends in the middle of the fourth, and five of other times.
        for n in 0..6 {
            planted.work(0, Engine::Tiu, n * 105, n * 105 + 100 + n % 3);
        }
        for n in 0..3 {
            planted.work(0, Engine::Tiu, 1000 + n * 105, 1000 + n * 105 + 100);
        }
        for n in 0..8 {
            planted.work(0, Engine::Tiu, 2000 + n * 105, 2000 + n * 105 + 100);
        }
        planted.load(0, 2300, 2350, 100);
        for n in 0..5 {
            planted.work(0, Engine::Tiu, 4000 + n * 200, 4000 + n * 200 + 100 + n * 50);
        }
        let model = planted.model();
        let tiu = |track: &&EngineTrack<'_>| track.engine_id.engine == Engine::Tiu;
        let track = model.tracks.iter().find(tiu).unwrap();
        assert_eq!(like_rows(&model, track, |_| true), [0..6, 9..13, 13..17]);
        assert_eq!(like_rows(&model, track, |_| false), []);
    }
}
