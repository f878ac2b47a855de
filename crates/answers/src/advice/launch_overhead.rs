//! Time between kernel launches.

use super::{Advice, Evidence, at_least, core_place};
use crate::findings::Findings;
use bigtpu_measure::{CoreLaunches, LaunchGap, ratio};
use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

pub(super) const ID: &str = "launch-overhead";

/// Least time between launches, in percent of the wall time.
const LEAST_PERCENT: i64 = 1;
/// Least time between launches, in percent of the wall time, if the gaps are short on average: a launch needs such gaps
/// by itself.
pub(super) const LEAST_PERCENT_OF_SHORT: i64 = 5;
/// Longer gaps are no short ones: twice the microsecond that an operation takes on its way in measured networks.
pub(super) const SHORT_NS: i64 = 2000;
/// Times the median from which on a gap is a long one.
const LONG: i64 = 2;
/// A gap that is at least this many percent of all is the one to look at.
const MOST_PERCENT: i64 = 50;
/// One that is shorter than that, but so many times as long as the median and at least so many percent of all, stands out.
const OUTSTANDING: i64 = 5;
const OUTSTANDING_PERCENT: i64 = 10;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let worst = findings.launches.iter().rev().max_by_key(|c| c.gap_lost_ns)?;
    let are_short = worst.gap_lost_ns <= SHORT_NS.saturating_mul(worst.gaps as i64);
    let least = if are_short { LEAST_PERCENT_OF_SHORT } else { LEAST_PERCENT };
    if !at_least(worst.gap_lost_ns, least, findings.overall.wall_ns) {
        return None;
    }
    let core = || core_place(worst.core);
    let all_cores = Message::new("place-all-cores");
    let mut evidence = vec![
        Evidence::new("evidence-launch-gaps", worst.gaps as f64, "", core()),
        Evidence::us("evidence-their-time", worst.gap_ns, core()),
        Evidence::us("evidence-core-without-command", worst.gap_idle_ns, core()),
        Evidence::us("evidence-chip-idle", worst.gap_lost_ns, all_cores),
        Evidence::us("evidence-median-length", worst.gap_p50_ns, core()),
    ];
    // What is as long as most are is no news; a single one is.
    let is_long =
        |gap: &&LaunchGap| worst.gaps == 1 || gap.end_ns - gap.start_ns >= LONG * worst.gap_p50_ns;
    let names = ["evidence-longest-gap", "evidence-next-gap"];
    evidence.extend(worst.longest.iter().filter(is_long).zip(names).map(|(gap, name)| {
        Evidence::us(name, gap.end_ns - gap.start_ns, place_of(findings, worst, gap))
    }));
    let (headline, text) = words(worst);
    Some(Advice::saving(findings, ID, worst.gap_lost_ns, headline, text, evidence))
}

/// Merged kernels help against many gaps, not against one: what made it is a thing of that moment.
fn words(worst: &CoreLaunches) -> (Message, LocalizedText) {
    // Where other cores work in most of them, it is not known in which ones the chip is idle.
    let is_idle = worst.gaps > 1 && is_of_chip(worst);
    let Some(gap) = worst.longest.first().filter(|_| is_idle) else { return of_many(worst) };
    let ns = gap.end_ns - gap.start_ns;
    if !at_least(ns, MOST_PERCENT, worst.gap_ns) {
        let stands_out = ns >= OUTSTANDING.saturating_mul(worst.gap_p50_ns.max(1))
            && at_least(ns, OUTSTANDING_PERCENT, worst.gap_ns);
        return if stands_out { with_outstanding(worst, gap) } else { of_many(worst) };
    }
    let headline =
        message!("headline-launch-gap", time = Arg::TimeNs(ns), after = gap.after.as_str());
    let text = message!(
        "advice-launch-gap",
        time = Arg::TimeNs(ns),
        before = gap.before.as_str(),
        after = gap.after.as_str(),
        gaps = worst.gaps,
        share = Arg::Share(ratio(ns, worst.gap_ns)),
        median = Arg::TimeNs(worst.gap_p50_ns),
    );
    (headline, text.into())
}

/// Whether the chip is idle in most of the time between the launches of the core.
fn is_of_chip(worst: &CoreLaunches) -> bool {
    at_least(worst.gap_lost_ns, MOST_PERCENT, worst.gap_ns)
}

/// Where a gap is: one of the chip is of no core.
fn place_of(findings: &Findings<'_, '_>, worst: &CoreLaunches, gap: &LaunchGap) -> Message {
    let (before, after) = (&gap.before, &gap.after);
    let at = Arg::TimeNs(findings.since_start(gap.start_ns));
    if is_of_chip(worst) {
        return message!("place-gap-of-chip", before = before, after = after, at = at);
    }
    let core = Arg::Number(worst.core.into());
    message!("place-gap", core = core, before = before, after = after, at = at)
}

