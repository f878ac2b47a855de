//! Load, compute and store one after another instead of at once.

use super::doubt::{Doubt, Most};
use super::{Advice, Evidence, at_least, core_place, stall};
use crate::findings::Findings;
use bigtpu_chip::{Chip, Engine};
use bigtpu_measure::{Dependence, Intervals};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

pub(super) const ID: &str = "serialized";

/// Where dependences are not known, less overlap than this counts: more may not be possible.
const LOW_OVERLAP: f64 = 0.3;
/// Least time of either side, in percent of the wall time, where the replay does not decide.
const LEAST_PERCENT: i64 = 10;

/// Share of a gain that is sure where dependences are not known, but launches are; and where neither is.
const CERTAIN: f64 = 0.85;
const CERTAIN_WITHOUT_LAUNCHES: f64 = 0.5;
/// The most that is won over the gain there: what runs in another order also waits less, and the last computation of a launch may run
/// beside the stores of the tile before.
const MOST: f64 = 1.15;

/// Least gain, in percent of the wall time: where dependences are known, and where not.
const LEAST_GAIN_PERCENT: i64 = 1;
const LEAST_UNKNOWN_GAIN_PERCENT: i64 = 3;

/// What more overlap would save: no more than the smaller side, and no more than commands were free to start earlier.
fn hidden((core, free): (&Intervals, &i64)) -> i64 {
    (core.compute_ns().min(core.transfer_ns()) - core.overlapped_ns).min(*free)
}

/// Whether more overlap of a core may be possible: where dependences are known, the replay decides. A static model shows no launches, so
/// that it is not known which of its commands waited for the host.
fn may_overlap(findings: &Findings<'_, '_>, core: &Intervals) -> bool {
    findings.knows_dependences && has_launches(findings) || core.overlap_ratio < LOW_OVERLAP
}

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let cores = || findings.cores.iter().zip(&findings.free_overlap_ns);
    let knows_dependences = findings.knows_dependences;
    let serial = cores().filter(|(core, _)| {
        // Where the replay decides, no more than the least gain is asked of either side.
        let decides = knows_dependences && has_launches(findings);
        let least = if decides { LEAST_GAIN_PERCENT } else { LEAST_PERCENT };
        let enough = |ns: i64| at_least(ns, least, core.wall_ns);
        may_overlap(findings, core) && enough(core.compute_ns()) && enough(core.transfer_ns())
    });
    let count = serial.clone().count();
    let most = serial.rev().max_by_key(|core| hidden(*core))?;
    let (worst, free) = most;
    let core = || worst.core.map(core_place);
    let evidence = vec![
        Evidence::us("evidence-compute", worst.compute_ns(), core()),
        Evidence::us("evidence-transfer", worst.transfer_ns(), core()),
        Evidence::us("evidence-both", worst.overlapped_ns, core()),
        Evidence::new("evidence-overlap-ratio", worst.overlap_ratio, "", core()),
        Evidence::us("evidence-free-overlap", *free, core()),
        Evidence::new("evidence-serial-cores", count as f64, "", None),
    ];
    let text = Message::new("advice-serialized");
    // However much is hidden, a core needs the time of its own work.
    let needed = cores().map(|core| core.0.work_ns() - hidden(core)).max().unwrap_or(0);
    let gain = hidden(most).min(findings.overall.wall_ns - needed);
    let least = if knows_dependences { LEAST_GAIN_PERCENT } else { LEAST_UNKNOWN_GAIN_PERCENT };
    if !at_least(gain, least, findings.overall.wall_ns) {
        return None;
    }
    let headline = message!("headline-serialized", share = Arg::Share(worst.overlap_ratio));
    let advice = Advice::saving(findings, ID, gain, headline, text, evidence);
    // Without launches it is not known either which idle times end with them: less of these is no part of the estimate.
    let (least, most) = match has_launches(findings) {
        true => (CERTAIN, Most::Times(MOST)),
        false => (CERTAIN_WITHOUT_LAUNCHES, Most::TimesBeyond(MOST)),
    };
    let why = Message::new("doubt-dependences");
    let doubt = (!knows_dependences).then_some(Doubt { least, most, why });
    let bound_ns = advice.gain_ns.filter(|_| !knows_dependences);
    Some(Advice { bound_ns, doubt, ..advice })
}

fn has_launches(findings: &Findings<'_, '_>) -> bool {
    findings.model.core_launches.iter().any(|launches| !launches.is_empty())
}

