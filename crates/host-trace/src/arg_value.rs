//! Walking packed arguments as typed values.

use crate::args::{CONST, DOUBLE, END, LIST, MAP, NINT, STR, UINT, take_head};
use crate::strings::StrId;

/// One value of an event's arguments.
#[derive(Clone, Copy, Debug)]
pub enum ArgValue<'a> {
    /// JSON `null`.
    Null,
    /// JSON `true` or `false`.
    Bool(bool),
    /// An integer that fits 64 bits with a sign.
    Int(i64),
    /// A larger integer that fits 64 bits without one.
    UInt(u64),
    /// Any other number; `NaN` and the infinities too, and integers beyond 64 bits (rounded).
    Double(f64),
    /// Text.
    Str(StrId),
    /// A list, in file order.
    List(ArgList<'a>),
    /// Keys and values, in file order; a key that occurs twice is there twice.
    Map(ArgMap<'a>),
}

/// The values of a list; an iterator over them.
#[derive(Clone, Copy, Debug)]
pub struct ArgList<'a> {
    bytes: &'a [u8],
}

/// The keys and values of a map; an iterator over them.
#[derive(Clone, Copy, Debug)]
pub struct ArgMap<'a> {
    bytes: &'a [u8],
}

impl<'a> ArgValue<'a> {
    /// Takes one value off the front of `bytes`; `None` at an end mark.
    pub(crate) fn read(bytes: &mut &'a [u8]) -> Option<Self> {
        let (tag, number) = take_head(bytes)?;
        Some(match tag {
            CONST if number == 0 => Self::Null,
            CONST => Self::Bool(number == 2),
            UINT => i64::try_from(number).map_or(Self::UInt(number), Self::Int),
            NINT => Self::Int(-1 - i64::try_from(number).ok()?),
            DOUBLE => {
                let (double, rest) = bytes.split_first_chunk()?;
                *bytes = rest;
                Self::Double(f64::from_le_bytes(*double))
            }
            STR => Self::Str(StrId(u32::try_from(number).ok()?)),
            LIST => Self::List(ArgList { bytes: take_nested(bytes)? }),
            MAP => Self::Map(ArgMap { bytes: take_nested(bytes)? }),
            _ => return None,
        })
    }
}

/// Takes a container's inside and its end mark off the front of `bytes`.
fn take_nested<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let inside = *bytes;
    let mut depth = 0usize;
    loop {
        let before = bytes.len();
        match take_head(bytes)?.0 {
            LIST | MAP => depth += 1,
            DOUBLE => *bytes = bytes.get(8..)?,
            END if depth == 0 => return inside.get(..inside.len() - before),
            END => depth -= 1,
            _ => {}
        }
    }
}

impl<'a> ArgMap<'a> {
    /// The value of the last entry whose key is `key`.
    #[must_use]
    pub fn get(self, key: StrId) -> Option<ArgValue<'a>> {
        self.filter(|&(k, _)| k == key).last().map(|(_, value)| value)
    }

    /// The packed entries, without head and end mark.
    pub(crate) fn packed(self) -> &'a [u8] {
        self.bytes
    }
}

impl<'a> Iterator for ArgList<'a> {
    type Item = ArgValue<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        ArgValue::read(&mut self.bytes)
    }
}

impl<'a> Iterator for ArgMap<'a> {
    type Item = (StrId, ArgValue<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match ArgValue::read(&mut self.bytes)? {
            ArgValue::Str(key) => Some((key, ArgValue::read(&mut self.bytes)?)),
            _ => None,
        }
    }
}
