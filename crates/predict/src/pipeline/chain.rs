//! A chain of measured parts, cut into stages.

use std::ops::Range;

use crate::pipeline::cost::Cost;

/// A part of a model: a layer, a kernel or a scope, with the costs of one microbatch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPart {
    /// Its name.
    pub name: String,
    /// Its costs.
    pub cost: Cost,
}

/// The cut of a chain into `count` consecutive stages, none empty, whose costliest stage is as cheap as possible; of
/// such cuts the one whose stages are most even (least sum of squares). `None` when there are fewer parts than stages.
///
/// With stages of constant cost the makespan is the sum of all stages plus (microbatches - 1) times the costliest
/// one, so this cut is the best one for every schedule that keeps its costliest stage busy.
#[must_use]
pub fn best_cut(costs: &[u64], count: usize) -> Option<Vec<Range<usize>>> {
    if count == 0 || costs.len() < count {
        return None;
    }
    let mut upto: Vec<u128> = vec![0];
    for &cost in costs {
        upto.push(upto[upto.len() - 1] + u128::from(cost));
    }
    let bound = least_bound(costs, &upto, count);
    let parts = costs.len();
    // best[end]: least sum of squares of the first `stages` stages that take the parts before `end`.
    let mut best = vec![None; parts + 1];
    best[0] = Some(0.0_f64);
    let mut choices: Vec<Vec<usize>> = Vec::with_capacity(count);
    for stage in 0..count {
        let mut next = vec![None; parts + 1];
        let mut choice = vec![0; parts + 1];
        for end in stage + 1..=parts - (count - 1 - stage) {
            for start in (stage..end).rev() {
                let cost = upto[end] - upto[start];
                if cost > bound {
                    break;
                }
                let Some(before) = best[start] else { continue };
                let sum = before + (cost as f64) * (cost as f64);
                if next[end].is_none_or(|least| sum < least) {
                    next[end] = Some(sum);
                    choice[end] = start;
                }
            }
        }
        best = next;
        choices.push(choice);
    }
    best[parts]?;
    let mut cut = Vec::with_capacity(count);
    let mut end = parts;
    for choice in choices.iter().rev() {
        let start = choice[end];
        cut.push(start..end);
        end = start;
    }
    cut.reverse();
    Some(cut)
}

/// The least bound within which a greedy filling needs at most `count` stages.
fn least_bound(costs: &[u64], upto: &[u128], count: usize) -> u128 {
    let mut low = costs.iter().copied().max().map_or(0, u128::from);
    let mut high = upto.last().copied().unwrap_or(0).max(low);
    while low < high {
        let middle = low + (high - low) / 2;
        if stages_within(costs, middle) <= count {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

fn stages_within(costs: &[u64], bound: u128) -> usize {
    let mut stages = 1;
    let mut filled = 0;
    for cost in costs.iter().copied().map(u128::from) {
        if filled + cost > bound {
            stages += 1;
            filled = 0;
        }
        filled += cost;
    }
    stages
}

/// The cost of each range of parts.
#[must_use]
pub fn stage_costs(parts: &[ModelPart], cut: &[Range<usize>]) -> Vec<Cost> {
    let sum = |range: &Range<usize>| {
        let parts = parts.get(range.clone()).unwrap_or_default();
        parts.iter().fold(Cost::default(), |sum, part| Cost {
            fwd: sum.fwd.saturating_add(part.cost.fwd),
            bwd: sum.bwd.saturating_add(part.cost.bwd),
            wgt: sum.wgt.saturating_add(part.cost.wgt),
        })
    };
    cut.iter().map(sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The costliest stage of the best of all cuts.
    fn by_brute_force(costs: &[u64], count: usize) -> u64 {
        if count == 1 {
            return costs.iter().sum();
        }
        let first = |end: usize| {
            let rest = by_brute_force(&costs[end..], count - 1);
            costs[..end].iter().sum::<u64>().max(rest)
        };
        (1..=costs.len() - (count - 1)).map(first).min().unwrap()
    }

    #[test]
    fn no_cut_is_better() {
        let chains: [&[u64]; 4] =
            [&[5, 1, 1, 1, 9, 2, 4], &[1, 1, 1, 1], &[100, 1, 1], &[0, 0, 0, 7, 0]];
        for costs in chains {
            for count in 1..=costs.len() {
                let cut = best_cut(costs, count).unwrap();
                assert_eq!(cut.len(), count);
                let costliest = cut.iter().map(|r| costs[r.clone()].iter().sum::<u64>()).max();
                assert_eq!(costliest, Some(by_brute_force(costs, count)), "{costs:?} in {count}");
                assert!(cut.iter().all(|range| !range.is_empty()));
            }
            assert_eq!(best_cut(costs, costs.len() + 1), None);
        }
    }

    #[test]
    fn equally_good_cuts_are_even() {
        assert_eq!(best_cut(&[4, 1, 1, 1, 1], 3), Some(vec![0..1, 1..3, 3..5]));
    }
}
