//! Finds the next event after one whose text is broken, say by a quote too many.
//!
//! Such an event seems to continue over the events after it. The next one is taken to start where
//! `}`, `,` and `{` follow one another and a whole object with a `ph` starts. Events that are sound,
//! though long, are never searched.

use std::collections::BTreeMap;

use serde::de::IgnoredAny;
use serde_json::{Deserializer, Error, from_slice, from_str};

use crate::repair::repair;

/// The search, with a budget that keeps its time linear in the trace.
#[derive(Debug, Default)]
pub(crate) struct Resync {
    /// Bytes looked at so far.
    spent: u64,
}

impl Resync {
    /// Where in `text`, the start of a broken event, the next event starts.
    ///
    /// `None` if `text` is sound as far as it goes, if there is no next event, or if more than
    /// 16 MiB and 4 times the `read` bytes of the trace have been searched already.
    pub(crate) fn next_event(&mut self, text: &[u8], read: u64) -> Option<usize> {
        let budget = read.saturating_mul(4).saturating_add(16 << 20);
        self.spent += text.len() as u64;
        if self.spent > budget || is_sound(text) {
            return None;
        }
        for brace in memchr::memchr_iter(b'{', text).skip(1) {
            let (before, rest) = text.split_at_checked(brace)?;
            if !follows_an_object(before) {
                continue;
            }
            let mut objects =
                Deserializer::from_slice(rest).into_iter::<BTreeMap<String, IgnoredAny>>();
            match objects.next() {
                Some(Ok(object)) if object.contains_key("ph") => return Some(brace),
                Some(Ok(_)) => self.spent += objects.byte_offset() as u64,
                _ => self.spent += rest.len() as u64,
            }
            if self.spent > budget {
                return None;
            }
        }
        None
    }
}

/// Whether `text` is JSON, or the start of some.
fn is_sound(text: &[u8]) -> bool {
    let sound = |parsed: Result<IgnoredAny, Error>| parsed.map_or_else(|e| e.is_eof(), |_| true);
    sound(from_slice(text)) || sound(from_str(&repair(text)))
}

/// Whether `text` ends with a closing brace and a comma.
fn follows_an_object(text: &[u8]) -> bool {
    let object = text.trim_ascii_end().strip_suffix(b",").map(<[u8]>::trim_ascii_end);
    object.is_some_and(|text| text.ends_with(b"}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next_event(text: &str) -> Option<usize> {
        Resync::default().next_event(text.as_bytes(), 0)
    }

    #[test]
    fn finds_the_event_after_a_broken_one() {
        assert_eq!(next_event(r#"{"name":"a,"ph":"X"}, {"ph":"X","name":"b"}"#), Some(22));
        assert_eq!(next_event(r#"{"a":[{,{"x":1},{"y":2}]},{"ph":"i"}"#), Some(26));
    }

    #[test]
    fn leaves_valid_text() {
        assert_eq!(next_event(r#"{"a":{},"b":[{},{"ph":"X"},{"ph":"X"}]}"#), None);
        assert_eq!(next_event(r#"{"a":NaN,"b":[{},{"ph":"X"},{"ph":"X"}"#), None);
    }

    #[test]
    fn finds_nothing_without_an_event() {
        assert_eq!(next_event(r#"{"a":[{,{"x":1},{"y":2}]}"#), None);
    }

    #[test]
    fn gives_up_when_the_budget_is_spent() {
        let text = br#"{"name":"a,"ph":"X"}, {"ph":"X","name":"b"}"#;
        assert_eq!(Resync { spent: 1 << 30 }.next_event(text, 1000), None);
    }
}
