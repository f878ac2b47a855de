//! What slices have in common, encoded once: most bytes of a slice are those of the last one of its kind.

use crate::args::Args;

/// Parts of encoded slices, by number. A part is encoded when it is first asked for, and copied from then on.
///
/// Texts are interned when a part is encoded, so parts are of one sequence only.
#[derive(Debug, Default)]
pub(crate) struct Templates {
    bytes: Vec<u8>,
    /// Where each part stands in `bytes`.
    parts: Vec<Option<(u32, u32)>>,
}

impl Templates {
    /// For parts up to a number.
    pub(crate) fn with_parts(parts: usize) -> Self {
        Self { bytes: Vec::new(), parts: vec![None; parts] }
    }

    /// Forgets all parts.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.parts.fill(None);
    }

    /// Appends a part to arguments; `write` encodes it where it is not known yet.
    pub(crate) fn put(
        &mut self,
        part: usize,
        args: &mut Args<'_>,
        write: impl FnOnce(&mut Args<'_>),
    ) {
        if let Some(&Some((start, end))) = self.parts.get(part) {
            args.copy(self.bytes.get(start as usize..end as usize).unwrap_or_default());
            return;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(args.written_by(write));
        let known = u32::try_from(start).ok().zip(u32::try_from(self.bytes.len()).ok());
        if let Some(slot) = self.parts.get_mut(part) {
            *slot = known;
        }
    }
}
