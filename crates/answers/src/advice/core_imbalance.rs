//! One core takes longer than the others.

use bigtpu_messages::{Arg, LocalizedText, Message, message};
use bigtpu_replay::Relief;

use super::doubt::{Doubt, Most};
use super::{Advice, Evidence, at_least, core_place, cores_in_words, shared_loads};
use crate::evenness::{Evenness, Straggling};
use crate::findings::Findings;
use crate::stretch::each_work;

pub(super) const ID: &str = "core-imbalance";

/// Least loss, in percent of the wall time.
const LEAST_PERCENT: i64 = 2;
const SHOWN: usize = 3;
/// The slowest core of a kernel takes at least so many times as long as the mean.
const SLOWEST: f64 = 1.05;
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
    if let Straggling { rounds, ref cores, .. } = even.straggling
        && cores.len() > 1
    {
        evidence.push(Evidence::new("evidence-disturbed-rounds", rounds as f64, "", None));
    }
    // Cores that take turns have as much to do in all launches of a kernel: no core is the slowest.
    let kernels = findings.imbalances.iter().filter(|kernel| {
        kernel.lost_ns > 0 && kernel.slowest_ns as f64 >= SLOWEST * kernel.mean_ns
    });
    for k in kernels.take(SHOWN) {
        let core = Arg::Number(k.slowest.into());
        let place = message!("place-kernel-on-core", kernel = &k.kernel, core = core);
        // Another core in each round: the sum over all rounds says nothing of the one that has most of it.
        if even.straggling.cores.len() > 1 {
            let place = message!("place-kernel", kernel = &k.kernel);
            evidence.push(Evidence::us("evidence-lost-to-slowest", k.lost_ns, place));
            continue;
        }
        evidence.extend([
            Evidence::us("evidence-slowest-core", k.slowest_ns, place.clone()),
            Evidence::us("evidence-mean-of-cores", k.mean_ns as i64, place.clone()),
            Evidence::us("evidence-lost-to-slowest", k.lost_ns, place),
        ]);
    }
    if is_in_turn(even) {
        // The sums over the rounds are equal, and would say the opposite.
        let place = Message::new("place-of-a-round");
        evidence.push(Evidence::new("evidence-share-of-one", share_of_one(even), "", place));
    } else {
        let uneven = even.uneven_work.iter();
        evidence.extend(
            uneven.map(|(core, ns)| Evidence::us("evidence-uneven-work", *ns, core_place(*core))),
        );
    }
    // The costliest cause first; those that cost a small part of it are left out.
    let mut causes: Vec<(i64, Cause)> = even
        .lost_ns
        .into_iter()
        .zip([slow(findings), stragglers(even), uneven_work(findings)])
        .filter_map(|(ns, cause)| Some((ns, cause?)))
        .collect();
    causes.sort_by_key(|(ns, _)| std::cmp::Reverse(*ns));
    let most = causes.first().map_or(0, |(ns, _)| *ns);
    causes.retain(|(ns, _)| ns * 4 >= most);
    let headline = causes.first()?.1.headline.clone();
    let mut text: Vec<Message> = causes.into_iter().map(|(_, cause)| cause.sentence).collect();
    // How to split matters where the parts need the same weights; what takes long is advice of its own.
    let is_little = |ns: &i64| even.uneven_rounds > 0 && !at_least(*ns, 1, wall_ns);
    if let Some(ns) = shared_loads::time_ns(findings).filter(is_little) {
        let bytes = Arg::Bytes(findings.shared_loads.bytes);
        text.push(message!("advice-shared-loads-beside", bytes = bytes, time = Arg::TimeNs(ns)));
        evidence.extend(shared_loads::evidence(findings));
    }
    let text = LocalizedText::new(text);
    let advice = Advice::saving(findings, ID, lost, headline, text, evidence);
    let advice = Advice { bound_ns: Some(bound_ns), ..advice };
    let is_divided = even.uneven_rounds > 0;
    let sure =
        if findings.barriers.inferred.waits_look_like_work { 1.0 - WITHOUT_WAITS } else { 1.0 };
    // Commands whose operations are not known may be more than a core needs.
    let surplus = (is_divided && !findings.knows_most_bits()).then(|| Doubt {
        least: sure,
        most: Most::Beyond(even.all_lost_ns() - even.lost_ns[2] + even.surplus_ns),
        why: Message::new("doubt-surplus"),
    });
    if !findings.barriers.inferred.waits_look_like_work {
        // The replay keeps what commands wait for from core to core and from engine to engine, though with another division of the
        // work they may wait for less.
        let doubt = Doubt { least: 1.0, most: Most::Ns(lost), why: Message::new("doubt-division") };
        return Some(Advice { doubt: surplus.or(is_divided.then_some(doubt)), ..advice });
    }
    // The replay takes the others' waits for work, and gains nothing.
    let doubt = Doubt {
        least: sure,
        most: Most::Times(1.0 + WITHOUT_WAITS),
        why: Message::new("doubt-waits-look-like-work"),
    };
    Some(Advice { floor_ns: lost, doubt: Some(surplus.unwrap_or(doubt)), ..advice })
}

