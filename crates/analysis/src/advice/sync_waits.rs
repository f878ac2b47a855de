//! A core that waits for others most of the time.

use std::collections::BTreeMap;

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;

pub(super) const ID: &str = "sync-waits";

/// Least time in sync only, in percent of the wall time of a core.
const LEAST_PERCENT: i64 = 20;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let worst = findings.cores.iter().rev().max_by_key(|c| c.sync_ns)?;
    if !at_least(worst.sync_ns, LEAST_PERCENT, worst.wall_ns) {
        return None;
    }
    let core = worst.core.unwrap_or(0);
    let mut evidence =
        vec![Evidence::us("only system commands ran", worst.sync_ns, format!("core {core}"))];
    let mut partners: BTreeMap<(&str, u32), i64> = BTreeMap::new();
    let own = |g: &&crate::Gap| g.index == core && g.engine != "CDMA";
    for gap in findings.gaps.longest.iter().filter(own) {
        if let Some((engine, index)) = &gap.waited_for {
            *partners.entry((engine, *index)).or_default() += gap.sync_ns;
        }
    }
    if let Some(((engine, index), ns)) = partners.into_iter().rev().max_by_key(|(_, ns)| *ns) {
        let place = format!("core {core} for {engine} of core {index}");
        evidence.push(Evidence::us("of the longest bubbles, waiting", ns, place));
    }
    let barriers = &findings.barriers;
    if let Some((last, times)) = barriers.last.iter().rev().max_by_key(|(_, times)| *times) {
        evidence.push(Evidence::new(
            "barriers at which it came last",
            *times as f64,
            "",
            format!("core {last}"),
        ));
        evidence.push(Evidence::us(
            "mean skew of the barriers",
            barriers.mean_skew_ns as i64,
            "all cores",
        ));
    }
    let text = format!(
        "Core {core} waits for other engines or cores: look at what they do meanwhile, and even the work out or sync less often."
    );
    Some(Advice::saving(findings, ID, worst.sync_ns, text, evidence))
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use crate::planted::Planted;

    fn planted(wait: i64) -> Planted {
        let mut planted = Planted::default();
        planted.work(0, Engine::Tiu, 0, 10);
        let w = planted.wait(0, Engine::Tiu, 10, 10 + wait);
        planted.work(0, Engine::Tiu, 10 + wait, 100);
        planted.work(1, Engine::Tiu, 0, 10 + wait);
        let s = planted.send(1, Engine::Tiu, 9 + wait, 10 + wait);
        planted.flow((1, Engine::Tiu, s), (0, Engine::Tiu, w));
        planted
    }

    #[test]
    fn a_planted_wait_is_found_with_its_partner() {
        let advice = run(&planted(40), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(40), Some(0.4)));
        assert_eq!(advice.evidence[1].place, "core 0 for TIU of core 1");
        assert_eq!((advice.evidence[2].value, advice.evidence[2].place.as_str()), (1.0, "core 1"));
    }

    #[test]
    fn a_short_wait_says_nothing() {
        assert_eq!(run(&planted(15), check), None);
    }
}
