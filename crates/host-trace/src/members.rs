//! The keys of a trace's outer object next to its events.

use std::io::{self, Read};

use serde_json::{Deserializer, Value, from_slice};

use crate::feed::Feed;
use crate::scan::{Scan, scan, skip_value};
use crate::stats::Warning;

/// Longer keys are never needed.
const MAX_KEY: usize = 4096;
/// Longer values of the keys that matter are not kept.
const MAX_VALUE: usize = 256;
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
            "traceEvents" => self.warn(feed.offset(), "`traceEvents` is not a list and is ignored"),
            "displayTimeUnit" => self.display_time_unit = small_scalar(feed)?,
            "baseTimeNanoseconds" => {
                self.base_time_ns = small_scalar(feed)?.and_then(|text| text.trim().parse().ok());
            }
            _ => {}
        }
        skip_value(feed)?;
        Ok(false)
    }

    /// Notes what is wrong at `offset`.
    pub(crate) fn warn(&mut self, offset: u64, text: &str) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(Warning { offset, text: text.to_owned() });
        }
    }

    fn warn_malformed(&mut self, offset: u64) {
        if !self.malformed {
            self.warn(offset, "malformed text outside of `traceEvents` is ignored");
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
