//! One core takes longer than the others.

use bigtpu_measure::counted;
use bigtpu_replay::Relief;

use super::doubt::{Doubt, Most};
use super::{Advice, Evidence, at_least};
use crate::evenness::Evenness;
use crate::findings::Findings;
use crate::stretch::each_work;

pub(super) const ID: &str = "core-imbalance";

/// Least loss, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;
const SHOWN: usize = 3;
/// Share of a gain that is not sure where waits are known by their ends only.
const WITHOUT_WAITS: f64 = 0.1;

pub(super) fn check(findings: &Findings<'_, '_>) -> Option<Advice> {
    let even = &findings.evenness;
    let wall_ns = findings.overall.wall_ns;
    // No run is shorter than the longest work of a core.
    let bound_ns = (wall_ns - even.needed_ns).max(0);
    let lost = even.all_lost_ns().min(bound_ns);
    if !at_least(lost, LEAST_PERCENT, wall_ns) {
        return None;
    }
    let mut evidence = Vec::new();
    let kernels = findings.imbalances.iter().filter(|kernel| kernel.lost_ns > 0);
    for k in kernels.take(SHOWN) {
        let place = format!("kernel {} on core {}", k.kernel, k.slowest);
        evidence.extend([
            Evidence::us("work of the slowest core", k.slowest_ns, &place),
            Evidence::us("mean of the cores", k.mean_ns as i64, &place),
            Evidence::us("lost to the slowest core of each round", k.lost_ns, &place),
        ]);
    }
    let uneven = even.uneven_work.iter();
    evidence.extend(uneven.map(|(core, ns)| {
        Evidence::us("work in rounds with uneven work", *ns, format!("core {core}"))
    }));
    // The costliest cause first; those that cost a small part of it are left out.
    let mut causes: Vec<(i64, String)> = even
        .lost_ns
        .into_iter()
        .zip([slow(findings), stragglers(even), uneven_work(even)])
        .filter_map(|(ns, text)| Some((ns, text?)))
        .collect();
    causes.sort_by_key(|(ns, _)| std::cmp::Reverse(*ns));
    let most = causes.first().map_or(0, |(ns, _)| *ns);
    causes.retain(|(ns, _)| ns * 4 >= most);
    let texts: Vec<String> = causes.into_iter().map(|(_, text)| text).collect();
    let advice = Advice::saving(findings, ID, lost, texts.join(" "), evidence);
    let advice = Advice { bound_ns: Some(bound_ns), ..advice };
    if !findings.barriers.inferred.waits_look_like_work {
        return Some(advice);
    }
    // The replay takes the others' waits for work, and gains nothing.
    let doubt = Doubt {
        least: 1.0 - WITHOUT_WAITS,
        most: Most::Times(1.0 + WITHOUT_WAITS),
        why: "in this capture mode the records of waits look like those of work",
    };
    Some(Advice { floor_ns: lost, doubt: Some(doubt), ..advice })
}

/// Cores in words: `Core 2`, `Cores 0, 1 and 4`.
fn cores(cores: &[u32]) -> String {
    let names: Vec<String> = cores.iter().map(u32::to_string).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!("Core {one}"),
        [first @ .., last] => format!("Cores {} and {last}", first.join(", ")),
    }
}

/// Cores that take longer for the same commands.
fn slow(findings: &Findings<'_, '_>) -> Option<String> {
    let even = &findings.evenness;
    let names: Vec<u32> = even.slow.iter().map(|slow| slow.core).collect();
    let least = even.slow.iter().map(|slow| slow.factor).reduce(f64::min)?;
    let most = even.slow.iter().map(|slow| slow.factor).reduce(f64::max)?;
    let times = if most - least < 0.05 {
        format!("{most:.2} times")
    } else {
        format!("{least:.2} to {most:.2} times")
    };
    let verb = if names.len() == 1 { "takes" } else { "take" };
    let place = match even.slow_kernels {
        (_, 0) => String::new(),
        (slow, all) => format!(" in {slow} of {}", counted(all, "kernel")),
    };
    let names = cores(&names);
    let is_same = even.slow.iter().all(|slow| slow.has_same_work);
    Some(if is_same {
        format!(
            "{names} {verb} {times} as long for the same commands{place}: check the clock and the memory channel there."
        )
    } else {
        format!(
            "{names} {verb} {times} as long{place}, and {} more bytes or operations than the other cores: split the work evenly.",
            if names.starts_with("Cores") { "have" } else { "has" }
        )
    })
}

/// Cores that take longer for the same commands now and then.
fn stragglers(even: &Evenness) -> Option<String> {
    let (rounds, at, factor) = &even.straggling;
    let names: Vec<u32> = at.iter().copied().collect();
    let who = match names.len() {
        0 => return None,
        1 => cores(&names),
        more => format!("One of {more} cores, another one from time to time,"),
    };
    Some(format!(
        "{who} takes up to {factor:.2} times as long for the same commands, {} in {} rounds: look for what disturbs it \
         in these rounds, such as other users of its memory channel.",
        counted(*rounds, "time"),
        even.same_rounds
    ))
}

/// Cores with more commands than others.
fn uneven_work(even: &Evenness) -> Option<String> {
    let (most, least) = (
        even.uneven_work.iter().rev().max_by_key(|(_, work)| *work)?,
        even.uneven_work.iter().min_by_key(|(_, work)| *work)?,
    );
    let sum: i64 = even.uneven_work.iter().map(|(_, work)| *work).sum();
    let mean = sum as f64 / even.uneven_work.len().max(1) as f64;
    let rounds = even.uneven_rounds;
    let place = match (even.uneven_kernels.len(), rounds) {
        (0, 1) => "in the run".to_owned(),
        (0, _) => format!("in {rounds} stretches between barriers"),
        (kernels, _) => {
            format!("in {} of {}", counted(rounds, "round"), counted(kernels, "kernel"))
        }
    };
    Some(if most.1 as f64 >= 1.3 * mean {
        format!(
            "Core {} has more commands than the others {place}: it works {:.1} us, core {} {:.1} us ({:.0} %); split the work evenly.",
            most.0,
            most.1 as f64 / 1e3,
            least.0,
            least.1 as f64 / 1e3,
            least.1 as f64 * 100.0 / most.1.max(1) as f64
        )
    } else {
        format!(
            "The cores have different numbers of commands {place}, in turn one core has most of them: split the work of each evenly."
        )
    })
}

/// Launches in which each core works as long as the one that represents all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    each_work(findings.model, &findings.evenness.even, |engine_id, events, stretch| {
        if stretch.is_divided {
            relief.divide(engine_id, events, stretch.factor);
        } else {
            relief.scale_all(engine_id, events, stretch.factor);
        }
    });
    relief
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::planted::Planted;

    fn planted(second: i64) -> Planted {
        let mut planted = Planted::default();
        planted.kernel(0, "matmul", 0, 100);
        planted.work(0, Engine::Tiu, 0, 100);
        planted.kernel(1, "matmul", 0, second);
        planted.work(1, Engine::Tiu, 0, second);
        planted
    }

    #[test]
    fn a_planted_imbalance_is_found() {
        let advice = run(&planted(160), check).unwrap();
        assert_eq!((advice.gain_ns, advice.gain), (Some(60), Some(0.375)));
        assert_eq!(advice.evidence[0].place, "kernel matmul on core 1");
        assert_eq!((advice.evidence[0].value, advice.evidence[1].value), (0.16, 0.13));
    }

    #[test]
    fn balanced_cores_give_no_advice() {
        assert_eq!(run(&planted(100), check), None);
        assert_eq!(run(&planted(105), check), None);
    }
}
