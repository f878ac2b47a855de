//! Encoders: what a sink can take for more than text becomes text.

use std::borrow::Cow;
use std::fmt::{self, Formatter, Write};
use std::path::Path;

/// Whether a character is shown as itself: not a control character, a line or paragraph separator, a mark that turns the
/// direction of what follows, or one that can't be seen (zero width, byte order mark, fillers, variants, tags). The joiners of U+200C and
/// U+200D stay: some scripts need them.
pub(crate) fn is_plain(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let is_unseen = matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    );
    !c.is_control() && !is_unseen
}

/// Writes a text with `encode` for each character that is shown as itself, and an escape such as `\u{1b}` for others.
fn plain(
    text: &str,
    out: &mut Formatter<'_>,
    mut encode: impl FnMut(char, &str, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for (at, c) in text.char_indices() {
        if is_plain(c) {
            encode(c, text.get(at + c.len_utf8()..).unwrap_or_default(), out)?;
        } else {
            for escaped in c.escape_unicode() {
                encode(escaped, "", out)?;
            }
        }
    }
    Ok(())
}

/// Whether a text is ASCII that is shown as itself: as most texts are, and quickly seen.
#[inline]
pub(crate) fn is_ascii_line(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// One line of plain text.
pub(crate) fn line(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    if text.chars().all(is_plain) {
        return out.write_str(text);
    }
    plain(text, out, |c, _, out| out.write_char(c))
}

/// Text and values of attributes in HTML, SVG and XML.
pub(crate) fn markup(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    plain(text, out, |c, _, out| match c {
        '&' => out.write_str("&amp;"),
        '<' => out.write_str("&lt;"),
        '>' => out.write_str("&gt;"),
        '"' => out.write_str("&quot;"),
        '\'' => out.write_str("&#39;"),
        c => out.write_char(c),
    })
}

/// Text in Markdown that starts no markup, ends no cell, and is no link, mention or reference on GitHub, which finds these
/// in the finished page (also `GH-12`): a comment parts them.
pub(crate) fn markdown(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    const PART: &str = "<!-- -->";
    let mut before = ' ';
    let mut recent = [' '; 3];
    plain(text, out, |c, rest, out| {
        let next = rest.chars().next().unwrap_or(' ');
        match c {
            // Within a word it is no markup.
            '_' if before.is_alphanumeric() && next.is_alphanumeric() => out.write_char(c)?,
            '|' | '*' | '_' | '`' | '[' | ']' | '#' | '\\' | '~' => write!(out, "\\{c}")?,
            '<' => out.write_str("&lt;")?,
            '>' => out.write_str("&gt;")?,
            '&' => out.write_str("&amp;")?,
            c => out.write_char(c)?,
        }
        let is_link = c == ':' && rest.starts_with("//");
        let is_host =
            c.eq_ignore_ascii_case(&'w') && before.eq_ignore_ascii_case(&'w') && next == '.';
        let is_mention = c == '@' && next.is_ascii_alphanumeric();
        let is_reference = c == '#' && next.is_ascii_digit();
        let [around, g, h] = recent.map(|c: char| c.to_ascii_lowercase());
        let is_gh =
            c == '-' && next.is_ascii_digit() && [g, h] == ['g', 'h'] && !around.is_alphanumeric();
        recent = [recent[1], recent[2], c];
        before = c;
        if is_link || is_host || is_mention || is_reference || is_gh {
            out.write_str(PART)
        } else {
            Ok(())
        }
    })
}

/// Text between double quotes in DOT.
pub(crate) fn dot(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    plain(text, out, |c, _, out| match c {
        '"' | '\\' => write!(out, "\\{c}"),
        c => out.write_char(c),
    })
}

/// Text between single quotes in Python and JavaScript.
pub(crate) fn literal(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    for c in text.chars() {
        match c {
            '\'' | '\\' => write!(out, "\\{c}")?,
            c if is_plain(c) => out.write_char(c)?,
            c => units(c, out)?,
        }
    }
    Ok(())
}

/// A character as JSON and JavaScript escape it.
fn units(c: char, out: &mut impl Write) -> fmt::Result {
    c.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(out, "\\u{unit:04x}"))
}

/// Writes a text with `encode` for each character that can be seen, or is a control character, and an escape for others.
fn seen(
    text: &str,
    out: &mut Formatter<'_>,
    mut encode: impl FnMut(char, &mut Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    for c in text.chars() {
        if is_plain(c) || c.is_control() {
            encode(c, out)?;
        } else {
            write!(out, "{}", c.escape_unicode())?;
        }
    }
    Ok(())
}

/// A cell of CSV. A text that spreadsheet programs take for a formula, or that begins with `'`, gets a `'` in front; a
/// reader gets the text back by removing one `'`. Characters that
/// can't be seen are escapes. Nothing else is changed: quotes keep separators and line breaks.
pub(crate) fn csv(text: &str, out: &mut Formatter<'_>) -> fmt::Result {
    let mark =
        if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '\'']) { "'" } else { "" };
    // Semicolons and tabs are separators for some readers.
    if text.contains([',', '"', '\n', '\r', ';', '\t']) {
        write!(out, "\"{mark}")?;
        seen(text, out, |c, out| match c {
            '"' => out.write_str("\"\""),
            c => out.write_char(c),
        })?;
        return out.write_char('"');
    }
    out.write_str(mark)?;
    seen(text, out, |c, out| out.write_char(c))
}

