//! Slices as copies of templates: how a template is recorded.

use std::sync::Arc;

use bigtpu_perfetto_protos::field::track_event;
use bigtpu_perfetto_protos::track_event::Type;

use super::Sequence;
use crate::args::Args;
use crate::interned::TextKind;
use crate::numbers::Row;
use crate::stamp::{NO_KEY, Stamps};
use crate::template::{Patch, Template, Uses};
use crate::widths::{AllWidths, EIGHT_BYTES, MOST_NUMBERS, append_room, is_patchable, room};
use crate::wire;

/// A template while it is recorded: where its numbers are, and what it needs.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    patches: Vec<Patch>,
    /// Memory that is used again.
    event: Vec<u8>,
    uses: Uses,
    /// Widths of the numbers; `None` while no template is recorded.
    widths: Option<Arc<AllWidths>>,
    /// All numbers fit their widths, so that the template is also that of other slices of the key.
    fits: bool,
    /// Whether it has texts that other tracks don't know by the same ids.
    is_own: bool,
}

impl Recorded {
    fn start(&mut self, widths: Arc<AllWidths>) {
        self.patches.clear();
        self.uses = Uses::default();
        self.widths = Some(widths);
        self.fits = true;
        self.is_own = false;
    }

    fn is_on(&self) -> bool {
        self.widths.is_some()
    }

    /// Notes that a template needs a text that tracks share. Returns whether one is recorded: it is to be written with
    /// all others then.
    pub(super) fn takes_text(&mut self, kind: TextKind, id: u64) -> bool {
        if self.is_on() {
            self.uses.texts.push((kind, id));
        }
        self.is_on()
    }

    /// A text of this track alone was written.
    pub(super) fn uses_own(&mut self) {
        self.is_own = true;
    }

    /// Notes that a template needs the name of a known argument, given by its bit. Returns whether one is recorded.
    pub(super) fn takes_arg(&mut self, bit: u64) -> bool {
        if self.is_on() {
            self.uses.args |= bit;
        }
        self.is_on()
    }
}

impl Sequence {
    /// The template of a slice whose numbers fit none in use: another track's, or a new one. Also the key by which it can be
    /// found.
    #[cold]
    pub(super) fn learn(
        &mut self,
        stamps: &mut Stamps,
        key: u64,
        numbers: Row<'_>,
        write: impl FnOnce(&mut Args<'_>, Row<'_>),
    ) -> (u64, Arc<Template>) {
        if let Some(template) = stamps.shared(key)
            && template.fits(numbers)
        {
            self.meet(&template);
            return (key, template);
        }
        let mut event = std::mem::take(&mut self.recorded.event);
        event.clear();
        self.recorded.start(Arc::clone(stamps.widths()));
        wire::varint(&mut event, track_event::TYPE, Type::SliceBegin as u64);
        write(&mut Args::of_event(self, &mut event), numbers);
        let Recorded { patches, uses, fits, is_own, .. } = &mut self.recorded;
        let template = Arc::new(Template::new(&event, patches, std::mem::take(uses)));
        let key = if *fits { key } else { NO_KEY };
        if !*is_own {
            stamps.share(key, &template);
        }
        self.recorded.widths = None;
        self.recorded.event = event;
        self.meet(&template);
        (key, template)
    }

    fn stamp_number(&mut self, out: &mut Vec<u8>, number: usize, bits: u8) {
        let at = out.len() as u32;
        append_room(out, bits);
        self.recorded.patches.push(Patch { at, number: number as u8, bits });
    }

    /// Appends a varint field of a template: room for its number.
    pub(crate) fn stamp_varint(
        &mut self,
        out: &mut Vec<u8>,
        field: u32,
        numbers: Row<'_>,
        number: usize,
    ) {
        let value = numbers.value(number);
        let widths = self.recorded.widths.as_ref();
        let width = widths.and_then(|widths| widths[number % MOST_NUMBERS].bits(value));
        self.recorded.fits &= width.is_some();
        let bits = width.unwrap_or_else(|| room(value));
        if !is_patchable(bits) {
            wire::varint(out, field, value);
            return;
        }
        wire::varint_key(out, field);
        self.stamp_number(out, number, bits);
    }

    /// Appends a field of eight bytes of a template: room for its number.
    pub(crate) fn stamp_word(&mut self, out: &mut Vec<u8>, field: u32, number: usize) {
        wire::double_key(out, field);
        let at = out.len() as u32;
        out.extend_from_slice(&[0; 8]);
        self.recorded.patches.push(Patch { at, number: number as u8, bits: EIGHT_BYTES });
    }

    /// Appends a message field whose content `write` appends. Where its length takes more than the byte that was kept for
    /// it, the places that were recorded in it move, too.
    pub(crate) fn message(
        &mut self,
        out: &mut Vec<u8>,
        field: u32,
        write: impl FnOnce(&mut Self, &mut Vec<u8>),
    ) {
        let before = self.recorded.patches.len();
        wire::length_delimited_key(out, field);
        let start = out.len();
        out.push(0);
        write(self, out);
        let takes = wire::put_length(out, start, 1);
        for patch in self.recorded.patches.iter_mut().skip(before) {
            patch.at += (takes - 1) as u32;
        }
    }
}
