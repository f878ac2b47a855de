//! JSON values straight into the arena, without a tree in between.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use crate::args::{Args, CONST, END, LIST, MAP, NINT, UINT};
use crate::repair::non_finite;
use crate::strings::Strings;

/// Writes the one JSON value it is given to the end of the arena.
pub(crate) struct ArgSeed<'s> {
    pub(crate) args: &'s mut Args,
    pub(crate) strings: &'s mut Strings,
    /// Whether the text was repaired, so that `NaN` and its like are as marked strings.
    pub(crate) repaired: bool,
}

impl ArgSeed<'_> {
    fn again(&mut self) -> ArgSeed<'_> {
        ArgSeed { args: self.args, strings: self.strings, repaired: self.repaired }
    }
}

impl<'de> DeserializeSeed<'de> for ArgSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ArgSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.args.put(CONST, 0);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.args.put(CONST, 1 + u64::from(value));
        Ok(())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.args.put(UINT, value);
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        match u64::try_from(value) {
            Ok(value) => self.args.put(UINT, value),
            Err(_) => self.args.put(NINT, !value.cast_unsigned()),
        }
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.args.put_double(value);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        match non_finite(text).filter(|_| self.repaired) {
            Some(value) => self.args.put_double(value),
            None => self.args.put_str(self.strings.value(text)),
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        self.args.put(LIST, 0);
        while list.next_element_seed(self.again())?.is_some() {}
        self.args.put(END, 0);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.args.put(MAP, 0);
        while map.next_key_seed(KeySeed(self.again()))?.is_some() {
            map.next_value_seed(self.again())?;
        }
        self.args.put(END, 0);
        Ok(())
    }
}

/// Writes a map's key.
struct KeySeed<'s>(ArgSeed<'s>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<(), E> {
        let id = self.0.strings.name(key);
        self.0.args.put_str(id);
        Ok(())
    }
}

#[cfg(test)]
#[path = "arg_tests.rs"]
mod tests;
