//! Why cores take different times side by side: a core is slower for the same commands, or has more commands.

mod rounds;
mod speeds;

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_chip::Engine;
use bigtpu_measure::{Cells, DumpModel, Times};
use bigtpu_timeline::EngineId;

use crate::barriers::Barriers;
use crate::stretch::Stretch;
use rounds::{Part, Round, rounds};
use speeds::Speeds;

/// A core that is slower than the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SlowCore {
    pub(crate) core: u32,
    /// Its times over those of the others.
    pub(crate) factor: f64,
    /// Whether it moves as many bytes and does as many operations as the others, within half of what it is slower.
    pub(crate) has_same_work: bool,
}

/// Cores that are slower than they usually are, now and then.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Straggling {
    /// Rounds in which a core is.
    pub(crate) rounds: usize,
    /// These cores.
    pub(crate) cores: BTreeSet<u32>,
    /// The greatest of their times over their usual ones.
    pub(crate) factor: f64,
}

/// Why cores take different times side by side.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Evenness {
    /// Rounds in which the cores ran the same commands.
    pub(crate) same_rounds: usize,
    /// Cores that are slow in all of these.
    pub(crate) slow: Vec<SlowCore>,
    /// Kernels in which these cores are slow, and kernels in which they ran the same commands.
    pub(crate) slow_kernels: (usize, usize),
    /// Cores that are slower than they usually are in some of these.
    pub(crate) straggling: Straggling,
    /// Rounds in which cores have different work.
    pub(crate) uneven_rounds: usize,
    /// Work of each core in these, in ns.
    pub(crate) uneven_work: Vec<(u32, i64)>,
    /// The part of the core with most in each round, in ns.
    pub(crate) uneven_longest_ns: i64,
    /// Kernels of these rounds.
    pub(crate) uneven_kernels: BTreeSet<u32>,
    /// What the slow cores, the stragglers and the uneven rounds cost: work of the last core less that without the cause, in ns.
    pub(crate) lost_ns: [i64; 3],
    /// What the uneven rounds cost if no core needs more than the middle one does: their longest work less that, in ns.
    pub(crate) surplus_ns: i64,
    /// ns that the run needs at least without all three: the longest work of a core.
    pub(crate) needed_ns: i64,
    /// Launches that take longer or less than even work would.
    pub(crate) even: Vec<Stretch>,
}

/// Rounds are uneven from this many percent of the mean on.
const UNEVEN_PERCENT: i64 = 10;

impl Evenness {
    pub(crate) fn compute(
        model: &DumpModel<'_>,
        times: &Times,
        cells: &Cells<'_>,
        barriers: &Barriers,
    ) -> Self {
        let rounds = rounds(model, times, barriers);
        let same: Vec<&Round> = rounds.iter().filter(|round| round.is_same).collect();
        let speeds = Speeds::compute(&same);
        let mut found = Self { same_rounds: same.len(), ..Self::default() };
        found.slow = slow_cores(cells, &speeds);
        found.slow_kernels = slow_kernels(&same, &speeds);
        let mut needed: Vec<i64> = times.cores.iter().map(|time| time.work.total()).collect();
        if barriers.inferred.waits_look_like_work {
            needed = work_of_rounds(&rounds, needed.len());
        }
        for round in &same {
            found.add_same(round, &speeds, &mut needed);
        }
        for round in rounds.iter().filter(|round| !round.is_same) {
            found.add_uneven(round, &mut needed);
        }
        found.needed_ns = needed.into_iter().max().unwrap_or(0);
        found
    }

    /// What the rounds lose altogether, in ns.
    pub(crate) fn all_lost_ns(&self) -> i64 {
        self.lost_ns.iter().sum()
    }

    /// The cores that work longest and shortest in the uneven rounds, with their work in ns.
    pub(crate) fn longest_and_shortest(&self) -> Option<[(u32, i64); 2]> {
        let most = self.uneven_work.iter().rev().max_by_key(|(_, work)| *work)?;
        let least = self.uneven_work.iter().min_by_key(|(_, work)| *work)?;
        Some([*most, *least])
    }

    /// Whether these two cores move about as many bytes and do about as many operations in the run: then the same work takes one of them
    /// longer, such as in smaller pieces.
    pub(crate) fn has_same_demand(&self, cells: &Cells<'_>) -> bool {
        self.longest_and_shortest().is_some_and(|pair| {
            let [(a_bytes, a_ops), (b_bytes, b_ops)] = pair.map(|(core, _)| demand(cells, core));
            is_like(a_bytes, b_bytes) && is_like(a_ops, b_ops) && a_bytes + a_ops > 0.0
        })
    }

    fn add(&mut self, part: &Part, factor: f64, needed: &mut [i64]) {
        let Part { core, start, end, .. } = *part;
        self.even.push(Stretch { core, start, end, factor, round: None });
        if let Some(needed) = needed.get_mut(core as usize) {
            *needed -= part.work - (part.work as f64 * factor).round() as i64;
        }
    }

