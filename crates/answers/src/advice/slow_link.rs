//! A chip-to-chip link that is slower than the others.

use bigtpu_chip::Engine;
use bigtpu_measure::{DumpModel, Spans, Times, gbps, round4};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;
use bigtpu_timeline::EngineId;

use super::doubt::{Doubt, Most};
use super::{Advice, Evidence, at_least};
use crate::communication::Channel;
use crate::findings::Findings;

pub(super) const ID: &str = "slow-link";

/// A port is slow below this share of the others' rate.
const SLOW: f64 = 0.67;
/// Transfers may differ in size by this factor to be compared.
const SIZES: f64 = 2.0;
/// Share of a gain that is sure where the ports' clocks or what waits for them are not known.
const CERTAIN: f64 = 0.75;
/// Least gain, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;

/// What a port moved.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Port {
    index: u32,
    commands: u64,
    bytes: u64,
    /// ns in which it worked.
    busy_ns: i64,
    gbps: f64,
    /// Whether its times are on the common time line; else only their lengths are known.
    is_placed: bool,
}

impl Port {
    /// Ports that moved anything.
    fn all(findings: &Findings<'_, '_>) -> Vec<Self> {
        let channels = findings.communication.channels.iter();
        let ports = channels.filter(|channel| channel.engine == Engine::Cdma.name());
        ports.filter_map(|channel| Self::from_channel(channel, findings.model)).collect()
    }

    fn from_channel(channel: &Channel, model: &DumpModel<'_>) -> Option<Self> {
        let Channel { index, commands, bytes, .. } = *channel;
        let track = model.ports().find(|track| track.engine_id.index == index)?;
        let is_placed = track.is_placed;
        let busy_ns =
            if is_placed { channel.busy_ns } else { model.work_and_sync(track).work.total() };
        let gbps = if is_placed { channel.gbps } else { gbps(bytes, busy_ns) };
        (gbps > 0.0).then_some(Self { index, commands, bytes, busy_ns, gbps, is_placed })
    }

    fn bytes_of_command(&self) -> f64 {
        self.bytes as f64 / self.commands.max(1) as f64
    }

    /// Whether the rates of two ports can be compared.
    fn is_like(&self, other: &Self) -> bool {
        let [own, others] = [self, other].map(Self::bytes_of_command);
        self.index != other.index
            && self.is_placed == other.is_placed
            && others <= own * SIZES
            && own <= others * SIZES
    }
}

/// A slow port, and the median rate of the others in GB/s.
struct Slow {
    port: Port,
    usual: f64,
}

impl Slow {
    /// What the port's times are multiplied by without the fault.
    fn factor(&self) -> f64 {
        (self.port.gbps / self.usual).clamp(0.0, 1.0)
    }

    fn lost_ns(&self) -> i64 {
        self.port.busy_ns - (self.port.busy_ns as f64 * self.factor()) as i64
    }

    /// The part of this in which nothing else of the chip worked: all waited for the port.
    fn alone_ns(&self, model: &DumpModel<'_>, times: &Times) -> i64 {
        let port = EngineId { engine: Engine::Cdma, index: self.port.index };
        let work = self.port.busy_ns.max(1) as f64;
        (self.lost_ns() as f64 * (alone(model, times, port) as f64 / work)) as i64
    }
}

/// ns in which an engine worked and no other one did.
fn alone(model: &DumpModel<'_>, times: &Times, engine_id: EngineId) -> i64 {
    let (mut own, mut others) = (Spans::default(), Spans::default());
    for (track, time) in model.tracks.iter().zip(&times.tracks) {
        let of = if track.engine_id == engine_id { &mut own } else { &mut others };
        *of = of.with(&time.work);
    }
    own.difference(&others).total()
}

fn slow_ports(findings: &Findings<'_, '_>) -> Vec<Slow> {
    let ports = Port::all(findings);
    let slow = ports.iter().filter_map(|port| {
        let alike = ports.iter().filter(|other| port.is_like(other));
        let mut rates: Vec<f64> = alike.map(|other| other.gbps).collect();
        rates.sort_by(f64::total_cmp);
        let usual = rates.get(rates.len() / 2).copied()?;
        (port.gbps < SLOW * usual).then_some(Slow { port: *port, usual })
    });
    slow.collect()
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let slow = slow_ports(findings);
    let worst = slow.iter().rev().max_by_key(|slow| slow.lost_ns())?;
    if !at_least(worst.lost_ns(), LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let number = || Arg::Number(worst.port.index.into());
    let port = || message!("place-port", port = number());
    let others = Message::new("place-other-ports");
    let evidence = vec![
        Evidence::new("evidence-rate", worst.port.gbps, "GB/s", port()),
        Evidence::new("evidence-rate-of-ports", round4(worst.usual), "GB/s", others),
        Evidence::us("evidence-time-of-transfers", worst.port.busy_ns, port()),
        Evidence::new("evidence-slow-ports", slow.len() as f64, "", None),
    ];
    let text = message!(
        "advice-slow-link",
        port = number(),
        rate = Arg::RateGbps(worst.port.gbps),
        usual = Arg::RateGbps(worst.usual),
    );
    let headline =
        message!("headline-slow-link", port = number(), rate = Arg::RateGbps(worst.port.gbps),);
    let advice = Advice::saving(findings, ID, worst.lost_ns(), headline, text, evidence);
    if !worst.port.is_placed {
        return unplaced(findings, worst, advice);
    }
    let (model, times) = (findings.model, Times::compute(findings.model));
    let floor_ns = slow.iter().map(|slow| slow.alone_ns(model, &times)).max().unwrap_or(0);
    let all_ns = slow.iter().map(Slow::lost_ns).sum();
    let has_own_clock = findings.model.ports().any(|port| !port.has_sync_pair && !port.is_empty());
    let doubt = Doubt {
        least: CERTAIN,
        most: Most::Ns(all_ns),
        why: Message::new(if has_own_clock { "doubt-no-sync-pair" } else { "doubt-port-waiters" }),
    };
    let is_sure = !has_own_clock && findings.knows_most_bits();
    Some(Advice { floor_ns, doubt: (!is_sure).then_some(doubt), ..advice })
}

/// Nothing places the port's times: it can't have cost more than the time in which the whole chip did not work, and what it lost beyond
/// the chip's work it lost in that time.
fn unplaced(findings: &Findings<'_, '_>, slow: &Slow, advice: Advice) -> Option<Advice> {
    let overall = &findings.overall;
    let waited_ns = overall.sync_ns + overall.idle_ns;
    let gain_ns = slow.lost_ns().min(waited_ns);
    if !at_least(gain_ns, LEAST_PERCENT, overall.wall_ns) {
        return None;
    }
    let least_ns = (slow.lost_ns() - (overall.wall_ns - waited_ns)).clamp(0, gain_ns);
    let doubt = Doubt {
        least: least_ns as f64 / gain_ns as f64,
        most: Most::Ns(gain_ns),
        why: Message::new("doubt-port-not-placed"),
    };
    let bound_ns = Some(waited_ns);
    Some(Advice { floor_ns: gain_ns, bound_ns, doubt: Some(doubt), ..advice })
}

/// Ports that are as fast as the others.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    for slow in slow_ports(findings) {
        let own =
            |track: &&bigtpu_measure::EngineTrack<'_>| track.engine_id.index == slow.port.index;
        for track in findings.model.ports().filter(own) {
            let events = findings.model.events(track);
            for event in events.filter(|event| event.kind.activity.is_work()) {
                relief.scale(track.engine_id, event.index, slow.factor());
            }
        }
    }
    relief
}
