//! Whether the files of a dump are of one capture: what cores and ports did must fit together.

mod copies;
mod launches;
mod messages;
mod order;
mod parts;
mod ports;
mod waits;

use std::path::Path;

use bigtpu_chip::{Chip, Engine, OpCode};
use bigtpu_messages::{Arg, message};

use crate::clocks::ClockSource;
use crate::dump::Dump;
use crate::note::{Note, Severity};
use crate::profile::Profile;

/// What says whether files are of one capture.
pub(crate) struct Compared {
    /// They are of other captures, or were copied over each other; losses.
    pub(crate) contradictions: Vec<Note>,
    /// They may be of other captures, or it is a way of working.
    pub(crate) doubts: Vec<Note>,
}

/// Compares what the files of a dump say of the run.
pub(crate) fn compare(dump: &Dump, profile: &Profile<'_>) -> Compared {
    let mut found = copies::copies(dump, profile);
    let mut doubts = Vec::new();
    let copied = found.len();
    if !profile.is_static {
        let launches = launches::of_cores(profile);
        found.extend(launches::other_launches(dump, &launches));
        found.extend(order::other_order(dump, &launches));
        doubts.extend(order::two_orders(dump, &launches));
        if found.len() == copied {
            found.extend(waits::waits_apart(dump, profile, &launches));
        }
        found.extend(ports::other_launches(dump, profile));
        found.extend(ports::outside_of_run(dump, profile));
    }
    // What launches say is nearer to a reader than messages.
    if found.len() == copied {
        found.extend(messages::broken_order(dump, profile));
    }
    if found.is_empty() {
        found.extend(parts::exchanged_cores(dump, profile));
    }
    if found.len() > copied && is_clock_given(profile) {
        let mhz = Arg::Number(i64::try_from(profile.clocks.tiu_mhz).unwrap_or(i64::MAX));
        let note = Note::of_dump(Severity::Loss, message!("note-given-clock", mhz = mhz));
        found.insert(copied, note);
    }
    Compared { contradictions: found, doubts }
}

/// Whether the times of the TIU stand against those of the other engines as an option says: with a wrong clock, files of one capture do not
/// fit together.
fn is_clock_given(profile: &Profile<'_>) -> bool {
    let clocks = &profile.clocks;
    clocks.tiu_source == ClockSource::Option && clocks.dma_source != ClockSource::Option
}

/// Whether an operation that full bits name is a system command's.
fn is_system_op(chip: &Chip, engine: Engine, code: OpCode) -> bool {
    let op = chip.ops(engine).ops().get(usize::from(code.op));
    op.is_some_and(|op| chip.is_system(engine, op.task()))
}

fn path_of(dump: &Dump, index: u32, is_port: bool) -> Option<&Path> {
    let files = if is_port { &dump.ports } else { &dump.cores };
    files.iter().find(|file| file.index == index).map(|file| file.path.as_path())
}

fn name_of(path: Option<&Path>) -> String {
    let name = path.and_then(Path::file_name);
    name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// First start and last end, in ns.
type Span = (i64, i64);

fn widened(span: Option<Span>, (start, end): Span) -> Span {
    span.map_or((start, end), |(from, to)| (from.min(start), to.max(end)))
}
