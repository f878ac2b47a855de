//! Cores of the chip that a run leaves without work.

use bigtpu_measure::{DumpModel, EngineTrack, Intervals, MeasuredEvent};
use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::scaled::core_tracks;
use super::{Advice, Evidence, cores_in_words};
use crate::findings::Findings;

pub(super) const ID: &str = "idle-cores";

/// Cores without work, and how many of the chip could have some; `None` where all have, or where other cores may belong to another run.
fn cores(findings: &Findings<'_, '_>) -> Option<(Vec<u32>, u32)> {
    let works = |core: &&Intervals| !core.engines.is_empty() && core.work_ns() > 0;
    let active: Vec<u32> =
        findings.cores.iter().filter(works).filter_map(|core| core.core).collect();
    // A static model was compiled for its cores. A runtime may have given the other cores to somebody else: its dump shows those
    // of its own that have no work.
    let all = if findings.is_static {
        findings.hardware.cores
    } else {
        u32::try_from(findings.model.cores).ok()?
    };
    let idle: Vec<u32> = (0..all).filter(|core| !active.contains(core)).collect();
    let is_known =
        !active.is_empty() && !findings.model.leaves_out_cores && findings.knows_most_bits();
    (is_known && !idle.is_empty()).then_some((idle, all))
}

/// The work of an engine of a core divided among all cores.
#[derive(Debug, Clone, Copy)]
struct Division {
    /// What computation, transfers within the chip and the pauses before commands are multiplied by.
    each: f64,
    /// DDR bandwidth of each of all cores, in GB/s.
    ddr_gbps: Option<f64>,
}

fn work_ns(model: &DumpModel<'_>, track: &EngineTrack<'_>) -> i64 {
    let events = model.events(track).filter(|event| event.kind.activity.is_work());
    events.map(|event| event.ns()).sum()
}

impl Division {
    /// Computes the division of each track. Cores may have different parts of the work: even parts are those of the mean.
    fn each_track<'m, 'a>(
        findings: &Findings<'m, 'a>,
        all: u32,
    ) -> Vec<(&'m EngineTrack<'a>, Self)> {
        let model = findings.model;
        let ddr_gbps = findings.hardware.ddr_gbps_of_core(all);
        let tracks: Vec<(&EngineTrack<'a>, i64)> =
            core_tracks(model).map(|track| (track, work_ns(model, track))).collect();
        let division = |&(track, own): &(&'m EngineTrack<'a>, i64)| {
            let engine = track.engine_id.engine;
            let like = tracks.iter().filter(|(other, _)| other.engine_id.engine == engine);
            let mean = like.map(|(_, ns)| ns).sum::<i64>() as f64 / f64::from(all);
            (track, Self { each: (mean / own.max(1) as f64).min(1.0), ddr_gbps })
        };
        tracks.iter().map(division).collect()
    }

    /// What a transfer of DDR is multiplied by: all cores share the bandwidth, so that one which is faster than its core's share is as
    /// fast as that.
    fn of_ddr(self, event: &MeasuredEvent<'_>) -> f64 {
        let Some(share) = self.ddr_gbps else { return 1.0 };
        let rate = event.bytes() as f64 / event.ns().max(1) as f64;
        (self.each * (rate / share.max(f64::MIN_POSITIVE)).max(1.0)).min(1.0)
    }
}

/// The time that all transfers of DDR take then, over what they take now; `None` where there are none.
fn share_of_all_ddr(
    model: &DumpModel<'_>,
    divisions: &[(&EngineTrack<'_>, Division)],
) -> Option<f64> {
    let transfers = divisions.iter().flat_map(|(track, division)| {
        let own = model.events(track).filter(has_ddr);
        own.map(|event| (event.ns() as f64, division.of_ddr(&event)))
    });
    let (now, then) =
        transfers.fold((0.0, 0.0), |(now, then), (ns, factor)| (now + ns, then + ns * factor));
    (now > 0.0).then(|| then / now)
}

fn has_ddr(event: &MeasuredEvent<'_>) -> bool {
    event.kind.activity.is_work()
        && event.kind.direction().is_some_and(|direction| direction.has_ddr())
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let (unused, all) = cores(findings)?;
    let idle = unused.len() as u64;
    let [compute, transfer] = [Intervals::compute_ns, Intervals::transfer_ns]
        .map(|ns| findings.cores.iter().map(ns).max().unwrap_or(0));
    let saved = idle as f64 / f64::from(all);
    let gain = (findings.overall.wall_ns as f64 * saved) as i64;
    let divisions = Division::each_track(findings, all);
    let share = share_of_all_ddr(findings.model, &divisions).unwrap_or(1.0 - saved);
    let mut text = vec![message!("advice-idle-cores", idle = idle, all = u64::from(all))];
    // Nothing in the dump shows that such a core was idle: its files may not have been copied.
    let without_files = (all as usize).saturating_sub(findings.model.cores) as u64;
    if without_files > 0 {
        text.push(message!("advice-idle-cores-unseen", cores = without_files));
    }
    text.push(message!(
        "advice-idle-cores-bound",
        share = Arg::Share(bigtpu_measure::round4(share))
    ));
    let evidence = vec![
        Evidence::new("evidence-idle-cores", idle as f64, "", None),
        Evidence::us("evidence-compute", compute, Message::new("place-busiest-core")),
        Evidence::us("evidence-transfer", transfer, Message::new("place-busiest-core")),
    ];
    let which = cores_in_words(&unused);
    let headline =
        message!("headline-idle-cores", idle = idle, all = u64::from(all), which = which);
    let advice = Advice::saving(findings, ID, gain, headline, LocalizedText::new(text), evidence);
    Some(Advice { is_bound: true, is_estimate: true, ..advice })
}

/// The work of each core divided among all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    let Some((_, all)) = cores(findings) else { return relief };
    for (track, division) in Division::each_track(findings, all) {
        for event in findings.model.events(track).filter(|event| event.kind.activity.is_work()) {
            let duration = if has_ddr(&event) { division.of_ddr(&event) } else { division.each };
            // A part of the commands has a part of the pauses.
            let factors = (duration, division.each);
            relief.divide_into_longer(track.engine_id, event.index, factors);
        }
    }
    relief
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
        // The dump of the test has two cores.
        assert!(text.contains("The dump has no files of 6 of these cores"), "{text}");
        assert_eq!(advice.headline.text, "7 of 8 cores unused (cores 1 to 7)");
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
        let divisions = Division::each_track(&findings, 8);
        let factors: Vec<f64> = (divisions.iter())
            .flat_map(|(track, own)| model.events(track).map(|event| own.of_ddr(&event)))
            .collect();
        assert_eq!(factors, [0.125, 0.5]);
        let share = share_of_all_ddr(&model, &divisions).unwrap();
        assert!((share - 0.3125).abs() < 1e-12);
    }

    /// Core 0 has 300 ns of work, core 1 has 100, a third one none: an even part is 400 / 3.
    #[test]
    fn uneven_parts_become_even_ones() {
        let mut planted = Planted::default();
        planted.compute(0, (0, 300), (90, 100, 80));
        planted.compute(1, (0, 100), (90, 100, 80));
        let model = planted.model();
        let mut findings = Findings::of_planted(&model, Hardware { cores: 3, ..hardware() });
        findings.is_static = true;
        let divisions = Division::each_track(&findings, 3);
        let computing = divisions.iter().filter(|(track, _)| !track.is_empty());
        let each: Vec<f64> = computing.map(|(_, own)| own.each).collect();
        assert!((each[0] - 400.0 / 900.0).abs() < 1e-12 && each[1..] == [1.0], "{each:?}");
    }
}
