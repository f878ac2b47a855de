//! Causes as sentences.

use bigtpu_replay::Reason;

use super::{CauseKind, ChangeCause};
use crate::diff::change::Change;
use crate::diff::shift::Noise;

/// What a sentence about a cause is made of.
pub(super) struct Words<'a> {
    pub(super) kind: CauseKind,
    pub(super) cores: &'a [u32],
    pub(super) owners: &'a [String],
    /// Kernels or layers of both sides together.
    pub(super) all_owners: usize,
    pub(super) has_layers: bool,
    pub(super) reasons: &'a [Reason],
    pub(super) ns: f64,
    pub(super) sides: Option<[f64; 2]>,
    /// Names before and after of what is split or fused.
    pub(super) divided: Option<&'a (Vec<String>, Vec<String>)>,
}

impl Words<'_> {
    /// The cause and its part of the change of the wall time.
    pub(super) fn sentence(&self, wall_ns: f64) -> String {
        format!("{}: {}", self.cause(), part(self.ns, wall_ns))
    }

    fn cause(&self) -> String {
        let who = self.who();
        let ratio = self.sides.filter(|[before, _]| *before > 0.0).map(|[a, b]| times(b / a));
        let ratio = ratio.as_deref();
        let (suffix, reason) = (self.suffix(), self.reason());
        let what = match (self.kind, ratio) {
            (CauseKind::SameCommands, Some(ratio)) => {
                format!("takes {ratio} as long for the same {}", self.of_what())
            }
            (CauseKind::Commands, Some(ratio)) => match self.is_transfer() {
                true => format!("moves its bytes in {ratio} as many commands"),
                false => format!("runs {ratio} as many commands"),
            },
            (CauseKind::Bytes, Some(ratio)) => format!("moves {ratio} the bytes"),
            (CauseKind::Operations, Some(ratio)) => format!("computes {ratio} the operations"),
            (CauseKind::Padding, Some(ratio)) => {
                format!("pads each operation to {ratio} as many")
            }
            (CauseKind::Rate, Some(ratio)) => match self.is_transfer() {
                true => format!("transfers at {ratio} the rate"),
                false => format!("computes at {ratio} the rate"),
            },
            (CauseKind::Commands, None) => "runs commands that the other side does not".into(),
            (CauseKind::Split | CauseKind::Fused, _) => {
                let (old, new) = self.divided.cloned().unwrap_or_default();
                let verb = if self.kind == CauseKind::Split { "is split" } else { "are fused" };
                return format!("{} {verb} into {}", old.join(", "), new.join(", "));
            }
            (CauseKind::New | CauseKind::Gone, _) => {
                let word = if self.kind == CauseKind::New { "new" } else { "gone" };
                return match self.owners {
                    [one] => format!("{one} is {word}"),
                    [first, ..] => {
                        let all = format!(
                            "{} of {} {}",
                            self.owners.len(),
                            self.all_owners,
                            self.owners_are()
                        );
                        format!("{all} are {word}, most of all {first}")
                    }
                    [] => format!("Work outside of kernels is {word}"),
                };
            }
            (CauseKind::Overlap, _) => {
                let (much, word) = if self.ns > 0.0 { ("Less", "more") } else { ("More", "less") };
                let of = match self.owners {
                    [one] => format!("of {one}'s work"),
                    _ => "of the same work".to_owned(),
                };
                return format!(
                    "{much} {of} runs side by side, so the run waits {word} for it{suffix}"
                );
            }
            (CauseKind::Pauses, _) => {
                let more = if self.ns > 0.0 { "more" } else { "less" };
                let place = match self.cores {
                    [core] => format!(" on core {core}"),
                    _ => String::new(),
                };
                return match self.owners {
                    [one] => format!("{} {more} time in {one}{place}", pauses(self.reasons)),
                    _ => format!("{} {more} time{suffix}{place}", pauses(self.reasons)),
                };
            }
            _ => {
                let word = if self.ns > 0.0 { "longer" } else { "shorter" };
                format!("is {word} on the critical path")
            }
        };
        format!("{who} {what}{suffix}{reason}")
    }

    /// Whose work changed, as the subject of the sentence.
    fn who(&self) -> String {
        let list: Vec<String> = self.cores.iter().map(u32::to_string).collect();
        match (self.cores.len(), self.owners) {
            (0, [one]) => one.clone(),
            (0, []) => "Work outside of kernels".to_owned(),
            (0, _) => "Each core".to_owned(),
            (1, [one]) => format!("{} {}'s {one}", self.unit(), list.join("")),
            (1, _) => format!("{} {}", self.unit(), list.join("")),
            (_, [one]) => format!("{one} on {}s {}", self.unit().to_lowercase(), list.join(", ")),
            _ => format!("Each of {}s {}", self.unit().to_lowercase(), list.join(", ")),
        }
    }

    fn unit(&self) -> &'static str {
        if self.reasons == [Reason::LinkTransfer] { "Port" } else { "Core" }
    }

    /// In how many kernels or layers, where it is not one.
    fn suffix(&self) -> String {
        match self.owners.len() {
            0 | 1 => String::new(),
            n => format!(" in {n} of {} {}", self.all_owners, self.owners_are()),
        }
    }

    fn owners_are(&self) -> &'static str {
        if self.has_layers { "layers" } else { "kernels" }
    }

    fn is_transfer(&self) -> bool {
        !self.reasons.contains(&Reason::Compute)
    }

    fn of_what(&self) -> &'static str {
        match self.reasons {
            [Reason::Compute] => "operations",
            _ if self.is_transfer() => "bytes",
            _ => "commands",
        }
    }

    /// The engine's part, where it is one.
    fn reason(&self) -> String {
        match self.reasons {
            [one] => format!(" ({})", one.name()),
            _ => String::new(),
        }
    }
}

