//! A chip-to-chip link that is slower than the others.

use bigtpu_chip::Engine;
use bigtpu_measure::{Model, Spans, Times, round4};
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

/// A slow port, and the median rate of the others in GB/s.
struct Slow<'f> {
    channel: &'f Channel,
    usual: f64,
}

impl Slow<'_> {
    /// What the port's times are multiplied by without the fault.
    fn factor(&self) -> f64 {
        (self.channel.gbps / self.usual).clamp(0.0, 1.0)
    }

    fn lost_ns(&self) -> i64 {
        self.channel.busy_ns - (self.channel.busy_ns as f64 * self.factor()) as i64
    }

    /// The part of this in which nothing else of the chip worked: all waited for the port.
    fn alone_ns(&self, model: &Model<'_>, times: &Times) -> i64 {
        let port = EngineId { engine: Engine::Cdma, index: self.channel.index };
        let work = self.channel.busy_ns.max(1) as f64;
        (self.lost_ns() as f64 * (alone(model, times, port) as f64 / work)) as i64
    }
}

/// ns in which an engine worked and no other one did.
fn alone(model: &Model<'_>, times: &Times, engine_id: EngineId) -> i64 {
    let (mut own, mut others) = (Spans::default(), Spans::default());
    for (track, time) in model.tracks.iter().zip(&times.tracks) {
        let of = if track.engine_id == engine_id { &mut own } else { &mut others };
        *of = of.with(&time.work);
    }
    own.without(&others).total()
}

fn slow_ports<'f>(findings: &'f Findings<'_, '_>) -> Vec<Slow<'f>> {
    let size = |channel: &Channel| channel.bytes as f64 / channel.commands.max(1) as f64;
    let ports = || {
        let all = findings.communication.channels.iter();
        all.filter(|channel| channel.engine == Engine::Cdma.name() && channel.gbps > 0.0)
    };
    let slow = ports().filter_map(|channel| {
        let own = size(channel);
        let others = ports().filter(|other| other.index != channel.index);
        let alike = others.filter(|o| size(o) <= own * SIZES && own <= size(o) * SIZES);
        let mut rates: Vec<f64> = alike.map(|other| other.gbps).collect();
        rates.sort_by(f64::total_cmp);
        let usual = rates.get(rates.len() / 2).copied()?;
        (channel.gbps < SLOW * usual).then_some(Slow { channel, usual })
    });
    slow.collect()
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let slow = slow_ports(findings);
    let worst = slow.iter().rev().max_by_key(|slow| slow.lost_ns())?;
    if !at_least(worst.lost_ns(), LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let place = format!("port {}", worst.channel.index);
    let evidence = vec![
        Evidence::new("rate", worst.channel.gbps, "GB/s", &place),
        Evidence::new("median rate of the other ports", round4(worst.usual), "GB/s", "other ports"),
        Evidence::us("time of its transfers", worst.channel.busy_ns, &place),
        Evidence::new("ports that are slow", slow.len() as f64, "", ""),
    ];
    let text = format!(
        "Port {} moves {:.1} GB/s, the other ports {:.1} GB/s with transfers of the same size: check this link, its lanes and its \
         cable, and the device at its other end.",
        worst.channel.index, worst.channel.gbps, worst.usual
    );
    let (model, times) = (findings.model, Times::of(findings.model));
    let floor_ns = slow.iter().map(|slow| slow.alone_ns(model, &times)).max().unwrap_or(0);
    let all_ns = slow.iter().map(Slow::lost_ns).sum();
    let has_own_clock = findings.model.ports().any(|port| !port.has_sync_pair && !port.is_empty());
    let doubt = Doubt {
        least: CERTAIN,
        most: Most::Ns(all_ns),
        why: if has_own_clock {
            "no sync pair binds the ports to a core, so when they worked is not known exactly"
        } else {
            "few of the commands that wait for a port are known"
        },
    };
    let is_sure = !has_own_clock && findings.knows_most_bits();
    let advice = Advice::saving(findings, ID, worst.lost_ns(), text, evidence);
    Some(Advice { floor_ns, doubt: (!is_sure).then_some(doubt), ..advice })
}

/// Ports that are as fast as the others.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    for slow in slow_ports(findings) {
        let own =
            |track: &&bigtpu_measure::EngineTrack<'_>| track.engine_id.index == slow.channel.index;
        for track in findings.model.ports().filter(own) {
            let events = findings.model.events(track);
            for event in events.filter(|event| event.kind.activity.is_work()) {
                relief.scale(track.engine_id, event.index, slow.factor());
            }
        }
    }
    relief
}
