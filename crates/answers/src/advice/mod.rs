//! What to do about it: rules that fire on evidence only. Each has a paragraph in `docs/advice.md`.

mod bank_conflicts;
mod by_bits;
mod core_imbalance;
pub(crate) mod ddr_reuse;
mod dense_depthwise;
mod double_buffer;
pub(crate) mod doubt;
mod idle_cores;
mod in_place;
mod input_channels;
mod launch_overhead;
mod place;
mod profile_mode;
mod round_trips;
mod scaled;
mod serialized;
mod shared_loads;
mod short_pieces;
mod slow_link;
mod slow_transfers;
mod small_transfers;
mod stall;
mod sync_waits;
pub(crate) mod unaligned_shapes;
mod unknown_shapes;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::findings::Findings;
use bigtpu_measure::{ratio, round4};
use bigtpu_messages::{Arg, Language, LocalizedText, Message, message};
use bigtpu_replay::Relief;
use doubt::Doubt;

/// A number that supports a piece of advice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Evidence {
    /// What the number is, as an id of the catalogue; empty in a file of an older version.
    #[serde(default)]
    pub id: String,
    /// What the number is.
    pub what: String,
    /// The sentence in Chinese.
    #[serde(default)]
    pub what_zh: String,
    /// The number.
    pub value: f64,
    /// Its unit; empty for a count or a ratio.
    pub unit: String,
    /// Where to look: core, engine, kernel or command.
    pub place: String,
    /// The place in Chinese.
    #[serde(default)]
    pub place_zh: String,
    /// The place as data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub place_message: Option<Message>,
}

/// A piece of advice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct Advice {
    /// The rule: a heading of `docs/advice.md`.
    pub id: String,
    /// Who and where, in a few words without a full stop: the title of the piece.
    #[serde(default)]
    pub headline: LocalizedText,
    /// What was found and what to do, in a sentence or two.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// The numbers.
    pub evidence: Vec<Evidence>,
    /// Wall time that it could save at most, in ns; absent where nothing is to be saved.
    pub gain_ns: Option<i64>,
    /// `gain_ns` over the wall time.
    pub gain: Option<f64>,
    /// The least and the most ns of wall time that it could save, where the gain is known within bounds only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_range_ns: Option<(i64, i64)>,
    /// The part of `gain_ns` that is left once the first piece of advice is followed, in ns, where most of it is the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub beyond_first_ns: Option<i64>,
    /// Whether the most of these is a bound: it is far from the gain, and nothing in the run tells that so much can be saved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub most_is_bound: bool,
    /// Whether the gain is a bound: no change of the commands is known that reaches it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_bound: bool,
    /// Whether this bound is an estimate: it takes for granted what the run does not show, such as work that divides evenly, and what is won
    /// may be somewhat more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_estimate: bool,
    /// Whether the gain is that of the replayed run without the fault; else it is an estimate.
    #[serde(default)]
    pub replayed: bool,
    /// How well the rules are known that the gain rests on (`exact`, `fitted`, `estimated`, `not validated`), where it rests on
    /// rules for single commands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The most that can be won in ns, whatever the replay says.
    #[serde(skip)]
    pub(crate) bound_ns: Option<i64>,
    /// The least that is won in ns, whatever the replay says.
    #[serde(skip)]
    pub(crate) floor_ns: i64,
    /// ns that these two add to what the replay saves; below 0 where they take from it.
    #[serde(skip)]
    pub(crate) beyond_replay_ns: i64,
    /// Why the gain is known within bounds only.
    #[serde(skip)]
    pub(crate) doubt: Option<Doubt>,
    /// The fault as the replay takes it away.
    #[serde(skip)]
    pub(crate) relief: Option<Relief>,
}

/// Looks for a fault.
type Check = fn(&Findings<'_, '_>) -> Option<Advice>;

/// What the run is without the fault that a rule found.
type Removal = fn(&Findings<'_, '_>) -> Relief;

/// A rule.
struct Rule {
    /// Its name: a heading of `docs/advice.md`.
    id: &'static str,
    check: Check,
    relief: Option<Removal>,
}

