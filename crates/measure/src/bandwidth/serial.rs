//! Bandwidth of engines that run one command at a time: the sum of two curves, each of which has one value at any time.

use bigtpu_timeline::Events;

use crate::bandwidth::{Units, units};
use crate::transfer::ByteCounts;
use crate::{CommandKind, Shown, TrackCommands};

/// Whether an engine's commands follow each other in time, as they are.
pub(super) fn is_serial(commands: &TrackCommands<'_, '_>) -> bool {
    let Events { start, end, .. } = &commands.track.events;
    let later = start.get(1..).unwrap_or_default();
    // Without a branch, so that the loops look at several at once: a step back has the highest bit.
    let steps =
        start.iter().zip(end).fold(0, |steps, (start, end)| steps | end.wrapping_sub(*start));
    end.iter().zip(later).fold(steps, |steps, (end, next)| steps | next.wrapping_sub(*end)) >= 0
}

/// The transfers of an engine that runs one command at a time.
#[derive(Debug)]
pub struct SerialTransfers<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// What transfers count for, by kind.
    counts: Vec<ByteCounts>,
    /// The first event that was not looked at.
    event: usize,
}

impl<'p, 'd> SerialTransfers<'p, 'd> {
    fn new(commands: TrackCommands<'p, 'd>) -> Self {
        Self { counts: counts(&commands), commands, event: 0 }
    }

    /// Start and end, in ns, and bandwidths of the transfers among the next events that take time; whether there were events.
    #[inline]
    pub fn each(&mut self, mut each: impl FnMut(i64, i64, Shown)) -> bool {
        let Self { commands, counts, event, .. } = self;
        let Events { start, end, .. } = &commands.track.events;
        let events = *event..commands.len().min(*event + AT_ONCE);
        *event = events.end;
        let are_some = !events.is_empty();
        commands.each_transfer(events, counts, |event, _, shown| {
            if let (Some(&start), Some(&end)) = (start.get(event), end.get(event))
                && start < end
            {
                each(start, end, shown);
            }
        });
        are_some
    }
}

/// The sum of two engines' curves.
#[derive(Debug)]
pub(super) struct SerialSum<'p, 'd> {
    curves: [Curve<'p, 'd>; 2],
    now: Units,
}

impl<'p, 'd> SerialSum<'p, 'd> {
    pub(super) fn new(engines: [Option<TrackCommands<'p, 'd>>; 2]) -> Self {
        Self { curves: engines.map(Curve::new), now: (0, 0) }
    }

    /// The transfers of the engines, where no step was asked for yet.
    pub(super) fn transfers(self) -> [Option<SerialTransfers<'p, 'd>>; 2] {
        self.curves.map(|curve| curve.transfers)
    }

    /// The next moment at which the sum changes, and what it is from then on.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(i64, Units)> {
        let [one, other] = &mut self.curves;
        loop {
            let time = one.next.min(other.next);
            if time == NEVER {
                return None;
            }
            if one.next == time {
                one.step();
            }
            if other.next == time {
                other.step();
            }
            let now = (one.now.0 + other.now.0, one.now.1 + other.now.1);
            if now != self.now {
                self.now = now;
                return Some((time, now));
            }
        }
    }
}

/// The curve of an engine.
#[derive(Debug)]
struct Curve<'p, 'd> {
    transfers: Option<SerialTransfers<'p, 'd>>,
    /// Transfers that come next, the next one last: start and end in ns, and what each adds.
    coming: Vec<(i64, i64, Units)>,
    now: Units,
    /// When it changes next, in ns; [`BEFORE`] or [`NEVER`].
    next: i64,
    /// When the transfer ends that runs, or begins next, in ns, and what it adds.
    end: i64,
    added: Units,
    /// Whether this transfer runs; else it begins next.
    runs: bool,
}

/// Events that are looked at together.
const AT_ONCE: usize = 128;

/// What transfers count for, by kind: system commands for nothing.
fn counts(commands: &TrackCommands<'_, '_>) -> Vec<ByteCounts> {
    let of_kind = |kind: &CommandKind| match kind.activity.is_work() {
        true => ByteCounts::read(commands.profile, kind),
        false => ByteCounts::Nothing,
    };
    commands.columns.kinds.iter().map(of_kind).collect()
}

/// A curve does not change any more.
const NEVER: i64 = i64::MAX;
/// Transfers were not looked for yet.
const BEFORE: i64 = i64::MIN;

impl<'p, 'd> Curve<'p, 'd> {
    fn new(commands: Option<TrackCommands<'p, 'd>>) -> Self {
        Self {
            transfers: commands.map(SerialTransfers::new),
            coming: Vec::new(),
            now: (0, 0),
            next: BEFORE,
            end: NEVER,
            added: (0, 0),
            runs: false,
        }
    }

    /// Finds the next transfer.
    #[inline]
    fn find(&mut self) {
        if self.coming.is_empty() {
            self.look_on();
        }
        self.next = NEVER;
        if let Some((start, end, added)) = self.coming.pop() {
            (self.next, self.end, self.added) = (start, end, added);
        }
    }

    /// Looks at the next events, until there are transfers among them.
    #[inline(never)]
    fn look_on(&mut self) {
        let Self { transfers: Some(transfers), coming, .. } = self else { return };
        while coming.is_empty()
            && transfers.each(|start, end, shown| {
                coming.extend(units(shown).map(|added| (start, end, added)));
            })
        {}
        coming.reverse();
    }

    /// Goes on to the value that it has from `next` on.
    #[inline]
    fn step(&mut self) {
        let time = self.next;
        if self.runs || time == BEFORE {
            self.runs = false;
            self.now = (0, 0);
            self.find();
        }
        // The next transfer may begin where this one ends.
        if self.next == time {
            self.runs = true;
            self.now = self.added;
            self.next = self.end;
        }
    }
}
