//! Events that wait for the event before them, and for a command of the other engine or nothing else: most events of most runs.

use std::ops::Range;

use crate::assemble::{Least, Rows};
use crate::command::Commands;
use crate::dependence::{DependenceKind, NONE, Node};
use crate::graph::{EventTimes, Link};
use crate::input::TrackInput;

const COMMAND: DependenceKind = DependenceKind::Command;
const ORDER: DependenceKind = DependenceKind::EngineOrder;

impl Rows<'_> {
    /// Adds such events, column by column.
    pub(crate) fn add_ordered(
        &mut self,
        track: &TrackInput<'_>,
        least: &Least,
        events: Range<usize>,
        commands: Option<Commands<'_>>,
    ) {
        let before = track.node(events.start).wrapping_sub(1);
        let first = self.cause.len();
        self.cause.extend(before..before + events.len() as Node);
        self.cause_kind.resize(first + events.len(), ORDER);
        let mut ended_before = events.start.checked_sub(1).map_or(0, |before| track.end(before));
        let (links, rows) = self.lane.add_ordered(events.len());
        let mut long: Vec<(usize, Node, EventTimes)> = Vec::new();
        let awaited = commands.map_or(&[][..], |commands| commands.of_events(events.clone()));
        let Some(commands) = commands.filter(|_| !awaited.is_empty()) else {
            for ((at, row), (begin, end)) in rows.iter_mut().enumerate().zip(track.times(events)) {
                let order = begin - std::mem::replace(&mut ended_before, end);
                let times = EventTimes { order, lag: 0, duration: end - begin };
                if !row.set(NONE, times) {
                    long.push((at, NONE, times));
                }
            }
            return self.lane.set_long(first, long);
        };
        let causes = self.cause[first..].iter_mut().zip(&mut self.cause_kind[first..]);
        let columns = rows.iter_mut().zip(links).zip(causes).zip(awaited).zip(track.times(events));
        for (at, ((((row, link), (cause, kind)), awaited), (begin, end))) in columns.enumerate() {
            let ended_before = std::mem::replace(&mut ended_before, end);
            let mut times =
                EventTimes { order: begin - ended_before, lag: 0, duration: end - begin };
            let mut other = NONE;
            if *awaited != NONE {
                let (from, ended) = commands.awaited(*awaited);
                times.lag = begin - ended;
                // Of two that ended together the command binds.
                let is_last = ended >= ended_before;
                if is_last {
                    times.order = times.order.min(least.of_kinds[ORDER as usize]);
                } else {
                    times.lag = times.lag.min(least.of_kinds[COMMAND as usize]);
                }
                if is_last || ended + times.lag >= begin {
                    (*cause, *kind) = (from, COMMAND);
                }
                (other, *link) = (from, Link::new(COMMAND, true));
            }
            if !row.set(other, times) {
                long.push((at, other, times));
            }
        }
        self.lane.set_long(first, long);
    }
}
