//! The keys of a trace's outer object next to its events.

use std::io::{self, Read};

use bigtpu_messages::Message;

use serde_json::{Deserializer, Value, from_slice};

use crate::feed::Feed;
use crate::scan::{Scan, scan, skip_value};
use crate::stats::Warning;

/// Longer keys are never needed.
const MAX_KEY: usize = 4096;
/// Longer values of the keys that matter are not kept.
const MAX_VALUE: usize = 256;
/// `distributedInfo` lists groups of ranks too: its rank is looked for in so many bytes.
const MAX_DISTRIBUTED: usize = 4096;
/// More warnings than this are not kept.
const MAX_WARNINGS: usize = 16;

/// What the outer object says next to the events.
#[derive(Debug, Default)]
pub(crate) struct Members {
    /// Whether there was a list of events.
    pub(crate) has_events: bool,
    /// `displayTimeUnit`.
    pub(crate) display_time_unit: Option<String>,
    /// `baseTimeNanoseconds`.
    pub(crate) base_time_ns: Option<i64>,
    /// `distributedInfo.rank`.
    pub(crate) rank: Option<u32>,
    /// What is wrong with the text between events.
    pub(crate) warnings: Vec<Warning>,
    malformed: bool,
}

impl Members {
    /// Reads a key and its value, which the feed is at; true if the list of events starts here.
    pub(crate) fn read_one<R: Read>(&mut self, feed: &mut Feed<R>) -> io::Result<bool> {
        let offset = feed.offset();
        let key = read_key(feed)?;
        let next = feed.peek_token(false)?;
        let (Some(key), Some(b':')) = (key, next) else {
            // At the end of the text its cut is what matters.
            if next.is_some() {
                self.warn_malformed(offset);
            }
            return Ok(false);
        };
        feed.consume(1);
        let first = feed.peek_token(false)?;
        match key.as_str() {
            "traceEvents" if first == Some(b'[') => {
                feed.consume(1);
                self.has_events = true;
                return Ok(true);
            }
            "traceEvents" => self.warn(feed.offset(), Message::new("note-no-event-list")),
            "displayTimeUnit" => self.display_time_unit = small_scalar(feed)?,
            "baseTimeNanoseconds" => {
                self.base_time_ns = small_scalar(feed)?.and_then(|text| text.trim().parse().ok());
            }
            "distributedInfo" => self.rank = rank_of(feed)?,
            _ => {}
        }
        skip_value(feed)?;
        Ok(false)
    }

    /// Notes what is wrong at `offset`.
    pub(crate) fn warn(&mut self, offset: u64, message: Message) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { offset, message });
        }
    }

    fn warn_malformed(&mut self, offset: u64) {
        if !self.malformed {
            self.warn(offset, Message::new("note-malformed"));
        }
        self.malformed = true;
    }
}

/// The key the feed is at; `None`, and something is passed, if there is none.
fn read_key<R: Read>(feed: &mut Feed<R>) -> io::Result<Option<String>> {
    if feed.peek()? != Some(b'"') {
        skip_value(feed)?;
        return Ok(None);
    }
    match scan(feed, MAX_KEY, |_| false)? {
        Scan::Whole(len) => {
            let key = feed.text().get(..len).and_then(|text| from_slice(text).ok());
            feed.consume(len);
            Ok(Some(key.unwrap_or_default()))
        }
        Scan::TooLong => Ok(Some(String::new())),
        Scan::Cut | Scan::Stopped => {
            feed.consume(usize::MAX);
            Ok(None)
        }
    }
}

/// The short string or number the feed is at, as text; nothing is passed.
fn small_scalar<R: Read>(feed: &mut Feed<R>) -> io::Result<Option<String>> {
    while feed.text().len() < MAX_VALUE && feed.more()? {}
    let text = feed.text();
    let text = text.get(..MAX_VALUE).unwrap_or(text);
    Ok(match Deserializer::from_slice(text).into_iter::<Value>().next() {
        Some(Ok(Value::String(text))) => Some(text),
        Some(Ok(Value::Number(number))) => Some(number.to_string()),
        _ => None,
    })
}

/// The number of `rank` in the object that the feed is at; nothing is passed. Only its first bytes are looked at, so the
/// object need not be whole there.
fn rank_of<R: Read>(feed: &mut Feed<R>) -> io::Result<Option<u32>> {
    while feed.text().len() < MAX_DISTRIBUTED && feed.more()? {}
    let text = feed.text();
    let text = object(text.get(..MAX_DISTRIBUTED).unwrap_or(text));
    let text = String::from_utf8_lossy(text);
    // The name of a group may hold the word, too: only a key has a colon behind it.
    let mut behind = text.split("\"rank\"").skip(1);
    let value = behind.find_map(|rest| rest.trim_start().strip_prefix(':')).map(str::trim_start);
    let digits = value.map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default()
    });
    Ok(digits.and_then(|digits| digits.parse().ok()))
}

/// The text of the object at the start of a text, or all of the text if it does not end there.
fn object(text: &[u8]) -> &[u8] {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            b'{' if !in_string => depth += 1,
            b'}' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(..at).unwrap_or(text);
                }
            }
            _ => {}
        }
    }
    text
}
