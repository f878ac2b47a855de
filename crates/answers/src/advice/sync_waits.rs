//! A core that waits for others most of the time.

use std::collections::BTreeMap;

use bigtpu_messages::{Arg, Message, message};

use super::{Advice, Evidence, at_least, core_place};
use crate::barriers::HeldUp;
use crate::findings::Findings;
use bigtpu_replay::Relief;

pub(super) const ID: &str = "sync-waits";

/// Least time in sync only, in percent of the wall time of a core.
const LEAST_PERCENT: i64 = 20;
/// Uneven work explains the waits if it is at least this many percent of them.
const EXPLAINED_PERCENT: i64 = 80;
/// Least gain, in percent of the wall time: waits that nothing can shorten are no fault.
const LEAST_GAIN_PERCENT: i64 = 3;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let worst = findings.cores.iter().rev().max_by_key(|c| c.sync_ns)?;
    let barriers = &findings.barriers;
    // What is lost is what the last core is behind the others at barriers, or the time in which the whole chip waits.
    let gain = barriers.lost_ns.max(findings.overall.sync_ns).min(worst.sync_ns);
    // Where uneven work explains most of it, evening that out wins no more than the work's excess.
    let uneven: i64 = findings.imbalances.iter().map(|kernel| kernel.lost_ns).sum();
    let gain = if at_least(uneven, EXPLAINED_PERCENT, gain) { gain.min(uneven) } else { gain };
    let is_much = at_least(worst.sync_ns, LEAST_PERCENT, worst.wall_ns)
        && at_least(gain, LEAST_GAIN_PERCENT, findings.overall.wall_ns);
    if !is_much {
        return None;
    }
    let core = worst.core.unwrap_or(0);
    let mut evidence = vec![Evidence::us("evidence-system-only", worst.sync_ns, core_place(core))];
    let mut partners: BTreeMap<(&str, u32), i64> = BTreeMap::new();
    let own = |g: &&crate::Gap| {
        let mut engines = g.with.iter().map(|(engine, index)| (engine, *index));
        g.index == core && g.engine != "CDMA"
            || engines.any(|(engine, index)| index == core && engine != "CDMA")
    };
    for gap in findings.gaps.longest.iter().filter(own) {
        if let Some((engine, index)) = &gap.waited_for {
            *partners.entry((engine, *index)).or_default() += gap.sync_ns;
        }
    }
    if let Some(((engine, index), ns)) = partners.into_iter().rev().max_by_key(|(_, ns)| *ns) {
        let place = message!(
            "place-core-for-engine",
            core = Arg::Number(core.into()),
            engine = engine,
            other = Arg::Number(index.into()),
        );
        evidence.push(Evidence::us("evidence-wait-in-bubbles", ns, place));
    }
    let last = barriers.last.iter().rev().max_by_key(|(_, times)| *times);
    if let Some((last, times)) = last {
        let times = *times as f64;
        evidence.push(Evidence::new("evidence-barriers-last", times, "", core_place(*last)));
        let (skew_ns, all_cores) = (barriers.mean_skew_ns as i64, Message::new("place-all-cores"));
        evidence.push(Evidence::us("evidence-mean-skew", skew_ns, all_cores));
    }
    let waits = || {
        let time = Arg::TimeNs(worst.sync_ns);
        message!("headline-sync-waits", core = Arg::Number(core.into()), time = time)
    };
    let (headline, text) = match last.filter(|(_, times)| times * 2 > barriers.count) {
        // Whether an analyzed core is the last at a barrier, and what else ends a wait, nobody knows without the others.
        _ if findings.model.leaves_out_cores => {
            (waits(), message!("advice-sync-waits-left-out", core = Arg::Number(core.into())))
        }
        Some((last, times)) => {
            let (core, all) = (|| Arg::Number((*last).into()), barriers.count);
            (
                message!("headline-late-core", core = core(), late = *times, barriers = all),
                message!("advice-late-core", core = core(), late = *times, barriers = all),
            )
        }
        None if findings.active_cores() < 2 => {
            (waits(), message!("advice-sync-waits-one-core", core = Arg::Number(core.into())))
        }
        None => (waits(), message!("advice-sync-waits", core = Arg::Number(core.into()))),
    };
    // No run is shorter than the longest work of a core, however early it comes to the barriers.
    let bound_ns = (findings.overall.wall_ns - findings.evenness.needed_ns).max(0);
    let advice = Advice::saving(findings, ID, gain.min(bound_ns), headline, text, evidence);
    Some(Advice { bound_ns: Some(bound_ns), ..advice })
}

