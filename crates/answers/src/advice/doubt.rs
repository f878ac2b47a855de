//! Why a gain is known within bounds only, and the bounds.

use bigtpu_messages::{Arg, Message, message};
use bigtpu_replay::Relief;

/// The most that can be won.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Most {
    /// So many times the gain.
    Times(f64),
    /// So many times the gain, also beyond what bounds the gain.
    TimesBeyond(f64),
    /// So many ns.
    Ns(i64),
    /// So many ns, also beyond what bounds the gain.
    Beyond(i64),
    /// What the replay saves without this.
    Without(Box<Relief>),
}

/// Why a gain is known within bounds only.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Doubt {
    /// The least that can be won, over the gain.
    pub(crate) least: f64,
    pub(crate) most: Most,
    /// What is not known, as the end of a sentence.
    pub(crate) why: Message,
}

/// Rates of single commands differ by so much from their median.
const SPREAD: f64 = 0.08;
/// Bounds that are closer than this share of the upper one say nothing.
const CLOSE: f64 = 0.13;
/// From so many times the gain on the most is a bound: nothing in the run tells that so much can be won.
const BOUND_TIMES: f64 = 3.0;

impl Doubt {
    /// The run without it tells the most that can be won.
    pub(crate) fn relief(&self) -> Option<&Relief> {
        match &self.most {
            Most::Without(relief) => Some(relief),
            Most::Times(_) | Most::TimesBeyond(_) | Most::Ns(_) | Most::Beyond(_) => None,
        }
    }

    /// The least and the most ns that can be won; `None` where both are close to the gain. `saved_ns`: what the run without
    /// [`Doubt::relief`] saves; `bound_ns`: what bounds the gain; `measured_ns`: wall time.
    pub(crate) fn range(
        &self,
        gain_ns: i64,
        saved_ns: i64,
        bound_ns: i64,
        measured_ns: i64,
    ) -> Option<(i64, i64)> {
        let wide = |ns: i64| (ns as f64 * (1.0 + SPREAD)) as i64;
        let most = match &self.most {
            Most::Times(times) | Most::TimesBeyond(times) => (gain_ns as f64 * times) as i64,
            Most::Ns(ns) | Most::Beyond(ns) => wide(*ns),
            Most::Without(_) => wide(saved_ns),
        };
        let is_beyond = matches!(self.most, Most::Beyond(_) | Most::TimesBeyond(_));
        let bound_ns = if is_beyond { measured_ns } else { bound_ns };
        let most = most.max(gain_ns).min(bound_ns).min(measured_ns);
        let least = (gain_ns as f64 * self.least) as i64;
        ((most - least) as f64 > CLOSE * most as f64).then_some((least, most))
    }

    /// Whether the most is far from the gain.
    pub(crate) fn most_is_bound(gain_ns: i64, (_, most): (i64, i64)) -> bool {
        most as f64 > BOUND_TIMES * gain_ns as f64
    }

    /// The bounds in a sentence; `most_is_bound`: the upper one is no part of a range.
    pub(crate) fn sentence(&self, (least, most): (i64, i64), most_is_bound: bool) -> Message {
        let (least, most) = (Arg::TimeNs(least), Arg::TimeNs(most));
        let why = self.why.clone();
        if most_is_bound {
            message!("advice-costs-at-least", least = least, most = most, why = why)
        } else {
            message!("advice-costs", least = least, most = most, why = why)
        }
    }
}
