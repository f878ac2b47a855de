//! The verdict on a run: why it takes as long as it does, in a sentence or two with place, number and remedy. All views print this text.

use bigtpu_measure::{percent, ratio};
use bigtpu_replay::{Piece, Reason, Replay};
use serde::{Deserialize, Serialize};

use crate::advice::Advice;
use crate::layers::LayerRow;

/// Why a run takes as long as it does.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "page-types", derive(ts_rs::TS))]
pub struct RunVerdict {
    /// The cause with its place, number and remedy; where nothing stands out, what bounds the run and what comes next.
    pub text: String,
    /// The rule of the advice that names the cause; absent where nothing stands out.
    pub rule: Option<String>,
    /// Wall time in ns.
    pub wall_ns: i64,
    /// Wall time in ns without the cause, or without what bounds the run; absent where it is not known.
    pub without_ns: Option<i64>,
}

/// A cause stands out if the run would be shorter by at least this share without it.
const LEAST_GAIN: f64 = 0.03;

impl RunVerdict {
    /// `advice`: the greatest gain first.
    pub(crate) fn of(advice: &[Advice], replay: Option<&Replay>, wall_ns: i64) -> Self {
        let stands_out = |advice: &&Advice| advice.most().is_some_and(|gain| gain >= LEAST_GAIN);
        match advice.iter().find(stands_out) {
            Some(cause) => Self::of_cause(cause, wall_ns),
            None => Self::of_bound(replay, wall_ns),
        }
    }

    /// Adds the layer with most of the critical path, where no cause stands out.
    pub(crate) fn name_layer(&mut self, layers: &[LayerRow], wall_ns: i64) {
        let most = layers.iter().max_by_key(|layer| (layer.path_ns, std::cmp::Reverse(layer.id)));
        if let Some(layer) = most.filter(|layer| layer.path_ns > 0 && self.rule.is_none()) {
            let share = percent(ratio(layer.path_ns, wall_ns), 0);
            self.text.push_str(&format!(" Most of the path is in {}: {share}.", layer.title()));
        }
    }

    fn of_cause(cause: &Advice, wall_ns: i64) -> Self {
        let without_ns = wall_ns - cause.gain_ns.unwrap_or(0);
        let least = if cause.replayed { "" } else { "at least " };
        let (takes, by) = match cause.gain_range_ns {
            Some((least, most)) => (
                format!("{} to {}", us(wall_ns - most), us(wall_ns - least)),
                format!(
                    "{} to {}",
                    change(wall_ns - most, wall_ns),
                    change(wall_ns - least, wall_ns)
                ),
            ),
            None => (format!("{least}{}", us(without_ns)), change(without_ns, wall_ns)),
        };
        let text = format!(
            "{} Without this the run would take {takes} instead of {} us ({by}).",
            cause.text,
            us(wall_ns)
        );
        Self { text, rule: Some(cause.id.clone()), wall_ns, without_ns: Some(without_ns) }
    }

    fn of_bound(replay: Option<&Replay>, wall_ns: i64) -> Self {
        let unknown = Self { wall_ns, ..Self::default() };
        let Some(replay) = replay else {
            let text = "No rule found a cause that stands out; the run can't be replayed, so what bounds it is not known.";
            return Self { text: text.to_owned(), ..unknown };
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
            return Self { text: "The run has no commands.".to_owned(), ..unknown };
        };
        let without_ns = replay.wall_without_reason(bound);
        let next = sums.get(1).map_or_else(String::new, |(next, _)| {
            format!(", and {} would be the next bound", what(*next))
        });
        let text = format!(
            "No cause stands out. {} takes {} of the critical path: {}. If it took no time, the run would take {} instead of {} us ({}){next}.",
            capital(what(bound)),
            percent(ratio(ns, wall_ns), 0),
            remedy(bound),
            us(without_ns),
            us(wall_ns),
            change(without_ns, wall_ns)
        );
        Self { text, without_ns: Some(without_ns), ..unknown }
    }
}

fn us(ns: i64) -> String {
    format!("{:.1}", ns as f64 / 1e3)
}

fn change(without_ns: i64, wall_ns: i64) -> String {
    format!("{:+.1} %", (without_ns - wall_ns) as f64 * 100.0 / wall_ns.max(1) as f64)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// What is on the critical path.
fn what(reason: Reason) -> &'static str {
    match reason {
        Reason::Compute => "computation by the TIU",
        Reason::DdrTransfer => "transfer from and to DDR",
        Reason::L2mTransfer => "transfer from and to L2M",
        Reason::LinkTransfer => "transfer over chip-to-chip links",
        Reason::LocalTransfer => "transfer within local memory",
        Reason::System => "execution of system commands",
        Reason::Wait => "waiting for messages",
        Reason::HandOver => "hand-over between engines",
        Reason::CommandGap => "the pause between commands",
        Reason::LaunchGap => "the time between launches",
        Reason::Start => "the time before the first command",
        Reason::Unexplained => "idle time without a known cause",
    }
}

/// What makes it shorter.
fn remedy(reason: Reason) -> &'static str {
    match reason {
        Reason::Compute => {
            "use a data type with a higher rate, shapes that fill the arrays, or more cores"
        }
        Reason::DdrTransfer => {
            "move fewer bytes (keep data in local memory or L2M, use a smaller data type)"
        }
        Reason::L2mTransfer => "move fewer bytes through L2M",
        Reason::LinkTransfer => "send fewer bytes, or send while the TIU computes",
        Reason::LocalTransfer => "choose layouts that need no copies in local memory",
        Reason::System | Reason::Wait => "sync less often",
        Reason::HandOver | Reason::CommandGap => "use fewer and larger commands",
        Reason::LaunchGap => "launch ahead of time, or merge kernels",
        Reason::Start | Reason::Unexplained => "find out what the host does then (--trace_file)",
    }
}
