//! Runs on single lanes become executions on all of them.

use std::collections::BTreeMap;

use crate::costs::execution::Execution;
use crate::costs::level::{Lane, Level};

/// The executions of a level in the order of their starts, and the execution of each run.
pub(crate) fn join(level: &Level, lanes: &[Lane<'_, '_>]) -> (Vec<Execution>, Vec<u32>) {
    let is_core = |run: u32| {
        let lane = level.runs.get(run as usize).map(|run| run.lane as usize);
        lane.and_then(|lane| lanes.get(lane)).is_some_and(|lane| lane.is_core)
    };
    // By name, then by lane: runs in time order.
    let mut by_name: BTreeMap<u32, BTreeMap<u32, Vec<u32>>> = BTreeMap::new();
    for (number, run) in level.runs.iter().enumerate() {
        by_name.entry(run.name).or_default().entry(run.lane).or_default().push(number as u32);
    }
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for lanes in by_name.into_values() {
        let (cores, ports): (Vec<_>, Vec<_>) =
            lanes.into_values().partition(|runs| runs.first().is_some_and(|first| is_core(*first)));
        let mut own = together(level, if cores.is_empty() { &ports } else { &cores });
        if !cores.is_empty() {
            ports.iter().flatten().for_each(|run| attach(level, &mut own, *run));
        }
        groups.append(&mut own);
    }
    let of_group = |runs: &Vec<u32>| {
        let mut execution: Option<Execution> = None;
        for number in runs {
            let Some(run) = level.runs.get(*number as usize) else { continue };
            let joined = execution.get_or_insert_with(|| Execution::new(run));
            joined.start = joined.start.min(run.start);
            joined.end = joined.end.max(run.end);
            joined.lanes += 1;
            joined.cores += u32::from(is_core(*number));
        }
        execution
    };
    let mut joined: Vec<(Execution, Vec<u32>)> =
        groups.into_iter().filter_map(|runs| Some((of_group(&runs)?, runs))).collect();
    joined.sort_by_key(|(e, _)| (e.start, e.end, e.name));
    let mut of_run = vec![0; level.runs.len()];
    let mut executions = Vec::with_capacity(joined.len());
    let mut latest: Option<i64> = None;
    for (number, (mut execution, runs)) in joined.into_iter().enumerate() {
        for run in runs {
            if let Some(slot) = of_run.get_mut(run as usize) {
                *slot = number as u32;
            }
        }
        let before = latest.unwrap_or(execution.start);
        execution.step = (execution.end - before).max(0);
        latest = Some(before.max(execution.end));
        executions.push(execution);
    }
    (executions, of_run)
}

/// The k-th runs of all lanes are one execution where all lanes have as many; else those that overlap.
fn together(level: &Level, lanes: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let count = lanes.first().map_or(0, Vec::len);
    if lanes.iter().all(|runs| runs.len() == count) {
        let kth = |k: usize| lanes.iter().filter_map(|runs| runs.get(k).copied()).collect();
        return (0..count).map(kth).collect();
    }
    let mut all: Vec<u32> = lanes.iter().flatten().copied().collect();
    let run = |number: u32| level.runs.get(number as usize);
    all.sort_by_key(|number| run(*number).map(|r| (r.start, r.lane)));
    let mut groups: Vec<(i64, Vec<u32>)> = Vec::new();
    for number in all {
        let Some(own) = run(number) else { continue };
        let fits = |(end, members): &&mut (i64, Vec<u32>)| {
            let has_lane = |m: &u32| run(*m).is_some_and(|r| r.lane == own.lane);
            own.start < *end && !members.iter().any(has_lane)
        };
        match groups.last_mut().filter(fits) {
            Some((end, members)) => {
                *end = own.end.max(*end);
                members.push(number);
            }
            None => groups.push((own.end, vec![number])),
        }
    }
    groups.into_iter().map(|(_, members)| members).collect()
}

/// Adds a port's run to the execution that began last before its end, else to the first.
fn attach(level: &Level, groups: &mut [Vec<u32>], run: u32) {
    let Some(end) = level.runs.get(run as usize).map(|r| r.end) else { return };
    let begin = |group: &Vec<u32>| {
        let first = group.first().and_then(|first| level.runs.get(*first as usize));
        first.map_or(i64::MAX, |r| r.start)
    };
    let after = groups.partition_point(|group| begin(group) < end);
    if let Some(group) = groups.get_mut(after.saturating_sub(1)) {
        group.push(run);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::level::Run;
    use bigtpu_model::costs::PartKind;

    fn level(runs: &[(u32, u32, i64, i64)]) -> Level {
        let run = |&(name, lane, start, end): &(u32, u32, i64, i64)| Run { name, lane, start, end };
        Level {
            kind: PartKind::Kernel,
            names: vec!["a".to_owned(), "b".to_owned()],
            memory: vec![None; 2],
            runs: runs.iter().map(run).collect(),
            of_event: Vec::new(),
        }
    }

    fn cores(count: usize) -> Vec<Lane<'static, 'static>> {
        vec![Lane { tracks: Vec::new(), is_core: true }; count]
    }

    #[test]
    fn equal_counts_join_by_number_even_without_overlap() {
        let level = level(&[(0, 0, 0, 10), (0, 0, 30, 40), (0, 1, 12, 20), (0, 1, 41, 60)]);
        let (executions, of_run) = join(&level, &cores(2));
        let found: Vec<_> = executions.iter().map(|e| (e.start, e.end, e.cores, e.step)).collect();
        assert_eq!(found, [(0, 20, 2, 20), (30, 60, 2, 40)]);
        assert_eq!(of_run, [0, 1, 0, 1]);
    }

    #[test]
    fn unequal_counts_join_where_they_overlap() {
        let level = level(&[(0, 0, 0, 10), (0, 0, 30, 40), (0, 1, 31, 50), (1, 1, 0, 5)]);
        let (executions, _) = join(&level, &cores(2));
        let found: Vec<_> = executions.iter().map(|e| (e.name, e.start, e.end, e.step)).collect();
        assert_eq!(found, [(1, 0, 5, 5), (0, 0, 10, 5), (0, 30, 50, 40)]);
    }
}
