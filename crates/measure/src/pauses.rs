//! The engines of a core in one walk over time: when any of them worked, and what the others did in the pauses of each.

use crate::growing::Growing;
use crate::span_list::SpansAhead;
use crate::spans::Spans;

/// A time in which an engine did no work, from the window's start or its last work to its next work or the window's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnginePause {
    /// ns.
    pub start: i64,
    /// ns.
    pub end: i64,
    /// ns of it in which the engine was in system commands.
    pub sync_ns: i64,
    /// ns of it in which another engine of the core worked.
    pub others_ns: i64,
    /// ns of these in which the engine was in system commands.
    pub others_in_sync_ns: i64,
    /// Whether the pause is before the engine's first work.
    pub is_first: bool,
    /// Whether the pause is behind the engine's last work.
    pub is_last: bool,
    /// A kernel launch begins with the work behind it.
    pub begins_launch: bool,
}

/// What is kept of an engine's pauses.
pub trait EnginePauses: Send {
    /// Adds the next pause.
    fn add(&mut self, pause: &EnginePause);
}

/// Nothing is kept.
impl EnginePauses for () {
    #[inline]
    fn add(&mut self, _: &EnginePause) {}
}

/// An engine of a core, of which what is past is left out.
pub(crate) struct Lane<'t> {
    /// Whether the engine transfers data.
    is_transfer: bool,
    /// When it worked.
    work: SpansAhead<'t>,
    /// When it was in system commands only.
    sync: SpansAhead<'t>,
    /// Numbers of the spans of work with which a kernel launch begins; the next one, and those behind it.
    next_launch: u32,
    launches: std::slice::Iter<'t, u32>,
    /// Spans of work that began.
    begun: u32,
    /// When it begins or ends system commands next.
    changes_sync: i64,
    /// ns of the core's work when it began the present system commands, if it is in any.
    in_sync: Option<i64>,
    /// Start of the present pause, and ns of the core's work before it; while it works those of the pause that follows.
    pause: (i64, i64),
    /// ns of system commands in the present pause, and of these with work of another engine.
    waited: (i64, i64),
}

/// What is behind a pause.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Work.
    Work,
    /// The first work of a kernel launch.
    Launch,
    /// The end of the window.
    End,
}

/// Never.
const NEVER: i64 = SpansAhead::END.0;

impl<'t> Lane<'t> {
    pub(crate) fn new(
        is_transfer: bool,
        work: &'t Spans,
        sync: &'t Spans,
        launches: &'t [u32],
        window: (i64, i64),
    ) -> Self {
        let (work, sync) = (work.ahead(), sync.ahead());
        let mut launches = launches.iter();
        Self {
            is_transfer,
            changes_sync: sync.next.0,
            work,
            sync,
            next_launch: launches.next().copied().unwrap_or(u32::MAX),
            launches,
            begun: 0,
            in_sync: None,
            pause: (window.0, 0),
            waited: (0, 0),
        }
    }

    /// When anything changes.
    #[inline]
    fn changes(&self) -> i64 {
        self.work.next.0.min(self.changes_sync)
    }

    /// Begins or ends system commands. `worked`: ns of the core's work until then. Returns whether system commands
    /// begin.
    fn change_sync(&mut self, worked: i64) -> bool {
        let (start, end) = self.sync.next;
        match self.in_sync.take() {
            None => {
                (self.in_sync, self.changes_sync) = (Some(worked), end);
                true
            }
            Some(before) => {
                self.waited.0 += end - start;
                self.waited.1 += worked - before;
                self.sync.advance();
                self.changes_sync = self.sync.next.0;
                false
            }
        }
    }

    /// Begins work; returns when this work ends.
    #[inline]
    fn begin_work(&mut self, now: i64, worked: i64, pauses: &mut Option<impl EnginePauses>) -> i64 {
        let end = self.work.next.1;
        let mut next = Next::Work;
        if self.next_launch == self.begun {
            next = Next::Launch;
            self.next_launch = self.launches.next().copied().unwrap_or(u32::MAX);
        }
        self.end_pause(now, worked, next, pauses);
        self.begun += 1;
        // As long as it works the core does.
        (self.pause, self.waited) = ((end, worked + (end - now)), (0, 0));
        self.work.advance();
        end
    }

    #[inline]
    fn end_pause(&self, now: i64, worked: i64, next: Next, pauses: &mut Option<impl EnginePauses>) {
        let (start, worked_before) = self.pause;
        if let Some(pauses) = pauses.as_mut().filter(|_| start < now) {
            pauses.add(&EnginePause {
                start,
                end: now,
                sync_ns: self.waited.0,
                others_ns: worked - worked_before,
                others_in_sync_ns: self.waited.1,
                is_first: self.begun == 0,
                is_last: next == Next::End,
                begins_launch: next == Next::Launch,
            });
        }
    }
}

/// The engines of a core together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Together {
    /// Any worked.
    pub(crate) work: Spans,
    /// Any that transfers data worked; empty where no more than one of them ever did.
    pub(crate) transfers: Spans,
    /// Any was in system commands, and none worked.
    pub(crate) sync: Spans,
}

/// System commands of a core while none of its engines works.
struct Waiting {
    /// How many engines are in system commands, and since when any is.
    engines: u32,
    since: i64,
    spans: Growing,
}

impl Waiting {
    fn begin(&mut self, now: i64) {
        if self.engines == 0 {
            self.since = now;
        }
        self.engines += 1;
    }