const RULES: [Rule; 20] = [
    Rule { id: round_trips::ID, check: round_trips::check, relief: Some(round_trips::relief) },
    Rule { id: idle_cores::ID, check: idle_cores::check, relief: Some(idle_cores::relief) },
    Rule {
        id: dense_depthwise::ID,
        check: dense_depthwise::check,
        relief: Some(dense_depthwise::relief),
    },
    Rule {
        id: input_channels::ID,
        check: input_channels::check,
        relief: Some(input_channels::relief),
    },
    Rule {
        id: unaligned_shapes::ID,
        check: unaligned_shapes::check,
        relief: Some(unaligned_shapes::relief),
    },
    Rule {
        id: small_transfers::ID,
        check: small_transfers::check,
        relief: Some(small_transfers::relief),
    },
    Rule { id: ddr_reuse::ID, check: ddr_reuse::check, relief: Some(ddr_reuse::relief) },
    Rule { id: shared_loads::ID, check: shared_loads::check, relief: Some(shared_loads::relief) },
    Rule {
        id: double_buffer::ID,
        check: double_buffer::check,
        relief: Some(double_buffer::relief),
    },
    Rule { id: slow_link::ID, check: slow_link::check, relief: Some(slow_link::relief) },
    Rule {
        id: slow_transfers::ID,
        check: slow_transfers::check,
        relief: Some(slow_transfers::relief),
    },
    Rule { id: serialized::ID, check: serialized::check, relief: Some(serialized::relief) },
    Rule {
        id: bank_conflicts::ID,
        check: bank_conflicts::check,
        relief: Some(bank_conflicts::relief),
    },
    Rule { id: in_place::ID, check: in_place::check, relief: Some(in_place::relief) },
    Rule { id: short_pieces::ID, check: short_pieces::check, relief: Some(short_pieces::relief) },
    Rule {
        id: core_imbalance::ID,
        check: core_imbalance::check,
        relief: Some(core_imbalance::relief),
    },
    Rule {
        id: launch_overhead::ID,
        check: launch_overhead::check,
        relief: Some(launch_overhead::relief),
    },
    Rule { id: stall::ID, check: stall::check, relief: Some(stall::relief) },
    Rule { id: sync_waits::ID, check: sync_waits::check, relief: Some(sync_waits::relief) },
    Rule { id: profile_mode::ID, check: profile_mode::check, relief: None },
];

/// The names of all rules.
pub const RULE_NAMES: [&str; RULES.len()] = {
    let mut names = [""; RULES.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = RULES[at].id;
        at += 1;
    }
    names
};

/// The advice of all rules, the greatest gain first. Gains are estimates until the run is replayed.
#[must_use]
pub fn advice(findings: &Findings<'_, '_>) -> Vec<Advice> {
    let found = RULES.par_iter().filter_map(|rule| {
        let advice = (rule.check)(findings)?;
        let relief = rule.relief.map(|relief| relief(findings));
        Some(Advice { relief: relief.filter(|relief| !relief.is_empty()), ..advice })
    });
    let mut all: Vec<Advice> = found.collect();
    let waits = Join {
        effect: sync_waits::ID,
        causes: &[core_imbalance::ID, stall::ID],
        sentence: "advice-sync-waits-too",
    };
    let conflicts = Join {
        effect: bank_conflicts::ID,
        causes: &[in_place::ID],
        sentence: "advice-bank-conflicts-too",
    };
    // Both ask for the same change: what a second buffer wins is more than what commands could start earlier without one.
    let serial = Join {
        effect: serialized::ID,
        causes: &[double_buffer::ID],
        sentence: "advice-serialized-too",
    };
    let small = Join {
        effect: small_transfers::ID,
        causes: &[short_pieces::ID],
        sentence: "advice-small-transfers-too",
    };
    [waits, conflicts, serial, small].iter().for_each(|join| join.apply(&mut all));
    sort(&mut all);
    all
}

/// Order by worth: the greatest gain, or bound, first; a gain before an equal bound.
pub(crate) fn sort(all: &mut [Advice]) {
    all.sort_by_key(|advice| (std::cmp::Reverse(advice.gain_ns), advice.is_bound));
}

