//! What two sides differ in beyond numbers: then numbers mean little.

use std::collections::BTreeMap;

use bigtpu_chip::Chip;
use bigtpu_messages::{Arg, Language, Message, message};
use serde::Serializer;

use super::{Compared, SourcedRun};
use crate::steps::StepSource;

/// What makes numbers hard to compare.
pub(super) fn warnings(before: &[SourcedRun], after: &[SourcedRun]) -> Vec<Message> {
    let all = || before.iter().chain(after);
    let mut warnings = Vec::new();
    let mut differ = |what: &'static str, of: fn(&Compared) -> Message| {
        // In the order of their English texts.
        let values: BTreeMap<String, Message> =
            all().map(|run| of(&run.report)).map(|value| (value.to_string(), value)).collect();
        if values.len() > 1 {
            let values = Arg::Items(values.into_values().collect());
            let what = Message::new(what);
            warnings.push(message!("diff-runs-differ", what = what, values = values));
        }
    };
    differ("diff-differ-chip", |r| Message::verbatim(Chip::title_of(&r.dump.chip)));
    differ("diff-differ-cores", |r| Message::verbatim(r.dump.cores.to_string()));
    differ("diff-differ-clock", |r| {
        Message::verbatim(r.dump.tiu_mhz.map_or_else(String::new, |mhz| format!("{mhz} MHz")))
    });
    differ("diff-differ-version", |r| Message::verbatim(r.schema_version.to_string()));
    differ("diff-differ-steps", |r| {
        Message::new(match r.iterations().map(|steps| steps.source) {
            None => "diff-no-steps",
            Some(StepSource::Repetition) => "diff-steps-repeat",
            Some(StepSource::Kernel) => "diff-steps-by-kernel",
            Some(StepSource::Host) => "diff-steps-by-host",
        })
    });
    for run in all().filter(|r| r.report.ledger.losses.is_some_and(|losses| losses > 0.0)) {
        warnings.push(message!("diff-data-lost", run = run.name.as_str()));
    }
    warnings
}

/// As sentences in English.
pub(super) fn in_english<S: Serializer>(messages: &[Message], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(messages.iter().map(|one| one.text(Language::English)))
}