/// Why cores take different times, each with a remedy of its own.
struct Cause {
    headline: Message,
    sentence: Message,
}

/// Cores that take longer for the same commands.
fn slow(findings: &Findings<'_, '_>) -> Option<Cause> {
    let even = &findings.evenness;
    let least = even.slow.iter().map(|slow| slow.factor).reduce(f64::min)?;
    let most = even.slow.iter().map(|slow| slow.factor).reduce(f64::max)?;
    let times = if most - least < 0.05 {
        message!("advice-times", factor = Arg::Factor(most))
    } else {
        message!("advice-times-range", least = Arg::Factor(least), most = Arg::Factor(most))
    };
    let cores = Arg::numbers(even.slow.iter().map(|slow| slow.core));
    let (slow_kernels, kernels) = even.slow_kernels;
    let is_same = even.slow.iter().all(|slow| slow.has_same_work);
    Some(if is_same {
        Cause {
            headline: message!("headline-slow-cores", cores = cores.clone(), times = times.clone(),),
            sentence: message!(
                "advice-slow-cores",
                cores = cores,
                times = times,
                slow_kernels = slow_kernels,
                kernels = kernels,
            ),
        }
    } else {
        Cause {
            headline: message!(
                "headline-slow-cores-with-more-work",
                cores = cores.clone(),
                times = times.clone(),
            ),
            sentence: message!(
                "advice-slow-cores-with-more-work",
                cores = cores,
                times = times,
                slow_kernels = slow_kernels,
                kernels = kernels,
            ),
        }
    })
}

/// Cores that take longer for the same commands now and then.
fn stragglers(even: &Evenness) -> Option<Cause> {
    let Straggling { rounds: disturbed, cores, factor, .. } = &even.straggling;
    let (disturbed, rounds) = (*disturbed, even.same_rounds);
    let factor = || Arg::Factor(*factor);
    let which = || cores_in_words(&cores.iter().copied().collect::<Vec<u32>>());
    let core = || Some(Arg::Number((*cores.first()?).into()));
    Some(match cores.len() {
        0 => return None,
        1 => Cause {
            headline: message!(
                "headline-straggler",
                core = core()?,
                factor = factor(),
                disturbed = disturbed,
                rounds = rounds,
            ),
            sentence: message!(
                "advice-straggler",
                core = core()?,
                factor = factor(),
                disturbed = disturbed,
                rounds = rounds,
            ),
        },
        _ if disturbed == rounds => Cause {
            headline: message!("headline-stragglers-always", factor = factor(), which = which()),
            sentence: message!("advice-stragglers-always", rounds = rounds, factor = factor()),
        },
        _ => Cause {
            headline: message!(
                "headline-stragglers",
                factor = factor(),
                disturbed = disturbed,
                rounds = rounds,
                which = which(),
            ),
            sentence: message!(
                "advice-stragglers",
                factor = factor(),
                disturbed = disturbed,
                rounds = rounds,
            ),
        },
    })
}

/// Cores with more commands than others.
fn uneven_work(findings: &Findings<'_, '_>) -> Option<Cause> {
    let even = &findings.evenness;
    let [most, least] = even.longest_and_shortest()?;
    let rounds = even.uneven_rounds;
    let place = match (even.uneven_kernels.len(), rounds) {
        (0, 1) => Message::new("advice-in-the-run"),
        (0, _) => message!("advice-in-stretches", stretches = rounds),
        (kernels, _) => message!("advice-in-rounds", rounds = rounds, kernels = kernels),
    };
    if is_in_turn(even) {
        return Some(in_turn(even, place));
    }
    let percent = least.1 as f64 * 100.0 / most.1.max(1) as f64;
    let times = most.1 as f64 / least.1.max(1) as f64;
    let remedy = match even.has_same_demand(&findings.cells) {
        true => message!("advice-uneven-work-same", most = Arg::Number(most.0.into())),
        false => Message::new("advice-uneven-work-split"),
    };
    let (most_core, least_core) = (|| Arg::Number(most.0.into()), || Arg::Number(least.0.into()));
    Some(Cause {
        headline: message!(
            "headline-uneven-work",
            most = most_core(),
            least = least_core(),
            times = Arg::Factor(times),
        ),
        sentence: message!(
            "advice-uneven-work",
            most = most_core(),
            place = place,
            most_time = Arg::TimeNs(most.1),
            least = least_core(),
            least_time = Arg::TimeNs(least.1),
            percent = Arg::Percent(percent),
            remedy = remedy,
        ),
    })
}

