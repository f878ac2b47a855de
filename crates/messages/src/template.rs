//! The sentences of the catalogue as they are written: with the names of their arguments in place of values.

use crate::catalogue::PARTS;
use crate::language::Language;

/// All sentences of a language with their ids, help texts left out. `{name}` represents an argument; where a sentence has several
/// forms, it is the usual one.
pub fn templates(language: Language) -> impl Iterator<Item = (&'static str, String)> {
    let at = language.choose(0, 1);
    let parts = PARTS.iter().filter(|part| !part.prefixes.contains(&"help"));
    parts.filter_map(move |part| part.sources.get(at).copied()).flat_map(entries)
}

/// A file's messages: each begins at the start of a line.
fn entries(source: &'static str) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = Vec::new();
    for line in source.lines().filter(|line| !line.starts_with('#')) {
        match line.split_once(" =").filter(|_| line.starts_with(|c: char| c.is_ascii_lowercase())) {
            Some((id, text)) => all.push((id, text.trim_start().to_owned())),
            None => {
                if let Some((_, text)) = all.last_mut() {
                    text.push('\n');
                    text.push_str(line);
                }
            }
        }
    }
    all.into_iter().map(|(id, text)| (id, plain(text.trim()))).collect()
}

/// A pattern without its syntax.
fn plain(pattern: &str) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some((before, behind)) = rest.split_once('{') {
        out.push_str(before);
        let (inside, after) = behind.split_at(length_inside(behind));
        rest = after.strip_prefix('}').unwrap_or(after);
        match inside.split_once("->") {
            Some((_, forms)) => out.push_str(&plain(usual_form(forms))),
            None => match inside.trim().strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(text) => out.push_str(text),
                None => {
                    out.push('{');
                    out.push_str(argument(inside));
                    out.push('}');
                }
            },
        }
    }
    out + rest
}

/// How many bytes stand before the brace that closes.
fn length_inside(text: &str) -> usize {
    let (mut depth, mut is_quoted) = (0_u32, false);
    let closes = text.char_indices().find(|(_, c)| {
        match c {
            '"' => is_quoted = !is_quoted,
            '{' if !is_quoted => depth += 1,
            '}' if !is_quoted && depth == 0 => return true,
            '}' if !is_quoted => depth -= 1,
            _ => {}
        }
        false
    });
    closes.map_or(text.len(), |(at, _)| at)
}

/// What stands behind `*[...]` of these forms, not of forms within them; it is the last one.
fn usual_form(forms: &str) -> &str {
    let mut rest = forms;
    while let Some(at) = rest.find(['{', '*']) {
        let found = &rest[at..];
        if let Some(text) = found.strip_prefix("*[") {
            return text.split_once(']').map_or("", |(_, text)| text.trim());
        }
        let behind = &found[1..];
        rest = if found.starts_with('{') { &behind[length_inside(behind)..] } else { behind };
    }
    ""
}

/// The name of the argument of `$name` or `FUNCTION($name, ...)`.
fn argument(inside: &str) -> &str {
    let behind = inside.split_once('$').map_or(inside, |(_, name)| name);
    let ends = |c: char| !c.is_ascii_alphanumeric() && c != '_';
    behind.split(ends).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_the_names_of_its_arguments() {
        for (pattern, expected) in [
            ("read by { $count } cores", "read by {count} cores"),
            ("{ PERCENT($share, digits: 1) }%", "{share}%"),
            ("a `{\"{\"}` of { $found }", "a `{` of {found}"),
            (
                "{ $n ->\n    [one] a core\n   *[other] { $n } cores\n} { $m ->\n [a] { $k ->\n [x] 1\n *[y] 2\n }\n *[b] 3\n}",
                "{n} cores 3",
            ),
        ] {
            assert_eq!(plain(pattern), expected);
        }
    }

    #[test]
    fn every_message_has_a_sentence_in_both_languages() {
        let [english, chinese] = Language::ALL.map(|language| templates(language).count());
        assert!(english > 1000 && english == chinese, "{english} {chinese}");
        for (id, sentence) in Language::ALL.into_iter().flat_map(templates) {
            assert!(!sentence.contains("->") && !sentence.contains('$'), "{id}: {sentence}");
        }
        // Parts of sentences that are left out in some cases.
        let empty = templates(Language::English).filter(|(_, sentence)| sentence.is_empty());
        assert!(empty.count() < 5);
    }
}
