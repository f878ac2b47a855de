//! Bandwidth of engines that run one command at a time: the sum of two curves, each of which has one value at any time.

use bigtpu_timeline::Events;

use crate::bandwidth::{Units, units};
use crate::transfer::Counts;
use crate::{Kind, TrackCommands};

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
    /// What transfers count for, by kind.
    counts: Vec<Counts>,
    /// The first event that was not looked at.
    event: usize,
    /// Transfers that come next, the next one last: start and end in ns, and what each adds.
    coming: Vec<(i64, i64, Units)>,
    now: Units,
    /// When it changes next, in ns.
    next: i64,
    /// When the transfer ends that runs, or begins next, in ns, and what it adds.
    end: i64,
    added: Units,
    /// It runs.
    runs: bool,
}

/// Events that are looked at together.
const AT_ONCE: usize = 128;

/// What transfers count for, by kind: system commands for nothing.
fn counts(commands: &TrackCommands<'_, '_>) -> Vec<Counts> {
    let of_kind = |kind: &Kind| match kind.activity.is_work() {
        true => Counts::of(commands.profile, kind),
        false => Counts::Nothing,
    };
    commands.columns.kinds.iter().map(of_kind).collect()
}

/// A curve does not change any more.
const NEVER: i64 = i64::MAX;

impl<'p, 'd> Curve<'p, 'd> {
    fn new(commands: Option<TrackCommands<'p, 'd>>) -> Self {
        let mut curve = Self {
            counts: commands.as_ref().map(counts).unwrap_or_default(),
            commands,
            event: 0,
            coming: Vec::new(),
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
        let Self { commands: Some(commands), counts, event, coming, .. } = self else { return };
        let Events { start, end, .. } = &commands.track.events;
        while coming.is_empty() && *event < commands.len() {
            let events = *event..commands.len().min(*event + AT_ONCE);
            *event = events.end;
            commands.each_transfer(events, counts, |event, shown| {
                if let (Some(&start), Some(&end)) = (start.get(event), end.get(event))
                    && start < end
                    && let Some(added) = units(shown)
                {
                    coming.push((start, end, added));
                }
            });
        }
        coming.reverse();
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