/// A cause whose gain is at least this many percent of that of its effect explains it.
const EXPLAINED_PERCENT: i64 = 80;

/// A fault that is another one seen from its effect, such as cores that wait for a slow core: it is reported once, at its
/// cause, with the effect's evidence.
struct Join {
    effect: &'static str,
    causes: &'static [&'static str],
    sentence: &'static str,
}

impl Join {
    fn apply(&self, all: &mut Vec<Advice>) {
        let Some(at) = all.iter().position(|advice| advice.id == self.effect) else { return };
        let gain = |advice: &Advice| advice.gain_ns.unwrap_or(0);
        let effect = all.remove(at);
        let explains = |advice: &&mut Advice| {
            self.causes.contains(&advice.id.as_str())
                && at_least(gain(advice), EXPLAINED_PERCENT, gain(&effect))
        };
        match all.iter_mut().filter(explains).max_by_key(|advice| gain(advice)) {
            Some(cause) => {
                cause.text.push(Message::new(self.sentence));
                let cores = named_cores(cause.headline.messages.iter());
                let is_of_others =
                    |core: Option<i64>| core.is_some_and(|core| !cores.contains(&core));
                // A number of a core that the headline does not name would look like a second cause.
                let own = effect.evidence.into_iter();
                cause.evidence.extend(own.filter(|own| !is_of_others(own.of_core())));
            }
            None => all.insert(at, effect),
        }
    }
}

impl Evidence {
    /// `id`: what the number is, in the catalogue.
    fn new(
        id: &'static str,
        value: f64,
        unit: &str,
        place_message: impl Into<Option<Message>>,
    ) -> Self {
        let place_message = place_message.into();
        let [what, what_zh] = Language::ALL.map(|language| Message::new(id).text(language));
        let [place, place_zh] = Language::ALL
            .map(|language| place_message.as_ref().map(|place| place.text(language)))
            .map(Option::unwrap_or_default);
        let (id, unit, value) = (id.to_owned(), unit.to_owned(), round4(value));
        Self { id, what, what_zh, value, unit, place, place_zh, place_message }
    }

    /// The core whose number it is, of a wait the one that is waited for; `None` for a number of another place.
    fn of_core(&self) -> Option<i64> {
        let place = self.place_message.as_ref()?;
        match &*place.id {
            "place-core" => named_cores(std::iter::once(place)).first().copied(),
            "place-core-for-engine" => match place.args.get("other") {
                Some(Arg::Number(core)) => Some(*core),
                _ => None,
            },
            _ => None,
        }
    }

    /// A time, shown in microseconds.
    fn us(id: &'static str, ns: i64, place: impl Into<Option<Message>>) -> Self {
        Self::new(id, ns as f64 / 1000.0, "us", place)
    }
}

/// The cores that sentences name.
fn named_cores<'a>(messages: impl Iterator<Item = &'a Message>) -> Vec<i64> {
    let args = messages.flat_map(|message| message.args.iter());
    args.flat_map(|(name, arg)| match arg {
        Arg::Number(core) if matches!(&**name, "core" | "most") => vec![*core],
        Arg::Numbers(cores) if name == "cores" => cores.clone(),
        _ => Vec::new(),
    })
    .collect()
}

/// Cores in words: `cores 2 and 5`, `cores 3 to 7`, or how many they are where a list would be long.
fn cores_in_words(cores: &[u32]) -> Message {
    /// Cores that a list names.
    const MOST_LISTED: usize = 4;
    match cores {
        [first, .., last] if cores.len() > 2 && (last - first) as usize + 1 == cores.len() => {
            message!(
                "cores-range",
                first = Arg::Number((*first).into()),
                last = Arg::Number((*last).into()),
            )
        }
        _ if cores.len() <= MOST_LISTED => {
            message!("cores-listed", cores = Arg::numbers(cores.iter().copied()))
        }
        _ => message!("cores-counted", count = cores.len()),
    }
}

/// A core as the place of a number.
fn core_place(core: u32) -> Message {
    message!("place-core", core = Arg::Number(core.into()))
}

