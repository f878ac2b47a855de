//! Starts and ends: engines work in order, commands wait for others, transfers of several cores share the DDR.
//!
//! Time goes from event to event: a command's start, the end of its fixed part, its end. While n transfers use the DDR,
//! each one's shared part runs at `2000 / (sharing * n)` of its speed (`sharing` in thousandths): two together get
//! `2 / sharing` of one's speed, and more get no more. A core that has moved more than its part of the DDR waits until it is no further
//! ahead than a single transfer may be.

use foldhash::{HashMap, HashMapExt};

use crate::Picoseconds;
use crate::sustained::AHEAD;
use crate::task::{Sync, Task};

/// Engines of a core.
const ENGINES: usize = 3;
/// Index of the TIU among them, and of the engine that it waits for.
const TIU: usize = 0;
const GDMA: usize = 1;

/// Pauses from the end of a command to the start of the next that waits for it, in ps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pause {
    /// Pause of the TIU after its last command.
    pub tiu_after_tiu: Picoseconds,
    /// Pause of the TIU after the GDMA command that it waits for.
    pub tiu_after_dma: Picoseconds,
    /// Pause of a DMA engine after its last command.
    pub dma_after_dma: Picoseconds,
    /// Pause of the GDMA after the TIU command that it waits for.
    pub dma_after_tiu: Picoseconds,
}

/// Start and end of each command of the TIU, GDMA and SDMA of each core, in ps.
pub type CommandTimes = Vec<[Vec<(Picoseconds, Picoseconds)>; ENGINES]>;

/// Why a command never starts: core, engine and index of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stuck {
    /// Core.
    pub core: usize,
    /// Engine.
    pub engine: usize,
    /// Index of the command in its queue.
    pub index: usize,
    /// Sends of its message that it got, where it is a wait.
    pub sent: u32,
}

/// What an engine is doing.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Idle,
    /// Until then, whatever else runs.
    Fixed(Picoseconds),
    /// So much of the shared part is left.
    Shared(Picoseconds),
}

struct Queue<'a> {
    tasks: &'a [Task],
    times: Vec<(Picoseconds, Picoseconds)>,
    phase: Phase,
    /// When the next command may start.
    free: Picoseconds,
    /// Sends that its waits took, by message.
    taken: HashMap<u16, u32>,
    /// Commands before this index start although what they wait for never comes.
    released: usize,
}

impl Queue<'_> {
    /// The command that runs or is next.
    fn head(&self) -> Option<&Task> {
        let index = self.times.len();
        let is_running = !matches!(self.phase, Phase::Idle);
        self.tasks.get(if is_running { index.saturating_sub(1) } else { index })
    }

    /// Commands that have ended.
    fn ended(&self) -> usize {
        self.times.len() - usize::from(!matches!(self.phase, Phase::Idle))
    }
}

struct State<'a> {
    queues: Vec<Queue<'a>>,
    pause: Pause,
    sharing_milli: i64,
    /// When each core would have moved all bytes so far at its part of the DDR.
    paid_until: Vec<Picoseconds>,
    /// Queues whose next command starts now; kept for its memory.
    starting: Vec<usize>,
    /// When the sends of each message ended, in order.
    sends: HashMap<u16, Vec<Picoseconds>>,
}

/// Gives each command its times.
///
/// # Errors
/// The first command that never starts.
pub fn run(
    cores: &[[Vec<Task>; ENGINES]],
    pause: Pause,
    sharing_milli: u64,
) -> Result<CommandTimes, Stuck> {
    run_with(cores, pause, sharing_milli, false).map(|(times, _)| times)
}

