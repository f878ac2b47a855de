//! The questions of `questions.txt` get the sections that answer them, first.

use bigtpu_messages::Language;

use super::pages::{Chapter, short_answers};
use super::show::next_answers;
use super::{Explained, explained, is_same};

/// A line `en | QUESTION | ANSWERS`.
struct Question {
    language: Language,
    words: &'static str,
    /// Beginnings of places without `docs/`; `=NAME` is a name.
    answers: Vec<&'static str>,
}

fn questions(lines: &'static str) -> impl Iterator<Item = Question> {
    lines.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut parts = line.split(" | ");
        let language = match parts.next()? {
            "zh" => Language::Chinese,
            _ => Language::English,
        };
        let (words, answers) = (parts.next()?, parts.next()?);
        Some(Question { language, words, answers: answers.split(' ').collect() })
    })
}

impl Question {
    /// What is shown first; a short answer is at the section that it names, too.
    fn first(&self) -> Vec<String> {
        match explained(self.words, self.language) {
            Ok(Explained::Chapters(found)) => {
                found.chapters.first().map(places_of).unwrap_or_default()
            }
            Ok(Explained::Named(entries, fields)) => {
                let names = entries.iter().flat_map(|entry| entry.names.iter());
                let names = names.chain(fields.iter().map(|field| &field.name));
                names.map(|name| format!("={name}")).collect()
            }
            Ok(Explained::Sentences(all)) => {
                all.iter().map(|sentence| format!("={}", sentence.id)).collect()
            }
            other => vec![format!("{other:?}")],
        }
    }

    /// What is shown, the first one and those beside it.
    fn shown(&self) -> Vec<String> {
        let mut places = self.first();
        if let Ok(Explained::Chapters(found)) = explained(self.words, self.language) {
            let beside = next_answers(self.words, &found.chapters, SHORT, self.language);
            places.extend(beside.iter().flat_map(|(chapter, _)| places_of(chapter)));
        }
        places
    }

    fn is_answered_by(&self, place: &str) -> bool {
        let place = place.strip_prefix("docs/").unwrap_or(place);
        self.answers.iter().any(|answer| {
            match (answer.strip_prefix('='), place.strip_prefix('=')) {
                (Some(answer), Some(name)) => is_same(answer, name),
                (None, None) => place.starts_with(answer),
                _ => false,
            }
        })
    }
}

/// The place of a section; of a short answer that of the section that it names, too.
fn places_of(chapter: &Chapter) -> Vec<String> {
    let place = chapter.place();
    let named = chapter.text.split("explain ").last().and_then(|text| text.split('`').next());
    let named = named.filter(|_| place.starts_with("answers")).unwrap_or_default();
    vec![place.clone(), named.to_owned()]
}

/// Lines of a short answer.
const SHORT: usize = 8;

/// How many questions there are, and those whose first answer is another section.
fn not_answered(lines: &'static str, language: Language) -> (usize, Vec<String>) {
    let all = questions(lines).filter(|question| question.language == language);
    let all: Vec<Question> = all.collect();
    let others = all.iter().filter_map(|question| {
        let first = question.first();
        let is_first = first.iter().any(|place| question.is_answered_by(place));
        (!is_first)
            .then(|| format!("{}: {}, not {:?}", question.words, first.join(" "), question.answers))
    });
    (all.len(), others.collect())
}

fn all_are_answered(language: Language, least: usize) {
    let (all, others) = not_answered(include_str!("questions.txt"), language);
    assert!(all >= least, "{all}");
    assert!(others.is_empty(), "{} of {all}:\n{}", others.len(), others.join("\n"));
}

#[test]
fn english_questions_get_the_section_that_answers_them() {
    all_are_answered(Language::English, 200);
}

#[test]
fn chinese_questions_get_the_section_that_answers_them() {
    all_are_answered(Language::Chinese, 150);
}

/// What nothing was adjusted to says how it does with a new question: files, how many questions they have, how many of these get their answer
/// first, and how many on the screen.
const HELD_OUT: [(&str, [usize; 3]); 4] = [
    (include_str!("held_out.txt"), [40, 28, 34]),
    (include_str!("held_out_by_roles.txt"), [60, 52, 54]),
    (include_str!("held_out_blind.txt"), [40, 29, 36]),
    (include_str!("held_out_last.txt"), [40, 30, 37]),
];

#[test]
fn most_questions_that_were_held_out_get_it_too() {
    for (lines, [all, least_first, least_shown]) in HELD_OUT {
        let parts = Language::ALL.map(|language| not_answered(lines, language));
        let others: Vec<String> = parts.iter().flat_map(|(_, others)| others.clone()).collect();
        let count: usize = parts.iter().map(|(all, _)| all).sum();
        let first = count - others.len();
        assert!(count == all && first >= least_first, "{first}, not:\n{}", others.join("\n"));
        let is_shown = |question: &Question| {
            question.shown().iter().any(|place| question.is_answered_by(place))
        };
        let shown = questions(lines).filter(is_shown).count();
        assert!(shown >= least_shown, "{shown} of {all} on the screen");
    }
}

/// Whether something is said with confidence.
fn is_told(question: &str, language: Language) -> bool {
    match explained(question, language) {
        Ok(Explained::Chapters(found)) => !found.is_weak(),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// A question that nothing answers is told that what follows is only the nearest; one that has an answer is not, but for a few.
#[test]
fn what_nothing_answers_gets_no_confident_answer() {
    let lines = include_str!("unanswerable.txt").lines().filter(|line| !line.starts_with('#'));
    let mut told: [Vec<&str>; 2] = Default::default();
    for line in lines {
        let (language, question) = line.split_at("en + ".len());
        let chosen = if language.starts_with("zh") { Language::Chinese } else { Language::English };
        if is_told(question, chosen) {
            told[usize::from(language.contains('-'))].push(question);
        }
    }
    let [decided, held_out] = told;
    assert!(decided.len() <= 4, "{decided:?}");
    assert!(held_out.len() <= 6, "{held_out:?}");
    let all: Vec<Question> = questions(include_str!("questions.txt")).collect();
    let weak = all.iter().filter(|question| !is_told(question.words, question.language)).count();
    assert!(weak * 20 <= all.len(), "{weak} of {}", all.len());
}

/// Whoever gives the question of a short answer, as lists of other answers do, gets this one.
#[test]
fn each_short_answer_is_found_by_its_question() {
    let mut count = 0;
    for language in Language::ALL {
        for chapter in short_answers(language) {
            let asked = chapter.heading_alone();
            let found = explained(&asked, language);
            let Ok(Explained::Chapters(found)) = found else { panic!("{asked}: {found:?}") };
            assert_eq!(found.chapters[0].place(), chapter.place(), "{asked}");
            count += 1;
        }
    }
    assert!(count > 200, "{count}");
}
