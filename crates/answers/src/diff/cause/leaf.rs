//! Each piece of the critical path that changed, divided into causes.

use std::collections::{BTreeMap, BTreeSet};

use bigtpu_replay::Reason;

use super::CauseKind;
use super::amount::{Amount, Key, Side};
use super::number::{OfCores, cores as number_of_cores, launches};
use crate::diff::compared::is_work;
use crate::diff::design::{Design, Value};
use crate::diff::lineage::Lineage;
use crate::diff::shift::{Bounds, Noise};
use crate::diff::stat::median;

/// A cause of the change of one piece.
#[derive(Debug, Clone)]
pub(super) struct Leaf {
    pub(super) kind: CauseKind,
    /// Cores on which it changed; empty where it is all that take part.
    pub(super) cores: Vec<u32>,
    pub(super) key: Key,
    /// ns of wall time.
    pub(super) ns: f64,
    /// After and before of what the kind names.
    pub(super) sides: Option<[f64; 2]>,
    /// The kernels that it is split into, or fused with, by their number in the lineage.
    pub(super) set: Option<usize>,
}

/// Work that changed by less than this share took the same time.
const SAME_TIME: f64 = 0.01;
/// Numbers this near are the same: medians of several runs may differ by a command.
const SAME: f64 = 0.005;
/// A part of a change below this share is not worth a line of its own.
const LEAST_PART: f64 = 0.05;
/// The path may hold the work of one core after that of another, so it may change by a little more than that of one.
const ONE_CORE: f64 = 1.2;
/// A core takes part in a change if its own is at least this share of the greatest.
const TAKES_PART: f64 = 0.5;

/// The causes of all pieces that changed by more than noise.
pub(super) fn leaves(sides: &[Side; 2], design: &Design, lineage: &Lineage) -> Vec<Leaf> {
    let [before, after] = sides;
    if before.runs.is_empty() || after.runs.is_empty() {
        return Vec::new();
    }
    let keys: BTreeSet<&Key> = before.path.keys().chain(after.path.keys()).collect();
    let mut bounds = Bounds::default();
    let mut found = Vec::new();
    for key in keys {
        let (old, new) = (before.path(key), after.path(key));
        let Some(shift) = design.drifting([&old, &new], &mut bounds) else { continue };
        if shift.estimate != 0.0 && shift.noise() != Noise::Within {
            let of_path = median_of(&old);
            found.extend(of_piece(key, shift.estimate, of_path, sides, lineage));
        }
    }
    found
}

/// `before_ns`: of the piece on the path before.
fn of_piece(key: &Key, ns: f64, before_ns: f64, sides: &[Side; 2], lineage: &Lineage) -> Vec<Leaf> {
    let [before, after] = sides;
    let leaf = |kind, ns, sides| {
        let (cores, key) = (Vec::new(), key.clone());
        Leaf { kind, cores, key, ns, sides, set: None }
    };
    let nothing = BTreeMap::new();
    let [old, new] = [before, after].map(|side| side.work.get(key).unwrap_or(&nothing));
    let (cores, is_part) = cores_that_changed(old, new, ns.signum());
    if !is_work(key.reason) {
        // Launches and messages concern several cores, and the path goes through one of them; this concerns its own.
        let is_own = key.reason == Reason::Unexplained && cores.len() == 1;
        let cores = if is_own { cores } else { Vec::new() };
        // Each launch has its pauses.
        let number = launches(&key.owner, sides);
        let of_launches =
            number.map_or(0.0, |[old, new]| part_of(before_ns * (new / old - 1.0), ns));
        let mut found = Vec::new();
        if of_launches != 0.0 {
            found.push(leaf(CauseKind::Launches, of_launches, number));
        }
        if of_launches != ns {
            found.push(Leaf { cores, ..leaf(CauseKind::Pauses, ns - of_launches, None) });
        }
        return found;
    }
    if !before.has_work || !after.has_work {
        return vec![leaf(CauseKind::Unknown, ns, None)];
    }
    let is_known = |side: &Side| key.owner.is_empty() || side.owners.contains(&key.owner);
    if !is_known(before) || !is_known(after) {
        let set = lineage.set_of(&key.owner);
        let of_set = set.and_then(|set| lineage.divided.get(set));
        let kind = match of_set {
            Some((old, _)) if old.len() == 1 => CauseKind::Split,
            Some(_) => CauseKind::Fused,
            None if is_known(after) => CauseKind::New,
            None => CauseKind::Gone,
        };
        return vec![Leaf { set, ..leaf(kind, ns, None) }];
    }
    let sum = |side: &BTreeMap<u32, Amount>| {
        let mut sum = Amount::default();
        cores.iter().filter_map(|core| side.get(core)).for_each(|amount| sum.add(*amount));
        sum
    };
    let (old_sum, new_sum) = (sum(old), sum(new));
    match number_of_cores(old, new, &cores) {
        Some(OfCores::OneSide) => return vec![Leaf { cores, ..leaf(CauseKind::Cores, ns, None) }],
        Some(OfCores::Divided(number)) => return vec![leaf(CauseKind::Cores, ns, Some(number))],
        None => {}
    }
    let longest = |core: &u32| {
        let ns = |side: &BTreeMap<u32, Amount>| side.get(core).map_or(0.0, |amount| amount.ns);
        (ns(new) - ns(old)).abs()
    };
    // No more of the change than a core's work took longer is because of it; the rest was hidden before.
    let of_work = cores.iter().map(longest).fold(0.0, f64::max);
    let share = if of_work * ONE_CORE >= ns.abs() { 1.0 } else { of_work / ns.abs() };
    let mut found = Vec::new();
    let named = if is_part { cores } else { Vec::new() };
    let of_work = ns * share;
    let number = launches(&key.owner, sides);
    let more = number.map_or(1.0, |[old, new]| new / old);
    let change = new_sum.ns - old_sum.ns;
    let of_launches = part_of(of_work * (old_sum.ns * (more - 1.0) / change), of_work);
    if number.is_some() && of_launches != 0.0 {
        found.push(leaf(CauseKind::Launches, of_launches, number));
    }
    if of_launches != of_work {
        for (kind, part, sides) in parts(old_sum.times(more), new_sum, key.reason) {
            let ns = (of_work - of_launches) * part;
            found.push(Leaf { cores: named.clone(), ..leaf(kind, ns, Some(sides)) });
        }
    }
    if found.is_empty() {
        return vec![leaf(CauseKind::Overlap, ns, None)];
    }
    if share < 1.0 - LEAST_PART {
        found.push(leaf(CauseKind::Overlap, ns * (1.0 - share), None));
    }
    found
}