/// Gaps of which none stands out.
fn of_many(worst: &CoreLaunches) -> (Message, LocalizedText) {
    let (gaps, time) = (worst.gaps, Arg::TimeNs(worst.gap_lost_ns));
    let headline = message!("headline-launch-gaps", gaps = gaps, time = time.clone());
    (headline, message!("advice-launch-overhead", gaps = gaps, time = time).into())
}

/// Gaps of which one is far longer than the others, though these take most of the time together.
fn with_outstanding(worst: &CoreLaunches, gap: &LaunchGap) -> (Message, LocalizedText) {
    let (gaps, time) = (worst.gaps, Arg::TimeNs(worst.gap_lost_ns));
    let ns = gap.end_ns - gap.start_ns;
    let headline = message!(
        "headline-launch-gaps-longest",
        gaps = gaps,
        time = time.clone(),
        longest = Arg::TimeNs(ns),
        after = &gap.after,
    );
    let longest = message!(
        "advice-launch-gap-longest",
        longest = Arg::TimeNs(ns),
        before = &gap.before,
        after = &gap.after,
        median = Arg::TimeNs(worst.gap_p50_ns),
    );
    let all = message!("advice-launch-overhead", gaps = gaps, time = time);
    (headline, LocalizedText::new(vec![all, longest]))
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

    /// Two launches of so many ns of work each, and a gap between them.
    fn launches(work: i64, gap: i64) -> Planted {
        let mut planted = Planted::default();
        let second = work + gap;
        planted.kernel(0, "a", 0, work);
        planted.work(0, Engine::Tiu, 0, work);
        planted.kernel(0, "b", second, second + work);
        planted.work(0, Engine::Tiu, second, second + work);
        planted
    }

    fn planted(gap: i64) -> Planted {
        launches(50, gap)
    }

    #[test]
    fn a_planted_launch_gap_is_found() {
        let advice = run(&planted(25), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(25), Some(0.2)));
        assert_eq!(advice.evidence[5].place, "from a to b, at 0.1 us");
    }

    /// Gaps longer than a launch needs count from a smaller part of the wall time on.
    #[test]
    fn long_gaps_count_from_a_percent_of_the_wall_time_on() {
        let planted = |gap| launches(50_000, gap);
        assert_eq!(run(&planted(3000), check).and_then(|advice| advice.gain_ns), Some(3000));
        assert_eq!(run(&planted(1900), check), None);
    }

    /// Merging kernels does not help against one gap; what is as long as most is no evidence.
    #[test]
    fn one_long_gap_has_its_own_words() {
        let run_of = |gaps: [i64; 3]| {
            let mut planted = Planted::default();
            let mut at = 0;
            for (kernel, gap) in ["a", "b", "c", "d"].into_iter().zip(gaps.into_iter().chain([0])) {
                planted.kernel(0, kernel, at, at + 500);
                planted.work(0, Engine::Tiu, at, at + 500);
                at += 500 + gap;
            }
            run(&planted, check).unwrap()
        };
        let one = run_of([20, 300, 20]);
        let english = bigtpu_messages::Language::English;
        assert_eq!(
            one.headline.to(english),
            "Gaps between launches, most of it one of 0.3 us before c"
        );
        assert!(one.text.to(english).contains("88 % of the time in 3 gaps"), "{:?}", one.text);
        let longest = |advice: &Advice| {
            let shown =
                advice.evidence.iter().filter(|evidence| evidence.id == "evidence-longest-gap");
            shown.map(|evidence| evidence.value).collect::<Vec<f64>>()
        };
        assert_eq!(longest(&one), [0.3]);
        let many = run_of([100, 110, 120]);
        assert_eq!(many.headline.to(english), "Chip idle 0.3 us in 3 gaps between launches");
        assert!(longest(&many).is_empty());
    }

    /// Less than half of all gaps, and yet the one to look at.
    #[test]
    fn a_gap_that_stands_out_is_named_beside_all() {
        let mut planted = Planted::default();
        let mut at = 0;
        let gaps = [20, 20, 20, 150, 20, 20, 20, 20, 20, 20];
        for (number, gap) in gaps.into_iter().chain([0]).enumerate() {
            let kernel = if number == 4 { "late" } else { "a" };
            planted.kernel(0, kernel, at, at + 500);
            planted.work(0, Engine::Tiu, at, at + 500);
            at += 500 + gap;
        }
        let advice = run(&planted, check).unwrap();
        let english = bigtpu_messages::Language::English;
        assert_eq!(
            advice.headline.to(english),
            "Chip idle 0.3 us in 10 gaps between launches, 0.1 us of it before late"
        );
        let text = advice.text.to(english);
        assert!(text.contains("the longest is 0.1 us, from a to late"), "{text}");
    }

    #[test]
    fn short_gaps_give_no_advice() {
        assert_eq!(run(&planted(5), check), None);
        assert_eq!(run(&Planted::default(), check), None);
    }
}
