//! Commands that a core issues word by word: each costs its processor time, whatever the engines do.
//!
//! A static model's commands, and cached descriptors, are streams that engines read by themselves: they cost nothing. A kernel's
//! commands are written into registers one after another. One measurement is known: an Add of 1024x1024 FP16 on a core of a BM1690
//! board in 256 tiles of 32x128, four commands each, takes 632 us with a launch of 22 us (20 samples), that is 596 ns a command.

use bigtpu_chip::Chip;
use bigtpu_command_cost::Mark;

use crate::Picoseconds;
use crate::program::{Program, Queued};
use crate::task::Task;

/// From a command to the next one, in ps.
const ISSUE: Picoseconds = 596_000;
/// The chip of the measurement.
const MEASURED: &str = "AKS";

/// What issuing the commands of a program takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatch {
    /// Commands that are issued word by word.
    pub commands: u64,
    /// For each of them, in ps.
    pub each: Picoseconds,
    /// On the core that has most of them, in ps.
    pub longest: Picoseconds,
    /// How well this is known.
    pub mark: Mark,
}

impl Dispatch {
    /// `None` where all commands are in streams.
    pub(crate) fn count(program: &Program<'_>) -> Option<Self> {
        let words = |queues: &[Vec<Queued>; 3]| {
            queues.iter().flatten().filter(|queued| queued.is_word).count() as u64
        };
        let of_cores = program.cores.iter().map(|core| words(&core.queues));
        let (commands, most) = (of_cores.clone().sum(), of_cores.max().unwrap_or(0));
        let longest = ISSUE.saturating_mul(i64::try_from(most).unwrap_or(i64::MAX));
        let mark = mark(program.chip);
        (commands > 0).then_some(Self { commands, each: ISSUE, longest, mark })
    }
}

/// One measurement on one chip is all that is known.
fn mark(chip: &Chip) -> Mark {
    if chip.name == MEASURED { Mark::Fitted } else { Mark::Estimated }
}

/// Gives each command of a core the moment at which it is issued, in ps from the start of its group.
///
/// Files and records have the commands of each engine in order, but not the order between engines. A command that names another one was
/// issued after it; where this leaves a choice, the engine is next that is behind in its group.
pub(crate) fn issue(queues: &[Vec<Queued>; 3], tasks: &mut [Vec<Task>; 3]) {
    if !queues.iter().flatten().any(|queued| queued.is_word) {
        return;
    }
    let mut next = [0; 3];
    while let Some(group) = heads(queues, next).map(|(_, queued)| queued.group).min() {
        let begin = next;
        let length = |engine: usize| {
            let rest = queues.get(engine).and_then(|queue| queue.get(*begin.get(engine)?..));
            rest.unwrap_or_default().iter().take_while(|queued| queued.group == group).count()
        };
        let lengths = [0, 1, 2].map(length);
        let mut issued = 0;
        loop {
            let part = |engine: usize| {
                (next[engine] - begin[engine]) as f64 / lengths[engine].max(1) as f64
            };
            let of_group = heads(queues, next).filter(|(_, queued)| queued.group == group);
            let is_free = |engine: usize| {
                let awaited = tasks[engine].get(next[engine]).and_then(|task| task.awaits);
                // The TIU and the GDMA wait for each other.
                awaited.is_none_or(|awaited| next[usize::from(engine == 0)] > awaited as usize)
            };
            let choice = of_group.min_by(|(a, _), (b, _)| {
                let key = |engine: usize| (!is_free(engine), part(engine));
                let (a, b) = (key(*a), key(*b));
                a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
            });
            let Some((engine, queued)) = choice else { break };
            if queued.is_word {
                if let Some(task) = tasks[engine].get_mut(next[engine]) {
                    task.issued = issued;
                }
                issued = issued.saturating_add(ISSUE);
            }
            next[engine] += 1;
        }
    }
}

/// The next command of each engine that has one.
fn heads(queues: &[Vec<Queued>; 3], next: [usize; 3]) -> impl Iterator<Item = (usize, &Queued)> {
    let both = queues.iter().zip(next).enumerate();
    both.filter_map(|(engine, (queue, next))| Some((engine, queue.get(next)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Sync;

    fn queued(is_word: bool) -> Queued {
        Queued { offset: 0, code: None, group: 0, number: 0, tag: 0, launch: 0, is_word }
    }

    fn task(awaits: Option<u32>) -> Task {
        Task { fixed: 1, shared: 0, sustained: 0, group: 0, awaits, sync: Sync::None, issued: 0 }
    }

    /// Tiles of two loads, a computation and a store.
    fn tiles(is_word: bool) -> [Vec<Picoseconds>; 2] {
        let (tiu, gdma) = (vec![queued(is_word); 2], vec![queued(is_word); 6]);
        let computations = vec![task(Some(1)), task(Some(4))];
        let transfers = [None, None, Some(0), None, None, Some(1)].map(task).to_vec();
        let mut tasks = [computations, transfers, Vec::new()];
        issue(&[tiu, gdma, Vec::new()], &mut tasks);
        let [tiu, gdma, _] = tasks.map(|tasks| tasks.iter().map(|task| task.issued).collect());
        [tiu, gdma]
    }

    #[test]
    fn commands_are_issued_after_those_that_they_name() {
        let place = |issued: &Picoseconds| issued / ISSUE;
        let order = |of: [Vec<Picoseconds>; 2]| -> [Vec<i64>; 2] {
            of.map(|all| all.iter().map(place).collect())
        };
        assert_eq!(order(tiles(true)), [vec![2, 6], vec![0, 1, 3, 4, 5, 7]]);
    }

    #[test]
    fn a_stream_costs_nothing() {
        assert_eq!(tiles(false), [vec![0; 2], vec![0; 6]]);
    }
}