fn pauses(reasons: &[Reason]) -> &'static str {
    match reasons {
        [Reason::LaunchGap] => "Between launches passes",
        [Reason::CommandGap] => "Between commands passes",
        [Reason::HandOver] => "Hand-overs between engines take",
        [Reason::Wait] => "Waiting for messages takes",
        [Reason::System] => "System commands take",
        [Reason::Start] => "Before the first command passes",
        _ => "Idle without a known cause passes",
    }
}

/// A change in microseconds, with its sign.
fn us(ns: f64) -> String {
    let decimals = if ns.abs() < 10_000.0 { 3 } else { 1 };
    format!("{:+.decimals$} us", ns / 1e3)
}

/// What a cause adds to the change of the wall time.
fn part(ns: f64, wall_ns: f64) -> String {
    let is_part = ns.signum() == wall_ns.signum() && ns.abs() <= wall_ns.abs() * 1.5;
    if is_part { format!("{} of {}", us(ns), us(wall_ns)) } else { us(ns) }
}

/// A factor.
fn times(ratio: f64) -> String {
    let decimals = if (ratio - 1.0).abs() < 0.1 { 3 } else { 2 };
    format!("{ratio:.decimals$} times")
}

/// What to look at.
pub(super) fn remedy(kind: CauseKind, reasons: &[Reason], is_of_all: bool) -> &'static str {
    let has_transfers = reasons.iter().any(|reason| *reason != Reason::Compute);
    match (kind, is_of_all, has_transfers) {
        (CauseKind::SameCommands, false, _) => "check clock and memory channel there",
        (CauseKind::SameCommands, true, true) => {
            "check the clocks, where the data lies, and what else uses the memory"
        }
        (CauseKind::SameCommands, true, false) => "check the TIU's clock",
        (CauseKind::Commands, ..) => "use fewer and larger commands",
        (CauseKind::Bytes, ..) => "keep data on the chip, or use a smaller data type",
        (CauseKind::Operations, ..) => "find what computes more",
        (CauseKind::Padding, ..) => "use shapes that fill the arrays",
        (CauseKind::Rate, ..) => "compare sizes, strides and alignment of its commands",
        (CauseKind::Overlap, ..) => "let transfers run beside computation",
        (CauseKind::Pauses, ..) => match reasons {
            [Reason::LaunchGap] => "launch ahead of time, or merge kernels",
            [Reason::Wait | Reason::System] => "sync less often",
            _ => "look at what the run waits for there",
        },
        (
            CauseKind::Renamed
            | CauseKind::Split
            | CauseKind::Fused
            | CauseKind::New
            | CauseKind::Gone
            | CauseKind::Unknown,
            ..,
        ) => "",
    }
}

/// The change of the wall time with its greatest cause; `None` where a side has no wall time.
pub(super) fn verdict(time: &Change, causes: &[ChangeCause]) -> Option<String> {
    let (before, after) = (time.before?.median, time.after?.median);
    let plain = |ns: f64| us(ns).trim_start_matches('+').to_owned();
    if time.absolute == 0.0 {
        return Some(format!("The run takes the same time: {}.", plain(after)));
    }
    let share = match before > 0.0 {
        true => format!(", {:+.2} %", time.absolute / before * 100.0),
        false => String::new(),
    };
    let change =
        format!("{} instead of {} ({}{share})", plain(after), plain(before), us(time.absolute));
    if time.noise == Noise::Within {
        return Some(format!("{change}: no more than noise."));
    }
    let first = causes.iter().find(|cause| cause.ns.signum() == time.absolute.signum());
    let Some(cause) = first.or(causes.first()) else { return Some(format!("{change}.")) };
    let remedy = match cause.remedy {
        "" => String::new(),
        remedy => format!(": {remedy}"),
    };
    Some(format!("{change}. {}{remedy}.", cause.text))
}
