//! The runtime's own work around a static model: slices on tracks of their own.

use bigtpu_timeline::{Profile, RuntimeEvent};

use crate::names::Arg;
use crate::sequence::Sequence;
use crate::source::PlainSource;

/// A pause of the device behind the model, in which only the host worked: it is not drawn at its length, so that the run
/// fills the view. The runtime's work after it is drawn earlier by what was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LatePause {
    /// ns; end of what ran before it.
    pub(crate) start: i64,
    /// ns; start of the runtime's work after it.
    pub(crate) end: i64,
}

impl LatePause {
    /// The pause is drawn as long as the run before it divided by this.
    const DRAWN: i64 = 50;

    /// The longest pause behind the model if it is longer than a tenth of the run before it; `None` in a run without.
    pub(crate) fn find(profile: &Profile<'_>) -> Option<Self> {
        if profile.runtime.is_empty() {
            return None;
        }
        let mut until = profile.tracks().flat_map(|track| &track.events.end).max().copied()?;
        let run = until;
        let mut late: Vec<&RuntimeEvent> =
            profile.runtime.iter().filter(|event| event.end > run).collect();
        late.sort_by_key(|event| event.start);
        let mut longest: Option<Self> = None;
        for event in late {
            let pause = Self { start: until, end: event.start };
            if pause.length() > longest.map_or(run / 10, Self::length) {
                longest = Some(pause);
            }
            until = until.max(event.end);
        }
        longest.filter(|pause| pause.length() > pause.drawn())
    }

    fn length(self) -> i64 {
        self.end - self.start
    }

    /// ns; the length at which it is drawn.
    pub(crate) fn drawn(self) -> i64 {
        self.start / Self::DRAWN
    }

    /// ns that are left out.
    pub(crate) fn left_out(self) -> i64 {
        self.length() - self.drawn()
    }
}

/// What the runtime did on one engine, in time order.
///
/// What lies before time 0, which a trace can't show, is at 0 with no length; its arguments have its time.
pub(crate) struct RuntimeSource<'p> {
    pub(crate) events: Vec<&'p RuntimeEvent>,
    pub(crate) offset: i64,
    pub(crate) pause: Option<LatePause>,
    pub(crate) at: usize,
    pub(crate) sequence: Sequence,
}

impl PlainSource for RuntimeSource<'_> {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.events.get(self.at..).unwrap_or(&[]);
        for event in rest {
            let late = self.pause.filter(|pause| event.start >= pause.end);
            let to_trace = self.offset - late.map_or(0, LatePause::left_out);
            let (start, end) = (event.start + to_trace, event.end + to_trace);
            self.sequence.begin(out, start, event.kind.name(), "runtime", |args| {
                args.int(Arg::CmdId, event.id + 1);
                if event.kind.is_copy() {
                    args.text(Arg::Direction, "DDR->DDR");
                    args.int(Arg::DataSize, event.bytes.cast_signed());
                }
                args.int(Arg::StartTime, event.start);
                args.int(Arg::Duration, event.duration());
            });
            self.sequence.end(out, end);
        }
        let done = rest.len();
        self.at += done;
        done
    }
}

/// A mark of the pause on a track of its own.
pub(crate) struct PauseSource {
    pub(crate) pause: LatePause,
    pub(crate) offset: i64,
    pub(crate) is_done: bool,
    pub(crate) sequence: Sequence,
}

impl PlainSource for PauseSource {
    fn append(&mut self, out: &mut Vec<u8>) -> usize {
        if std::mem::replace(&mut self.is_done, true) {
            return 0;
        }
        let pause = self.pause;
        let start = pause.start + self.offset;
        let us = pause.length() as f64 / 1e3;
        let name = format!("the device paused for {us:.1} us: not drawn at its length");
        self.sequence.begin(out, start, &name, "runtime", |args| {
            args.int(Arg::StartTime, pause.start);
            args.int(Arg::Duration, pause.length());
        });
        self.sequence.end(out, start + pause.drawn());
        1
    }
}
