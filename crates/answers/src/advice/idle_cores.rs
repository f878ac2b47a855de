//! Cores of the chip that a run leaves without work.

use bigtpu_measure::{DumpModel, Intervals, MeasuredEvent};
use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::scaled::{core_tracks, scaled};
use super::{Advice, Evidence};
use crate::findings::Findings;

pub(super) const ID: &str = "idle-cores";

/// Cores with work, and cores of the chip that could have some; `None` where all have, or where other cores may belong to another run.
fn cores(findings: &Findings<'_, '_>) -> Option<(u32, u32)> {
    let works = |core: &&Intervals| !core.engines.is_empty() && core.work_ns() > 0;
    let active = u32::try_from(findings.cores.iter().filter(works).count()).ok()?;
    // A static model was compiled for its cores. A runtime may have given the other cores to somebody else: its dump shows those
    // of its own that have no work.
    let all = if findings.is_static {
        findings.hardware.cores
    } else {
        u32::try_from(findings.model.cores).ok()?
    };
    let is_known = active > 0 && !findings.model.leaves_out_cores && findings.knows_most_bits();
    (is_known && active < all).then_some((active, all))
}

/// The work of the active cores divided among all cores.
#[derive(Debug, Clone, Copy)]
struct Division {
    /// What computation and transfers within the chip are multiplied by.
    each: f64,
    /// DDR bandwidth of each of all cores, in GB/s.
    ddr_gbps: Option<f64>,
}

impl Division {
    fn new(findings: &Findings<'_, '_>, active: u32, all: u32) -> Self {
        let each = f64::from(active) / f64::from(all);
        Self { each, ddr_gbps: findings.hardware.ddr_gbps_of_core(all) }
    }

    /// What a transfer of DDR is multiplied by: all cores share the bandwidth, so that one which is faster than its core's share is as
    /// fast as that.
    fn of_ddr(self, event: &MeasuredEvent<'_>) -> f64 {
        let Some(share) = self.ddr_gbps else { return 1.0 };
        let rate = event.bytes() as f64 / event.ns().max(1) as f64;
        (self.each * (rate / share.max(f64::MIN_POSITIVE)).max(1.0)).min(1.0)
    }

    /// The time that all transfers of DDR take then, over what they take now.
    fn of_all_ddr(self, model: &DumpModel<'_>) -> f64 {
        let transfers = core_tracks(model).flat_map(|track| model.events(track)).filter(has_ddr);
        let (now, then) = transfers.fold((0.0, 0.0), |(now, then), event| {
            let ns = event.ns() as f64;
            (now + ns, then + ns * self.of_ddr(&event))
        });
        if now > 0.0 { then / now } else { self.each }
    }
}

fn has_ddr(event: &MeasuredEvent<'_>) -> bool {
    event.kind.activity.is_work()
        && event.kind.direction().is_some_and(|direction| direction.has_ddr())
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let (active, all) = cores(findings)?;
    let [compute, transfer] = [Intervals::compute_ns, Intervals::transfer_ns]
        .map(|ns| findings.cores.iter().map(ns).max().unwrap_or(0));
    let saved = 1.0 - f64::from(active) / f64::from(all);
    let gain = (findings.overall.wall_ns as f64 * saved) as i64;
    let share = Division::new(findings, active, all).of_all_ddr(findings.model);
    let text = vec![
        message!("advice-idle-cores", idle = u64::from(all - active), all = u64::from(all)),
        message!("advice-idle-cores-bound", share = Arg::Share(bigtpu_measure::round4(share))),
    ];
    let evidence = vec![
        Evidence::new("evidence-idle-cores", f64::from(all - active), "", None),
        Evidence::us("evidence-compute", compute, Message::new("place-busiest-core")),
        Evidence::us("evidence-transfer", transfer, Message::new("place-busiest-core")),
    ];
    let headline =
        message!("headline-idle-cores", idle = u64::from(all - active), all = u64::from(all));
    let advice = Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence);
    Some(Advice { is_bound: true, ..advice })
}

/// The work of each core divided among all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let Some((active, all)) = cores(findings) else { return Relief::default() };
    let division = Division::new(findings, active, all);
    let model = findings.model;
    scaled(model, core_tracks(model), |event| match has_ddr(event) {
        true => Some(division.of_ddr(event)),
        false => event.kind.activity.is_work().then_some(division.each),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::hardware;
    use bigtpu_machine::Hardware;
    use bigtpu_measure::planted::Planted;

    fn planted() -> Planted {
        let mut planted = Planted::default();
        planted.compute(0, (0, 100), (90, 100, 80));
        planted
    }

    fn checked(planted: &Planted, cores: u32, is_static: bool) -> Option<Advice> {
        let model = planted.model();
        let mut findings = Findings::of_planted(&model, Hardware { cores, ..hardware() });
        findings.is_static = is_static;
        check(&findings)
    }

    #[test]
    fn a_static_model_on_a_part_of_the_chip() {
        let advice = checked(&planted(), 8, true).unwrap();
        assert_eq!((advice.gain_ns, advice.is_bound), (Some(87), true));
        let text = &advice.text.text;
        assert!(text.starts_with("7 of 8 cores have no work"), "{text}");
        assert_eq!(checked(&planted(), 1, true), None);
    }

    #[test]
    fn cores_that_may_be_of_another_run_say_nothing() {
        let mut planted = planted();
        let own = checked(&planted, 8, false).unwrap();
        assert!(own.text.text.starts_with("1 of 2 cores have no work"), "{}", own.text.text);
        planted.compute(1, (0, 100), (90, 100, 80));
        assert_eq!(checked(&planted, 8, false), None);
    }

    /// A core's share of 8 is 100 GB/s, its port makes 800.
    #[test]
    fn only_transfers_faster_than_the_share_of_a_core_are_held_up_by_the_others() {
        let mut planted = Planted::default();
        planted.load(0, 0, 1000, 50_000);
        planted.load(0, 1000, 2000, 400_000);
        let model = planted.model();
        let machine =
            Hardware { cores: 8, ddr_gbps: Some(100.0), ddr_port_gbps: Some(800.0), ..hardware() };
        let mut findings = Findings::of_planted(&model, machine);
        findings.is_static = true;
        let division = Division::new(&findings, 1, 8);
        let factors: Vec<f64> = core_tracks(&model)
            .flat_map(|track| model.events(track))
            .map(|event| division.of_ddr(&event))
            .collect();
        assert_eq!(factors, [0.125, 0.5]);
        assert!((division.of_all_ddr(&model) - 0.3125).abs() < 1e-12);
    }
}
