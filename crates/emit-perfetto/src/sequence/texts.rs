//! Interned texts of a sequence: each is written before the packet that needs it first.

use bigtpu_perfetto_protos::field::{interned_data, track_event};

use super::Sequence;
use crate::interned::TextKind;
use crate::names::{Arg, FIRST_FREE_NAME};
use crate::template::Template;
use crate::wire;

/// Appends an entry of the interned data: `id` and `text` are fields 1 and 2 of every kind.
fn entry(fresh: &mut Vec<u8>, kind: u32, id: u64, text: &str) {
    wire::message(fresh, kind, |out| {
        wire::varint(out, 1, id);
        wire::bytes(out, 2, text.as_bytes());
    });
}

impl Sequence {
    /// Name and category of an event.
    pub(crate) fn title(&mut self, event: &mut Vec<u8>, name: &str, category: &str) {
        let name = self.text(TextKind::EventName, name);
        wire::varint(event, track_event::NAME_IID, name);
        if !category.is_empty() {
            let category = self.text(TextKind::Category, category);
            wire::varint(event, track_event::CATEGORY_IIDS, category);
        }
    }

    /// Interning id of a text value.
    pub(crate) fn value(&mut self, text: &str) -> u64 {
        self.text(TextKind::Value, text)
    }

    /// Writes a text value that has the same id on other tracks, if the track has not used it yet.
    pub(crate) fn use_value(&mut self, id: u64) {
        self.write_text(TextKind::Value, id);
    }

    /// Whether the track has used a text value that has the same id on other tracks.
    pub(crate) fn knows_value(&self, id: u64) -> bool {
        self.texts[TextKind::Value as usize].has(id)
    }

    /// Interning id of a text value with a number in it, which callers ask for once.
    pub(crate) fn new_value(&mut self, before: &str, number: i64, after: &str) -> u64 {
        let kind = TextKind::Value;
        let id = self.texts[kind as usize].own_id(self.vocabulary.count(kind));
        wire::message(&mut self.fresh, kind.field(), |out| {
            wire::varint(out, 1, id);
            wire::message(out, 2, |out| {
                out.extend_from_slice(before.as_bytes());
                wire::decimal(out, number);
                out.extend_from_slice(after.as_bytes());
            });
        });
        id
    }

    /// Interning id of a text: the one that it has on all tracks, or one of its own.
    fn text(&mut self, kind: TextKind, text: &str) -> u64 {
        if let Some(id) = self.vocabulary.id(kind, text) {
            if !self.recorded.takes_text(kind, id) {
                self.write_text(kind, id);
            }
            return id;
        }
        self.recorded.uses_own();
        let (id, fresh) = self.texts[kind as usize].own(text, self.vocabulary.count(kind));
        if fresh {
            entry(&mut self.fresh, kind.field(), id, text);
        }
        id
    }

    /// Writes a text that has the same id on other tracks before its first use.
    fn write_text(&mut self, kind: TextKind, id: u64) {
        if self.texts[kind as usize].is_first(id) {
            entry(&mut self.fresh, kind.field(), id, self.vocabulary.text(kind, id));
        }
    }

    /// Writes names of known arguments, a bit each, before their first use.
    fn write_args(&mut self, args: u64) {
        let mut fresh = args & !self.known_args;
        self.known_args |= fresh;
        while fresh != 0 {
            let arg = fresh.trailing_zeros() as usize;
            fresh &= fresh - 1;
            let name = Arg::NAMES.get(arg).copied().unwrap_or_default();
            entry(&mut self.fresh, interned_data::DEBUG_ANNOTATION_NAMES, arg as u64 + 1, name);
        }
    }

    /// Writes what a template needs, in the same order whichever track recorded it.
    pub(super) fn meet(&mut self, template: &Template) {
        self.write_args(template.uses().args);
        for &(kind, id) in &template.uses().texts {
            self.write_text(kind, id);
        }
    }

    /// Interning id of a known argument's name.
    pub(crate) fn arg(&mut self, arg: Arg) -> u64 {
        let bit = 1 << (arg as u32);
        if !self.recorded.takes_arg(bit) {
            self.write_args(bit);
        }
        arg.iid()
    }

    /// Interning id of any argument's name.
    pub(crate) fn name(&mut self, name: &str) -> u64 {
        self.recorded.uses_own();
        if let Some(&id) = self.names.get(name) {
            return id;
        }
        let id = FIRST_FREE_NAME + self.names.len() as u64;
        self.names.insert(name.into(), id);
        entry(&mut self.fresh, interned_data::DEBUG_ANNOTATION_NAMES, id, name);
        id
    }
}