/// The first and the last computation and the last transfer of each launch of a core wait for what was before, in whatever order the
/// rest runs: the last tile is computed when it is loaded. Where they say what for, they wait for that only.
fn ends_of_launches(findings: &Findings<'_, '_>, core: u32, relief: &mut Relief) {
    let Some(launches) = findings.model.core_launches.get(core as usize) else { return };
    let chip = Chip::find(&findings.hardware.chip).ok();
    for track in findings.model.core(core) {
        let is_tiu = match track.engine_id.engine {
            Engine::Tiu => true,
            Engine::Gdma => false,
            _ => continue,
        };
        // The first and the last command of each launch.
        let mut ends: Vec<Option<[(usize, bool); 2]>> = vec![None; launches.len()];
        let mut at = 0;
        for event in findings.model.events(track).filter(|event| event.kind.activity.is_work()) {
            while launches.get(at).is_some_and(|launch| launch.end <= event.start) {
                at += 1;
            }
            if launches.get(at).is_none_or(|launch| event.start < launch.start) {
                continue;
            }
            let field = track.dependence(event.index).map_or(0, Dependence::field);
            let command = (event.index, chip.is_some_and(|c| c.awaited_command(field).is_some()));
            if let Some(ends) = ends.get_mut(at) {
                *ends = Some([ends.map_or(command, |[first, _]| first), command]);
            }
        }
        for [first, last] in ends.into_iter().flatten() {
            let kept = [last, first].into_iter().take(if is_tiu { 2 } else { 1 });
            for (event, _) in kept.filter(|(_, says)| !says) {
                relief.keep_hand_over(track.engine_id, event);
            }
        }
    }
}

/// Whether a command ended a stretch in which no engine of the chip worked, as long as what [`stall`] tells of: no order of commands
/// explains it.
fn ends_a_stall(findings: &Findings<'_, '_>, core: u32, start: i64) -> bool {
    let stalls = findings.launches.iter().filter(|of| of.core == core).flat_map(|of| &of.stalls);
    let wall_ns = findings.overall.wall_ns;
    let is_long = |ns: i64| at_least(ns, stall::LEAST_PERCENT, wall_ns);
    stalls.filter(|stall| is_long(stall.end_ns - stall.start_ns)).any(|stall| stall.end_ns == start)
}

/// Commands that start when all that they are known to wait for has ended.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::of_hand_overs();
    let low = || findings.cores.iter().filter(|core| may_overlap(findings, core));
    for track in low().filter_map(|core| core.core).flat_map(|core| findings.model.core(core)) {
        for event in findings.model.events(track).filter(|event| event.kind.activity.is_work()) {
            if !ends_a_stall(findings, track.engine_id.index, event.start) {
                relief.start_at_once(track.engine_id, event.index);
            }
        }
    }
    for core in low().filter_map(|core| core.core) {
        ends_of_launches(findings, core, &mut relief);
    }
    relief
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advice::testing::{check as run, hardware};
    use bigtpu_machine::Hardware;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn load_then_compute() {
        let mut planted = Planted::default();
        planted.load(0, 0, 40, 1);
        planted.work(0, Engine::Tiu, 38, 100);
        let advice = run(&planted, check).unwrap();
        assert_eq!(advice.gain_ns, Some(38));
        assert_eq!(advice.evidence[3].value, 0.05);
        assert_eq!(advice.evidence[3].place, "core 0");
    }

    /// A number without the bit that enables it is no dependence on chips with such a bit: the ends of a launch still wait for what was
    /// before. BM1688 has no such bit.
    #[test]
    fn a_dependence_that_is_not_enabled_says_nothing() {
        let relief = |chip: &str, field: Option<u32>| {
            let mut planted = Planted::default();
            planted.kernel(0, "matmul", 0, 100);
            planted.load(0, 0, 40, 1);
            let event = planted.work(0, Engine::Tiu, 40, 100);
            if let Some(field) = field {
                planted.dependence(0, Engine::Tiu, event, field);
            }
            let hardware = Hardware { chip: chip.to_owned(), ..hardware() };
            super::relief(&Findings::of_planted(&planted.model(), hardware))
        };
        let (number, enabled) = (Some(1), Some(1 << 20 | 1));
        assert_eq!(relief("AKS", number), relief("AKS", None));
        assert_ne!(relief("AKS", enabled), relief("AKS", None));
        assert_eq!(relief("BM1688", number), relief("AKS", enabled));
    }

    #[test]
    fn overlap_or_little_transfer_gives_no_advice() {
        let mut overlapped = Planted::default();
        overlapped.load(0, 10, 40, 1);
        overlapped.work(0, Engine::Tiu, 0, 100);
        assert_eq!(run(&overlapped, check), None);
        let mut little = Planted::default();
        little.load(0, 0, 9, 1);
        little.work(0, Engine::Tiu, 9, 100);
        assert_eq!(run(&little, check), None);
    }
}