/// From this share of a round's work on that one core does, the cores take turns.
const TURNS: f64 = 0.75;

/// A core that works so many times as long as the mean in the uneven rounds has more to do in the whole run.
const MORE_IN_ALL: f64 = 1.3;

/// Work of all cores in the uneven rounds, in ns.
fn uneven_sum(even: &Evenness) -> i64 {
    even.uneven_work.iter().map(|(_, work)| *work).sum()
}

/// Whether all cores have as much to do in the run, but not in each round.
fn is_in_turn(even: &Evenness) -> bool {
    let mean = uneven_sum(even) as f64 / even.uneven_work.len().max(1) as f64;
    let most = even.longest_and_shortest().map_or(0, |[(_, most), _]| most);
    most > 0 && (most as f64) < MORE_IN_ALL * mean
}

/// Share of a round's work that one core does.
fn share_of_one(even: &Evenness) -> f64 {
    even.uneven_longest_ns as f64 / uneven_sum(even).max(1) as f64
}

/// The cause where [`is_in_turn`].
fn in_turn(even: &Evenness, place: Message) -> Cause {
    let share = share_of_one(even);
    let share_of_one = Arg::Share(share);
    let even_share = Arg::Share(1.0 / even.uneven_work.len().max(1) as f64);
    let which = cores_in_words(&even.uneven_work.iter().map(|(core, _)| *core).collect::<Vec<_>>());
    if share >= TURNS {
        return Cause {
            headline: message!("headline-turns", which = which),
            sentence: message!("advice-turns", place = place, share = share_of_one),
        };
    }
    Cause {
        headline: message!("headline-uneven-in-turn", which = which),
        sentence: message!(
            "advice-uneven-in-turn",
            place = place,
            share = share_of_one,
            even = even_share,
        ),
    }
}

/// Launches in which each core works as long as the one that represents all.
pub(super) fn relief(findings: &Findings<'_, '_>) -> Relief {
    let mut relief = Relief::default();
    each_work(findings.model, &findings.evenness.even, |engine_id, events, stretch| match stretch
        .round
    {
        Some(round) => relief.divide_round(engine_id, events, stretch.factor, round),
        None => relief.scale_all(engine_id, events, stretch.factor),
    });
    relief
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use crate::advice::testing::check as run;
    use bigtpu_measure::CommandKind;
    use bigtpu_measure::planted::{Planted, plain};

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

    /// As many commands, of which one core's move more: the work is not even, which is no straggler.
    #[test]
    fn commands_of_other_sizes_are_other_work() {
        let mut planted = Planted::default();
        for n in 0..6 {
            // Each core has the larger transfer in turn.
            for core in 0..2 {
                let bytes = if n % 2 == i64::from(core) { 1600 } else { 1000 };
                planted.kernel(core, "copy", n * 1000, n * 1000 + bytes / 10);
                planted.load(core, n * 1000, n * 1000 + bytes / 10, bytes as u64);
            }
        }
        let advice = run(&planted, check).unwrap();
        // From 160 to 130 ns.
        assert_eq!(advice.gain_ns, Some(6 * 30));
        assert!(advice.text.to(bigtpu_messages::Language::English).contains("other cores wait"));
    }

    /// Where operations are not known, a core may do more than it needs to: it may be as fast as the middle one, not only as the mean.
    #[test]
    fn what_is_not_known_may_be_surplus() {
        let doubt = |code| {
            let mut planted = Planted::default();
            for (core, end) in [(0, 100), (1, 160)] {
                planted.kernel(core, "copy", 0, end);
                let kind = CommandKind { code, ..plain(Engine::Gdma) };
                planted.add(core, kind, (0, end), end as u64 * 10, 0);
            }
            let advice = run(&planted, check).unwrap();
            // From 160 to the mean, 130 ns.
            assert_eq!(advice.gain_ns, Some(30));
            advice.doubt
        };
        let expected = |most, why| Some(Doubt { least: 1.0, most, why: Message::new(why) });
        assert_eq!(doubt(None), expected(Most::Beyond(60), "doubt-surplus"));
        let known = plain(Engine::Gdma).code;
        assert_eq!(doubt(known), expected(Most::Ns(30), "doubt-division"));
    }

    #[test]
    fn balanced_cores_give_no_advice() {
        assert_eq!(run(&planted(100), check), None);
        assert_eq!(run(&planted(105), check), None);
    }
}
