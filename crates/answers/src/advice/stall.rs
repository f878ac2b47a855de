//! The chip is idle inside a kernel launch.

use super::{Advice, Evidence, at_least, core_place, launch_overhead};
use crate::findings::Findings;
use bigtpu_measure::{CoreLaunches, Stall};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

pub(super) const ID: &str = "stall";

/// Least time, in percent of the wall time.
pub(super) const LEAST_PERCENT: i64 = 3;
const SHOWN: usize = 3;
/// Shorter ones, in percent of all, are not shown.
const SHOWN_PERCENT: i64 = 5;
/// A stall that is at least this many percent of all is the one to look at.
const MOST_PERCENT: i64 = 50;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let worst = findings.launches.iter().rev().max_by_key(|core| core.stall_lost_ns)?;
    // Where no launches are known, idle times may be the gaps between them: short ones count as these do.
    let longest = worst.stalls.iter().map(|stall| stall.end_ns - stall.start_ns).max();
    let may_be_gaps = worst.launches == 0 && longest <= Some(2 * launch_overhead::SHORT_NS);
    let least = if may_be_gaps { launch_overhead::LEAST_PERCENT_OF_SHORT } else { LEAST_PERCENT };
    if !at_least(worst.stall_lost_ns, least, findings.overall.wall_ns) {
        return None;
    }
    let core = || Arg::Number(worst.core.into());
    let what = match worst.launches {
        0 => "evidence-idle-between-commands",
        _ => "evidence-idle-inside-launches",
    };
    let (headline, text) = words(worst, findings);
    let mut evidence = vec![Evidence::us(what, worst.stall_lost_ns, core_place(worst.core))];
    let is_part = |stall: &&Stall| {
        at_least(stall.end_ns - stall.start_ns, SHOWN_PERCENT, worst.stall_lost_ns)
    };
    let longest = worst.stalls.iter().filter(is_part).take(SHOWN).enumerate();
    evidence.extend(longest.map(|(number, stall)| {
        let at = Arg::TimeNs(findings.since_start(stall.start_ns));
        let place = match stall.kernel.as_str() {
            _ if is_of_all(stall, &findings.launches) => {
                message!("place-stall-of-chip", at = at)
            }
            "" => message!("place-stall", core = core(), at = at),
            kernel => {
                message!("place-stall-in-kernel", core = core(), kernel = kernel, at = at)
            }
        };
        let name = if number == 0 { "evidence-longest-stall" } else { "evidence-next-stall" };
        Evidence::us(name, stall.end_ns - stall.start_ns, place)
    }));
    let advice = Advice::saving(findings, ID, worst.stall_lost_ns, headline, text, evidence);
    // The replay ends inferred gaps between launches, too, also where an engine of the chip worked in one.
    let bound_ns = advice.gain_ns.filter(|_| worst.launches == 0);
    Some(Advice { bound_ns, ..advice })
}

/// One long stall is looked for at its place, many short ones in what all of them have in common.
fn words(worst: &CoreLaunches, findings: &Findings<'_, '_>) -> (Message, Message) {
    let core = || Arg::Number(worst.core.into());
    let all = || Arg::TimeNs(worst.stall_lost_ns);
    let longest = worst
        .stalls
        .first()
        .filter(|stall| at_least(stall.end_ns - stall.start_ns, MOST_PERCENT, worst.stall_lost_ns));
    if let Some(stall) = longest {
        let time = || Arg::TimeNs(stall.end_ns - stall.start_ns);
        let at = || Arg::TimeNs(findings.since_start(stall.start_ns));
        let kernel = || match stall.kernel.as_str() {
            "" => Message::new("advice-stall-no-kernel"),
            kernel => message!("advice-stall-kernel", kernel = kernel),
        };
        if is_of_all(stall, &findings.launches) {
            let headline = message!("headline-chip-stall", time = time(), at = at());
            return (headline, message!("advice-chip-stall", time = time(), at = at()));
        }
        return (
            message!("headline-stall", core = core(), time = time(), kernel = kernel()),
            message!("advice-stall", core = core(), time = time(), kernel = kernel(), at = at()),
        );
    }
    let headline = message!("headline-stalls", core = core(), time = all());
    let text = if worst.launches > 0 {
        message!("advice-stall-inside-launches", core = core())
    } else {
        message!("advice-stall-between-commands", core = core())
    };
    (headline, text)
}

