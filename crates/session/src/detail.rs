//! How much a trace tells of each command, and what a run says where that is not all.

use bigtpu_chip::Engine;
use bigtpu_emit_perfetto::TraceDetail;
use bigtpu_messages::{Message, message};
use bigtpu_timeline::{Dump, Survey};

/// What is said where a trace is light because it has many commands; `asked`: what was asked for; `can_be_cut`: a part of it can be
/// written.
pub(crate) fn note(
    asked: Option<TraceDetail>,
    commands: usize,
    can_be_cut: bool,
) -> Option<Message> {
    let is_light = TraceDetail::of_commands(commands) == TraceDetail::Light;
    let most = TraceDetail::MOST_FULL;
    (is_light && asked.is_none()).then(|| match can_be_cut {
        true => message!("report-light-trace-or-part", events = commands, most = most),
        false => message!("report-light-trace", events = commands, most = most),
    })
}

/// Records of all dumps: about as many commands, of dumps that are not in memory at a time.
pub(crate) fn records(opened: &[Dump]) -> usize {
    let of_dump = |dump: &Dump| -> u64 {
        let files = Survey::read(dump).files;
        files.iter().flat_map(|file| Engine::ALL.map(|engine| file.records(engine))).sum()
    };
    usize::try_from(opened.iter().map(of_dump).sum::<u64>()).unwrap_or(usize::MAX)
}
