//! Prints what is said of a name, a sentence or a question.

use anyhow::Result;
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_messages::{Arg, Language, Message, message, templates};
use bigtpu_output::{Lines, Text, text};

use super::document::Entry;
use super::fields::{FIELDS, Field};
use super::pages::{self, Chapter, Scope};
use super::search::Found;
use super::sentences::{self, Sentence};
use super::{ENTRIES, Explained, QUOTING, asking, is_name, is_same, search};
use crate::args::explain::Args;
use crate::console::ignore_broken_pipe;

/// So many lines of an answer are shown, as long as it is in one piece: all is on one screen.
const MOST_LINES: usize = 34;
/// So many answers are shown where the question is none of the program's own: one of the others may be what was meant.
const MOST_ANSWERS: usize = 4;
/// So many other answers are named.
const MOST_OTHERS: usize = 3;

/// Prints what is said of the name; without one the names of all.
pub(crate) fn run(args: &Args) -> Result<()> {
    let asked = args.name().unwrap_or_default();
    // A sentence of the program in Chinese is looked up, a question is answered.
    let language = match asking::is_chinese(&asked) && asking::is_question(&asked) {
        true => Language::Chinese,
        false => args.lang.language(),
    };
    let text = match args.found() {
        None => list(language),
        Some(Explained::Page(page)) => joined(on_screen(page, language)),
        Some(Explained::Named(entries, fields)) => {
            let mut parts: Vec<Text<Lines>> =
                entries.iter().map(|entry| shown(entry, language)).collect();
            parts.extend(shown_fields(fields, language));
            if let Some(several) = told_apart(entries, fields, language) {
                parts.insert(0, several);
            }
            let questions = search::questions_with(&asked, language);
            if !questions.is_empty() {
                parts.push(listed(&Message::new("explain-questions"), &questions, language));
            }
            Text::<Lines>::joined(parts, "")
        }
        Some(Explained::Sentences(all)) => Text::<Lines>::joined(
            all.iter().map(|sentence| shown_sentence(sentence, language)),
            "\n",
        ),
        Some(Explained::Chapters(found)) => answered(&asked, found, language),
    };
    ignore_broken_pipe(standard::lines(&text).map_err(Into::into))
}

/// What tells that things of several kinds have one name, and which.
fn told_apart(entries: &[&Entry], fields: &[&Field], language: Language) -> Option<Text<Lines>> {
    let first = entries.first()?;
    let mut kinds: Vec<&str> = entries.iter().map(|entry| entry.kind).collect();
    kinds.extend(fields.first().map(|_| "explain-json"));
    kinds.dedup();
    // Two names in one question are two things.
    let is_one =
        entries.iter().all(|entry| first.names.iter().any(|n| entry.is_called(n, is_same)));
    if kinds.len() < 2 || !is_one {
        return None;
    }
    let listed = Arg::Clauses(kinds.iter().map(|kind| Message::new(kind)).collect());
    let name = first.names.first().cloned().unwrap_or_default();
    let said = message!("explain-several", name = name, count = kinds.len(), kinds = listed);
    Some(text!("{}\n\n", said.text(language)))
}

/// The section that answers, on one screen, and what else may.
fn answered(asked: &str, found: &Found, language: Language) -> Text<Lines> {
    let chapters = &found.chapters;
    let Some((first, others)) = chapters.split_first() else { return Text::new() };
    let (first, more) = first.without_more(language);
    // The section that says more comes first.
    let is_other = |chapter: &&Chapter| more.is_none_or(|more| more.place() != chapter.place());
    let mut lines = on_screen(&first, language);
    if lines.len() > MOST_LINES {
        let whole = (1..MOST_LINES).rev().find(|&at| lines[at].is_empty());
        lines.truncate(whole.unwrap_or(MOST_LINES));
        let more = message!("explain-rest", place = first.place()).text(language);
        lines.extend([String::new(), more.as_str().to_owned()]);
    }
    let beside = next_answers(asked, chapters, lines.len(), language);
    let is_shown =
        |chapter: &Chapter| beside.iter().any(|(shown, _)| shown.place() == chapter.place());
    let others: Vec<Chapter> = more
        .into_iter()
        .chain(others.iter().filter(is_other).copied())
        .filter(|chapter| !is_shown(chapter))
        .collect();
    for (_, answer) in &beside {
        lines.push(String::new());
        lines.extend(answer.iter().cloned());
    }
    let others = listed(&Message::new("explain-answered"), &others, language);
    // A name that is none, but stands in a section.
    let is_named = first.heading.contains(asked);
    let none = match is_name(asked) && !is_named {
        true => Some(message!("explain-sections", given = asked)),
        false => found.is_weak().then(|| Message::new("explain-weak")),
    };
    match none {
        Some(none) => text!("{}\n\n{}{}", none.text(language), joined(lines), others),
        None => text!("{}{}", joined(lines), others),
    }
}

/// The short answers next to the first one, with their lines, as far as they have room on the screen below `used` lines. None where a
/// question of the program itself is asked, as lists of other answers name them.
pub(super) fn next_answers(
    asked: &str,
    chapters: &[Chapter],
    used: usize,
    language: Language,
) -> Vec<(Chapter, Vec<String>)> {
    let is_own = chapters.first().is_none_or(|first| first.is_asked_as(asked));
    let mut room = MOST_LINES.saturating_sub(used);
    let mut shown = Vec::new();
    let others = chapters.iter().skip(1).filter(|chapter| chapter.scope() == Scope::Answers);
    for chapter in others.take(MOST_ANSWERS - 1).filter(|_| !is_own) {
        let lines = on_screen(&chapter.without_more(language).0, language);
        if lines.len() < room {
            room -= lines.len() + 1;
            shown.push((*chapter, lines));
        }
    }
    shown
}

