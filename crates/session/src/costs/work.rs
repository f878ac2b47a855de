//! What the engines did in each execution.

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::{CommandTable, EngineTrack, Spans};
use bigtpu_replay::{Predictor, TaskKind};
use bigtpu_timeline::EngineEvents;

use crate::costs::execution::Execution;
use crate::costs::level::{Lane, Level};

/// Adds the work of every command to the execution that it belongs to; `of_run` is the execution of each run.
pub(crate) fn add_work(
    table: &CommandTable,
    lanes: &[Lane<'_, '_>],
    level: &Level,
    of_run: &[u32],
    predictor: Option<&Predictor>,
    executions: &mut [Execution],
) {
    for lane in lanes {
        let mut transfers: Vec<(i64, i64, u32)> = Vec::new();
        let mut compute: Vec<(i64, i64)> = Vec::new();
        for (at, track) in &lane.tracks {
            let (Some(column), Some(commands)) = (level.of_event.get(*at), table.track(track))
            else {
                continue;
            };
            let is_tiu = track.engine_id.engine == Engine::Tiu;
            let mut clock = Clock::new(executions.len());
            let bandwidth = predictor.map(|p| p.bandwidth_times(track.engine_id));
            let mut bandwidth = bandwidth.into_iter().flatten();
            for (i, run) in column.iter().enumerate() {
                let moving = bandwidth.next();
                let Some(span) = span(track, i) else { continue };
                if !commands.kind(i).is_some_and(|kind| kind.activity.is_work()) {
                    continue;
                }
                if is_tiu {
                    compute.push(span);
                }
                let Some(&number) = of_run.get(*run as usize) else { continue };
                if !is_tiu && lane.is_core {
                    transfers.push((span.0, span.1, number));
                }
                let busy = clock.add(number, span);
                if let Some(execution) = executions.get_mut(number as usize) {
                    count(execution, &commands, i, busy);
                    if let Some((task, ns)) = moving.filter(|_| !is_tiu) {
                        let share = busy as f64 / ((span.1 - span.0) as f64).max(1.0);
                        add_bandwidth(
                            execution,
                            track.engine_id.engine,
                            task,
                            f64::from(ns) * share,
                        );
                    }
                }
            }
        }
        let compute = Spans::union(compute);
        let mut compute = compute.coverage();
        transfers.sort_unstable();
        let mut clock = Clock::new(executions.len());
        for (start, end, number) in transfers {
            let new = clock.add(number, (start, end));
            if let Some(execution) = executions.get_mut(number as usize) {
                execution.exposed += new - compute.covered(end - new, end);
            }
        }
    }
}

/// Start and end of an event in ns; an end is never before its start.
fn span(track: &EngineEvents<'_>, i: usize) -> Option<(i64, i64)> {
    let start = *track.events.start.get(i)?;
    Some((start, *track.events.end.get(i)?.max(&start)))
}

fn count(execution: &mut Execution, commands: &EngineTrack<'_>, i: usize, busy: i64) {
    let Some(kind) = commands.kind(i) else { return };
    let Some(cost) = execution.engines.get_mut(commands.engine_id.engine as usize) else { return };
    cost.commands += 1.0;
    cost.busy_ns += busy as f64;
    cost.ops += kind.work().alg_ops as f64;
    cost.padded_ops += kind.work().uarch_ops as f64;
    let Some(direction) = kind.direction() else { return };
    let bytes = commands.bytes(i) as f64;
    cost.bytes += bytes;
    if direction.has_ddr() {
        // A command known by type only shows no second side.
        let within = kind.is_full() && direction.from == Memory::Ddr && direction.to == Memory::Ddr;
        cost.ddr_bytes += if within { 2.0 * bytes } else { bytes };
    } else if direction.has_l2() {
        cost.l2m_bytes += bytes;
    }
}

/// Adds the time of a transfer that depends on a bandwidth.
fn add_bandwidth(execution: &mut Execution, engine: Engine, task: TaskKind, ns: f64) {
    let Some(cost) = execution.engines.get_mut(engine as usize) else { return };
    let all = cost.bandwidth_ns.get_or_insert_default();
    match task {
        TaskKind::Ddr => all.ddr += ns,
        TaskKind::L2m => all.l2m += ns,
        TaskKind::Link => all.link += ns,
        _ => {}
    }
}

/// Time until which each execution was busy; spans that overlap count once.
struct Clock {
    until: Vec<i64>,
}

impl Clock {
    fn new(executions: usize) -> Self {
        Self { until: vec![i64::MIN; executions] }
    }

    /// ns of a span that no earlier one of the execution covered; spans come by start.
    fn add(&mut self, execution: u32, (start, end): (i64, i64)) -> i64 {
        let Some(until) = self.until.get_mut(execution as usize) else { return 0 };
        let new = end - start.max(*until).min(end);
        *until = end.max(*until);
        new
    }
}
