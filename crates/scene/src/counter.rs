//! Counters of a measured run, as samples by time. They are computed while they are read: a run may have millions.

use bigtpu_chip::{Engine, Family};
use bigtpu_measure::{Bandwidth, CommandKind, TrackCommand, TrackCommands, percent_number};

use crate::model::Sample;

/// Samples of how busy an engine is: of the TIU the share of its operations that are no padding, in percent; of others the DDR
/// bandwidth, in GB/s. A command's value holds while it runs; after it comes a 0.
#[derive(Debug)]
pub struct Rate<'p, 'd> {
    commands: TrackCommands<'p, 'd>,
    /// Samples in time order, as event * 2 + (1 at its end); `None`: as they are.
    order: Option<Vec<u64>>,
    at: usize,
    tiu: TiuRates,
}

/// Share of the operations that are no padding of the TIU's commands, in percent: what [`Rate`] shows of a TIU while they run.
#[derive(Debug, Default)]
struct TiuRates {
    /// Share of each kind; NaN for a kind that no command had yet.
    of_kind: Vec<f64>,
}

impl TiuRates {
    /// Share of a command.
    #[inline]
    fn value(&mut self, command: &TrackCommand<'_, '_>) -> f64 {
        let known = command.kind_number().and_then(|kind| self.of_kind.get(kind as usize));
        match known {
            Some(known) if !known.is_nan() => *known,
            _ => self.of_new(command),
        }
    }

    #[cold]
    fn of_new(&mut self, command: &TrackCommand<'_, '_>) -> f64 {
        let TrackCommand { all, kind, .. } = command;
        self.of_kind.resize(all.columns.kinds.len(), f64::NAN);
        let value = tiu_rate(kind, all.profile.chip.family);
        let place = command.kind_number().and_then(|kind| self.of_kind.get_mut(kind as usize));
        place.into_iter().for_each(|known| *known = value);
        value
    }
}

/// Share of the operations of a TIU kind that are no padding, in percent.
#[must_use]
pub fn tiu_rate(kind: &CommandKind, family: Family) -> f64 {
    if kind.is_named_system() { 0.0 } else { percent_number(kind.uarch_rate(family)) }
}

impl<'p, 'd> Rate<'p, 'd> {
    /// Computes the rate of an engine from its commands.
    #[must_use]
    pub fn compute(commands: TrackCommands<'p, 'd>) -> Self {
        let events = &commands.track.events;
        let time = |sample: u64| {
            let i = (sample / 2) as usize;
            let times = if sample.is_multiple_of(2) { &events.start } else { &events.end };
            times.get(i).copied()
        };
        let samples = 2 * events.len() as u64;
        let order = (!(0..samples).is_sorted_by_key(time)).then(|| {
            let mut order: Vec<u64> = (0..samples).collect();
            order.sort_by_key(|&sample| time(sample));
            order
        });
        Self { commands, order, at: 0, tiu: TiuRates::default() }
    }

    fn value(&mut self, command: &TrackCommand<'_, '_>) -> f64 {
        match command.kind.engine {
            Engine::Tiu => self.tiu.value(command),
            _ if command.kind.is_named_system() => 0.0,
            _ => command.transfer().ddr_gbps().unwrap_or(0.0),
        }
    }
}

impl Iterator for Rate<'_, '_> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let sample = match &self.order {
            Some(order) => *order.get(self.at)?,
            None => self.at as u64,
        };
        let command = self.commands.get((sample / 2) as usize)?;
        self.at += 1;
        Some(if sample.is_multiple_of(2) {
            Sample { time: command.start(), value: self.value(&command) }
        } else {
            Sample { time: command.end(), value: 0.0 }
        })
    }
}

/// Samples of a port's bandwidth in GB/s, whatever memory its data is in.
pub fn port_bandwidth<'p>(steps: Bandwidth<'p, '_>) -> impl Iterator<Item = Sample> {
    steps.map(|step| Sample { time: step.time, value: step.ddr_gbps + step.l2_gbps })
}