/// Late cores that come to barriers with the others.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    let start = findings.model.window().map_or(0, |(start, _)| start);
    let mut held: Vec<&HeldUp> = findings.barriers.held_up.iter().collect();
    held.sort_by_key(|held| (held.late, held.opened));
    for of_core in held.chunk_by(|a, b| a.late == b.late) {
        let Some(core) = of_core.first().map(|held| held.late) else { continue };
        for track in findings.model.core(core) {
            for event in findings.model.events(track) {
                let at = of_core.partition_point(|held| held.opened <= event.start);
                let Some(held) = of_core.get(at) else { continue };
                let since = held.since.unwrap_or(start);
                if event.start >= since && event.end <= held.opened && held.opened > since {
                    let factor = (held.usual - since) as f64 / (held.opened - since) as f64;
                    relief.compress(track.engine_id, event.index, factor);
                }
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

    /// Core 1 comes to the barrier late.
    fn planted(wait: i64) -> Planted {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 9);
        let first = planted.send(0, Engine::Tiu, 9, 10);
        let w = planted.wait(0, Engine::Tiu, 10, 10 + wait);
        planted.work(0, Engine::Tiu, 10 + wait, 100);
        planted.work(1, Engine::Tiu, 0, 9 + wait);
        let s = planted.send(1, Engine::Tiu, 9 + wait, 10 + wait);
        planted.flow((1, Engine::Tiu, s), (0, Engine::Tiu, w));
        planted.flow((0, Engine::Tiu, first), (0, Engine::Tiu, w));
        planted
    }

    #[test]
    fn a_planted_wait_is_found_with_its_partner() {
        let advice = run(&planted(40), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(40), Some(0.4)));
        assert!(
            advice.text.text.starts_with("Core 1 arrives last at 1 of 1 barriers"),
            "{}",
            advice.text.text
        );
        assert_eq!(advice.evidence[1].place, "core 0 for TIU of core 1");
        assert_eq!((advice.evidence[2].value, advice.evidence[2].place.as_str()), (1.0, "core 1"));
    }

    /// A core that is left out may be the one that comes last.
    #[test]
    fn without_all_cores_nobody_is_named() {
        let planted = planted(40);
        let model = bigtpu_measure::DumpModel { leaves_out_cores: true, ..planted.model() };
        let findings = Findings::of_planted(&model, crate::advice::testing::hardware());
        let text = check(&findings).unwrap().text.text;
        assert!(text.contains("cores are left out") && !text.contains("arrives last"), "{text}");
    }

    /// A core that takes over another's results waits by design.
    #[test]
    fn waiting_for_results_gives_no_advice() {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 60);
        let s = planted.send(0, Engine::Tiu, 60, 61);
        planted.work(0, Engine::Tiu, 61, 100);
        let w = planted.wait(1, Engine::Tiu, 0, 61);
        planted.work(1, Engine::Tiu, 61, 100);
        planted.flow((0, Engine::Tiu, s), (1, Engine::Tiu, w));
        assert_eq!(run(&planted, check), None);
    }

    #[test]
    fn a_short_wait_gives_no_advice() {
        assert_eq!(run(&planted(15), check), None);
    }
}
