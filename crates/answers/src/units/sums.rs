//! Commands of a unit of work, added up one by one.

use bigtpu_chip::Engine;
use bigtpu_measure::{CoreDemand, TrackCommand, quotient, ratio, round4, whole};

use crate::units::UnitWork;

/// What the commands of a unit of work did, while they are added up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    busy_ns: [i64; 3],
    pub(super) demand: CoreDemand,
    tiu_cycles: i64,
    /// Ideal cycles of the commands of which they are known, and cycles that these took; `None` without such a command.
    rated: Option<(i128, i64)>,
    /// ns that bits explain, and ns that the commands took whose bits do.
    expected: (f64, i64),
    ddr_bytes: u64,
    other_bytes: u64,
}

impl Sums {
    /// Adds a command; system commands count for nothing. `mhz`: the clock of its engine.
    pub(crate) fn add(&mut self, command: &TrackCommand<'_, '_>, mhz: f64) {
        let kind = command.kind;
        if !kind.activity.is_work() {
            return;
        }
        if let Some(busy) = self.busy_ns.get_mut(kind.engine as usize) {
            *busy += command.end() - command.start();
        }
        self.demand.add(kind, 1, command.bytes());
        if kind.engine == Engine::Tiu {
            self.tiu_cycles += command.cycles();
            if let Some(ideal) = kind.ideal_cycles() {
                let (all, took) = self.rated.get_or_insert_default();
                *all += ideal;
                *took += command.cycles();
            }
        }
        if let Some(ns) = kind.expected_ns(mhz) {
            self.expected.0 += ns;
            self.expected.1 += command.end() - command.start();
        }
        match kind.direction() {
            Some(direction) if direction.has_ddr() => self.ddr_bytes += command.bytes(),
            Some(_) => self.other_bytes += command.bytes(),
            None => {}
        }
    }

    /// What they did, without times and events.
    pub(crate) fn unit_work(&self) -> UnitWork {
        let CoreDemand { commands, alg_ops, uarch_ops, .. } = self.demand;
        let cycles = |cycles: i64| u64::try_from(cycles).unwrap_or(0);
        // Ideal cycles above those that it took are no ideal: the rule does not hold for such commands.
        let holds = |(ideal, took): &(i128, i64)| *ideal > 0 && *ideal <= i128::from(*took);
        UnitWork {
            ideal_cycles: self.rated.map(|(ideal, _)| whole(ideal)),
            tiu_cycles: cycles(self.tiu_cycles),
            rated_cycles: self.rated.map_or(0, |(_, took)| cycles(took)),
            mac_utilization: self
                .rated
                .filter(holds)
                .map(|(ideal, took)| round4(quotient(ideal, took.into()))),
            expected_ns: (self.expected.1 > 0).then(|| self.expected.0.round() as i64),
            explained_ns: self.expected.1,
            busy_ns: self.busy_ns,
            ops: whole(alg_ops),
            uarch_ops: whole(uarch_ops),
            uarch_rate: (uarch_ops > 0).then(|| round4(quotient(alg_ops, uarch_ops))),
            ddr_bytes: self.ddr_bytes,
            other_bytes: self.other_bytes,
            commands,
            ..UnitWork::default()
        }
    }
}

impl UnitWork {
    /// What one command did. `mhz`: the clock of its engine; `wall_ns`: the time that its share is of; `path_ns`: of the critical
    /// path in it, where that is known.
    #[must_use]
    pub fn of_command(
        command: &TrackCommand<'_, '_>,
        mhz: f64,
        wall_ns: i64,
        path_ns: Option<i64>,
    ) -> Self {
        let mut sums = Sums::default();
        sums.add(command, mhz);
        let (start_ns, end_ns) = (command.start(), command.end());
        let total_ns = end_ns - start_ns;
        let wall_share = ratio(total_ns, wall_ns);
        Self { events: 1, start_ns, end_ns, total_ns, wall_share, path_ns, ..sums.unit_work() }
    }
}
