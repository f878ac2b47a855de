//! The arguments of all events, packed into one arena.
//!
//! A value is a head byte and what it needs; a number below 15 sits in the head itself.
//!
//! ```text
//! head  = small << 4 | tag      small 0..=14: the number; 15: a varint of (number - 15) follows
//! CONST   0 null, 1 false, 2 true
//! UINT    the number                       NINT   -1 - the number
//! DOUBLE  number 0, then 8 bytes, little endian
//! STR     the string's id
//! LIST    number 0, then values, then END
//! MAP     number 0, then pairs of (STR, value), then END
//! ```

use crate::arg_value::ArgValue;
use crate::strings::StrId;

pub(crate) const CONST: u8 = 0;
pub(crate) const UINT: u8 = 1;
pub(crate) const NINT: u8 = 2;
pub(crate) const DOUBLE: u8 = 3;
pub(crate) const STR: u8 = 4;
pub(crate) const LIST: u8 = 5;
pub(crate) const MAP: u8 = 6;
pub(crate) const END: u8 = 7;

/// The largest number inside a head.
const SMALL: u64 = 14;

/// Names one event's arguments in [`Args`]; may represent none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArgsRef(u32);

impl ArgsRef {
    /// No arguments.
    pub const NONE: Self = Self(u32::MAX);

    /// Whether there are no arguments.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }
}

impl Default for ArgsRef {
    fn default() -> Self {
        Self::NONE
    }
}

/// The packed arguments of all events of a trace.
#[derive(Clone, Debug, Default)]
pub struct Args {
    bytes: Vec<u8>,
}

impl Args {
    /// The arguments `args` names; `None` for [`ArgsRef::NONE`]. Nearly always a map.
    #[must_use]
    pub fn get(&self, args: ArgsRef) -> Option<ArgValue<'_>> {
        if args.is_none() {
            return None;
        }
        let mut bytes = self.bytes.get(args.0 as usize..)?;
        ArgValue::read(&mut bytes)
    }

    /// Bytes held in memory.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Where the next value will be; `None` when the arena is full (4 GiB).
    pub(crate) fn mark(&self) -> Option<ArgsRef> {
        u32::try_from(self.bytes.len()).ok().map(ArgsRef).filter(|mark| !mark.is_none())
    }

    /// Forgets everything from `mark` on.
    pub(crate) fn truncate(&mut self, mark: ArgsRef) {
        self.bytes.truncate(mark.0 as usize);
    }

    /// `begin`'s arguments and then `end`'s, for a slice given by two events.
    pub(crate) fn merge(&mut self, begin: ArgsRef, end: ArgsRef) -> ArgsRef {
        let inside = |args: &Self, at: ArgsRef| match args.get(at)? {
            ArgValue::Map(map) => Some(map.packed().to_vec()),
            _ => None,
        };
        let (Some(first), Some(second)) = (inside(self, begin), inside(self, end)) else {
            return if begin.is_none() { end } else { begin };
        };
        let Some(mark) = self.mark() else {
            return begin;
        };
        self.put(MAP, 0);
        self.bytes.extend_from_slice(&first);
        self.bytes.extend_from_slice(&second);
        self.put(END, 0);
        mark
    }

    pub(crate) fn put(&mut self, tag: u8, number: u64) {
        if let (true, Ok(small)) = (number <= SMALL, u8::try_from(number)) {
            self.bytes.push(small << 4 | tag);
            return;
        }
        self.bytes.push(0xf0 | tag);
        let mut left = number - SMALL - 1;
        while left >= 0x80 {
            self.bytes.push(left.to_le_bytes()[0] | 0x80);
            left >>= 7;
        }
        self.bytes.push(left.to_le_bytes()[0]);
    }

    pub(crate) fn put_double(&mut self, value: f64) {
        self.put(DOUBLE, 0);
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn put_str(&mut self, id: StrId) {
        self.put(STR, u64::from(id.0));
    }

    /// Gives back memory reserved for growth.
    pub(crate) fn shrink(&mut self) {
        self.bytes.shrink_to_fit();
    }
}

/// Takes a head and its number off the front of `bytes`.
pub(crate) fn take_head(bytes: &mut &[u8]) -> Option<(u8, u64)> {
    let (&head, mut left) = bytes.split_first()?;
    let mut number = u64::from(head >> 4);
    if number > SMALL {
        let mut shift = 0;
        loop {
            let (&byte, rest) = left.split_first()?;
            left = rest;
            number = number.wrapping_add(u64::from(byte & 0x7f).wrapping_shl(shift));
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
    }
    *bytes = left;
    Some((head & 0x0f, number))
}