/// Whether a cell is ASCII that CSV has as it is: as most are, and quickly seen.
#[inline]
pub(crate) fn is_csv_cell(text: &str) -> bool {
    let is_own = |byte| matches!(byte, b' '..=b'~') && !matches!(byte, b',' | b'"' | b';');
    !text.starts_with(['=', '+', '-', '@', '\'']) && text.bytes().all(is_own)
}

/// A path on one line of plain text.
pub(crate) fn shown_path(path: &Path) -> String {
    crate::Untrusted::from(path).line().to_string()
}

/// One line of plain text: an escape for each character that is not shown as itself.
#[must_use]
pub fn plain_line(text: &str) -> Cow<'_, str> {
    match is_ascii_line(text) || text.chars().all(is_plain) {
        true => text.into(),
        false => crate::Untrusted::from(text).line().to_string().into(),
    }
}

/// Several lines of plain text: an escape for each character that is not shown as itself, line breaks excepted.
#[must_use]
pub fn plain_lines(text: &str) -> String {
    let is_shown = |c: char| c == '\n' || is_plain(c);
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_shown(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown
}

/// A text of any number of lines: an escape for each character that is not shown as itself, tabs and line breaks excepted.
#[must_use]
pub fn plain_paragraph(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| matches!(c, '\n' | '\r' | '\t') || is_plain(c);
    if is_ascii_line(text) || text.chars().all(is_shown) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_shown(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    shown.into()
}

/// JSON of the same meaning without any character that is not shown as itself, line breaks excepted: such characters can
/// be in texts only, where JSON has escapes for them.
#[must_use]
pub fn plain_json(json: &str) -> Cow<'_, str> {
    let is_shown = |c: char| c == '\n' || is_plain(c);
    // Most of it is ASCII, of which a byte tells enough.
    let mut rest = json.chars();
    let is_whole = loop {
        let text = rest.as_str();
        let ascii = text.bytes().position(|byte| !matches!(byte, b' '..=b'~' | b'\n'));
        rest = text.get(ascii.unwrap_or(text.len())..).unwrap_or_default().chars();
        match rest.next() {
            None => break true,
            Some(c) if is_shown(c) => {}
            Some(_) => break false,
        }
    };
    if is_whole {
        return json.into();
    }
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        if is_shown(c) {
            shown.push(c);
        } else {
            // Writing to a text never fails.
            let _ = units(c, &mut shown);
        }
    }
    shown.into()
}

/// JSON for a script that shows its texts: characters that are not shown as themselves are escapes in the texts, line breaks and
/// tabs excepted. `<` is in texts only, and its escape means the same.
pub(crate) fn page_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    let is_as_it_is = |byte: u8| matches!(byte, b' '..=b'~' | b'\n') && !b"<\\".contains(&byte);
    let mut rest = json.chars();
    loop {
        let text = rest.as_str();
        let length = text.bytes().position(|byte| !is_as_it_is(byte)).unwrap_or(text.len());
        let (same, behind) = text.split_at(length);
        shown.push_str(same);
        rest = behind.chars();
        let Some(c) = rest.next() else { break };
        match c {
            '<' => shown.push_str("\\u003c"),
            '\\' => match escaped_control(rest.as_str()) {
                Some((c, length)) => {
                    text_escape(c, &mut shown);
                    rest.nth(length - 1);
                }
                None => {
                    shown.push(c);
                    shown.extend(rest.next());
                }
            },
            c if c == '\n' || is_plain(c) => shown.push(c),
            c => text_escape(c, &mut shown),
        }
    }
    shown
}

/// The escape of a character, as JSON writes the text of it.
fn text_escape(c: char, json: &mut String) {
    json.push('\\');
    json.extend(c.escape_unicode());
}

/// A control character that a library has escaped in JSON, behind its `\`, and the length of that; not line breaks and tabs.
fn escaped_control(rest: &str) -> Option<(char, usize)> {
    match rest.chars().next()? {
        'b' => Some(('\u{8}', 1)),
        'f' => Some(('\u{c}', 1)),
        'u' => {
            let code = u32::from_str_radix(rest.get(1..5)?, 16).ok()?;
            let c = char::from_u32(code).filter(|c| c.is_control())?;
            Some((c, 5))
        }
        _ => None,
    }
}
