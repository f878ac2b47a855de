//! The pages' English and its Chinese.

mod table;

use bigtpu_output::{Markup, Text, phrase, phrase_in_picture, text};

use table::{SENTENCES, WORDS};

/// A text in Chinese, if it is a word or sentence of the program.
pub(crate) fn chinese(english: &str) -> Option<String> {
    if let Some((_, chinese)) = WORDS.iter().find(|(known, _)| *known == english) {
        return Some((*chinese).to_owned());
    }
    // A column with its unit.
    if let Some((name, unit)) = english.strip_suffix(')').and_then(|head| head.rsplit_once(" ("))
        && let Some((_, chinese)) = WORDS.iter().find(|(known, _)| *known == name)
    {
        return Some(format!("{chinese} ({unit})"));
    }
    if let Some([least, most]) = values("{} to {}", english).as_deref()
        && [least, most].iter().all(|number| number.starts_with(|c: char| c.is_ascii_digit()))
    {
        return Some(format!("{least} 至 {most}"));
    }
    SENTENCES
        .iter()
        .find_map(|(pattern, chinese)| Some(filled(chinese, &values(pattern, english)?)))
}

/// What stands at the places `{}` of a pattern in a text that has this form.
fn values<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split("{}");
    let mut rest = text.strip_prefix(parts.next()?)?;
    let parts: Vec<&str> = parts.collect();
    let mut values = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        let is_last = number + 1 == parts.len();
        let (value, after) = match is_last {
            true => (rest.strip_suffix(part)?, ""),
            false => rest.split_once(part)?,
        };
        values.push(value);
        rest = after;
    }
    rest.is_empty().then_some(values)
}

/// A sentence with `{0}`, `{1}` and so on as these values; their own words are translated, too.
fn filled(sentence: &str, values: &[&str]) -> String {
    let mut text = sentence.to_owned();
    for (number, value) in values.iter().enumerate() {
        let word = WORDS.iter().find(|(known, _)| known == value).map(|(_, chinese)| *chinese);
        text = text.replace(&format!("{{{number}}}"), word.unwrap_or(value));
    }
    text
}

/// The languages of a picture: a page has both, a file of its own is in English.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Languages {
    English,
    Both,
}

impl Languages {
    /// A text of the program in a picture.
    pub(crate) fn text(self, english: &str) -> Text<Markup> {
        match chinese(english).filter(|_| self == Self::Both) {
            Some(chinese) => phrase_in_picture(&english, &chinese),
            None => text!("{}", english),
        }
    }

    /// The same where only one text can be: the name of a picture or of a part of it.
    pub(crate) fn name(self, english: &str) -> String {
        match chinese(english).filter(|_| self == Self::Both) {
            Some(chinese) => format!("{english} / {chinese}"),
            None => english.to_owned(),
        }
    }
}

/// A text of the program in a page in both languages; what has no translation stays as it is.
pub(crate) fn both(english: &str) -> Text<Markup> {
    match chinese(english) {
        Some(chinese) => phrase(&english, &chinese),
        None => text!("{}", english),
    }
}

/// Sentences of our own in both languages.
pub(crate) fn sentences(english: &'static str, chinese: &'static str) -> Text<Markup> {
    phrase(&Text::<Markup>::of(english), &Text::<Markup>::of(chinese))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_keep_their_values() {
        let of = |text: &str| chinese(text).unwrap_or_default();
        assert_eq!(of("Target"), "目标");
        assert_eq!(of("Makespan (ns)"), "总时间 (ns)");
        assert_eq!(of("Further token (ms)"), "后续词元 (ms)");
        assert_eq!(of("Share on H100"), "在 H100 上的占比");
        let note = "X: energy is unknown, because pj_per_tflop, mem_pj_per_bit or a link's pj_per_bit is missing in its description";
        assert_eq!(
            of(note),
            "X：能耗未知，因为其描述中缺少 pj_per_tflop、mem_pj_per_bit 或链路的 pj_per_bit"
        );
        assert_eq!(chinese("conv1"), None);
        assert_eq!(of("3 ms to 4 ms"), "3 ms 至 4 ms");
    }

    #[test]
    fn every_sentence_has_the_places_of_its_pattern() {
        for (english, chinese) in SENTENCES {
            let places = english.matches("{}").count();
            assert!(places > 0, "{english} is a word");
            for number in 0..10 {
                let is_there = chinese.contains(&format!("{{{number}}}"));
                assert_eq!(is_there, number < places, "{{{number}}}: {english}");
            }
        }
    }
}
