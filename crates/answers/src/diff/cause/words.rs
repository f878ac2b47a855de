//! Causes as sentences.

use bigtpu_messages::{Arg, LocalizedText, Message, message};
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
    pub(super) fn sentence(&self, wall_ns: f64) -> Message {
        let (cause, part) = (self.cause(), Arg::MedianNs(self.ns));
        let is_part = self.ns.signum() == wall_ns.signum() && self.ns.abs() <= wall_ns.abs() * 1.5;
        if is_part {
            message!("cause-with-part", cause = cause, part = part, wall = Arg::MedianNs(wall_ns))
        } else {
            message!("cause-alone", cause = cause, part = part)
        }
    }

    fn cause(&self) -> Message {
        let ratio = self.sides.filter(|[before, _]| *before > 0.0).map(|[a, b]| Arg::Ratio(b / a));
        let what = match (self.kind, ratio) {
            (CauseKind::SameCommands, Some(ratio)) => match self.reasons {
                [Reason::Compute] => message!("cause-same-operations", ratio = ratio),
                _ if self.is_transfer() => message!("cause-same-bytes", ratio = ratio),
                _ => message!("cause-same-commands", ratio = ratio),
            },
            (CauseKind::Commands, Some(ratio)) => match self.is_transfer() {
                true => message!("cause-more-transfers", ratio = ratio),
                false => message!("cause-more-commands", ratio = ratio),
            },
            (CauseKind::Bytes, Some(ratio)) => message!("cause-more-bytes", ratio = ratio),
            (CauseKind::Operations, Some(ratio)) => {
                message!("cause-more-operations", ratio = ratio)
            }
            (CauseKind::Padding, Some(ratio)) => message!("cause-more-padding", ratio = ratio),
            (CauseKind::Rate, Some(ratio)) => match self.is_transfer() {
                true => message!("cause-transfer-rate", ratio = ratio),
                false => message!("cause-compute-rate", ratio = ratio),
            },
            (CauseKind::Launches, Some(ratio)) => match self.owners {
                [_] => message!("cause-launched-more", ratio = ratio),
                _ => message!("cause-more-launches", ratio = ratio),
            },
            (CauseKind::Cores, _) if self.sides.is_some() => return self.divided_among_cores(),
            (CauseKind::Cores, _) if self.ns > 0.0 => Message::new("cause-works-after"),
            (CauseKind::Cores, _) => Message::new("cause-works-before"),
            (CauseKind::Commands, None) => Message::new("cause-other-commands"),
            (CauseKind::Split | CauseKind::Fused, _) => return self.divided(),
            (CauseKind::New | CauseKind::Gone, _) => return self.presence(),
            (CauseKind::Overlap, _) => return self.overlap(),
            (CauseKind::Pauses, _) => return self.pauses(),
            _ if self.ns > 0.0 => Message::new("cause-longer"),
            _ => Message::new("cause-shorter"),
        };
        message!(
            "cause-sentence",
            who = self.who(),
            what = what,
            owners = self.owners_message(),
            part_of_engine = self.part_of_engine(),
        )
    }

    /// Names before and after of what is split or fused.
    fn divided(&self) -> Message {
        let (old, new) = self.divided.cloned().unwrap_or_default();
        let (old, new) = (old.join(", "), new.join(", "));
        match self.kind {
            CauseKind::Split => message!("cause-split", old = old, new = new),
            _ => message!("cause-fused", old = old, new = new),
        }
    }

    /// Says that equal work is divided among another number of cores.
    fn divided_among_cores(&self) -> Message {
        let [before, after] = self.sides.unwrap_or_default().map(|cores| Arg::Value(cores, 0));
        let owners = match self.owners {
            [owner] => message!("cause-in-owner", owner = owner),
            _ => self.owners_message(),
        };
        message!("cause-other-cores", before = before, after = after, owners = owners)
    }

    fn presence(&self) -> Message {
        match (self.owners, self.kind == CauseKind::New) {
            ([owner], true) => message!("cause-new", owner = owner),
            ([owner], false) => message!("cause-gone", owner = owner),
            ([], true) => Message::new("cause-outside-new"),
            ([], false) => Message::new("cause-outside-gone"),
            ([owner, ..], is_new) => {
                let (some, all) = (self.owners.len(), self.all_owners);
                let kinds =
                    Message::new(if self.has_layers { "cause-layers" } else { "cause-kernels" });
                match is_new {
                    true => message!(
                        "cause-several-new",
                        some = some,
                        all = all,
                        kinds = kinds,
                        owner = owner,
                    ),
                    false => message!(
                        "cause-several-gone",
                        some = some,
                        all = all,
                        kinds = kinds,
                        owner = owner,
                    ),
                }
            }
        }
    }

    fn overlap(&self) -> Message {
        let work = match self.owners {
            [owner] => message!("cause-work-of", owner = owner),
            _ => Message::new("cause-same-work"),
        };
        let owners = self.owners_message();
        match self.ns > 0.0 {
            true => message!("cause-less-overlap", work = work, owners = owners),
            false => message!("cause-more-overlap", work = work, owners = owners),
        }
    }

    fn pauses(&self) -> Message {
        let pause = Message::new(pause(self.reasons));
        let place = match self.cores {
            [core] => message!("cause-on-core", core = Arg::Number((*core).into())),
            _ => Message::new("cause-everywhere"),
        };
        let owners = match self.owners {
            [owner] => message!("cause-in-owner", owner = owner),
            _ => self.owners_message(),
        };
        match self.ns > 0.0 {
            true => {
                message!("cause-longer-pause", pause = pause, owners = owners, place = place)
            }
            false => {
                message!("cause-shorter-pause", pause = pause, owners = owners, place = place)
            }
        }
    }

    /// Whose work changed, as the subject of the sentence.
    fn who(&self) -> Message {
        let is_port = self.reasons == [Reason::LinkTransfer];
        let numbers = || Arg::numbers(self.cores.iter().copied());
        let number = |number: u32| Arg::Number(number.into());
        match (self.cores, self.owners) {
            ([], [owner]) => message!("cause-owner", owner = owner),
            ([], []) => Message::new("cause-outside"),
            ([], _) => Message::new("cause-each-core"),
            ([port], [owner]) if is_port => {
                message!("cause-port-owner", port = number(*port), owner = owner)
            }
            ([core], [owner]) => {
                message!("cause-core-owner", core = number(*core), owner = owner)
            }
            ([port], _) if is_port => message!("cause-port", port = number(*port)),
            ([core], _) => message!("cause-core", core = number(*core)),
            (_, [owner]) if is_port => {
                message!("cause-owner-on-ports", owner = owner, ports = numbers())
            }
            (_, [owner]) => message!("cause-owner-on-cores", owner = owner, cores = numbers()),
            _ if is_port => message!("cause-each-of-ports", ports = numbers()),
            _ => message!("cause-each-of-cores", cores = numbers()),
        }
    }

    /// In how many kernels or layers, where it is not one.
    fn owners_message(&self) -> Message {
        let (some, all) = (self.owners.len(), self.all_owners);
        match (some, self.has_layers) {
            (0 | 1, _) => Message::new("cause-everywhere"),
            (_, true) => message!("cause-in-layers", some = some, all = all),
            (_, false) => message!("cause-in-kernels", some = some, all = all),
        }
    }

    fn is_transfer(&self) -> bool {
        !self.reasons.contains(&Reason::Compute)
    }

    /// The engine's part, where it is one.
    fn part_of_engine(&self) -> Message {
        match self.reasons {
            [one] => message!("cause-of-engine", reason = one.message()),
            _ => Message::new("cause-everywhere"),
        }
    }
}