    fn add_same(&mut self, round: &Round, speeds: &Speeds, needed: &mut [i64]) {
        let (mut without, mut is_disturbed) = ([0; 2], false);
        for part in &round.parts {
            let straggler = speeds.straggler(round, part.core, part.work);
            let (slow, late) = (speeds.factor(part.core), straggler.unwrap_or(1.0));
            if straggler.is_some() {
                is_disturbed = true;
                self.straggling.cores.insert(part.core);
                self.straggling.factor = self.straggling.factor.max(late);
            }
            let work = part.work as f64;
            without[0] = without[0].max((work / late).round() as i64);
            without[1] = without[1].max((work / late / slow).round() as i64);
            if slow * late != 1.0 {
                self.add(part, 1.0 / (slow * late), needed);
            }
        }
        self.straggling.rounds += usize::from(is_disturbed);
        self.lost_ns[1] += round.longest() - without[0];
        self.lost_ns[0] += without[0] - without[1];
    }

    fn add_uneven(&mut self, round: &Round, needed: &mut [i64]) {
        let (mean, longest) = (round.mean(), round.longest());
        if (longest - mean) * 100 < mean * UNEVEN_PERCENT || longest == 0 {
            return;
        }
        self.uneven_rounds += 1;
        self.uneven_longest_ns += longest;
        self.lost_ns[2] += longest - mean;
        self.surplus_ns += longest - round.middle();
        self.uneven_kernels.extend(round.kernel);
        for part in &round.parts {
            let known = self.uneven_work.iter_mut().find(|(core, _)| *core == part.core);
            match known {
                Some((_, work)) => *work += part.work,
                None => self.uneven_work.push((part.core, part.work)),
            }
            if let Some(needed) = needed.get_mut(part.core as usize) {
                *needed += mean - part.work;
            }
            if part.work > 0 && part.work != mean {
                let Part { core, start, end, work, .. } = *part;
                let factor = mean as f64 / work as f64;
                // No run has more rounds than that.
                let round = u32::try_from(self.uneven_rounds).ok();
                self.even.push(Stretch { core, start, end, factor, round });
            }
        }
    }
}

/// Work of each core in all rounds, in ns.
fn work_of_rounds(rounds: &[Round], cores: usize) -> Vec<i64> {
    let mut work = vec![0; cores];
    for part in rounds.iter().flat_map(|round| &round.parts) {
        if let Some(work) = work.get_mut(part.core as usize) {
            *work += part.work;
        }
    }
    work
}

/// Kernels in which the slow cores are slow, and all kernels that they ran with the others.
fn slow_kernels(rounds: &[&Round], speeds: &Speeds) -> (usize, usize) {
    let Some((core, factor)) = speeds.slow.first().copied() else { return (0, 0) };
    let mut kernels: BTreeMap<u32, (f64, f64)> = BTreeMap::new();
    for round in rounds {
        let Some(kernel) = round.kernel else { continue };
        let own = round.parts.iter().find(|part| part.core == core).map(|part| part.work);
        let others = round.parts.iter().filter(|part| speeds.factor(part.core) == 1.0);
        let others: Vec<i64> = others.map(|part| part.work).collect();
        let mean = others.iter().sum::<i64>() as f64 / others.len().max(1) as f64;
        let sums = kernels.entry(kernel).or_default();
        *sums = (sums.0 + own.unwrap_or(0) as f64, sums.1 + mean);
    }
    let least = 1.0 + (factor - 1.0) / 2.0;
    let slow = kernels.values().filter(|(own, others)| *own > *others * least).count();
    (slow, kernels.len())
}

/// Bytes that a core moves and operations that it does in the run.
fn demand(cells: &Cells<'_>, core: u32) -> (f64, f64) {
    let is_own = |id: EngineId| id.engine != Engine::Cdma && id.index == core;
    cells.iter().filter(|cell| is_own(cell.engine_id)).fold((0.0, 0.0), |sum, cell| {
        let ops = cell.kind.work().alg_ops as f64 * cell.count as f64;
        (sum.0 + cell.bytes as f64, sum.1 + ops)
    })
}

/// Whether two amounts differ by less than what makes rounds uneven.
fn is_like(a: f64, b: f64) -> bool {
    (a - b).abs() * 100.0 <= a.max(b) * UNEVEN_PERCENT as f64
}

/// The slow cores, and whether they have the same work as the others.
fn slow_cores(cells: &Cells<'_>, speeds: &Speeds) -> Vec<SlowCore> {
    if speeds.slow.is_empty() {
        return Vec::new();
    }
    let usual: Vec<(f64, f64)> = speeds
        .usual
        .keys()
        .filter(|core| speeds.factor(**core) == 1.0)
        .map(|core| demand(cells, *core))
        .collect();
    let count = usual.len().max(1) as f64;
    let mean = usual.iter().fold((0.0, 0.0), |sum, own| (sum.0 + own.0, sum.1 + own.1));
    let slow = speeds.slow.iter().map(|&(core, factor)| {
        let own = demand(cells, core);
        let most = 1.0 + (factor - 1.0) / 2.0;
        let has_same_work = own.0 * count <= mean.0 * most && own.1 * count <= mean.1 * most;
        SlowCore { core, factor, has_same_work }
    });
    slow.collect()
}
