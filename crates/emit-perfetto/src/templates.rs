//! What slices have in common, encoded once: most bytes of a slice are those of the last one of its kind.

use foldhash::{HashMap, HashMapExt};

use crate::args::Args;

/// Encoded parts of slices, by what the slices have in common (a kind, a tag) and the number of the part. A part is
/// encoded when it is first asked for, and copied from then on.
///
/// Texts are interned when a part is encoded, so parts are of one sequence only.
#[derive(Debug)]
pub(crate) struct Templates<const PARTS: usize> {
    bytes: Vec<u8>,
    slots: HashMap<u32, usize>,
    /// By slot: where each part is in `bytes`.
    parts: Vec<[Option<(u32, u32)>; PARTS]>,
}

/// Keys that are known at once. A run has few kinds; one in which every command is its own must not be kept whole.
const MOST: usize = 2048;

impl<const PARTS: usize> Templates<PARTS> {
    pub(crate) fn new() -> Self {
        Self { bytes: Vec::new(), slots: HashMap::new(), parts: Vec::new() }
    }

    /// The slot of a key, for [`Self::put`] until the next call. All that is known is given up where it gets too much.
    pub(crate) fn slot(&mut self, key: u32) -> usize {
        if let Some(&slot) = self.slots.get(&key) {
            return slot;
        }
        if self.parts.len() == MOST {
            self.bytes.clear();
            self.slots.clear();
            self.parts.clear();
        }
        self.parts.push([None; PARTS]);
        self.slots.insert(key, self.parts.len() - 1);
        self.parts.len() - 1
    }

    /// Appends a part to arguments; `write` encodes it where it is not known yet.
    pub(crate) fn put(
        &mut self,
        slot: usize,
        part: usize,
        args: &mut Args<'_>,
        write: impl FnOnce(&mut Args<'_>),
    ) {
        let Some(known) = self.parts.get_mut(slot).and_then(|parts| parts.get_mut(part)) else {
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
        let (mut copied, mut written) = (Sequence::new(1, 1), Sequence::new(1, 1));
        let most = MOST as u32;
        for key in (0..most + 10).chain([0, most + 9, 3, 3]) {
            let text = format!("kernel {key}");
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            let slot = templates.slot(key);
            templates.put(slot, 0, &mut Args::of_event(&mut copied, &mut ours), |args| {
                args.text(Arg::Kernel, &text);
            });
            Args::of_event(&mut written, &mut theirs).text(Arg::Kernel, &text);
            assert_eq!(ours, theirs, "{key}");
            assert!(templates.parts.len() <= MOST && templates.slots.len() <= MOST);
        }
    }
}