fn pause(reasons: &[Reason]) -> &'static str {
    match reasons {
        [Reason::LaunchGap] => "cause-pause-launches",
        [Reason::CommandGap] => "cause-pause-commands",
        [Reason::HandOver] => "cause-pause-hand-overs",
        [Reason::Wait] => "cause-pause-messages",
        [Reason::System] => "cause-pause-system",
        [Reason::Start] => "cause-pause-start",
        _ => "cause-pause-unknown",
    }
}

/// What to look at, as an id of the catalogue.
pub(super) fn remedy(kind: CauseKind, reasons: &[Reason], is_of_all: bool) -> Option<&'static str> {
    let has_transfers = reasons.iter().any(|reason| *reason != Reason::Compute);
    Some(match (kind, is_of_all, has_transfers) {
        (CauseKind::SameCommands, false, _) => "cause-remedy-core",
        (CauseKind::SameCommands, true, true) => "cause-remedy-memory",
        (CauseKind::SameCommands, true, false) => "cause-remedy-clock",
        (CauseKind::Commands, ..) => "cause-remedy-commands",
        (CauseKind::Bytes, ..) => "cause-remedy-bytes",
        (CauseKind::Operations, ..) => "cause-remedy-operations",
        (CauseKind::Padding, ..) => "cause-remedy-padding",
        (CauseKind::Rate, ..) => "cause-remedy-rate",
        (CauseKind::Overlap, ..) => "cause-remedy-overlap",
        (CauseKind::Launches, ..) => "cause-remedy-launch-count",
        (CauseKind::Cores, ..) => "cause-remedy-core-count",
        (CauseKind::Pauses, ..) => match reasons {
            [Reason::LaunchGap] => "cause-remedy-launches",
            [Reason::Wait | Reason::System] => "cause-remedy-sync",
            _ => "cause-remedy-pause",
        },
        (
            CauseKind::Renamed
            | CauseKind::Split
            | CauseKind::Fused
            | CauseKind::New
            | CauseKind::Gone
            | CauseKind::Unknown,
            ..,
        ) => return None,
    })
}

