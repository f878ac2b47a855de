//! A thread in the pass: the next of its starts and ends, and its commands that are open.

use std::collections::VecDeque;

use crate::clocks::RankClock;
use crate::commands::DataCommands;
use crate::pairing::ThreadId;
use crate::part::ThreadCommands;

/// A command that has begun and whose end may matter still.
pub(super) struct Open {
    /// ns of the reference; its start with each change, from the moment its end is known on its end.
    pub(super) times: Vec<f64>,
    /// Its measured end, on its own clock.
    pub(super) own_end: i64,
    /// Its end is known.
    pub(super) has_end: bool,
    /// Its measured end has passed.
    pub(super) is_over: bool,
}

/// The start or the end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Start(usize),
    End(usize),
}

/// A thread with its place in time.
pub(super) struct Cursor<'a> {
    pub(super) id: ThreadId,
    /// Index of its rank among the island's.
    pub(super) member: usize,
    pub(super) clock: &'a RankClock,
    pub(super) commands: &'a DataCommands,
    /// Whether the thread receives.
    pub(super) receives: bool,
    /// Its link, and the cursor of the other end.
    pub(super) link: Option<(usize, usize)>,
    /// Commands that have begun, and that have ended.
    started: usize,
    ended: usize,
    /// The commands by end, where that is another order.
    by_end: Option<Vec<u32>>,
    /// Open commands: those from this place on.
    from: usize,
    open: VecDeque<Open>,
    /// Vectors of commands that are not open any more.
    free: Vec<Vec<f64>>,
    /// The own time of the next start.
    next_start: Option<i64>,
    /// The next end of a command that has begun, and its own time.
    next_end: Option<(usize, i64)>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(
        id: ThreadId,
        member: usize,
        clock: &'a RankClock,
        thread: &'a ThreadCommands,
    ) -> Self {
        let (commands, receives) = (&thread.commands, thread.receives);
        let is_ordered = (1..commands.len()).all(|at| commands.end(at - 1) <= commands.end(at));
        let by_end = (!is_ordered).then(|| {
            let mut order: Vec<u32> = (0..commands.len() as u32).collect();
            order.sort_by_key(|place| (commands.end(*place as usize), *place));
            order
        });
        let (open, free) = (VecDeque::new(), Vec::new());
        let (started, ended, from, link) = (0, 0, 0, None);
        let next_start = (!commands.is_empty()).then(|| commands.start.value_at(0));
        Self {
            id,
            member,
            clock,
            commands,
            receives,
            link,
            started,
            ended,
            by_end,
            from,
            open,
            free,
            next_start,
            next_end: None,
        }
    }

    /// The next start or end of a command, and its own time; at equal times an end comes first.
    pub(super) fn next(&self) -> Option<(Moment, i64)> {
        match (self.next_start, self.next_end) {
            (Some(start), end) if end.is_none_or(|(_, end)| start < end) => {
                Some((Moment::Start(self.started), start))
            }
            (_, end) => end.map(|(place, end)| (Moment::End(place), end)),
        }
    }

    /// The next end of a command that has begun, and its own time.
    fn find_end(&self) -> Option<(usize, i64)> {
        let place = match &self.by_end {
            None => (self.ended < self.commands.len()).then_some(self.ended),
            Some(order) => order.get(self.ended).map(|place| *place as usize),
        };
        place.and_then(|place| Some((place, self.open(place)?.own_end)))
    }

    /// ns of the reference at a moment of its own.
    pub(super) fn reference(&self, own: i64) -> f64 {
        self.clock.reference(own as f64)
    }

    /// An open command.
    pub(super) fn open(&self, place: usize) -> Option<&Open> {
        self.open.get(place.checked_sub(self.from)?)
    }

    pub(super) fn open_mut(&mut self, place: usize) -> Option<&mut Open> {
        self.open.get_mut(place.checked_sub(self.from)?)
    }

    /// Whether a command is over.
    pub(super) fn is_over(&self, place: usize) -> bool {
        place < self.from || self.open(place).is_some_and(|open| open.is_over)
    }

    /// A command takes as long as it did, whatever its partner does.
    pub(super) fn run_alone(&mut self, place: usize) -> Option<()> {
        let command = self.commands.get(place)?;
        let moving = self.reference(command.end) - self.reference(command.start);
        let open = self.open_mut(place)?;
        open.times.iter_mut().for_each(|time| *time += moving);
        open.has_end = true;
        Some(())
    }

    /// The next command begins.
    pub(super) fn begin(&mut self, times: &[f64]) {
        // The one before it is kept: the next waits for it.
        while self.open.len() > 1 && self.open.front().is_some_and(|open| open.is_over) {
            self.free.extend(self.open.pop_front().map(|open| open.times));
            self.from += 1;
        }
        let mut own = self.free.pop().unwrap_or_default();
        own.clear();
        own.extend_from_slice(times);
        let own_end = self.commands.end(self.started);
        self.open.push_back(Open { times: own, own_end, has_end: false, is_over: false });
        self.started += 1;
        self.next_start = (self.started < self.commands.len())
            .then(|| self.commands.start.value_at(self.started));
        if self.next_end.is_none() {
            self.next_end = self.find_end();
        }
    }

    /// The command whose end was next is over.
    pub(super) fn end(&mut self, place: usize) -> Option<&Open> {
        self.ended += 1;
        self.next_end = self.find_end();
        let open = self.open_mut(place)?;
        open.is_over = true;
        Some(open)
    }
}
