//! The questions of `questions.txt` get the sections that answer them, first.

use std::sync::LazyLock;

use bigtpu_messages::Language;

use super::pages::{Chapter, short_answers};
use super::show::next_answers;
use super::{Explained, explained, is_same};

/// A line `en | QUESTION | ANSWERS`, which is asked once: that takes most of the time of these tests.
struct Question {
    language: Language,
    words: &'static str,
    found: Result<Explained, Option<&'static str>>,
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
        let found = explained(words, language);
        Some(Question { language, words, found, answers: answers.split(' ').collect() })
    })
}

/// The questions that the answers were adjusted to.
static ADJUSTED: LazyLock<Vec<Question>> =
    LazyLock::new(|| questions(include_str!("questions.txt")).collect());

impl Question {
    /// What is shown first; a short answer is at the section that it names, too.
    fn first(&self) -> Vec<String> {
        match &self.found {
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

    /// Whether what is shown first answers it.
    fn is_right(&self) -> bool {
        self.first().iter().any(|place| self.is_answered_by(place))
    }

    /// What is shown, the first one and those beside it.
    fn shown(&self) -> Vec<String> {
        let mut places = self.first();
        if let Ok(Explained::Chapters(found)) = &self.found {
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

/// The questions whose first answer is another section.
fn not_answered<'q>(all: impl IntoIterator<Item = &'q Question>) -> Vec<String> {
    let others = all.into_iter().filter(|question| !question.is_right());
    let told = |question: &Question| {
        format!("{}: {}, not {:?}", question.words, question.first().join(" "), question.answers)
    };
    others.map(told).collect()
}

fn all_are_answered(language: Language, least: usize) {
    let own = || ADJUSTED.iter().filter(|question| question.language == language);
    let (all, others) = (own().count(), not_answered(own()));
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
    let (mut right, mut doubted) = (0, 0);
    for (lines, [all, least_first, least_shown]) in HELD_OUT {
        let questions: Vec<Question> = questions(lines).collect();
        let others = not_answered(&questions);
        let first = questions.len() - others.len();
        assert!(
            questions.len() == all && first >= least_first,
            "{first}, not:\n{}",
            others.join("\n")
        );
        let is_shown = |question: &&Question| {
            question.shown().iter().any(|place| question.is_answered_by(place))
        };
        let shown = questions.iter().filter(is_shown).count();
        assert!(shown >= least_shown, "{shown} of {all} on the screen");
        right += first;
        let is_doubted = |question: &&Question| question.is_right() && !is_told(&question.found);
        doubted += questions.iter().filter(is_doubted).count();
    }
    // Whoever reads too often that an answer may be none, reads it no more.
    assert!(doubted * 20 <= right * 3, "{doubted} of {right} right answers are doubted");
}

/// Whether something is said with confidence.
fn is_told(found: &Result<Explained, Option<&'static str>>) -> bool {
    match found {
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
        if is_told(&explained(question, chosen)) {
            told[usize::from(language.contains('-'))].push(question);
        }
    }
    let [decided, held_out] = told;
    assert!(decided.len() <= 8, "{decided:?}");
    assert!(held_out.len() <= 9, "{held_out:?}");
    let weak = ADJUSTED.iter().filter(|question| !is_told(&question.found)).count();
    assert!(weak * 20 <= ADJUSTED.len(), "{weak} of {}", ADJUSTED.len());
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
