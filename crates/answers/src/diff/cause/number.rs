//! Whether a kernel is launched another number of times, or its work is done by another number of cores. Bytes and operations follow
//! from both, and are no causes then.

use std::collections::{BTreeMap, BTreeSet};

use super::amount::{Amount, Side, working};
use super::leaf::is_same;

/// Work that is divided anew is the same in all within this share: tiles of other sizes have other edges.
const SAME_WORK: f64 = 0.05;

/// Launches on each core before and after, where they are known and not the same.
pub(super) fn launches(owner: &str, sides: &[Side; 2]) -> Option<[f64; 2]> {
    let [Some(before), Some(after)] = sides.each_ref().map(|side| side.launches_of_core(owner))
    else {
        return None;
    };
    (!is_same(before, after)).then_some([before, after])
}

/// How the number of cores with work changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum OfCores {
    /// The cores that changed most have work on one side only.
    OneSide,
    /// Numbers of cores that equal work is divided among, before and after.
    Divided([f64; 2]),
}

/// Returns how the number of cores with work changed, where this explains the change of a piece. `old`, `new`: the work
/// by core; `changed`: the cores on which it changed most.
pub(super) fn cores(
    old: &BTreeMap<u32, Amount>,
    new: &BTreeMap<u32, Amount>,
    changed: &[u32],
) -> Option<OfCores> {
    let [before, after] = [old, new].map(|side| working(side).collect::<BTreeSet<u32>>());
    let (Some(_), Some(_), true) = (before.first(), after.first(), before.len() != after.len())
    else {
        return None;
    };
    let total = |side: &BTreeMap<u32, Amount>| {
        let mut sum = Amount::default();
        side.values().for_each(|amount| sum.add(*amount));
        sum
    };
    let (all_old, all_new) = (total(old), total(new));
    let is_near = |a: f64, b: f64| (a - b).abs() <= SAME_WORK * a.abs().max(b.abs());
    let is_same_work = is_near(all_old.bytes, all_new.bytes) && is_near(all_old.ops, all_new.ops);
    if is_same_work && all_old.bytes + all_old.ops > 0.0 {
        return Some(OfCores::Divided([before.len() as f64, after.len() as f64]));
    }
    let is_of_one_side = |core: &u32| before.contains(core) != after.contains(core);
    (!changed.is_empty() && changed.iter().all(is_of_one_side)).then_some(OfCores::OneSide)
}
