//! A question in the words that documents use: what is spoken as it is written, what a number says, and misspelled words.

/// What people say and type, and how it is written.
const SPOKEN: [(&str, &str); 22] = [
    ("whats", "what is"),
    ("what's", "what is"),
    ("hows", "how is"),
    ("how's", "how is"),
    ("wheres", "where is"),
    ("where's", "where is"),
    ("doesnt", "does not"),
    ("doesn't", "does not"),
    ("dont", "do not"),
    ("didnt", "did not"),
    ("isnt", "is not"),
    ("cant", "cannot"),
    ("pls", "please"),
    ("difference b/w", "difference between"),
    ("为啥", "为什么"),
    ("干啥", "做什么"),
    ("啥", "什么"),
    ("咋样", "怎么样"),
    ("咋", "怎么"),
    ("哪儿", "哪里"),
    ("有何", "有什么"),
    ("这一列", "列"),
];

/// What was given as it is written.
pub(super) fn written(given: &str) -> String {
    let lower = given.to_lowercase();
    let mut out = given.to_owned();
    for (spoken, written) in SPOKEN.iter().filter(|(spoken, _)| lower.contains(spoken)) {
        out = match spoken.is_ascii() {
            true => replaced_words(&out, spoken, written),
            false => out.replace(spoken, written),
        };
    }
    out
}

/// A text with a word in place of another one, wherever it stands alone.
fn replaced_words(text: &str, word: &str, other: &str) -> String {
    let words = text.split(' ').map(|w| if w.eq_ignore_ascii_case(word) { other } else { w });
    words.collect::<Vec<_>>().join(" ")
}

/// A question with what its numbers say, which no document has: `a trace of 2GB` is too large, 120 % is more than 100 %, and `only 30 %`
/// is little.
pub(super) fn numbers_said(question: &str) -> String {
    let mut said = Vec::new();
    for (number, unit, before) in numbers(question) {
        let is_little = ["only", "just", "只", "才", "仅"].iter().any(|word| before.contains(word));
        match unit {
            Unit::Gigabytes => said.push(" too large"),
            Unit::Percent if number > 100.0 => said.push(" more than 100 %"),
            Unit::Percent if is_little && number < 50.0 => said.push(" low"),
            Unit::Percent => {}
        }
    }
    let has_size = question.to_lowercase().split_whitespace().any(|word| word == "gb");
    if has_size && said.is_empty() {
        said.push(" too large");
    }
    format!("{question}{}", said.concat())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Gigabytes,
    Percent,
}

/// How units are written, and how much of them one is.
const UNITS: [(&str, Unit, f64); 7] = [
    ("gib", Unit::Gigabytes, 1.0),
    ("gb/s", Unit::Percent, 0.0),
    ("gb", Unit::Gigabytes, 1.0),
    ("percent", Unit::Percent, 1.0),
    ("%", Unit::Percent, 1.0),
    ("成", Unit::Percent, 10.0),
    ("g的", Unit::Gigabytes, 1.0),
];

/// Characters before a number that say whether it is little.
const BEFORE: usize = 8;

/// The numbers of a question with units that say something, and what stands right before them.
fn numbers(question: &str) -> Vec<(f64, Unit, String)> {
    let question = question.to_lowercase();
    let chars: Vec<char> = question.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let is_part = |c: &&char| c.is_ascii_digit() || **c == '.';
        let length = chars[at..].iter().take_while(is_part).count();
        let digits: String = chars[at..at + length].iter().collect();
        let counted = "零一二两三四五六七八九".chars().position(|c| c == chars[at]);
        let value = match (digits.parse::<f64>(), counted) {
            (Ok(value), _) => Some(value),
            // Two of the characters are 2.
            (_, Some(place)) => Some(if place > 2 { place - 1 } else { place } as f64),
            _ => None,
        };
        let behind: String = chars[at + length.max(1)..].iter().collect();
        let behind = behind.trim_start();
        let unit = UNITS.iter().find(|(unit, ..)| behind.starts_with(unit));
        if let (Some(value), Some((_, unit, times))) = (value, unit)
            && *times > 0.0
        {
            let before = chars[at.saturating_sub(BEFORE)..at].iter().collect();
            all.push((value * times, *unit, before));
        }
        at += length.max(1);
    }
    all
}

/// A word this long may be misspelled by a letter, and one of twice the length by two.
const LONG: usize = 5;

/// The known word that a misspelled one is most like: by one letter, of a long one by two. `None` where there is none, or where it is
/// short. Of several the one that more sections have, which is the less rare one.
pub(super) fn nearest<'w>(
    word: &str,
    known: impl Iterator<Item = (&'w str, f64)>,
) -> Option<&'w str> {
    let may_be = |word: &str| word.len() >= LONG && word.chars().all(|c| c.is_ascii_alphabetic());
    let most = if word.len() > LONG + 2 { 2 } else { 1 };
    let near = known.filter(|(other, _)| {
        // The first letter is right, and no known word is so short that another one is made of it.
        may_be(word)
            && other.len() + 1 >= LONG
            && other.as_bytes().first() == word.as_bytes().first()
            && other.len().abs_diff(word.len()) <= most
    });
    let near = near.map(|(other, rarity)| (strsim::osa_distance(word, other), rarity, other));
    let near = near.filter(|(distance, ..)| *distance <= most);
    let best = near.min_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
    best.map(|(.., word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spoken_words_are_written() {
        assert_eq!(written("Whats the slack"), "what is the slack");
        assert_eq!(written("stall 是啥"), "stall 是什么");
        assert_eq!(written("what is a whatsit"), "what is a whatsit");
    }

    #[test]
    fn numbers_say_what_documents_say_in_words() {
        for (question, more) in [
            ("a trace of 2GB", " too large"),
            ("a trace of 2 GB", " too large"),
            ("bandwidth of 20 GB/s", ""),
            ("share of 120 %", " more than 100 %"),
            ("TIU is busy only 30%", " low"),
            ("只有两成时间在算", " low"),
            ("利用率只有 30%", " low"),
            ("fails at 5 %", ""),
        ] {
            assert_eq!(numbers_said(question), format!("{question}{more}"));
        }
    }

    #[test]
    fn misspelled_words_are_known_ones() {
        let known = ["bottleneck", "imbalanc", "bandwidth", "width", "core"];
        let nearest = |word| nearest(word, known.iter().map(|word| (*word, 1.0)));
        assert_eq!(nearest("bottelneck"), Some("bottleneck"));
        assert_eq!(nearest("imbalnc"), Some("imbalanc"));
        assert_eq!(nearest("bandwith"), Some("bandwidth"));
        assert_eq!(nearest("weather"), None);
        assert_eq!(nearest("cove"), None);
    }
}
