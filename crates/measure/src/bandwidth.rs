//! Bandwidth over time: of a core, GDMA and SDMA together; of a CDMA port.

mod any;
mod serial;

use bigtpu_timeline::{Core, EngineEvents, Profile};

use crate::{CommandTable, Shown, TrackCommands};
use any::AnySum;
pub use serial::SerialTransfers;
use serial::{SerialSum, is_serial};

/// Bandwidth from a moment on, until the next step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandwidthStep {
    /// ns.
    pub time: i64,
    /// DDR, in GB/s.
    pub ddr_gbps: f64,
    /// On-chip shared memory, in GB/s.
    pub l2_gbps: f64,
}

/// Bandwidths have 4 decimals: whole units of 0.0001 GB/s sum without drift.
const UNITS: f64 = 1e4;

/// DDR and L2 in units.
type Units = (i64, i64);

/// The steps of a core's bandwidth, in time order. Every transfer counts with its mean bandwidth
/// while it runs; system commands count nothing. The last step is back at 0.
#[derive(Debug)]
pub struct Bandwidth<'p, 'd>(Sum<'p, 'd>);

#[derive(Debug)]
enum Sum<'p, 'd> {
    /// The sum over engines that run one command at a time.
    Serial(Box<SerialSum<'p, 'd>>),
    Any(AnySum<'p, 'd>),
}

impl<'p, 'd> Bandwidth<'p, 'd> {
    /// The steps of a core.
    #[must_use]
    pub fn compute(profile: &'p Profile<'d>, table: &'p CommandTable, core: &'p Core<'d>) -> Self {
        let [_, gdma, sdma] = &core.tracks;
        Self::of_tracks(profile, table, &[gdma, sdma])
    }

    /// The steps of a CDMA port.
    #[must_use]
    pub fn of_port(
        profile: &'p Profile<'d>,
        table: &'p CommandTable,
        port: &'p EngineEvents<'d>,
    ) -> Self {
        Self::of_tracks(profile, table, &[port])
    }

    /// The transfers of the engines whose bandwidths are added, where each engine makes one at a time and no step was asked for yet.
    ///
    /// # Errors
    /// The steps, where it is not so.
    pub fn serial(self) -> Result<[Option<SerialTransfers<'p, 'd>>; 2], Self> {
        match self.0 {
            Sum::Serial(sum) => Ok(sum.transfers()),
            sum @ Sum::Any(_) => Err(Self(sum)),
        }
    }

    fn of_tracks(
        profile: &'p Profile<'d>,
        table: &'p CommandTable,
        tracks: &[&'p EngineEvents<'d>],
    ) -> Self {
        let commands = tracks.iter().filter_map(|track| table.commands(profile, track));
        let commands: Vec<_> = commands.filter(|commands| !commands.is_empty()).collect();
        let engines = match *commands.as_slice() {
            [] => Some([None, None]),
            [one] if is_serial(&one) => Some([Some(one), None]),
            [one, other] if is_serial(&one) && is_serial(&other) => Some([Some(one), Some(other)]),
            _ => None,
        };
        Self(match engines {
            Some(engines) => Sum::Serial(Box::new(SerialSum::new(engines))),
            None => Sum::Any(AnySum::new(&commands)),
        })
    }
}

impl Iterator for Bandwidth<'_, '_> {
    type Item = BandwidthStep;

    #[inline]
    fn next(&mut self) -> Option<BandwidthStep> {
        let (time, units) = match &mut self.0 {
            Sum::Serial(sum) => sum.next(),
            Sum::Any(sum) => sum.next(),
        }?;
        Some(BandwidthStep { time, ddr_gbps: gbps(units.0), l2_gbps: gbps(units.1) })
    }
}

/// The sum of the bandwidths of two transfers, in GB/s, as [`Bandwidth`] adds them.
#[must_use]
pub fn added_gbps(one: f64, other: f64) -> f64 {
    gbps(of_gbps(one) + of_gbps(other))
}

/// Units as GB/s.
#[inline]
fn gbps(units: i64) -> f64 {
    units as f64 / UNITS
}

/// GB/s in units.
#[inline]
fn of_gbps(gbps: f64) -> i64 {
    (gbps * UNITS + 0.5) as i64
}

/// What a command adds to the bandwidth while it runs; `None` where it adds nothing.
#[inline]
fn added(commands: &TrackCommands<'_, '_>, event: usize) -> Option<Units> {
    let kind = commands.columns.kind(event)?;
    if !kind.activity.is_work() {
        return None;
    }
    units(commands.shown_transfer(event, kind))
}

/// What a transfer adds while it runs; `None` where it adds nothing.
#[inline]
fn units(shown: Shown) -> Option<Units> {
    let units = (of_gbps(shown.ddr_gbps), of_gbps(shown.l2_gbps));
    (units != (0, 0)).then_some(units)
}