/// Stalls of cores that lie over each other by this many percent are one.
const SAME_PERCENT: i64 = 80;

/// Whether all cores stall then: no core is at fault.
fn is_of_all(stall: &Stall, all_cores: &[CoreLaunches]) -> bool {
    let ns = stall.end_ns - stall.start_ns;
    let is_same = |other: &Stall| {
        let both = other.end_ns.min(stall.end_ns) - other.start_ns.max(stall.start_ns);
        at_least(both, SAME_PERCENT, ns)
    };
    all_cores.len() > 1 && all_cores.iter().all(|core| core.stalls.iter().any(is_same))
}

/// The core's commands start when all that they are known to wait for has ended; those of other cores as well, if these are idle for at
/// least half as long. Where the dump shows no launches, the time between those that the replay infers is no less idle.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    if findings.launches.iter().all(|core| core.launches == 0) {
        relief.end_launch_gaps();
    }
    let most = findings.launches.iter().map(|core| core.stall_lost_ns).max().unwrap_or(0);
    for core in findings.launches.iter().filter(|core| core.stall_lost_ns * 2 >= most) {
        for track in findings.model.core(core.core) {
            for event in findings.model.events(track) {
                relief.start_at_once(track.engine_id, event.index);
            }
        }
    }
    relief
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    fn planted(bubble: i64) -> Planted {
        let mut planted = Planted::default();
        planted.kernel(0, "matmul", 0, 100 + bubble);
        planted.work(0, Engine::Tiu, 0, 50);
        planted.work(0, Engine::Tiu, 50 + bubble, 100 + bubble);
        planted.kernel(1, "matmul", 0, 100 + bubble);
        planted.work(1, Engine::Tiu, 0, 60);
        planted.wait(1, Engine::Tiu, 60, 100 + bubble);
        planted
    }

    #[test]
    fn a_bubble_inside_a_launch_is_found() {
        for (bubble, gain) in [(50, 40), (200, 190)] {
            let advice = run(&planted(bubble), check).unwrap();
            assert_eq!(advice.gain_ns, Some(gain));
            assert_eq!(advice.evidence[1].place, "core 0, in matmul, at 0.1 us");
        }
    }

    /// Computation of so many stretches, so long each, with stalls between them.
    fn stalled(kernel: bool, stretches: i64, work: i64, stall: i64) -> Planted {
        let mut planted = Planted::default();
        let end = stretches * (work + stall) - stall;
        if kernel {
            planted.kernel(0, "matmul", 0, end);
        }
        for start in (0..stretches).map(|n| n * (work + stall)) {
            planted.work(0, Engine::Tiu, start, start + work);
        }
        planted
    }

    /// Without launches, short stalls may be gaps between them, which count from 5 % on: 3.8 of 93.8 us are 4 %.
    #[test]
    fn short_stalls_without_launches_count_as_gaps_do() {
        let gain = |planted| run(&planted, check).and_then(|advice| advice.gain_ns);
        assert_eq!(gain(stalled(false, 3, 30_000, 1900)), None);
        assert_eq!(gain(stalled(false, 3, 20_000, 1900)), Some(3800));
        assert_eq!(gain(stalled(true, 3, 30_000, 1900)), Some(3800));
        // Longer than 4 us is no usual gap.
        assert_eq!(gain(stalled(false, 2, 60_000, 5000)), Some(5000));
    }

    /// The replay ends gaps between the launches that it infers, too: no more is said than the stalls are.
    #[test]
    fn without_launches_stalls_bound_the_gain() {
        let bound = |kernel| run(&stalled(kernel, 2, 60_000, 5000), check).unwrap().bound_ns;
        assert_eq!((bound(false), bound(true)), (Some(5000), None));
    }

    #[test]
    fn a_stall_of_all_cores_names_none() {
        let mut planted = Planted::default();
        for core in 0..2 {
            planted.kernel(core, "matmul", 0, 400);
            planted.work(core, Engine::Tiu, 0, 100);
            planted.work(core, Engine::Tiu, 300, 400);
        }
        let advice = run(&planted, check).unwrap();
        assert_eq!(advice.headline.text, "All cores stall for 0.2 us, from 0.1 us on");
        assert_eq!(advice.evidence[1].place, "all cores, at 0.1 us");
    }

    #[test]
    fn work_on_other_cores_gives_no_advice() {
        assert_eq!(run(&planted(10), check), None);
    }
}
