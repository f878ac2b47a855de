//! One event's text to its fields: the known keys as raw JSON, the arguments into the arena.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::arg_seed::ArgSeed;
use crate::arg_value::ArgValue;
use crate::args::{Args, ArgsRef};
use crate::decimal::ExactNs;
use crate::error::EventError;
use crate::strings::Strings;

/// A key's value as it is in the text.
pub(crate) type Raw<'e> = Option<&'e RawValue>;

/// The fields of one event. A key that occurs twice has its last value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fields<'e> {
    pub(crate) ph: Raw<'e>,
    pub(crate) name: Raw<'e>,
    pub(crate) cat: Raw<'e>,
    pub(crate) pid: Raw<'e>,
    pub(crate) tid: Raw<'e>,
    pub(crate) ts: Raw<'e>,
    pub(crate) dur: Raw<'e>,
    pub(crate) id: Raw<'e>,
    pub(crate) id2: Raw<'e>,
    pub(crate) bp: Raw<'e>,
    pub(crate) s: Raw<'e>,
    pub(crate) args: ArgsRef,
}

impl<'e> Fields<'e> {
    /// Parses `text`, one JSON object; its arguments go to the end of `args`.
    pub(crate) fn parse(
        text: &'e str,
        repaired: bool,
        args: &mut Args,
        strings: &mut Strings,
    ) -> Result<Self, serde_json::Error> {
        let mut json = serde_json::Deserializer::from_str(text);
        let fields = FieldsSeed(ArgSeed { args, strings, repaired }).deserialize(&mut json)?;
        json.end()?;
        fields.check_texts()?;
        Ok(fields)
    }

    /// Refuses texts with an escape that means no character: raw JSON is taken as it is.
    fn check_texts(&self) -> Result<(), serde_json::Error> {
        let Self { ph, name, cat, pid, tid, id, bp, s, .. } = self;
        let texts = [ph, name, cat, pid, tid, id, bp, s].into_iter().flatten().map(|raw| raw.get());
        let escaped = texts.filter(|json| {
            json.starts_with('"') && memchr::memchr(b'\\', json.as_bytes()).is_some()
        });
        for json in escaped {
            serde_json::from_str::<Cow<'_, str>>(json)?;
        }
        Ok(())
    }
}

/// A value as text: a string's content, the JSON text of anything else, "" for none and `null`.
pub(crate) fn text(raw: Raw<'_>) -> Cow<'_, str> {
    match raw.map(RawValue::get) {
        None | Some("null") => Cow::Borrowed(""),
        Some(json) => match json.strip_prefix('"').and_then(|json| json.strip_suffix('"')) {
            Some(inside) if memchr::memchr(b'\\', inside.as_bytes()).is_none() => {
                Cow::Borrowed(inside)
            }
            Some(_) => Cow::Owned(serde_json::from_str(json).unwrap_or_default()),
            None => Cow::Borrowed(json),
        },
    }
}

/// The time in `field`, microseconds; `None` if there is none.
pub(crate) fn time(raw: Raw<'_>, field: &'static str) -> Result<Option<ExactNs>, EventError> {
    match text(raw).as_ref() {
        "" => Ok(None),
        text => ExactNs::parse_us(text).map(Some).map_err(|why| EventError::Time { field, why }),
    }
}

/// Visits an event's object.
struct FieldsSeed<'s>(ArgSeed<'s>);

impl<'de> DeserializeSeed<'de> for FieldsSeed<'_> {
    type Value = Fields<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Fields<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for FieldsSeed<'_> {
    type Value = Fields<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
        let ArgSeed { args, strings, repaired } = self.0;
        let mut fields = Fields::default();
        while let Some(key) = map.next_key_seed(KeySeed)? {
            let slot = match key {
                Key::Ph => &mut fields.ph,
                Key::Name => &mut fields.name,
                Key::Cat => &mut fields.cat,
                Key::Pid => &mut fields.pid,
                Key::Tid => &mut fields.tid,
                Key::Ts => &mut fields.ts,
                Key::Dur => &mut fields.dur,
                Key::Id => &mut fields.id,
                Key::Id2 => &mut fields.id2,
                Key::Bp => &mut fields.bp,
                Key::S => &mut fields.s,
                Key::Args => {
                    let mark = args.mark().ok_or_else(|| A::Error::custom("too many arguments"))?;
                    map.next_value_seed(ArgSeed { args, strings, repaired })?;
                    fields.args = unless_empty(args, mark);
                    continue;
                }
                Key::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *slot = Some(map.next_value()?);
        }
        Ok(fields)
    }
}

/// `mark`, unless what is there is an empty map or `null`.
fn unless_empty(args: &Args, mark: ArgsRef) -> ArgsRef {
    match args.get(mark) {
        Some(ArgValue::Map(map)) if map.packed().is_empty() => ArgsRef::NONE,
        None | Some(ArgValue::Null) => ArgsRef::NONE,
        _ => mark,
    }
}

/// The keys of an event that are read.
enum Key {
    Ph,
    Name,
    Cat,
    Pid,
    Tid,
    Ts,
    Dur,
    Id,
    Id2,
    Bp,
    S,
    Args,
    Other,
}

struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Key;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
        Ok(match key {
            "ph" => Key::Ph,
            "name" => Key::Name,
            "cat" => Key::Cat,
            "pid" => Key::Pid,
            "tid" => Key::Tid,
            "ts" => Key::Ts,
            "dur" => Key::Dur,
            "id" => Key::Id,
            "id2" => Key::Id2,
            "bp" => Key::Bp,
            "s" => Key::S,
            "args" => Key::Args,
            _ => Key::Other,
        })
    }
}