/// Gives each command its times. With `is_partial` some commands are missing: one that waits for what never comes
/// starts as soon as nothing else goes on. Returns the times, and the number of commands that started so.
///
/// # Errors
/// As [`run`]; none with `is_partial`.
pub(crate) fn run_with(
    cores: &[[Vec<Task>; ENGINES]],
    pause: Pause,
    sharing_milli: u64,
    is_partial: bool,
) -> Result<(CommandTimes, u64), Stuck> {
    let queue = |tasks| Queue {
        tasks,
        times: Vec::with_capacity(tasks.len()),
        phase: Phase::Idle,
        free: 0,
        taken: HashMap::new(),
        released: 0,
    };
    let queues = cores.iter().flatten().map(|tasks| queue(tasks.as_slice())).collect();
    let sharing_milli = i64::try_from(sharing_milli).unwrap_or(i64::MAX).clamp(1000, 1 << 20);
    let (starting, sends) = (Vec::new(), HashMap::new());
    let paid_until = vec![0; cores.len()];
    let mut state = State { queues, pause, sharing_milli, paid_until, starting, sends };
    let mut now = 0;
    let mut released = 0;
    loop {
        while let Some(next) = state.next(now) {
            state.advance(next - now, next);
            now = next;
        }
        let Some(stuck) = state.stuck() else { break };
        let number = stuck.core * ENGINES + stuck.engine;
        match state.queues.get_mut(number) {
            Some(queue) if is_partial => queue.released = stuck.index + 1,
            _ => return Err(stuck),
        }
        released += 1;
    }
    let mut times = state.queues.into_iter().map(|queue| queue.times);
    let times = cores.iter().map(|_| std::array::from_fn(|_| times.next().unwrap_or_default()));
    Ok((times.collect(), released))
}

