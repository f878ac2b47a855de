//! Commands of ranks' cores that are alike: how slow a rank is for the same commands, whatever work it has.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::{CommandKind, CommandTable};
use bigtpu_timeline::Profile;

use crate::numbers::lower_median;

/// Commands of a dump's cores that are alike: their number and their time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Alike {
    /// What they are.
    pub what: Likeness,
    /// How many.
    pub count: u64,
    /// ns of all of them.
    pub ns: u64,
}

/// What makes commands alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness {
    /// The engine; of transfers also where from and where to.
    pub kind: u32,
    /// Bytes, or operations.
    pub amount: u64,
    /// Ideal cycles; 0 of transfers.
    pub cycles: u64,
}

/// Kinds that a part has: those that take most time.
const MOST: usize = 1024;
/// Times of a rank over those of the others are known where others run at least this share of its work, too.
const LEAST_SHARE: f64 = 0.5;

/// The commands of a dump's cores whose work is known: transfers with bytes, computation with operations.
pub(crate) fn alike(profile: &Profile<'_>, table: &CommandTable) -> Vec<Alike> {
    let mut sums: BTreeMap<Likeness, (u64, u64)> = BTreeMap::new();
    for track in table.tracks(profile).filter(|track| track.engine_id.engine != Engine::Cdma) {
        let times = track.events.start.iter().zip(&track.events.end);
        for (i, ((start, end), kind)) in times.zip(track.event_kinds()).enumerate() {
            if let Some(what) = Likeness::find(kind, track.bytes(i)) {
                let sum = sums.entry(what).or_default();
                sum.0 += 1;
                sum.1 += end.saturating_sub(*start).max(0) as u64;
            }
        }
    }
    let mut all: Vec<Alike> =
        sums.into_iter().map(|(what, (count, ns))| Alike { what, count, ns }).collect();
    all.sort_by_key(|alike| (std::cmp::Reverse(alike.ns), alike.what));
    all.truncate(MOST);
    all.sort_by_key(|alike| alike.what);
    all
}

impl Alike {
    /// ns of one.
    fn mean_ns(&self) -> f64 {
        self.ns as f64 / self.count.max(1) as f64
    }
}

impl Likeness {
    fn find(kind: &CommandKind, bytes: u64) -> Option<Self> {
        let place = |memory: Memory| match memory {
            Memory::Ddr => 0,
            Memory::L2m | Memory::L2 => 1,
            Memory::Lmem => 2,
            Memory::Unknown => 3,
        };
        if let Some(direction) = kind.direction() {
            let kind = (kind.engine as u32) << 4 | place(direction.from) << 2 | place(direction.to);
            return (bytes > 0).then_some(Self { kind, amount: bytes, cycles: 0 });
        }
        let (operations, cycles) = (kind.work().alg_ops, kind.work().alg_cycles);
        let amount = u64::try_from(operations).ok().filter(|amount| *amount > 0)?;
        let cycles = u64::try_from(cycles).unwrap_or(0);
        Some(Self { kind: (kind.engine as u32) << 4, amount, cycles })
    }
}

/// How many times as long each rank of an island takes for its commands as the other ranks take for commands alike.
/// Ranks whose commands are mostly unlike those of all other ranks are left out.
pub(crate) fn factors(ranks: &[(usize, &[Alike])]) -> BTreeMap<usize, f64> {
    // Ranks and the time that a command takes.
    let mut means: BTreeMap<Likeness, Vec<(usize, f64)>> = BTreeMap::new();
    for &(rank, own) in ranks {
        for alike in own {
            means.entry(alike.what).or_default().push((rank, alike.mean_ns()));
        }
    }
    let ratio = |rank: usize, alike: &Alike| {
        let others = means.get(&alike.what)?.iter().filter(|(other, _)| *other != rank);
        let mut others: Vec<f64> = others.map(|(_, mean)| *mean).collect();
        others.sort_by(f64::total_cmp);
        let usual = lower_median(&others).filter(|usual| *usual > 0.0)?;
        Some((alike.mean_ns() / usual, alike.ns as f64))
    };
    let factor = |&(rank, own): &(usize, &[Alike])| {
        let mut ratios: Vec<_> = own.iter().filter_map(|alike| ratio(rank, alike)).collect();
        let compared: f64 = ratios.iter().map(|(_, ns)| ns).sum();
        let all: f64 = own.iter().map(|alike| alike.ns as f64).sum();
        if compared < LEAST_SHARE * all {
            return None;
        }
        // The middle of the time: sizes that go elsewhere on some ranks are at its edges.
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut below = 0.0;
        let middle = ratios.iter().find(|(_, ns)| {
            below += ns;
            below * 2.0 >= compared
        });
        middle.map(|(ratio, _)| (rank, *ratio))
    };
    ranks.iter().filter_map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(amount: u64, count: u64, mean_ns: u64) -> Alike {
        Alike { what: Likeness { kind: 16, amount, cycles: 0 }, count, ns: count * mean_ns }
    }

    /// However much work a rank has, it is its commands' times that say how slow it is.
    #[test]
    fn the_same_commands_tell_slow_ranks_from_those_with_more_work() {
        let usual = [alike(1024, 10, 300), alike(4096, 10, 360), alike(65536, 2, 1400)];
        let much = [alike(1024, 90, 300), alike(4096, 10, 362), alike(65536, 50, 1390)];
        let slow = [alike(1024, 5, 450), alike(4096, 5, 540), alike(65536, 5, 2100)];
        let other = [alike(777, 50, 2000), alike(1024, 1, 300)];
        let found = factors(&[(0, &usual), (1, &much), (2, &slow), (3, &other)]);
        let close = |rank: usize, factor: f64| (found[&rank] - factor).abs() < 0.02;
        assert!(close(0, 1.0) && close(1, 1.0) && close(2, 1.5), "{found:?}");
        // Most of what it does no other rank does.
        assert!(!found.contains_key(&3));
    }
}
