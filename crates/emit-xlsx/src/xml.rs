//! Pieces of worksheet XML as the workbook's library writes them: texts, numbers, names of columns.

use std::io::Write;

/// Appends a text of a cell. `text` is one that a cell [shows](crate::sheet::shown): of the control characters it has line
/// breaks only.
pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_escaped(out, text, is_escape);
}

/// Appends a text of a chart, which has no escaped characters. `text`: as of [`put_text`].
pub(crate) fn put_chart_text(out: &mut Vec<u8>, text: &str) {
    put_escaped(out, text, |_| false);
}

/// Appends a text. `is_special`: whether what begins with a `_` has another meaning.
fn put_escaped(out: &mut Vec<u8>, text: &str, is_special: impl Fn(&[u8]) -> bool) {
    let mut from = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'_' if is_special(bytes.get(at..).unwrap_or_default()) => b"_x005F_",
            _ => continue,
        };
        out.extend_from_slice(bytes.get(from..at).unwrap_or_default());
        out.extend_from_slice(escape);
        from = at + 1;
    }
    out.extend_from_slice(bytes.get(from..).unwrap_or_default());
}

/// Whether a text begins with what programs take for an escaped character, such as `_x000A_`.
fn is_escape(text: &[u8]) -> bool {
    match text.get(..7) {
        Some([b'_', b'x', digits @ .., b'_']) => digits.iter().all(u8::is_ascii_hexdigit),
        _ => false,
    }
}

/// Whether programs would drop blanks at the ends of a text unless they are told to keep them.
fn has_outer_blanks(text: &str) -> bool {
    let blanks = ['\t', '\n', ' '];
    text.starts_with(blanks) || text.ends_with(blanks)
}

/// Appends an attribute.
pub(crate) fn put_attribute(out: &mut Vec<u8>, name: &str, value: &str) {
    out.push(b' ');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    let mut from = 0;
    for (at, byte) in value.bytes().enumerate() {
        let escape: &[u8] = match byte {
            b'&' => b"&amp;",
            b'"' => b"&quot;",
            b'<' => b"&lt;",
            b'>' => b"&gt;",
            b'\n' => b"&#xA;",
            _ => continue,
        };
        out.extend_from_slice(value.get(from..at).unwrap_or_default().as_bytes());
        out.extend_from_slice(escape);
        from = at + 1;
    }
    out.extend_from_slice(value.get(from..).unwrap_or_default().as_bytes());
    out.push(b'"');
}

/// Appends what is behind the format of a cell that has a text, up to the cell's end. `text`: as of [`put_text`], and no longer
/// than a cell has room for.
pub(crate) fn put_text_value(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(b" t=\"inlineStr\"><is><t");
    if has_outer_blanks(text) {
        out.extend_from_slice(b" xml:space=\"preserve\"");
    }
    out.push(b'>');
    put_text(out, text);
    out.extend_from_slice(b"</t></is></c>");
}

/// Appends a number, not rounded. A cell has no place for infinities and for what is no number: see [`unusual`].
pub(crate) fn put_number(out: &mut Vec<u8>, x: f64) {
    // Writing to memory never fails.
    let _ = write!(out, "{x}");
}

/// Appends a whole number.
pub(crate) fn put_whole(out: &mut Vec<u8>, n: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
}

/// The text in place of a number that a cell can't have.
pub(crate) fn unusual(x: f64) -> Option<&'static str> {
    match (x.is_nan(), x.is_infinite()) {
        (true, _) => Some("NAN"),
        (_, true) if x > 0.0 => Some("INF"),
        (_, true) => Some("-INF"),
        _ => None,
    }
}

/// The letters of a column, from 0.
pub(crate) fn column_letters(col: u16) -> String {
    let mut letters = Vec::new();
    let mut rest = u32::from(col) + 1;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().map(|letter| char::from(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let escaped = |text| {
            let mut out = Vec::new();
            put_text(&mut out, text);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;\"c'");
        assert_eq!(escaped("_x000A_b_x12G4_"), "_x005F_x000A_b_x12G4_");
        assert_eq!(escaped("_x0041_x0042_ _x004"), "_x005F_x0041_x005F_x0042_ _x004");
        assert_eq!(escaped("日_x日本語_"), "日_x日本語_");
        assert!(has_outer_blanks(" a") && has_outer_blanks("a\n") && !has_outer_blanks("a b"));
    }

    #[test]
    fn columns_have_letters() {
        for (col, letters) in [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")] {
            assert_eq!(column_letters(col), letters);
        }
    }
}
