//! What happened to a time: it is longer or shorter, or its kernel is new, gone or renamed.

use serde::{Deserialize, Serialize};

use bigtpu_messages::{Arg, Language, Message, message};

use super::record::TOTAL;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A time is longer.
    Slower,
    /// A time is shorter.
    Faster,
    /// A kernel or layer was not there before.
    New,
    /// A kernel or layer is not there any more.
    Gone,
    /// A kernel or layer that does the same work has another name.
    Renamed,
}

/// Something that happened to a time of a history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HistoryEvent {
    /// What happened.
    pub kind: EventKind,
    /// Workload, host, device and call; empty where there is nothing to tell apart.
    pub unit: String,
    /// `total`, or a kernel or layer with its name; of what is renamed the new name.
    pub name: String,
    /// The name before, if something is renamed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub old_name: Option<String>,
    /// The first build with it.
    pub run: String,
    /// Its number among the builds of the unit, from 1.
    pub number: u64,
    /// The build with which it was found.
    pub found: String,
    /// ns before; absent of what is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_ns: Option<f64>,
    /// ns since; absent of what is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_ns: Option<f64>,
    /// after / before - 1; absent unless it takes longer or less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relative: Option<f64>,
    /// How likely it was without a change; absent where times repeat exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// What else changed alike with the same build: the run as a whole takes another time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Whether the event belongs to a change that was reported before, so that it is no alarm.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// Whether the event was found with the runs that were added last.
    #[serde(default)]
    pub is_new: bool,
    /// Number of the build with which it was found among all builds, from 0.
    #[serde(skip)]
    pub(super) found_at: usize,
}

/// What a time of a history is that of: its name there is that of records, `total` or a kernel or layer with its name.
#[must_use]
pub fn series_title(name: &str) -> Message {
    match name.split_once(' ') {
        _ if name == TOTAL => Message::new("history-wall-time"),
        Some(("kernel", kernel)) => message!("history-kernel", name = kernel),
        Some(("layer", layer)) => message!("place-layer", layer = layer),
        _ => Message::verbatim(name),
    }
}

impl HistoryEvent {
    /// Whether a build that shall not be slower fails because of the event.
    #[must_use]
    pub fn is_alarm(&self) -> bool {
        self.is_new && self.kind == EventKind::Slower && !self.follows
    }

    /// Since when what takes how much longer, or is there.
    #[must_use]
    pub fn message(&self) -> Message {
        let Self { unit, name, run, before_ns, after_ns, .. } = self;
        let number = Arg::Number(i64::try_from(self.number).unwrap_or(i64::MAX));
        let name = series_title(name);
        let what = match self.name.as_str() {
            TOTAL => name.clone(),
            _ => message!("history-name", name = name.clone()),
        };
        let ns = |ns: &Option<f64>| Arg::MedianNs(ns.unwrap_or(0.0));
        let (before, after) = (ns(before_ns), ns(after_ns));
        let percent = Arg::Value(self.relative.unwrap_or(0.0).abs() * 100.0, 2);
        let sentence = match self.kind {
            EventKind::Slower | EventKind::Faster => message!(
                "history-other-time",
                number = number,
                run = run,
                what = what,
                percent = percent,
                change = Message::new(match self.kind {
                    EventKind::Slower => "history-longer",
                    _ => "history-shorter",
                }),
                before = before,
                after = after,
            ),
            EventKind::New => {
                message!("history-new", number = number, run = run, name = name, after = after)
            }
            EventKind::Gone => {
                message!("history-gone", number = number, run = run, name = name, before = before)
            }
            EventKind::Renamed => {
                let old = series_title(self.old_name.as_deref().unwrap_or_default());
                message!("history-renamed", number = number, run = run, name = name, old = old)
            }
        };
        let sentence = match self.also.as_slice() {
            [] => sentence,
            [one] => message!("history-with-one", sentence = sentence, other = series_title(one)),
            several => {
                let others = Arg::Count(several.len() as u64);
                message!("history-with-others", sentence = sentence, others = others)
            }
        };
        match unit.is_empty() {
            true => sentence,
            false => message!("history-of-unit", unit = unit, sentence = sentence),
        }
    }

    /// Returns the message as a sentence in a language.
    #[must_use]
    pub fn sentence(&self, language: Language) -> String {
        self.message().text(language)
    }
}