/// The most of a gain over the wall time; `gain` is `gain_ns` over it.
pub(crate) fn most_of_wall(gain_ns: i64, gain: f64, range_ns: Option<(i64, i64)>) -> f64 {
    let more = range_ns.map_or(1.0, |(_, most)| most as f64 / gain_ns.max(1) as f64);
    round4(gain * more)
}

impl Advice {
    /// The most that it could save over the wall time; `None` where nothing is to be saved.
    #[must_use]
    pub fn most(&self) -> Option<f64> {
        Some(most_of_wall(self.gain_ns?, self.gain?, self.gain_range_ns))
    }

    /// `gain_ns`: what it could save, in ns of wall time.
    fn saving(
        findings: &Findings<'_, '_>,
        id: &str,
        gain_ns: i64,
        headline: Message,
        text: impl Into<LocalizedText>,
        evidence: Vec<Evidence>,
    ) -> Self {
        let text = text.into();
        let gain_ns = gain_ns.clamp(0, findings.overall.wall_ns);
        let gain = Some(ratio(gain_ns, findings.overall.wall_ns));
        Self {
            id: id.into(),
            headline: headline.into(),
            text,
            evidence,
            gain_ns: Some(gain_ns),
            gain,
            is_bound: false,
            is_estimate: false,
            replayed: false,
            mark: None,
            gain_range_ns: None,
            beyond_first_ns: None,
            most_is_bound: false,
            bound_ns: None,
            floor_ns: 0,
            beyond_replay_ns: 0,
            doubt: None,
            relief: None,
        }
    }
}

/// Whether `part` is at least `percent` percent of `whole`, and anything at all.
fn at_least(part: i64, percent: i64, whole: i64) -> bool {
    part > 0 && i128::from(part) * 100 >= i128::from(whole) * i128::from(percent)
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use bigtpu_machine::Hardware;
    use bigtpu_measure::planted::Planted;

    /// Roofs that make sums easy: DDR 10 GB/s, L2M 20 GB/s, a clock of 1 GHz.
    pub(crate) fn hardware() -> Hardware {
        Hardware {
            chip: "AKS".into(),
            cores: 8,
            tiu_mhz: 1000.0,
            ddr_gbps: Some(10.0),
            ddr_port_gbps: Some(10.0),
            ddr_both_ways_gbps: None,
            link_gbps: None,
            l2m_gbps: Some(20.0),
            l2m_bytes: None,
            peak_tops: [("INT8".to_owned(), 32.768)].into(),
        }
    }

    pub(crate) fn check(planted: &Planted, rule: Check) -> Option<Advice> {
        check_on(planted, rule, hardware())
    }

    pub(crate) fn check_on(planted: &Planted, rule: Check, hardware: Hardware) -> Option<Advice> {
        rule(&Findings::of_planted(&planted.model(), hardware))
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_chip::Engine;

    use super::*;
    use bigtpu_measure::planted::Planted;

    #[test]
    fn the_greatest_gain_comes_first() {
        let mut planted = Planted::default();
        planted.kernel(0, "a", 0, 100);
        planted.compute(0, (0, 100), (10, 100, 20));
        planted.wait(0, Engine::Tiu, 100, 300);
        planted.load(0, 300, 400, 4000);
        let model = planted.model();
        let found = advice(&Findings::of_planted(&model, testing::hardware()));
        let gains: Vec<_> = found.iter().map(|a| (a.id.as_str(), a.gain_ns)).collect();
        assert_eq!(
            gains,
            [
                ("sync-waits", Some(200)),
                // Only a bound: behind a gain that is as large.
                ("idle-cores", Some(200)),
                ("serialized", Some(100)),
                ("unaligned-shapes", Some(90)),
            ]
        );
        assert_eq!(found[0].gain, Some(0.5));
    }

    /// Every rule has its paragraph.
    #[test]
    fn the_document_knows_every_rule() {
        let document = include_str!("../../../../docs/advice.md");
        for id in RULE_NAMES {
            assert!(document.contains(&format!("\n## {id}\n")), "{id}");
        }
        assert_eq!(document.matches("\n## ").count(), RULES.len());
    }
}
