//! Random streams against a loop that goes on by one ps at a time.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_simulate::{CommandTimes, Pause, Sync, Task, run};
use proptest::prelude::*;

/// Parts of a ps: any number of engines up to nine shares them evenly.
const SHARES: i64 = 2520;
/// How much longer times are where rounding is not to matter.
const LONG: i64 = 100;

/// Times by the rules of the event loop, one ps after another. With a sharing of 2 each of n transfers gets 1/n of the
/// DDR.
fn slowly(cores: &[[Vec<Task>; 3]], pause: Pause) -> Option<CommandTimes> {
    struct Engine {
        next: usize,
        free: i64,
        /// Start, fixed rest, shared rest in parts of a ps.
        now: Option<(i64, i64, i64)>,
        times: Vec<(i64, i64)>,
    }
    let mut engines: Vec<Engine> = (0..cores.len() * 3)
        .map(|_| Engine { next: 0, free: 0, now: None, times: Vec::new() })
        .collect();
    let queues: Vec<&Vec<Task>> = cores.iter().flatten().collect();
    let total: usize = queues.iter().map(|q| q.len()).sum();
    let mut sends: Vec<(u16, i64)> = Vec::new();
    let mut taken: Vec<Vec<u32>> = vec![vec![0; 4]; queues.len()];
    let mut idle = 0;
    for t in 0..20_000 * LONG {
        // What ends at t, and what that starts, until nothing changes.
        loop {
            let mut changed = false;
            for (i, queue) in queues.iter().enumerate() {
                if let Some((start, 0, shared)) = engines[i].now
                    && shared <= 0
                {
                    let pause = if i % 3 == 0 { pause.tiu_after_tiu } else { pause.dma_after_dma };
                    match queue[engines[i].next].sync {
                        Sync::Send(m) => sends.push((m, t)),
                        Sync::Wait { message, needed } => taken[i][message as usize] += needed,
                        Sync::None => {}
                    }
                    let engine = &mut engines[i];
                    engine.times.push((start, t));
                    (engine.now, engine.free) = (None, t + pause);
                    engine.next += 1;
                    changed = true;
                }
            }
            for (i, queue) in queues.iter().enumerate() {
                let Some(task) = queue.get(engines[i].next).filter(|_| engines[i].now.is_none())
                else {
                    continue;
                };
                let base = i / 3 * 3;
                let other = if i % 3 == 0 { 1 } else { 0 };
                let lag = if i % 3 == 0 { pause.tiu_after_dma } else { pause.dma_after_tiu };
                let is_met = task.awaits.is_none_or(|a| {
                    engines[base + other]
                        .times
                        .get(a as usize)
                        .is_some_and(|(_, end)| end + lag <= t)
                });
                let is_told = match task.sync {
                    Sync::Wait { message, needed } => {
                        let come = sends.iter().filter(|(m, _)| *m == message).count() as u32;
                        come >= taken[i][message as usize] + needed
                    }
                    _ => true,
                };
                let is_its_group = (base..base + 3)
                    .all(|s| queues[s].get(engines[s].next).is_none_or(|t| t.group >= task.group));
                if engines[i].free <= t && is_met && is_told && is_its_group {
                    engines[i].now = Some((t, task.fixed, task.shared * SHARES));
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        if engines.iter().map(|e| e.times.len()).sum::<usize>() == total {
            let mut times = engines.into_iter().map(|e| e.times);
            return Some(
                cores.iter().map(|_| std::array::from_fn(|_| times.next().unwrap())).collect(),
            );
        }
        // No pause is as long: nothing starts any more.
        idle = if engines.iter().any(|e| e.now.is_some()) { 0 } else { idle + 1 };
        if idle > 20 * LONG {
            return None;
        }
        let is_sharing =
            |e: &Engine| e.now.is_some_and(|(_, fixed, shared)| fixed == 0 && shared > 0);
        let n = engines.iter().filter(|e| is_sharing(e)).count().max(1) as i64;
        for engine in &mut engines {
            if let Some((_, fixed, shared)) = &mut engine.now {
                if *fixed > 0 {
                    *fixed -= 1;
                } else {
                    *shared -= SHARES / n;
                }
            }
        }
    }
    None
}

fn task(group: u32) -> impl Strategy<Value = Task> {
    let sync = prop_oneof![
        8 => Just(Sync::None),
        1 => (0u16..3).prop_map(Sync::Send),
        1 => (0u16..3).prop_map(|message| Sync::Wait { message, needed: 1 }),
    ];
    let shared = prop_oneof![Just(0i64), 1i64..30];
    (1i64..20, shared, prop::option::weighted(0.3, 0u32..6), sync).prop_map(
        move |(fixed, shared, awaits, sync)| Task {
            fixed,
            shared,
            sustained: 0,
            group,
            awaits,
            sync,
            issued: 0,
        },
    )
}

fn queue() -> impl Strategy<Value = Vec<Task>> {
    (prop::collection::vec(task(0), 0..6), prop::collection::vec(task(1), 0..4)).prop_map(
        |(mut first, second)| {
            first.extend(second);
            first
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn random_streams_run_as_step_by_step(
        cores in prop::collection::vec([queue(), queue(), queue()], 1..4),
        pauses in (0i64..3, 0i64..5, 0i64..3, 0i64..9),
    ) {
        // Only the TIU and the GDMA wait for each other.
        let mut cores = cores;
        for core in &mut cores {
            core[2].iter_mut().for_each(|task| task.awaits = None);
            core.iter_mut().flatten().filter(|task| task.sync != Sync::None).for_each(|task| task.shared = 0);
        }
        // Rests of shared parts are rounded up to a whole ps at each event: times are so long that this is little.
        for task in cores.iter_mut().flatten().flatten() {
            (task.fixed, task.shared) = (task.fixed * LONG, task.shared * LONG);
        }
        let pause = Pause {
            tiu_after_tiu: pauses.0 * LONG, tiu_after_dma: pauses.1 * LONG,
            dma_after_dma: pauses.2 * LONG, dma_after_tiu: pauses.3 * LONG,
        };
        let fast = run(&cores, pause, 2000).ok();
        let slow = slowly(&cores, pause);
        prop_assert_eq!(fast.is_some(), slow.is_some());
        let (Some(fast), Some(slow)) = (fast, slow) else { return Ok(()) };
        let slack = 3 * LONG;
        for (fast, slow) in fast.iter().flatten().zip(slow.iter().flatten()) {
            prop_assert_eq!(fast.len(), slow.len());
            for ((a, b), (c, d)) in fast.iter().zip(slow) {
                prop_assert!((a - c).abs() <= slack && (b - d).abs() <= slack, "{fast:?}\n{slow:?}");
            }
        }
    }

    #[test]
    fn without_sharing_every_ps_is_the_same(
        cores in prop::collection::vec([queue(), queue(), queue()], 1..4),
    ) {
        let mut cores = cores;
        for core in &mut cores {
            core[2].iter_mut().for_each(|task| task.awaits = None);
            core.iter_mut().flatten().for_each(|task| task.shared = 0);
        }
        let pause = Pause { tiu_after_tiu: 0, tiu_after_dma: 3, dma_after_dma: 1, dma_after_tiu: 5 };
        prop_assert_eq!(run(&cores, pause, 1700).ok(), slowly(&cores, pause));
    }

    #[test]
    fn a_second_core_never_makes_the_first_faster(
        first in prop::collection::vec(1i64..40, 1..12), second in prop::collection::vec(1i64..40, 1..12),
    ) {
        let queue = |times: &[i64]| {
            let task = |shared: &i64| Task { fixed: 2, shared: *shared, sustained: 0, group: 0, awaits: None, sync: Sync::None, issued: 0 };
            [Vec::new(), times.iter().map(task).collect::<Vec<_>>(), Vec::new()]
        };
        let end = |times: &CommandTimes| times[0][1].last().unwrap().1;
        let alone = run(&[queue(&first)], Pause::default(), 1700).unwrap();
        let both = run(&[queue(&first), queue(&second)], Pause::default(), 1700).unwrap();
        prop_assert!(end(&both) >= end(&alone));
    }
}
