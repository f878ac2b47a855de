//! Colours of the console: what a line is, is seen before it is read. Only on a terminal, and not where `NO_COLOR` is set
//! (<https://no-color.org>) or the terminal has none.

use std::ffi::OsStr;
use std::sync::LazyLock;

use bigtpu_messages::Message;

const BOLD: &str = "\u{1b}[1m";
const FAINT: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[33m";
const CYAN: &str = "\u{1b}[36m";
const PLAIN: &str = "\u{1b}[0m";

/// Words that begin a line and say how it is meant: ids of the catalogue, as the lines are in the reader's language.
const WORDS: [(&str, &str); 6] = [
    ("explain-error", RED),
    ("diff-limit-failed", RED),
    ("note-loss", RED),
    ("note-warning", YELLOW),
    ("diff-limit-ok", GREEN),
    ("note-remark", FAINT),
];

/// States of a dump, behind the title of its completeness.
const STATES: [(&str, &str); 2] = [("note-complete", GREEN), ("note-incomplete", RED)];

/// Words that are equal in all languages.
struct Words {
    words: Vec<(String, &'static str)>,
    completeness: Vec<String>,
    states: Vec<(String, &'static str)>,
}

static IN_ALL_LANGUAGES: LazyLock<Words> = LazyLock::new(|| {
    // What is before the first mark: no argument of the sentence.
    let first = |text: String| text.split([',', '，', ':', '：']).next().unwrap_or("").to_owned();
    let both = |id: &'static str| Message::new(id).in_both().map(first);
    let coloured = |all: &[(&'static str, &'static str)]| {
        all.iter().flat_map(|(id, colour)| both(id).map(|word| (word, *colour))).collect()
    };
    Words {
        words: coloured(&WORDS),
        completeness: both("note-completeness").into(),
        states: coloured(&STATES),
    }
});

/// Longer beginnings of a line are no titles.
const LONGEST_TITLE: usize = 48;
/// Beginnings in Chinese, which takes fewer characters.
const LONGEST_CHINESE: usize = 24;

/// Whether a stream is to have colours; the environment has `no_color` and `term`.
pub(super) fn is_wanted(is_terminal: bool, no_color: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    is_terminal && no_color.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

/// Lines with the colours of what they are. Texts from outside are encoded already: none of their characters is ours.
pub(super) fn painted(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_rule = |at: usize, mark: char| lines.get(at).is_some_and(|line| line.starts_with(mark));
    let mut is_header = false;
    let mut out = String::with_capacity(text.len() + 64);
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        // A header is between two kinds of rules.
        let begins_table = |at: usize| {
            let next = lines.iter().skip(at + 1).find(|line| line.starts_with(['─', '═']));
            is_rule(at, '─') && next.is_some_and(|line| line.starts_with('═'))
        };
        if is_rule(at, '─') || is_rule(at, '═') {
            is_header = begins_table(at);
            paint(&mut out, FAINT, line);
        } else if is_header || begins_table(at + 1) && !line.starts_with(' ') {
            paint(&mut out, BOLD, line);
        } else {
            paint_words(&mut out, line);
        }
    }
    out
}

/// A line that is no part of a table.
fn paint_words(out: &mut String, line: &str) {
    let known = &*IN_ALL_LANGUAGES;
    let indent = line.len() - line.trim_start_matches(' ').len();
    let (blanks, rest) = line.split_at(indent);
    let Some(mark) = rest.find([':', '：']) else { return out.push_str(line) };
    let (title, behind) = rest.split_at(mark);
    let is_title = title.chars().count() <= LONGEST_TITLE
        && (behind.starts_with('：') || behind == ":" || behind.starts_with(": "));
    let word = known.words.iter().find(|(word, _)| word == title).map(|(_, colour)| *colour);
    let colour = match (word, indent) {
        _ if !is_title => return out.push_str(line),
        (Some(colour), _) => colour,
        (None, 0) if begins_as_title(title) => BOLD,
        // A rule of the advice and its gain.
        (None, 1..) if is_rule_id(title) => CYAN,
        _ => return out.push_str(line),
    };
    out.push_str(blanks);
    paint(out, colour, title);
    let state = Some(behind).filter(|_| known.completeness.iter().any(|own| own == title));
    match state.and_then(|behind| state_of(behind, &known.states)) {
        Some((before, state, more, colour)) => {
            out.push_str(before);
            paint(out, colour, state);
            out.push_str(more);
        }
        None => out.push_str(behind),
    }
}

/// A mark, the state behind it, the rest, and the state's colour.
fn state_of<'a>(
    behind: &'a str,
    states: &[(String, &'static str)],
) -> Option<(&'a str, &'a str, &'a str, &'static str)> {
    let text = behind.trim_start_matches([':', '：', ' ']);
    let before = behind.get(..behind.len() - text.len())?;
    states.iter().find_map(|(state, colour)| {
        let more = text.strip_prefix(state.as_str())?;
        let ends = more.chars().next().is_none_or(|next| !next.is_alphanumeric());
        ends.then_some((before, text.get(..state.len())?, more, *colour))
    })
}

/// A title in English, or a few words in Chinese, which has no capitals; `结论（round-trips）` is one.
fn begins_as_title(title: &str) -> bool {
    let is_chinese = title.starts_with(|first: char| !first.is_ascii());
    title.starts_with(char::is_uppercase)
        || is_chinese
            && !title.contains(['，', '；', '。'])
            && title.chars().count() <= LONGEST_CHINESE
}

/// Such as `launch-overhead (up to 78.902 us, 8.7%)`.
fn is_rule_id(title: &str) -> bool {
    let id = title.split([' ', '（']).next().unwrap_or_default();
    id.len() > 2 && id.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

fn paint(out: &mut String, colour: &str, text: &str) {
    out.push_str(colour);
    out.push_str(text);
    out.push_str(PLAIN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_terminals_without_no_color_have_colours() {
        let of = |is_terminal, no_color: Option<&str>, term: &str| {
            is_wanted(is_terminal, no_color.map(OsStr::new), Some(OsStr::new(term)))
        };
        assert!(of(true, None, "xterm"));
        assert!(of(true, Some(""), "xterm"), "an empty NO_COLOR does not count");
        assert!(!of(true, Some("1"), "xterm"));
        assert!(!of(true, None, "dumb"));
        assert!(!of(false, None, "xterm"));
    }

    #[test]
    fn lines_have_the_colours_of_what_they_are() {
        let cases = [
            (
                "Completeness: complete",
                "\u{1b}[1mCompleteness\u{1b}[0m: \u{1b}[32mcomplete\u{1b}[0m",
            ),
            ("warning: x: y", "\u{1b}[33mwarning\u{1b}[0m: x: y"),
            ("FAILED: total>+3%: x", "\u{1b}[31mFAILED\u{1b}[0m: total>+3%: x"),
            (
                "  launch-overhead (saves 1 us, 8.7%): The chip",
                "  \u{1b}[36mlaunch-overhead (saves 1 us, 8.7%)\u{1b}[0m: The chip",
            ),
            (
                "Kernels\n───\na b\n═══\n1 2\n",
                "\u{1b}[1mKernels\u{1b}[0m\n\u{1b}[2m───\u{1b}[0m\n\u{1b}[1ma b\u{1b}[0m\n\u{1b}[2m═══\u{1b}[0m\n1 2\n",
            ),
            ("未通过：total>+3%：x", "\u{1b}[31m未通过\u{1b}[0m：total>+3%：x"),
            ("警告：x", "\u{1b}[33m警告\u{1b}[0m：x"),
            (
                "完整性：不完整，因为 x",
                "\u{1b}[1m完整性\u{1b}[0m：\u{1b}[31m不完整\u{1b}[0m，因为 x",
            ),
            (
                "  launch-overhead（最多 1 us，8.7%）：芯片",
                "  \u{1b}[36mlaunch-overhead（最多 1 us，8.7%）\u{1b}[0m：芯片",
            ),
            ("结论（round-trips）：15", "\u{1b}[1m结论（round-trips）\u{1b}[0m：15"),
            ("两核，各 15 个：x", "两核，各 15 个：x"),
            // The last row of a table is no title.
            (
                "───\na b\n═══\n1 2\n───\n───\nc d\n═══",
                "\u{1b}[2m───\u{1b}[0m\n\u{1b}[1ma b\u{1b}[0m\n\u{1b}[2m═══\u{1b}[0m\n1 2\n\u{1b}[2m───\u{1b}[0m\n\u{1b}[2m───\u{1b}[0m\n\u{1b}[1mc d\u{1b}[0m\n\u{1b}[2m═══\u{1b}[0m",
            ),
            ("  out/report.json (1 KiB)", "  out/report.json (1 KiB)"),
        ];
        for (line, expected) in cases {
            assert_eq!(painted(line), expected);
        }
    }
}
