//! What the commands of each step did.

use bigtpu_measure::{CommandTable, ratio};
use bigtpu_replay::CriticalPath;
use bigtpu_timeline::Profile;

use super::{StepSpans, Steps};
use crate::units::{Sums, UnitWork};

impl Steps {
    /// Adds up the commands that start in each step, and the part of the critical path in it. `spans`: those of these steps; `wall_ns`: the
    /// time that shares are of.
    pub(crate) fn add_work(
        &mut self,
        spans: &StepSpans,
        profile: &Profile<'_>,
        table: &CommandTable,
        path: Option<&CriticalPath>,
        wall_ns: i64,
    ) {
        let mut all: Vec<(u64, Sums)> = vec![(0, Sums::default()); self.steps.len()];
        for commands in table.all_commands(profile) {
            let mhz = profile.clocks.mhz(commands.track.engine_id.engine);
            for command in commands.iter() {
                let own = spans.index_at(command.start()).and_then(|step| all.get_mut(step));
                if let Some((events, sums)) = own {
                    *events += 1;
                    sums.add(&command, mhz);
                }
            }
        }
        for (step, (events, sums)) in self.steps.iter_mut().zip(all) {
            let UnitWork { start_ns, end_ns, .. } = step.work;
            let (total_ns, path_ns) = (end_ns - start_ns, path.map(|_| 0));
            let wall_share = ratio(total_ns, wall_ns);
            step.work = UnitWork {
                events,
                start_ns,
                end_ns,
                total_ns,
                wall_share,
                path_ns,
                ..sums.unit_work()
            };
        }
        for segment in path.into_iter().flat_map(CriticalPath::segments) {
            let first = spans.index_at(segment.start).unwrap_or(0);
            let reached = self.steps.iter_mut().skip(first);
            for step in reached.take_while(|step| step.work.start_ns < segment.end) {
                let (from, to) =
                    (step.work.start_ns.max(segment.start), step.work.end_ns.min(segment.end));
                let path_ns = step.work.path_ns.get_or_insert(0);
                *path_ns += (to - from).max(0);
            }
        }
    }
}