    /// An engine ends system commands. `worked`: when the last work ended or will end.
    fn end(&mut self, now: i64, worked: i64) {
        self.engines -= 1;
        if self.engines == 0 {
            self.add_until(now, worked);
        }
    }

    /// What is up to a moment at which none of them is any more, or any engine begins work.
    fn add_until(&mut self, now: i64, worked: i64) {
        let since = self.since.max(worked);
        if since < now {
            self.spans.add(since, now);
        }
    }
}

/// The engines of a core together. `pauses`: by engine, those of engines that ran commands other than system commands; window and times
/// in ns.
///
/// Each span of work is looked at once, when it begins: how much the core worked until the engine's pause began is known from the span
/// before.
pub(crate) fn walk<P: EnginePauses>(
    mut lanes: [Lane<'_>; 3],
    pauses: &mut [Option<P>; 3],
    window: (i64, i64),
) -> Together {
    let transfer = |lane: &&Lane<'_>| lane.is_transfer && !lane.work.is_at_end();
    let several_transfer = lanes.iter().filter(transfer).count() > 1;
    let mut transfers = Growing::from(window.0);
    let mut waiting = Waiting { engines: 0, since: window.0, spans: Growing::from(window.0) };
    // Work, and ns of its spans before the last one.
    let (mut work, mut before) = (Growing::from(window.0), 0);
    let mut next = lanes.each_ref().map(Lane::changes);
    loop {
        let [a, b, c] = next;
        let (first, now) = if a <= b { (0, a) } else { (1, b) };
        let (which, now) = if now <= c { (first, now) } else { (2, c) };
        if now == NEVER {
            break;
        }
        let last = work.last;
        let worked = before + now.min(last.1) - last.0;
        let lane = &mut lanes[which];
        // Its system commands end no later than its work begins.
        if lane.changes_sync == now {
            match lane.change_sync(worked) {
                true => waiting.begin(now),
                false => waiting.end(now, last.1),
            }
        } else {
            let end = lane.begin_work(now, worked, &mut pauses[which]);
            if now > last.1 {
                before = worked;
                if waiting.engines > 0 {
                    waiting.add_until(now, last.1);
                }
            }
            work.add(now, end);
            if several_transfer && lane.is_transfer {
                transfers.add(now, end);
            }
        }
        next[which] = lane.changes();
    }
    let worked = before + work.last.1 - work.last.0;
    for (lane, pauses) in lanes.iter().zip(pauses) {
        lane.end_pause(window.1, worked, Next::End, pauses);
    }
    let [work, transfers, sync] =
        [work, transfers, waiting.spans].map(|spans| Spans::of_apart(spans.finish()));
    Together { work, transfers, sync }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Kept(Vec<EnginePause>);

    impl EnginePauses for Kept {
        fn add(&mut self, pause: &EnginePause) {
            self.0.push(*pause);
        }
    }

    fn some_spans() -> impl Strategy<Value = Spans> {
        prop::collection::vec((0i64..100, 0i64..12), 0..9).prop_map(|spans| {
            Spans::union(spans.into_iter().map(|(start, length)| (start, start + length)))
        })
    }

    proptest! {
        /// Each pause by itself, held against the sets.
        #[test]
        fn pauses_are_what_the_sets_say(
            engines in prop::array::uniform3((some_spans(), some_spans())),
            launches in prop::collection::btree_set(0u32..9, 0..4),
        ) {
            let window = (0, 120);
            let engines = engines.map(|(work, sync)| { let sync = sync.difference(&work); (work, sync) });
            let launches: Vec<u32> = launches.into_iter().collect();
            let mut is_transfer = [false, true, true].into_iter();
            let lanes = engines.each_ref().map(|(work, sync)| {
                Lane::new(is_transfer.next().unwrap(), work, sync, &launches, window)
            });
            let mut kept = [(); 3].map(|()| Some(Kept(Vec::new())));
            let together = walk(lanes, &mut kept, window);
            let [a, b, c] = &engines;
            let any_work = a.0.with(&b.0).with(&c.0);
            let expected = Together {
                transfers: if b.0.is_empty() || c.0.is_empty() { Spans::default() } else { b.0.with(&c.0) },
                sync: a.1.with(&b.1).with(&c.1).difference(&any_work),
                work: any_work.clone(),
            };
            prop_assert_eq!(together, expected);
            for ((work, sync), kept) in engines.iter().zip(kept) {
                let sync_alone = sync.difference(&any_work);
                let pause = |(number, (start, end)): (u32, (i64, i64))| {
                    let sync_ns = sync.coverage().covered(start, end);
                    EnginePause {
                        start,
                        end,
                        sync_ns,
                        others_ns: any_work.coverage().covered(start, end),
                        others_in_sync_ns: sync_ns - sync_alone.coverage().covered(start, end),
                        is_first: number == 0,
                        is_last: number as usize == work.len(),
                        begins_launch: (number as usize) < work.len() && launches.contains(&number),
                    }
                };
                let starts = std::iter::once(window.0).chain(work.iter().map(|span| span.1));
                let ends = work.iter().map(|span| span.0).chain([window.1]);
                let all = (0u32..).zip(starts.zip(ends)).filter(|(_, (start, end))| start < end);
                prop_assert_eq!(kept.unwrap().0, all.map(pause).collect::<Vec<_>>());
            }
        }
    }
}
