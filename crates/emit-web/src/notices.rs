//! Parts that a page leaves out, and when. The texts of the keys are in `page/src/ui/notices.ts`.

use crate::head::Notice;

/// A page holds the register fields of at most so many commands: more make a file that is slow to open.
pub(crate) const FIELDS_LIMIT: usize = 400_000;

/// A page holds ids, bytes and rates of at most so many single commands.
pub(crate) const FACTS_LIMIT: usize = 8_000_000;

/// A page holds the accesses to local memory of at most so many commands.
pub(crate) const LMEM_LIMIT: usize = 400_000;

/// A notice of something that is left out because there is too much of it.
pub(crate) fn dropped(key: &'static str, number: usize, limit: usize) -> Notice {
    Notice { key, args: vec![number, limit] }
}
