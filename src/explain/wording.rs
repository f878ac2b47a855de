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
    let mut said = String::new();
    let mut rest = question;
    while let Some(first) = rest.chars().next() {
        let Some((value, length)) = number(rest) else {
            said.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        let (number, behind) = rest.split_at(length);
        let is_little = LITTLE.iter().any(|word| said.trim_end().ends_with(word));
        let unit = UNITS.iter().find_map(|(unit, kind, times)| {
            Some((without_unit(behind.trim_start(), unit)?, *kind, value * times))
        });
        let words = match unit {
            Some((_, Unit::Gigabytes, _)) => " too large ",
            Some((_, Unit::Percent, value)) if value > 100.0 => "more than 100 % ",
            Some((_, Unit::Percent, value)) if is_little && value < 50.0 => " low ",
            _ => {
                said.push_str(number);
                rest = behind;
                continue;
            }
        };
        said.push_str(words);
        rest = unit.map_or(behind, |(rest, ..)| rest);
    }
    let words = said.split(' ').map(|word| match word.to_ascii_lowercase().as_str() {
        // A size without its number.
        "gb" => "too large",
        "third" | "quarter" | "fifth" | "tenth" => "low",
        _ => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What stands behind a unit, which is in small or large letters.
fn without_unit<'t>(text: &'t str, unit: &str) -> Option<&'t str> {
    let start = text.get(..unit.len())?;
    start.eq_ignore_ascii_case(unit).then(|| &text[unit.len()..])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    Gigabytes,
    Percent,
    /// One that says nothing.
    Other,
}

/// How units are written, longer ones first, and how many percent one is.
const UNITS: [(&str, Unit, f64); 6] = [
    ("gib", Unit::Gigabytes, 0.0),
    ("gb/s", Unit::Other, 0.0),
    ("gb", Unit::Gigabytes, 0.0),
    ("percent", Unit::Percent, 1.0),
    ("%", Unit::Percent, 1.0),
    ("成", Unit::Percent, 10.0),
];

/// What stands before a number that is little.
const LITTLE: [&str; 6] = ["only", "just", "只", "只有", "才", "仅"];

/// The number that a text begins with, and its length.
fn number(text: &str) -> Option<(f64, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let digits = text.find(|c| !is_part(c)).unwrap_or(text.len());
    if let Ok(value) = text[..digits].parse() {
        return Some((value, digits));
    }
    // Two of the characters are 2.
    let numbers = [("一", 1.0), ("二", 2.0), ("两", 2.0), ("三", 3.0), ("四", 4.0)];
    let (written, value) = numbers.into_iter().find(|(written, _)| text.starts_with(written))?;
    Some((value, written.len()))
}

/// The parts of a word with a number behind it, such as `mode1`.
pub(super) fn numbered(word: &str) -> Option<(&str, &str)> {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_name = name.len() > 1 && name.chars().all(|c| c.is_ascii_alphabetic());
    (is_name && name.len() < word.len()).then(|| word.split_at(name.len()))
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
    let best = near.min_by(|one, other| {
        one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)).then(one.2.cmp(other.2))
    });
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
        for (question, said) in [
            ("a trace of 2GB", "a trace of  too large "),
            ("a trace of 2 gb", "a trace of  too large "),
            ("bandwidth of 20 gb/s", "bandwidth of 20 gb/s"),
            ("share of 120 %", "share of more than 100 % "),
            ("is busy only 30%", "is busy only  low "),
            ("只有两成时间在算", "只有 low 时间在算"),
            ("利用率只有 30%", "利用率只有  low "),
            ("fails at 5 %", "fails at 5 %"),
        ] {
            assert_eq!(numbers_said(question), said);
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
        assert_eq!(numbered("mode1"), Some(("mode", "1")));
        assert_eq!((numbered("p95_ns"), numbered("mode"), numbered("8")), (None, None, None));
    }
}
