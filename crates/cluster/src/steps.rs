//! Steps across ranks: the repetitions of the ranks' kernels, where all ranks of an island have as many.

use std::collections::BTreeMap;

use bigtpu_messages::{Message, message};

use crate::found::Found;
use crate::numbers::thousandth;
use crate::report::{StepRank, StepRow};
use crate::work::{Own, Work};

/// Ranks of each island, by index.
fn islands(found: &Found) -> BTreeMap<usize, Vec<usize>> {
    let mut islands: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (rank, clock) in found.clocks.ranks.iter().enumerate() {
        islands.entry(clock.island).or_default().push(rank);
    }
    islands
}

/// How many steps all ranks have; 0 where they differ.
fn count(found: &Found, ranks: &[usize]) -> usize {
    let mut counts = ranks.iter().filter_map(|rank| Some(found.ranks.get(*rank)?.part.steps.len()));
    let first = counts.next().unwrap_or(0);
    if counts.all(|count| count == first) { first } else { 0 }
}

/// The name of a step, if all hosts that have markers name it so.
fn name(found: &Found, ranks: &[usize], step: usize, count: usize) -> Option<String> {
    let hosts = ranks.iter().filter_map(|rank| found.ranks.get(*rank)?.part.host.as_ref());
    let mut names = hosts
        .filter(|host| host.steps.len() == count)
        .filter_map(|host| Some(host.steps.get(step)?.name.as_str()));
    let first = names.next()?;
    names.all(|name| name == first).then(|| first.to_owned())
}

/// The steps of all islands.
pub(crate) fn steps(found: &Found) -> Vec<StepRow> {
    let mut rows = Vec::new();
    for (island, ranks) in islands(found) {
        let count = count(found, &ranks);
        if count == 0 {
            continue;
        }
        let works: Vec<Option<Work>> = ranks
            .iter()
            .map(|rank| found.ranks.get(*rank).map(|rank| Work::collect(&rank.part, &Own::Work)))
            .collect();
        for step in 0..count {
            let of_rank = |(rank, work): (&usize, &Option<Work>)| {
                let (of, clock) = (found.ranks.get(*rank)?, found.clocks.ranks.get(*rank)?);
                let (start, end) = of.part.steps.get(step).copied()?;
                let work = work.as_ref().map_or(0, |work| work.ns_between(start, end));
                Some(StepRank {
                    rank: of.number,
                    start_ns: thousandth(clock.reference(start as f64)),
                    end_ns: thousandth(clock.reference(end as f64)),
                    work_ns: work as f64,
                })
            };
            let members: Vec<StepRank> = ranks.iter().zip(&works).filter_map(of_rank).collect();
            rows.push(StepRow {
                name: name(found, &ranks, step, count),
                ..row(island, step, members)
            });
        }
    }
    rows
}

fn row(island: usize, step: usize, ranks: Vec<StepRank>) -> StepRow {
    let starts = || ranks.iter().map(|rank| rank.start_ns);
    let first = starts().fold(f64::INFINITY, f64::min);
    let last = starts().fold(f64::NEG_INFINITY, f64::max);
    let end = ranks.iter().map(|rank| rank.end_ns).fold(f64::NEG_INFINITY, f64::max);
    let works = || ranks.iter().map(|rank| rank.work_ns);
    let most = works().fold(0.0, f64::max);
    let mean = works().sum::<f64>() / ranks.len().max(1) as f64;
    StepRow {
        step,
        name: None,
        island,
        start_ns: first,
        end_ns: end,
        skew_ns: thousandth(last - first),
        imbalance: (mean > 0.0).then(|| thousandth(most / mean)),
        lost_ns: thousandth(most - mean),
        ranks,
    }
}

/// Says where steps are not shown because ranks have different numbers of them.
pub(crate) fn note(found: &Found) -> Option<Message> {
    let differ = islands(found).into_values().any(|ranks| {
        let any = ranks
            .iter()
            .any(|rank| found.ranks.get(*rank).is_some_and(|rank| !rank.part.steps.is_empty()));
        any && count(found, &ranks) == 0
    });
    differ.then(|| message!("cluster-no-steps"))
}
