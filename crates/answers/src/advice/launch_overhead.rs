//! Time between kernel launches.

use super::{Advice, Evidence, at_least};
use crate::findings::Findings;
use bigtpu_replay::Relief;

pub(super) const ID: &str = "launch-overhead";

/// Least time between launches, in percent of the wall time.
const LEAST_PERCENT: i64 = 5;
const SHOWN: usize = 2;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let worst = findings.launches.iter().rev().max_by_key(|c| c.gap_lost_ns)?;
    if !at_least(worst.gap_lost_ns, LEAST_PERCENT, findings.overall.wall_ns) {
        return None;
    }
    let place = format!("core {}", worst.core);
    let mut evidence = vec![
        Evidence::new("gaps between launches", worst.gaps as f64, "", &place),
        Evidence::us("their time", worst.gap_ns, &place),
        Evidence::us("of this, no command on the core", worst.gap_idle_ns, &place),
        Evidence::us("of this, the chip was idle", worst.gap_lost_ns, "all cores"),
        Evidence::us("median length", worst.gap_p50_ns, &place),
    ];
    evidence.extend(worst.longest.iter().take(SHOWN).map(|gap| {
        let place =
            format!("{place}, from {} to {}, at {} ns", gap.before, gap.after, gap.start_ns);
        Evidence::us("a long gap", gap.end_ns - gap.start_ns, place)
    }));
    let text = "The chip is idle between kernel launches: launch ahead, or merge small kernels."
        .to_owned();
    Some(Advice::saving(findings, ID, worst.gap_lost_ns, text, evidence))
}

/// Launches that follow one another at once.
pub(super) fn relief(_: &Findings<'_, '_>) -> Relief {
    Relief::of_launch_gaps()
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    fn planted(gap: i64) -> Planted {
        let mut planted = Planted::default();
        planted.kernel(0, "a", 0, 50);
        planted.work(0, Engine::Tiu, 0, 50);
        planted.kernel(0, "b", 50 + gap, 100 + gap);
        planted.work(0, Engine::Tiu, 50 + gap, 100 + gap);
        planted
    }

    #[test]
    fn a_planted_launch_gap_is_found() {
        let advice = run(&planted(25), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(25), Some(0.2)));
        assert_eq!(advice.evidence[5].place, "core 0, from a to b, at 50 ns");
    }

    #[test]
    fn short_gaps_give_no_advice() {
        assert_eq!(run(&planted(5), check), None);
        assert_eq!(run(&Planted::default(), check), None);
    }
}
