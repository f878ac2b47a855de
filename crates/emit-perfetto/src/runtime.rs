//! The runtime's own work around a static model: slices on tracks of their own.

use bigtpu_timeline::RuntimeEvent;

use crate::names::Arg;
use crate::sequence::Sequence;
use crate::source::Source;

/// What the runtime did on one engine, in time order.
///
/// What lies before time 0, which a trace can't show, is at 0 with no length; its arguments have its time.
pub(crate) struct RuntimeSource<'p> {
    pub(crate) events: Vec<&'p RuntimeEvent>,
    pub(crate) offset: i64,
    pub(crate) at: usize,
    pub(crate) sequence: Sequence,
}

impl Source for RuntimeSource<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) -> usize {
        let rest = self.events.get(self.at..).unwrap_or(&[]);
        for event in rest {
            let (start, end) = (event.start + self.offset, event.end + self.offset);
            self.sequence.begin(out, start.max(0), event.kind.name(), "runtime", |args| {
                args.int(Arg::CmdId, event.id + 1);
                if event.kind.is_copy() {
                    args.text(Arg::Direction, "DDR->DDR");
                    args.int(Arg::DataSize, event.bytes.cast_signed());
                }
                args.int(Arg::StartTime, event.start);
                args.int(Arg::Duration, event.duration());
            });
            self.sequence.end(out, end.max(0));
        }
        let done = rest.len();
        self.at += done;
        done
    }
}
