//! The verdict on a run: why it takes as long as it does, in a sentence or two with place, number and remedy. All views print this text.

use bigtpu_measure::ratio;
use bigtpu_messages::{Arg, Language, LocalizedText, Message, message};
use bigtpu_replay::{Piece, Reason, Replay};
use serde::{Deserialize, Serialize};

use crate::advice::Advice;
use crate::units::LayerRow;

/// Why a run takes as long as it does.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct RunVerdict {
    /// Who holds the run up, and where, in a few words without a full stop.
    #[serde(default)]
    pub headline: LocalizedText,
    /// What the cause is worth, then its place, number and remedy; where nothing stands out, what bounds the run and what comes next.
    #[serde(flatten)]
    pub text: LocalizedText,
    /// The rule of the advice that names the cause; absent where nothing stands out.
    pub rule: Option<String>,
    /// The rule of the advice whose bound is named besides, where no cause stands out; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub bound_rule: Option<String>,
    /// The rule of the advice with the greatest gain that is known, where the cause is only a bound; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "page-types", ts(optional))]
    pub known_rule: Option<String>,
    /// Wall time in ns.
    pub wall_ns: i64,
    /// Wall time in ns without the cause, or without what bounds the run; absent where it is not known.
    pub without_ns: Option<i64>,
}

/// A cause stands out if the run would be shorter by at least this share without it.
const LEAST_GAIN: f64 = 0.03;

impl RunVerdict {
    /// `advice`: by what each is worth. The first of them that stands out is the cause, here as there, whether its gain is known or a bound:
    /// what can be said besides is said with it.
    pub(crate) fn choose(advice: &[Advice], replay: Option<&Replay>, wall_ns: i64) -> Self {
        let stands_out = |advice: &&Advice| advice.most().is_some_and(|gain| gain >= LEAST_GAIN);
        let known = advice.iter().filter(|advice| !advice.is_bound).find(stands_out);
        let greatest = advice.iter().find(stands_out);
        // What is only a bound names no cause by itself: nothing may be won.
        let Some((cause, known)) = greatest.zip(known) else {
            let mut found = Self::of_bound(replay, wall_ns);
            if let Some(bound) = greatest {
                found.bound_rule = Some(bound.id.clone());
                found.text.push(more_at_most(bound));
            }
            return found;
        };
        let mut found = Self::of_cause(cause, wall_ns);
        if cause.is_bound {
            found.known_rule = Some(known.id.clone());
            found.text.insert(1, known_gain(known));
        }
        found
    }

    /// Adds the layer with most of the critical path, where no cause stands out.
    pub(crate) fn name_layer(&mut self, layers: &[LayerRow], wall_ns: i64) {
        let most =
            layers.iter().max_by_key(|layer| (layer.work.path_ns, std::cmp::Reverse(layer.id)));
        let known = most.and_then(|layer| Some((layer, layer.work.path_ns?)));
        if let Some((layer, path_ns)) = known.filter(|(_, ns)| *ns > 0 && self.rule.is_none()) {
            let part = ratio(path_ns, wall_ns);
            let share = Arg::Share(part);
            // Most is more than half.
            self.text.push(if part > 0.5 {
                message!("verdict-layer", layer = layer.title(), share = share)
            } else {
                message!("verdict-layer-largest", layer = layer.title(), share = share)
            });
        }
    }

    /// Who and where, then why.
    #[must_use]
    pub fn said(&self, language: Language) -> String {
        let [headline, text] = [&self.headline, &self.text].map(|text| text.to(language));
        if headline.is_empty() {
            return text.to_owned();
        }
        message!("report-headed", headline = headline, text = text).text(language)
    }

    fn of_cause(cause: &Advice, wall_ns: i64) -> Self {
        let without_ns = wall_ns - cause.gain_ns.unwrap_or(0);
        let wall = Arg::TimeNs(wall_ns);
        let sentence = match cause.gain_range_ns.filter(|_| !cause.most_is_bound) {
            Some((least, most)) => message!(
                "verdict-without-range",
                least = Arg::TimeNs(wall_ns - most),
                most = Arg::TimeNs(wall_ns - least),
                wall = wall,
                least_shorter = shorter(wall_ns - least, wall_ns),
                most_shorter = shorter(wall_ns - most, wall_ns),
            ),
            None => {
                let (without, shorter) = (Arg::TimeNs(without_ns), shorter(without_ns, wall_ns));
                if cause.is_estimate {
                    message!(
                        "verdict-without-about",
                        without = without,
                        wall = wall,
                        shorter = shorter
                    )
                } else if cause.is_bound {
                    message!(
                        "verdict-without-bound-of-gain",
                        without = without,
                        wall = wall,
                        shorter = shorter
                    )
                } else if cause.replayed {
                    message!("verdict-without", without = without, wall = wall, shorter = shorter)
                } else {
                    message!(
                        "verdict-without-at-least",
                        without = without,
                        wall = wall,
                        shorter = shorter,
                    )
                }
            }
        };
        // What it is worth stands first: the reasons may be long.
        let mut text = cause.text.clone();
        text.insert(0, sentence);
        let (headline, rule) = (cause.headline.clone(), Some(cause.id.clone()));
        Self { headline, text, rule, wall_ns, without_ns: Some(without_ns), ..Self::default() }
    }