impl State<'_> {
    /// Transfers whose shared part runs.
    fn sharers(&self) -> i64 {
        self.queues.iter().filter(|queue| matches!(queue.phase, Phase::Shared(_))).count() as i64
    }

    /// The time that a shared part of so many ps takes while `n` transfers share.
    fn slowed(&self, left: Picoseconds, n: i64) -> Picoseconds {
        if n <= 1 {
            return left;
        }
        let slow = i128::from(left) * i128::from(self.sharing_milli) * i128::from(n);
        i64::try_from((slow + 1999) / 2000).unwrap_or(i64::MAX)
    }

    /// What of a shared part is done in so many ps while `n` transfers share.
    fn done(&self, time: Picoseconds, n: i64) -> Picoseconds {
        if n <= 1 {
            return time;
        }
        let done = i128::from(time) * 2000 / (i128::from(self.sharing_milli) * i128::from(n));
        i64::try_from(done).unwrap_or(i64::MAX)
    }

    /// When something happens next.
    fn next(&self, now: Picoseconds) -> Option<Picoseconds> {
        let n = self.sharers();
        let of_queue = |number: usize| match self.queues.get(number)?.phase {
            Phase::Idle => self.ready(number).map(|ready| ready.max(now)),
            Phase::Fixed(end) => Some(end),
            Phase::Shared(left) => Some(now.saturating_add(self.slowed(left, n))),
        };
        (0..self.queues.len()).filter_map(of_queue).min()
    }

    /// When the next command of an idle engine may start; `None` if it has none, or must wait for what has not ended.
    fn ready(&self, number: usize) -> Option<Picoseconds> {
        let queue = self.queues.get(number)?;
        let task = queue.head()?;
        let (core, engine) = (number / ENGINES * ENGINES, number % ENGINES);
        let mut ready = queue.free;
        if queue.times.len() < queue.released {
            return Some(ready);
        }
        // When its group begins.
        let mut begin = 0;
        if task.group > 0 {
            for sibling in self.queues.get(core..core + ENGINES)? {
                let ended = sibling.ended();
                if sibling.tasks.get(ended).is_some_and(|next| next.group < task.group) {
                    return None;
                }
                let last = ended.checked_sub(1).and_then(|last| sibling.times.get(last));
                let is_before = ended
                    .checked_sub(1)
                    .and_then(|last| sibling.tasks.get(last))
                    .is_some_and(|t| t.group < task.group);
                if let Some((_, end)) = last.filter(|_| is_before) {
                    begin = begin.max(*end);
                }
            }
        }
        ready = ready.max(task.issued.saturating_add(begin));
        if let Some(awaited) = task.awaits {
            let (other, pause) = match engine {
                TIU => (GDMA, self.pause.tiu_after_dma),
                _ => (TIU, self.pause.dma_after_tiu),
            };
            let other = self.queues.get(core + other)?;
            if other.ended() <= awaited as usize {
                return None;
            }
            let (_, end) = other.times.get(awaited as usize)?;
            ready = ready.max(end.saturating_add(pause));
        }
        if let Sync::Wait { message, needed } = task.sync {
            let taken = queue.taken.get(&message).copied().unwrap_or(0);
            let last = (taken.saturating_add(needed) as usize).checked_sub(1);
            if let Some(last) = last {
                ready = ready.max(*self.sends.get(&message)?.get(last)?);
            }
        }
        Some(ready)
    }

    /// Goes on by `time` to `now`: ends what ends, then starts what was ready.
    fn advance(&mut self, time: Picoseconds, now: Picoseconds) {
        let n = self.sharers();
        let mut starting = std::mem::take(&mut self.starting);
        starting.clear();
        starting.extend((0..self.queues.len()).filter(|&number| {
            let is_idle = self.queues.get(number).is_some_and(|q| matches!(q.phase, Phase::Idle));
            is_idle && self.ready(number).is_some_and(|ready| ready <= now)
        }));
        for number in 0..self.queues.len() {
            let Some(queue) = self.queues.get(number) else { continue };
            match queue.phase {
                Phase::Idle => {}
                Phase::Fixed(end) if end > now => {}
                Phase::Fixed(_) => match self.shared_part(number, now) {
                    0 => self.end(number, now),
                    shared => self.set(number, Phase::Shared(shared)),
                },
                Phase::Shared(left) if self.slowed(left, n) <= time => self.end(number, now),
                Phase::Shared(left) => {
                    let left = left - self.done(time, n);
                    self.set(number, Phase::Shared(left.max(1)));
                }
            }
        }
        for &number in &starting {
            if let Some(queue) = self.queues.get_mut(number)
                && let Some(task) = queue.head().copied()
            {
                queue.times.push((now, now));
                queue.phase = Phase::Fixed(now.saturating_add(task.fixed));
            }
        }
        self.starting = starting;
    }

    /// The shared part of an engine's command that begins now: longer where its core is too far ahead of its part of the DDR.
    fn shared_part(&mut self, number: usize, now: Picoseconds) -> Picoseconds {
        let Some(task) = self.queues.get(number).and_then(Queue::head) else { return 0 };
        let (shared, sustained) = (task.shared, task.sustained);
        match self.paid_until.get_mut(number / ENGINES) {
            Some(paid) if shared > 0 && sustained > 0 => {
                *paid = now.max(*paid).saturating_add(sustained);
                shared.max(paid.saturating_sub(AHEAD) - now)
            }
            _ => shared,
        }
    }

    fn set(&mut self, number: usize, phase: Phase) {
        if let Some(queue) = self.queues.get_mut(number) {
            queue.phase = phase;
        }
    }

    fn end(&mut self, number: usize, now: Picoseconds) {
        let is_tiu = number % ENGINES == TIU;
        let pause = if is_tiu { self.pause.tiu_after_tiu } else { self.pause.dma_after_dma };
        let Some(queue) = self.queues.get_mut(number) else { return };
        let sync = queue.head().map_or(Sync::None, |task| task.sync);
        if let Some((_, end)) = queue.times.last_mut() {
            *end = now;
        }
        queue.phase = Phase::Idle;
        queue.free = now.saturating_add(pause);
        match sync {
            Sync::None => {}
            Sync::Send(message) => self.sends.entry(message).or_default().push(now),
            Sync::Wait { message, needed } => *queue.taken.entry(message).or_insert(0) += needed,
        }
    }

    /// The first command that never starts. A wait is the cause of what waits behind it.
    fn stuck(&self) -> Option<Stuck> {
        let of_queue = |(number, queue): (usize, &Queue<'_>)| {
            let task = queue.tasks.get(queue.times.len())?;
            let sent = match task.sync {
                Sync::Wait { message, .. } => {
                    let all = self.sends.get(&message).map_or(0, Vec::len) as u32;
                    all.saturating_sub(queue.taken.get(&message).copied().unwrap_or(0))
                }
                _ => 0,
            };
            let stuck = Stuck {
                core: number / ENGINES,
                engine: number % ENGINES,
                index: queue.times.len(),
                sent,
            };
            Some((task.awaits.is_none() && !matches!(task.sync, Sync::None), stuck))
        };
        let mut all: Vec<_> = self.queues.iter().enumerate().filter_map(of_queue).collect();
        all.sort_by_key(|(is_wait, _)| !is_wait);
        all.first().map(|(_, stuck)| *stuck)
    }
}
