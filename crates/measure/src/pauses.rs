//! The engines of a core in one walk over time: when any of them worked, and what the others did in the pauses of each.

use crate::spans::Spans;

/// A time in which an engine did no work, from the window's start or its last work to its next work or the window's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
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
    /// It is before the engine's first work.
    pub is_first: bool,
    /// It is behind the engine's last work.
    pub is_last: bool,
    /// A kernel launch begins with the work behind it.
    pub begins_launch: bool,
}

/// What is kept of an engine's pauses.
pub trait Pauses: Send {
    /// Adds the next pause.
    fn add(&mut self, pause: &Pause);
}

/// Nothing is kept.
impl Pauses for () {
    #[inline]
    fn add(&mut self, _: &Pause) {}
}

/// An engine of a core, of which what is past is left out.
pub(crate) struct Lane<'t> {
    /// When it worked.
    work: &'t [(i64, i64)],
    /// When it was in system commands only.
    sync: &'t [(i64, i64)],
    /// Numbers of the spans of work with which a kernel launch begins; the next one, and those behind it.
    next_launch: u32,
    launches: std::slice::Iter<'t, u32>,
    /// Spans of work that began.
    begun: u32,
    /// When it begins work, and when it begins or ends system commands, next.
    begins_work: i64,
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
const NEVER: i64 = i64::MAX;

/// When the first of some spans begins.
#[inline]
fn start(spans: &[(i64, i64)]) -> i64 {
    spans.first().map_or(NEVER, |span| span.0)
}

impl<'t> Lane<'t> {
    pub(crate) fn new(
        work: &'t Spans,
        sync: &'t Spans,
        launches: &'t [u32],
        window: (i64, i64),
    ) -> Self {
        let (work, sync) = (work.spans(), sync.spans());
        let mut launches = launches.iter();
        Self {
            work,
            sync,
            next_launch: launches.next().copied().unwrap_or(u32::MAX),
            launches,
            begun: 0,
            begins_work: start(work),
            changes_sync: start(sync),
            in_sync: None,
            pause: (window.0, 0),
            waited: (0, 0),
        }
    }

    /// When anything changes.
    #[inline]
    fn changes(&self) -> i64 {
        self.begins_work.min(self.changes_sync)
    }

    /// It begins or ends system commands. `worked`: ns of the core's work until then.
    fn change_sync(&mut self, worked: i64) {
        let Some((&(start_ns, end), later)) = self.sync.split_first() else { return };
        match self.in_sync.take() {
            None => (self.in_sync, self.changes_sync) = (Some(worked), end),
            Some(before) => {
                self.waited.0 += end - start_ns;
                self.waited.1 += worked - before;
                (self.sync, self.changes_sync) = (later, start(later));
            }
        }
    }

    /// It begins work; returns until when.
    #[inline]
    fn begin_work(&mut self, now: i64, worked: i64, pauses: &mut Option<impl Pauses>) -> i64 {
        let Some((&(_, end), later)) = self.work.split_first() else { return now };
        let mut next = Next::Work;
        if self.next_launch == self.begun {
            next = Next::Launch;
            self.next_launch = self.launches.next().copied().unwrap_or(u32::MAX);
        }
        self.end_pause(now, worked, next, pauses);
        self.begun += 1;
        // As long as it works the core does.
        (self.pause, self.waited) = ((end, worked + (end - now)), (0, 0));
        (self.work, self.begins_work) = (later, start(later));
        end
    }

    #[inline]
    fn end_pause(&self, now: i64, worked: i64, next: Next, pauses: &mut Option<impl Pauses>) {
        let (start, worked_before) = self.pause;
        if let Some(pauses) = pauses.as_mut().filter(|_| start < now) {
            pauses.add(&Pause {
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

/// When any engine worked. `pauses`: by engine, those of engines that ran commands other than system commands; window and times in ns.
///
/// Each span of work is looked at once, when it begins: how much the core worked until the engine's pause began is known from the span
/// before.
pub(crate) fn walk<P: Pauses>(
    mut lanes: [Lane<'_>; 3],
    pauses: &mut [Option<P>; 3],
    window: (i64, i64),
) -> Spans {
    // Most often at least as many as one engine has.
    let mut spans = Vec::with_capacity(lanes.iter().map(|lane| lane.work.len()).max().unwrap_or(0));
    // The span of work that may still grow, and ns of those before it.
    let (mut last, mut before) = ((window.0, window.0), 0);
    let mut next = lanes.each_ref().map(Lane::changes);
    loop {
        let [a, b, c] = next;
        let (first, now) = if a <= b { (0, a) } else { (1, b) };
        let (which, now) = if now <= c { (first, now) } else { (2, c) };
        if now == NEVER {
            break;
        }
        let worked = before + now.min(last.1) - last.0;
        let lane = &mut lanes[which];
        // Its system commands end no later than its work begins.
        if lane.changes_sync == now {
            lane.change_sync(worked);
        } else {
            let end = lane.begin_work(now, worked, &mut pauses[which]);
            if now > last.1 {
                if last.0 < last.1 {
                    spans.push(last);
                }
                (last, before) = ((now, end), worked);
            } else {
                last.1 = last.1.max(end);
            }
        }
        next[which] = lane.changes();
    }
    if last.0 < last.1 {
        spans.push(last);
    }
    let worked = before + last.1 - last.0;
    for (lane, pauses) in lanes.iter().zip(pauses) {
        lane.end_pause(window.1, worked, Next::End, pauses);
    }
    Spans::of_apart(spans)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    struct Kept(Vec<Pause>);

    impl Pauses for Kept {
        fn add(&mut self, pause: &Pause) {
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
            let engines = engines.map(|(work, sync)| { let sync = sync.without(&work); (work, sync) });
            let launches: Vec<u32> = launches.into_iter().collect();
            let lanes = engines.each_ref().map(|(work, sync)| Lane::new(work, sync, &launches, window));
            let mut kept = [(); 3].map(|()| Some(Kept(Vec::new())));
            let any_work = walk(lanes, &mut kept, window);
            let [a, b, c] = &engines;
            prop_assert_eq!(&any_work, &a.0.with(&b.0).with(&c.0));
            for ((work, sync), kept) in engines.iter().zip(kept) {
                let sync_alone = sync.without(&any_work);
                let pause = |(number, (start, end)): (u32, (i64, i64))| {
                    let sync_ns = sync.coverage().covered(start, end);
                    Pause {
                        start,
                        end,
                        sync_ns,
                        others_ns: any_work.coverage().covered(start, end),
                        others_in_sync_ns: sync_ns - sync_alone.coverage().covered(start, end),
                        is_first: number == 0,
                        is_last: number as usize == work.spans().len(),
                        begins_launch: (number as usize) < work.spans().len() && launches.contains(&number),
                    }
                };
                let starts = std::iter::once(window.0).chain(work.spans().iter().map(|span| span.1));
                let ends = work.spans().iter().map(|span| span.0).chain([window.1]);
                let all = (0u32..).zip(starts.zip(ends)).filter(|(_, (start, end))| start < end);
                prop_assert_eq!(kept.unwrap().0, all.map(pause).collect::<Vec<_>>());
            }
        }
    }
}
