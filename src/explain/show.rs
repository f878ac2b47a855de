//! Prints what is said of a name, a sentence or a question.

use anyhow::Result;
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_messages::{Language, Message, message, templates};
use bigtpu_output::{Lines, Text, text};

use super::document::Entry;
use super::fields::{FIELDS, Field};
use super::pages::{self, Chapter, Scope};
use super::sentences::{self, Sentence};
use super::{ENTRIES, Explained, QUOTING, asking, search};
use crate::args::explain::Args;
use crate::console::ignore_broken_pipe;

/// So many chapters are shown, while they have so many lines together.
const MOST_SHOWN: usize = 3;
const MOST_LINES: usize = 40;
/// So many chapters are listed.
const MOST_CHAPTERS: usize = 8;

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
        Some(Explained::Page(page)) => {
            Text::<Lines>::joined(without_comments(page).map(|line| text!("{}\n", line)), "")
        }
        Some(Explained::Named(entries, fields)) => {
            let mut parts: Vec<Text<Lines>> =
                entries.iter().map(|entry| shown(entry, language)).collect();
            parts.extend(shown_fields(fields, language));
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
        Some(Explained::Chapters(all)) => {
            let first = answer(all).map(|line| -> Text<Lines> { text!("{}\n", line) });
            let given = args.name().unwrap_or_default();
            // Who gives one word that is no question means a name.
            let is_name = !asking::is_question(&given) && given.split_whitespace().count() == 1;
            let more = match is_name {
                true => message!("explain-sections", given = given.as_str()),
                false => Message::new("explain-answered"),
            };
            let (first, more) = (Text::<Lines>::joined(first, ""), listed(&more, all, language));
            // That there is no such name comes before what else was found, unless a chapter is about it.
            let is_headed = all.first().is_some_and(|chapter| chapter.heading.contains(&given));
            match is_name && !is_headed {
                true => text!("{}\n{}", more, first),
                false => text!("{}{}", first, more),
            }
        }
    };
    ignore_broken_pipe(standard::lines(&text).map_err(Into::into))
}

/// The lines of the chapter that has most of what was asked, and of the next ones while all together are short: the second or
/// the third one has the answer to one question in five. A short answer is not followed by long chapters.
fn answer(chapters: &[Chapter]) -> impl Iterator<Item = &'static str> {
    let is_answer = |chapter: &Chapter| chapter.scope() == Scope::Answers;
    let is_answered = chapters.first().is_some_and(is_answer);
    let mut shown: Vec<&str> = Vec::new();
    for chapter in chapters.iter().take(MOST_SHOWN).filter(|one| is_answer(one) || !is_answered) {
        let text = chapter.text.trim_end();
        if !shown.is_empty() && shown.len() + text.lines().count() > MOST_LINES {
            continue;
        }
        if !shown.is_empty() {
            shown.push("");
        }
        shown.extend(without_comments(text));
    }
    shown.into_iter()
}

/// The lines of a document. Its comments are for the tests of the documents.
fn without_comments(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with("<!--"))
}

/// What introduces chapters, and the commands that print them.
fn listed(introduced: &Message, chapters: &[Chapter], language: Language) -> Text<Lines> {
    let places = chapters.iter().take(MOST_CHAPTERS).map(|chapter| -> Text<Lines> {
        text!("  bigtpuprofile explain {}  ({})\n", chapter.place(), chapter.heading)
    });
    text!("\n{}\n{}", introduced.text(language), Text::<Lines>::joined(places, ""))
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
