//! What slices have in common, encoded once: most bytes of a slice are those of the last one of its kind.

use crate::args::Args;

/// Encoded parts of slices, by what the slices have in common (a kind, a tag) and the number of the part. A part is
/// encoded when it is first asked for, and copied from then on.
///
/// Texts are interned when a part is encoded, so parts are of one sequence only.
#[derive(Debug)]
pub(crate) struct Templates<const PARTS: usize> {
    bytes: Vec<u8>,
    /// Keys with the same lowest bits take turns.
    slots: Vec<Slot<PARTS>>,
}

#[derive(Debug, Clone, Copy)]
struct Slot<const PARTS: usize> {
    key: u32,
    /// Where each part is in `bytes`; nowhere: not encoded yet.
    parts: [Option<(u32, u32)>; PARTS],
}

/// Keys that are known at once: slices near each other have few. A power of two.
const SLOTS: usize = 512;
/// Bytes of encoded parts above which all are given up: in a run in which every command is its own they would become as
/// many as those of the trace.
const MOST_BYTES: usize = 1 << 18;

impl<const PARTS: usize> Templates<PARTS> {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), slots: Vec::new() }
    }

    /// The slot of a key, for [`Self::put`] until the next call.
    pub(crate) fn slot(&mut self, key: u32) -> usize {
        let slot = key as usize % SLOTS;
        if self.slots.get(slot).is_none_or(|slot| slot.key != key) {
            self.enter(slot, key);
        }
        slot
    }

    fn enter(&mut self, slot: usize, key: u32) {
        if self.bytes.len() > MOST_BYTES {
            self.bytes.clear();
            self.slots.clear();
        }
        let unknown = Slot { key, parts: [None; PARTS] };
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, unknown);
        }
        self.slots[slot] = unknown;
    }

    /// Appends a part to arguments; `write` encodes it where it is not known yet.
    pub(crate) fn put(
        &mut self,
        slot: usize,
        part: usize,
        args: &mut Args<'_>,
        write: impl FnOnce(&mut Args<'_>),
    ) {
        let slot = self.slots.get_mut(slot);
        let Some(known) = slot.and_then(|slot| slot.parts.get_mut(part)) else {
            return write(args);
        };
        if let &mut Some((start, end)) = known {
            args.copy(self.bytes.get(start as usize..end as usize).unwrap_or_default());
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(args.written_by(write));
        *known = u32::try_from(start).ok().zip(u32::try_from(self.bytes.len()).ok());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Arg;
    use crate::sequence::Sequence;

    /// What is copied is what would be written, and what is known stays bounded however many keys there are.
    #[test]
    fn copies_are_what_was_written_and_bounded() {
        let mut templates: Templates<1> = Templates::new();
        let (mut copied, mut written) = (Sequence::new(1, 1, 0), Sequence::new(1, 1, 0));
        let several_turns = 20 * SLOTS as u32;
        let long_text = "long ".repeat(20);
        for key in (0..several_turns).chain([0, several_turns, 3, 3, 3 + SLOTS as u32, 3]) {
            let text = format!("{long_text}{key}");
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let slot = templates.slot(key);
            templates.put(slot, 0, &mut Args::of_event(&mut copied, &mut ours), |args| {
                args.text(Arg::Kernel, &text);
            });
            Args::of_event(&mut written, &mut theirs).text(Arg::Kernel, &text);
            assert_eq!(ours, theirs, "{key}");
            assert!(templates.bytes.len() <= MOST_BYTES + 100 && templates.slots.len() <= SLOTS);
        }
    }
}
