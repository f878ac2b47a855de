//! Templates: most bytes of a slice are those of the last one of its kind.
//!
//! A template is the event that begins a slice. What differs from slice to slice is numbers: ids, sizes, addresses,
//! interned texts. In a template each number has a fixed width, and a copy gets its own numbers at the same places. A varint
//! is padded to its width with continuation bits, which every reader of protobuf accepts. What is before the event, and
//! flows, which are behind it, are not in the template.
//!
//! Tracks share templates. How wide a number is depends on its value alone, and interned texts have the same ids on all
//! tracks, so that it does not matter which track records a template first.

use std::sync::{Arc, Mutex};

use foldhash::HashMap;

use crate::interned::TextKind;
use crate::numbers::{Row, is_wide, place};
use crate::short::put;

/// A place of a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patch {
    /// Its first byte, from the start of the event.
    pub(crate) at: u32,
    /// Which of the numbers of a [`Row`].
    pub(crate) number: u8,
    /// Bits for which there is room: 7 for each byte of a varint.
    pub(crate) bits: u8,
}

/// Interned texts that a template needs.
#[derive(Debug, Default, Clone)]
pub(crate) struct Uses {
    /// Names of arguments: a bit each.
    pub(crate) args: u64,
    /// Texts that tracks share.
    pub(crate) texts: Vec<(TextKind, u64)>,
}

/// The event of a slice, without its flows.
#[derive(Debug)]
pub(crate) struct Template {
    event: Box<[u8]>,
    patches: Box<[Patch]>,
    uses: Uses,
}

impl Template {
    pub(crate) fn new(event: &[u8], patches: &[Patch], uses: Uses) -> Self {
        Self { event: event.into(), patches: patches.into(), uses }
    }

    pub(crate) fn event(&self) -> &[u8] {
        &self.event
    }

    pub(crate) fn patches(&self) -> &[Patch] {
        &self.patches
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.uses
    }

    /// Whether there is room for these numbers.
    pub(crate) fn fits(&self, numbers: Row<'_>) -> bool {
        let fits = |patch: &Patch| {
            let value = numbers.value(patch.number.into());
            value.checked_shr(patch.bits.into()).unwrap_or(0) == 0
        };
        self.patches.iter().all(fits)
    }

    /// The event with these numbers, which it fits.
    pub(crate) fn copy(&self, numbers: Row<'_>) -> Vec<u8> {
        let mut event = [&*self.event, &[0; 8]].concat();
        for patch in &self.patches {
            let first = place(patch.number.into(), 0);
            let word = match is_wide(patch.number.into(), patch.bits) {
                true => numbers.wide_at(first),
                false => numbers.narrow_at(first).into(),
            };
            put(&mut event, patch.at as usize, word);
        }
        event.truncate(self.event.len());
        event
    }
}

/// Templates of all tracks, by key.
#[derive(Debug, Default)]
pub(crate) struct Templates(Mutex<HashMap<u64, Arc<Template>>>);

/// Templates that are shared, at most: in a run in which every command is its own they would become as many as its
/// slices.
pub(crate) const MOST_SHARED: usize = 1 << 12;

impl Templates {
    pub(crate) fn get(&self, key: u64) -> Option<Arc<Template>> {
        self.0.lock().ok()?.get(&key).cloned()
    }

    pub(crate) fn enter(&self, key: u64, template: &Arc<Template>) {
        if let Ok(mut all) = self.0.lock()
            && all.len() < MOST_SHARED
        {
            all.insert(key, Arc::clone(template));
        }
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().map_or(0, |all| all.len())
    }
}