/// The lines of a section in the width of the terminal.
fn on_screen(chapter: &Chapter, language: Language) -> Vec<String> {
    let screen = Screen::stdout();
    let broken = |line: String| match language {
        // A terminal breaks Chinese between any two characters; examples stay as they are.
        Language::English if !line.starts_with("    ") => {
            screen.text(&line).as_str().lines().map(str::to_owned).collect()
        }
        _ => vec![line],
    };
    let broken = |line: String| if line.is_empty() { vec![line] } else { broken(line) };
    chapter.lines().into_iter().flat_map(broken).collect()
}

fn joined(lines: Vec<String>) -> Text<Lines> {
    let lines = lines.into_iter().map(|line| -> Text<Lines> { text!("{}\n", line) });
    Text::<Lines>::joined(lines, "")
}

/// What introduces sections, and the commands that print the first ones.
fn listed(introduced: &Message, chapters: &[Chapter], language: Language) -> Text<Lines> {
    let commands = chapters.iter().take(MOST_OTHERS).map(|chapter| -> Text<Lines> {
        match chapter.scope() {
            Scope::Answers => text!("  bigtpuprofile explain {}\n", chapter.asked_as()),
            _ => text!(
                "  bigtpuprofile explain {}  ({})\n",
                chapter.asked_as(),
                chapter.heading_alone()
            ),
        }
    });
    match chapters.is_empty() {
        true => Text::new(),
        false => text!("\n{}\n{}", introduced.text(language), Text::<Lines>::joined(commands, "")),
    }
}

/// The names, those of a kind below their heading.
fn list(language: Language) -> Text<Lines> {
    let mut lines: Vec<Text<Lines>> = Vec::new();
    let mut kind = "";
    for entry in &*ENTRIES {
        if entry.kind != kind {
            kind = entry.kind;
            let heading = Message::new(kind).text(language);
            if !lines.is_empty() {
                lines.push(text!("\n"));
            }
            lines.push(text!("{}:\n", heading));
        }
        lines.push(text!("  {}\n", entry.names.join(", ")));
    }
    lines.push(text!("\n{}:\n", Message::new("explain-json").text(language)));
    let mut fields: Vec<&str> = FIELDS.iter().map(|field| field.name.as_str()).collect();
    fields.sort_unstable();
    fields.dedup();
    lines.extend(fields.chunks(8).map(|some| text!("  {}\n", some.join(", "))));
    lines.push(text!("\n{}:\n", Message::new("explain-document").text(language)));
    lines.extend(pages::places().map(|place| text!("  {}\n", place)));
    lines.push(text!("\n{}\n", message!("explain-how").text(language)));
    Text::<Lines>::joined(lines, "")
}

/// A name of results in JSON: what it is at each of its places.
fn shown_fields(fields: &[&Field], language: Language) -> Option<Text<Lines>> {
    let mut names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    names.dedup();
    let kind = Message::new("explain-json").text(language);
    let lines = fields
        .iter()
        .map(|field| -> Text<Lines> { text!("- {}: {}\n", field.place, field.text(language)) });
    let lines = Text::<Lines>::joined(lines, "");
    fields.first().map(|_| text!("{} ({})\n\n{}", names.join(", "), kind, lines))
}

/// A sentence of the program: whole, what documents say of it, and where there is more.
fn shown_sentence(sentence: &Sentence, language: Language) -> Text<Lines> {
    let kind = Message::new(sentence.kind).text(language);
    let english = templates(Language::English).find(|(id, _)| *id == sentence.id);
    let is_quoted =
        |quoted: &str| english.as_ref().is_some_and(|(_, text)| sentences::has(text, quoted));
    let rows = QUOTING.iter().flat_map(|document| document.rows_that_quote(language, is_quoted));
    let lines = |row: String| {
        let lines = row.lines().map(|line| -> Text<Lines> { text!("{}\n", line) });
        Text::<Lines>::joined(lines, "")
    };
    let rows = rows.map(|row| -> Text<Lines> { text!("\n{}", lines(row)) });
    let more = message!("explain-more", place = sentence.place).text(language);
    text!(
        "{} ({})\n\n{}\n{}\n{}\n",
        sentence.id,
        kind,
        sentence.text.as_str(),
        Text::<Lines>::joined(rows, ""),
        more
    )
}

/// Its name, what kind of thing it is, and its text with lines joined, so that they fit the terminal; items of a list, and
/// what the replay does, begin lines.
fn shown(entry: &Entry, language: Language) -> Text<Lines> {
    let screen = Screen::stdout();
    let text = entry.text(language);
    let mut lines: Vec<String> = Vec::new();
    for line in text.trim().lines().map(str::trim) {
        let begins = line.is_empty()
            || line.starts_with("- ")
            || line.starts_with('|')
            || line.starts_with("Replay:");
        match lines.last_mut().filter(|last| !begins && !last.is_empty() && !last.starts_with('|'))
        {
            // A line of the Chinese document is a paragraph: without blanks between words it can't be joined.
            Some(last) if language == Language::English => *last = format!("{last} {line}"),
            _ => lines.push(line.to_owned()),
        }
    }
    let shown = lines.iter().map(|line| -> Text<Lines> {
        match language {
            Language::English if !line.starts_with('|') => text!("{}\n", screen.text(line)),
            // A terminal breaks it between any two characters.
            _ => text!("{}\n", line),
        }
    });
    let kind = Message::new(entry.kind).text(language);
    let name = entry.names.join(", ");
    text!("{} ({})\n\n{}\n", name, kind, Text::<Lines>::joined(shown, ""))
}