    fn of_bound(replay: Option<&Replay>, wall_ns: i64) -> Self {
        let unknown = Self { wall_ns, ..Self::default() };
        let Some(replay) = replay else {
            return Self { text: Message::new("verdict-not-replayed").into(), ..unknown };
        };
        let mut sums: Vec<(Reason, i64)> = Vec::new();
        for Piece { reason, ns, .. } in &replay.critical_path().pieces {
            match sums.iter_mut().find(|(known, _)| known == reason) {
                Some((_, sum)) => *sum += ns,
                None => sums.push((*reason, *ns)),
            }
        }
        sums.sort_by_key(|(reason, ns)| (std::cmp::Reverse(*ns), *reason));
        let Some(&(bound, ns)) = sums.first() else {
            return Self { text: Message::new("verdict-no-commands").into(), ..unknown };
        };
        let without_ns = replay.wall_without_reason(bound);
        let share = Arg::Share(ratio(ns, wall_ns));
        let (reason, remedy) = (named(bound), remedy(bound));
        let (without, wall) = (Arg::TimeNs(without_ns), Arg::TimeNs(wall_ns));
        let shorter = shorter(without_ns, wall_ns);
        let text = LocalizedText::new(vec![
            message!("verdict-no-cause", least = Arg::Share(LEAST_GAIN)),
            message!("verdict-bound", reason = reason, share = share.clone(), remedy = remedy),
            match sums.get(1) {
                Some((next, _)) => message!(
                    "verdict-without-bound-next",
                    without = without,
                    wall = wall,
                    shorter = shorter,
                    next = named(*next),
                ),
                None => message!(
                    "verdict-without-bound",
                    without = without,
                    wall = wall,
                    shorter = shorter,
                ),
            },
        ]);
        let headline = message!("headline-bound", reason = named(bound), share = share).into();
        Self { headline, text, without_ns: Some(without_ns), ..unknown }
    }
}

/// Names a bound.
fn more_at_most(bound: &Advice) -> Message {
    let headline = Message::from(bound.headline.clone());
    let gain = Arg::TimeNs(bound.gain_ns.unwrap_or(0));
    let share = Arg::Share(bound.gain.unwrap_or(0.0));
    match bound.is_estimate {
        true => message!("verdict-more-about", headline = headline, gain = gain, share = share),
        false => message!("verdict-more-at-most", headline = headline, gain = gain, share = share),
    }
}

/// Names a gain that is more than a bound.
fn known_gain(known: &Advice) -> Message {
    message!(
        "verdict-known",
        headline = Message::from(known.headline.clone()),
        gain = Arg::TimeNs(known.gain_ns.unwrap_or(0)),
        share = Arg::Share(known.gain.unwrap_or(0.0)),
    )
}

/// Percent of the run's time by which it would be shorter.
fn shorter(without_ns: i64, wall_ns: i64) -> Arg {
    Arg::Percent((wall_ns - without_ns) as f64 * 100.0 / wall_ns.max(1) as f64)
}

/// What is on the critical path.
fn named(reason: Reason) -> Message {
    Message::new(match reason {
        Reason::Compute => "bound-compute",
        Reason::DdrTransfer => "bound-ddr",
        Reason::L2mTransfer => "bound-l2m",
        Reason::LinkTransfer => "bound-link",
        Reason::LocalTransfer => "bound-local",
        Reason::System => "bound-system",
        Reason::Wait => "bound-wait",
        Reason::HandOver => "bound-hand-over",
        Reason::CommandGap => "bound-command-gap",
        Reason::LaunchGap => "bound-launch-gap",
        Reason::Start => "bound-start",
        Reason::Unexplained => "bound-unexplained",
    })
}

/// What makes it shorter.
fn remedy(reason: Reason) -> Message {
    Message::new(match reason {
        Reason::Compute => "bound-remedy-compute",
        Reason::DdrTransfer => "bound-remedy-ddr",
        Reason::L2mTransfer => "bound-remedy-l2m",
        Reason::LinkTransfer => "bound-remedy-link",
        Reason::LocalTransfer => "bound-remedy-local",
        Reason::System | Reason::Wait => "bound-remedy-sync",
        Reason::HandOver | Reason::CommandGap => "bound-remedy-commands",
        Reason::LaunchGap => "bound-remedy-launches",
        Reason::Start | Reason::Unexplained => "bound-remedy-host",
    })
}
