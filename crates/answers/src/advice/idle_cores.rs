//! Cores of the chip that a run leaves without work.

use bigtpu_measure::Intervals;
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

/// What DDR transfers are multiplied by if all cores share them: each has a smaller share of the bandwidth.
fn of_ddr(findings: &Findings<'_, '_>, active: u32, all: u32) -> f64 {
    let each = f64::from(active) / f64::from(all);
    let rates = [active, all].map(|cores| findings.hardware.ddr_gbps_of_core(cores));
    let [Some(now), Some(then)] = rates else { return 1.0 };
    (each * now / then.max(f64::MIN_POSITIVE)).clamp(each, 1.0)
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let (active, all) = cores(findings)?;
    let [compute, transfer] = [Intervals::compute_ns, Intervals::transfer_ns]
        .map(|ns| findings.cores.iter().map(ns).max().unwrap_or(0));
    let saved = 1.0 - f64::from(active) / f64::from(all);
    let gain = (findings.overall.wall_ns as f64 * saved) as i64;
    let share = of_ddr(findings, active, all);
    let text = vec![
        message!("advice-idle-cores", idle = u64::from(all - active), all = u64::from(all)),
        message!("advice-idle-cores-bound", share = Arg::Share(bigtpu_measure::round4(share))),
    ];
    let evidence = vec![
        Evidence::new("evidence-idle-cores", f64::from(all - active), "", None),
        Evidence::us("evidence-compute", compute, Message::new("place-busiest-core")),
        Evidence::us("evidence-transfer", transfer, Message::new("place-busiest-core")),
    ];
    let advice = Advice::saving(findings, ID, gain, LocalizedText::new(text), evidence);
    Some(Advice { is_bound: true, ..advice })
}

/// The work of each core divided among all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let Some((active, all)) = cores(findings) else { return Relief::default() };
    let each = f64::from(active) / f64::from(all);
    let ddr = of_ddr(findings, active, all);
    let model = findings.model;
    scaled(model, core_tracks(model), |event| {
        let kind = event.kind;
        let has_ddr = kind.direction().is_some_and(|direction| direction.has_ddr());
        kind.activity.is_work().then_some(if has_ddr { ddr } else { each })
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
}
