//! Bandwidth of engines that run one command at a time: the sum of two curves, each of which has one value at any time.

use bigtpu_timeline::Events;

use crate::TrackCommands;
use crate::bandwidth::{Units, added};

/// Whether an engine's commands follow each other in time, as they are.
pub(super) fn is_serial(commands: &TrackCommands<'_, '_>) -> bool {
    let Events { start, end, .. } = &commands.track.events;
    let mut until = i64::MIN;
    start.iter().zip(end).all(|(&start, &end)| {
        let follows = until <= start && start <= end;
        until = end;
        follows
    })
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
    commands: Option<TrackCommands<'p, 'd>>,
    /// The first event that was not looked at.
    event: usize,
    now: Units,
    /// When it changes next, in ns.
    next: i64,
    /// When the transfer ends that runs, or begins next, in ns, and what it adds.
    end: i64,
    added: Units,
    /// It runs.
    runs: bool,
}

/// A curve does not change any more.
const NEVER: i64 = i64::MAX;

impl<'p, 'd> Curve<'p, 'd> {
    fn new(commands: Option<TrackCommands<'p, 'd>>) -> Self {
        let mut curve = Self {
            commands,
            event: 0,
            now: (0, 0),
            next: NEVER,
            end: NEVER,
            added: (0, 0),
            runs: false,
        };
        curve.find();
        curve
    }

    /// Finds the next transfer.
    #[inline]
    fn find(&mut self) {
        self.next = NEVER;
        let Some(commands) = &self.commands else { return };
        let Events { start, end, .. } = &commands.track.events;
        while let (Some(&start), Some(&end)) = (start.get(self.event), end.get(self.event)) {
            let event = self.event;
            self.event += 1;
            if start < end
                && let Some(added) = added(commands, event)
            {
                (self.next, self.end, self.added) = (start, end, added);
                return;
            }
        }
    }

    /// Goes on to the value that it has from `next` on.
    #[inline]
    fn step(&mut self) {
        let time = self.next;
        if self.runs {
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