/// What the times of runs of different programs are, and that they say no more.
pub(super) fn unrelated(time: &Change, share: f64) -> Option<LocalizedText> {
    let [before, after] = [time.before?.median, time.after?.median].map(Arg::MedianNs);
    Some(LocalizedText::new(vec![
        message!("cause-unrelated", share = Arg::Share(share)),
        message!("cause-times", before = before, after = after),
    ]))
}

/// The change of the wall time with its greatest cause; `None` where a side has no wall time.
pub(super) fn verdict(time: &Change, causes: &[ChangeCause]) -> Option<LocalizedText> {
    let (before_ns, after_ns) = (time.before?.median, time.after?.median);
    let [before, after, change] = [before_ns, after_ns, time.absolute].map(Arg::MedianNs);
    if time.absolute == 0.0 {
        return Some(message!("cause-same-time", time = after).into());
    }
    let percent = Arg::Percent(time.absolute / before_ns * 100.0);
    let is_noise = time.noise == Noise::Within;
    let sentence = match (before_ns > 0.0, is_noise) {
        (true, false) => message!(
            "cause-change",
            after = after,
            before = before,
            change = change,
            percent = percent,
        ),
        (true, true) => message!(
            "cause-noise",
            after = after,
            before = before,
            change = change,
            percent = percent,
        ),
        (false, false) => {
            message!("cause-change-from-none", after = after, before = before, change = change)
        }
        (false, true) => {
            message!("cause-noise-from-none", after = after, before = before, change = change)
        }
    };
    let first = causes.iter().find(|cause| cause.ns.signum() == time.absolute.signum());
    let cause = first.or(causes.first()).filter(|_| !is_noise);
    let mut text = LocalizedText::from(sentence);
    if let Some(cause) = cause
        && let [sentence] = &cause.text.messages[..]
    {
        let sentence = sentence.clone();
        text.push(match cause.remedy_id {
            Some(id) => {
                message!("cause-greatest-with-remedy", cause = sentence, remedy = Message::new(id),)
            }
            None => message!("cause-greatest", cause = sentence),
        });
    }
    Some(text)
}
