//! Repairs text that profilers write although it is not valid JSON, so that its event is not lost.
//!
//! Only events that fail to parse come here. Mended are: bare `NaN`, `Infinity`, `inf` and the
//! like and numbers beyond a double (all become marked strings, which [`non_finite`] reads back);
//! bytes that are not UTF-8 and lone surrogates (become U+FFFD); raw control characters in
//! strings; escapes JSON does not know (their backslash is taken as itself).

/// The first character of a string that represents a number that is not finite.
const MARK: char = '\u{1}';

/// The number a marked string represents.
pub(crate) fn non_finite(text: &str) -> Option<f64> {
    match text.strip_prefix(MARK)? {
        "nan" => Some(f64::NAN),
        "+" => Some(f64::INFINITY),
        "-" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// The repaired text of one event. What it does not know it leaves, for the parser to refuse.
pub(crate) fn repair(event: &[u8]) -> String {
    let text = String::from_utf8_lossy(event);
    let mut repaired = String::with_capacity(text.len() + 64);
    let mut rest: &str = &text;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '"' => repair_string(rest, &mut repaired),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '+' | '-' | '.' => {
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c)));
                let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
                repaired.push_str(repair_word(word));
                after
            }
            _ => {
                repaired.push(c);
                rest.split_at(c.len_utf8()).1
            }
        };
    }
    repaired
}

/// A bare word: a marked string if it is a number that is not finite.
fn repair_word(word: &str) -> &str {
    // Rust's own grammar of floats is just the one wanted: nan, inf and infinity in any case,
    // with a sign or not; a number too large becomes an infinity.
    match word.parse::<f64>() {
        Ok(value) if value.is_nan() => "\"\\u0001nan\"",
        Ok(value) if value.is_infinite() && value > 0.0 => "\"\\u0001+\"",
        Ok(value) if value.is_infinite() => "\"\\u0001-\"",
        _ => word,
    }
}

/// Copies the string `text` starts with; returns what follows it.
fn repair_string<'a>(text: &'a str, repaired: &mut String) -> &'a str {
    repaired.push('"');
    let mut rest = text.strip_prefix('"').unwrap_or(text);
    while let Some(c) = rest.chars().next() {
        let after = rest.split_at(c.len_utf8()).1;
        match c {
            '"' => {
                repaired.push('"');
                return after;
            }
            '\\' => rest = repair_escape(rest, repaired),
            c if c < ' ' => {
                repaired.push_str(&format!("\\u{:04x}", u32::from(c)));
                rest = after;
            }
            c => {
                repaired.push(c);
                rest = after;
            }
        }
    }
    rest
}

/// Copies the escape `text` starts with; returns what follows it.
fn repair_escape<'a>(text: &'a str, repaired: &mut String) -> &'a str {
    if let Some(first) = utf16_escape(text) {
        let after = text.split_at(6).1;
        let second = utf16_escape(after).filter(|u| (0xdc00..0xe000).contains(u));
        return match (first, second) {
            (0xd800..0xdc00, Some(_)) => {
                repaired.push_str(text.split_at(12).0);
                after.split_at(6).1
            }
            (0xd800..0xe000, _) => {
                repaired.push_str("\\ufffd");
                after
            }
            _ => {
                repaired.push_str(text.split_at(6).0);
                after
            }
        };
    }
    let known = text.get(..2).filter(|e| {
        matches!(e.as_bytes().last(), Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't'))
    });
    repaired.push_str(known.unwrap_or("\\\\"));
    text.split_at(known.map_or(1, str::len)).1
}

/// The unit of a `\uXXXX` at the start of `text`.
fn utf16_escape(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn parsed(text: &[u8]) -> String {
        serde_json::from_str::<Value>(&repair(text)).unwrap().to_string()
    }

    #[test]
    fn replaces_numbers_that_are_not_finite() {
        let words = b"[NaN,-NaN,nan,Infinity,-Infinity,inf,-inf,1e999,-1e999,1.5,-2e3,true,null]";
        let Value::Array(values) = serde_json::from_str(&repair(words)).unwrap() else {
            unreachable!()
        };
        let numbers: Vec<String> = values
            .iter()
            .map(|v| v.as_str().and_then(non_finite).map_or(v.to_string(), |n| n.to_string()))
            .collect();
        assert_eq!(
            numbers,
            [
                "NaN", "NaN", "NaN", "inf", "-inf", "inf", "-inf", "inf", "-inf", "1.5", "-2000.0",
                "true", "null"
            ]
        );
    }

    #[test]
    fn leaves_words_inside_strings() {
        assert_eq!(
            parsed(br#"{"NaN":"a NaN, \"Infinity\"","b":1}"#),
            r#"{"NaN":"a NaN, \"Infinity\"","b":1}"#
        );
    }

    #[test]
    fn repairs_strings() {
        assert_eq!(parsed(b"\"a\nb\xff\""), "\"a\\nb\u{fffd}\"");
        assert_eq!(parsed(br#""\ud800x \ud83d\ude00 \udc00""#), "\"\u{fffd}x \u{1f600} \u{fffd}\"");
        assert_eq!(parsed(br#""C:\programs\u12\t""#), r#""C:\\programs\\u12\t""#);
    }

    #[test]
    fn leaves_what_it_does_not_know() {
        for text in [&b"{\"a\":nonsense}"[..], b"{\"a\":\"open", b"\"\\", b"{\"a\" 1}"] {
            assert!(serde_json::from_str::<Value>(&repair(text)).is_err());
        }
    }
}
