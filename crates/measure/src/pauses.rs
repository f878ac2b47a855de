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

/// An engine of a core.
pub(crate) struct Lane<'t> {
    /// When it worked, from the span on that comes next.
    work: &'t [(i64, i64)],
    /// When it was in system commands only, likewise.
    sync: &'t [(i64, i64)],
    /// Numbers of the spans of work with which a kernel launch begins, likewise.
    launches: &'t [u32],
    /// Spans of work that began.
    begun: u32,
    doing: Doing,
    /// Start of the present pause, and ns of the core's work before it.
    pause: (i64, i64),
    /// ns of system commands in the present pause, and of these with work of another engine.
    waited: (i64, i64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Nothing,
    Work,
    /// It is in system commands since then, when the core had worked for so many ns.
    Sync(i64, i64),
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

impl<'t> Lane<'t> {
    pub(crate) fn new(
        work: &'t Spans,
        sync: &'t Spans,
        launches: &'t [u32],
        window: (i64, i64),
    ) -> Self {
        Self {
            work: work.spans(),
            sync: sync.spans(),
            launches,
            begun: 0,
            doing: Doing::Nothing,
            pause: (window.0, 0),
            waited: (0, 0),
        }
    }

    /// When it begins something.
    #[inline]
    fn begins(&self) -> i64 {
        let start = |spans: &[(i64, i64)]| spans.first().map_or(NEVER, |span| span.0);
        start(self.work).min(start(self.sync))
    }

    /// Ends its present pause; `worked`: ns of the core's work until then.
    #[inline]
    fn end_pause(&self, now: i64, worked: i64, next: Next, pauses: &mut impl Pauses) {
        let (start, worked_before) = self.pause;
        if start < now {
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

/// Spans of time that come in order and may touch.
struct Growing {
    spans: Vec<(i64, i64)>,
    /// The last one, which may still grow.
    last: (i64, i64),
}

impl Growing {
    fn new() -> Self {
        Self { spans: Vec::new(), last: (i64::MIN, i64::MIN) }
    }

    #[inline]
    fn begin(&mut self, now: i64) {
        if now != self.last.1 {
            self.keep();
            self.last.0 = now;
        }
    }

    #[inline]
    fn end(&mut self, now: i64) {
        self.last.1 = now;
    }

    #[inline]
    fn keep(&mut self) {
        if self.last.0 < self.last.1 {
            self.spans.push(self.last);
        }
    }

    fn finish(mut self) -> Spans {
        self.keep();
        Spans::of_apart(self.spans)
    }
}

/// What any engine of a core does, while time goes on.
struct Core {
    any_work: Growing,
    only_sync: Growing,
    /// Engines that work, and that are in system commands.
    working: u32,
    waiting: u32,
    /// ns of work until any engine began that works now, and when it did.
    worked: i64,
    since: i64,
}

impl Core {
    /// ns of work until a moment.
    #[inline]
    fn worked(&self, now: i64) -> i64 {
        if self.working > 0 { self.worked + now - self.since } else { self.worked }
    }

    #[inline]
    fn begin_work(&mut self, now: i64) {
        if self.working == 0 {
            self.since = now;
            self.any_work.begin(now);
            if self.waiting > 0 {
                self.only_sync.end(now);
            }
        }
        self.working += 1;
    }

    #[inline]
    fn end_work(&mut self, now: i64) {
        self.working -= 1;
        if self.working == 0 {
            self.worked += now - self.since;
            self.any_work.end(now);
            if self.waiting > 0 {
                self.only_sync.begin(now);
            }
        }
    }

    #[inline]
    fn begin_sync(&mut self, now: i64) {
        self.waiting += 1;
        if self.waiting == 1 && self.working == 0 {
            self.only_sync.begin(now);
        }
    }

    #[inline]
    fn end_sync(&mut self, now: i64) {
        self.waiting -= 1;
        if self.waiting == 0 && self.working == 0 {
            self.only_sync.end(now);
        }
    }
}

/// When any engine worked; and when any was in system commands and none worked. `pauses`: by engine, those of engines that ran commands
/// other than system commands, window and times in ns.
pub(crate) fn walk<P: Pauses>(
    mut lanes: [Lane<'_>; 3],
    pauses: &mut [Option<P>; 3],
    window: (i64, i64),
) -> (Spans, Spans) {
    let (any_work, only_sync) = (Growing::new(), Growing::new());
    let mut core = Core { any_work, only_sync, working: 0, waiting: 0, worked: 0, since: 0 };
    let mut next = [0, 1, 2].map(|lane| lanes[lane].begins());
    loop {
        let [a, b, c] = next;
        let (first, now) = if a <= b { (0, a) } else { (1, b) };
        let (which, now) = if now <= c { (first, now) } else { (2, c) };
        let lane = &mut lanes[which];
        match lane.doing {
            Doing::Work => {
                core.end_work(now);
                lane.doing = Doing::Nothing;
                (lane.pause, lane.waited) = ((now, core.worked(now)), (0, 0));
                next[which] = lane.begins();
            }
            Doing::Nothing => match lane.work.split_first() {
                Some((span, later)) if span.0 == now => {
                    lane.work = later;
                    let next_work = match lane.launches.split_first() {
                        Some((number, later)) if *number == lane.begun => {
                            lane.launches = later;
                            Next::Launch
                        }
                        _ => Next::Work,
                    };
                    if let Some(pauses) = &mut pauses[which] {
                        lane.end_pause(now, core.worked(now), next_work, pauses);
                    }
                    lane.begun += 1;
                    lane.doing = Doing::Work;
                    next[which] = span.1;
                    core.begin_work(now);
                }
                _ => {
                    let Some((span, later)) = lane.sync.split_first() else { break };
                    lane.sync = later;
                    lane.doing = Doing::Sync(now, core.worked(now));
                    next[which] = span.1;
                    core.begin_sync(now);
                }
            },
            Doing::Sync(since, worked) => {
                core.end_sync(now);
                lane.doing = Doing::Nothing;
                lane.waited.0 += now - since;
                lane.waited.1 += core.worked(now) - worked;
                next[which] = lane.begins();
            }
        }
    }
    for (lane, pauses) in lanes.iter_mut().zip(pauses) {
        if let Some(pauses) = pauses {
            lane.end_pause(window.1, core.worked, Next::End, pauses);
        }
    }
    (core.any_work.finish(), core.only_sync.finish())
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
            let (any_work, only_sync) = walk(lanes, &mut kept, window);
            let [a, b, c] = &engines;
            prop_assert_eq!(&any_work, &a.0.with(&b.0).with(&c.0));
            prop_assert_eq!(only_sync, a.1.with(&b.1).with(&c.1).without(&any_work));
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