/// A part of a change, or all of it, or nothing, where the rest or the part is not worth a line. Unknown parts are nothing.
fn part_of(part: f64, change: f64) -> f64 {
    let share = part / change;
    match share {
        _ if !share.is_finite() || share.abs() < LEAST_PART => 0.0,
        _ if (share - 1.0).abs() < LEAST_PART => change,
        _ => part,
    }
}

/// The median of a piece's ns.
fn median_of(values: &[Value]) -> f64 {
    let mut all: Vec<f64> = values.iter().map(|(_, ns)| *ns).collect();
    all.sort_by(f64::total_cmp);
    median(&all).unwrap_or(0.0)
}

/// The cores whose work changed in this direction, and whether others did not.
fn cores_that_changed(
    before: &BTreeMap<u32, Amount>,
    after: &BTreeMap<u32, Amount>,
    direction: f64,
) -> (Vec<u32>, bool) {
    let all: BTreeSet<u32> = before.keys().chain(after.keys()).copied().collect();
    let change = |core: &u32| {
        let ns = |side: &BTreeMap<u32, Amount>| side.get(core).map_or(0.0, |amount| amount.ns);
        (ns(after).max(1.0) / ns(before).max(1.0)).ln() * direction
    };
    let most = all.iter().map(change).fold(0.0, f64::max);
    if most < SAME_TIME {
        return (Vec::new(), false);
    }
    let cores: Vec<u32> =
        all.iter().copied().filter(|core| change(core) >= most * TAKES_PART).collect();
    let is_part = cores.len() < all.len();
    (cores, is_part)
}

pub(super) fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

type Part = (CauseKind, f64, [f64; 2]);

/// Why work took another time: each cause with its share of the change, and what it was before and is after.
fn parts(old: Amount, new: Amount, reason: Reason) -> Vec<Part> {
    let change = new.ns - old.ns;
    if old.ns <= 0.0 || new.ns <= 0.0 {
        let sides = [old.commands, new.commands];
        return if change == 0.0 { Vec::new() } else { vec![(CauseKind::Commands, 1.0, sides)] };
    }
    if change.abs() < SAME_TIME * old.ns {
        return Vec::new();
    }
    let same_work = is_same(old.commands, new.commands)
        && is_same(old.bytes, new.bytes)
        && is_same(old.ops, new.ops)
        && is_same(old.uarch_ops, new.uarch_ops);
    if same_work {
        return vec![(CauseKind::SameCommands, 1.0, [old.ns, new.ns])];
    }
    // By what the time is expected to change, and the rest, which is the rate.
    let (kind, before, after) = match reason {
        Reason::Compute if old.ops > 0.0 && new.ops > 0.0 => {
            (CauseKind::Operations, old.ops, new.ops)
        }
        Reason::Compute => (CauseKind::Commands, old.commands, new.commands),
        _ if old.bytes > 0.0 && new.bytes > 0.0 => (CauseKind::Bytes, old.bytes, new.bytes),
        _ => (CauseKind::Commands, old.commands, new.commands),
    };
    let of_amount = old.ns * (after / before.max(1.0) - 1.0) / change;
    let each = |amount: Amount, of: f64| amount.commands / of.max(1.0);
    let padding = |amount: Amount| amount.uarch_ops / amount.ops.max(1.0);
    let rest = if kind == CauseKind::Operations && !is_same(padding(old), padding(new)) {
        (CauseKind::Padding, [padding(old), padding(new)])
    } else if kind != CauseKind::Commands && !is_same(each(old, before), each(new, after)) {
        (CauseKind::Commands, [old.commands, new.commands])
    } else {
        (CauseKind::Rate, [before / old.ns, after / new.ns])
    };
    let is_much = |part: f64| part.abs() >= LEAST_PART;
    match (is_much(of_amount), is_much(1.0 - of_amount)) {
        (true, true) => {
            vec![(kind, of_amount, [before, after]), (rest.0, 1.0 - of_amount, rest.1)]
        }
        (true, false) => vec![(kind, 1.0, [before, after])],
        _ => vec![(rest.0, 1.0, rest.1)],
    }
}
