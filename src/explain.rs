//! `bigtpuprofile explain`: what docs/advice.md says of a rule.

use anyhow::Result;
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_messages::Language;
use bigtpu_output::{Lines, Text, text};

use crate::args::explain::Args;
use crate::console::ignore_broken_pipe;

const ADVICE: &str = include_str!("../docs/advice.md");
const ADVICE_IN_CHINESE: &str = include_str!("../docs/advice.zh-CN.md");

/// The rules with their texts, in the order of the page.
pub(crate) fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    sections(ADVICE)
}

fn sections(document: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    document.split("\n## ").skip(1).filter_map(|section| section.split_once("\n\n"))
}

/// Prints the rule, or the names of all.
pub(crate) fn run(args: &Args) -> Result<()> {
    let language = args.lang.language();
    let document = match language {
        Language::English => ADVICE,
        Language::Chinese => ADVICE_IN_CHINESE,
    };
    let text: Text<Lines> = match &args.rule {
        None => Text::<Lines>::joined(rules().map(|(name, _)| text!("{}\n", name)), ""),
        Some(rule) => {
            let found = sections(document).filter(|(name, _)| name == rule);
            Text::<Lines>::joined(found.map(|(name, text)| shown(name, text, language)), "")
        }
    };
    ignore_broken_pipe(standard::lines(&text).map_err(Into::into))
}

/// The section with its lines joined, so that they fit the terminal; items of a list, and what the replay does, begin
/// lines.
fn shown(name: &str, text: &str, language: Language) -> Text<Lines> {
    let screen = Screen::stdout();
    let mut lines: Vec<String> = Vec::new();
    // The title is bold in the document.
    let text = text.replace("**", "");
    for line in text.trim().lines().map(str::trim) {
        let begins = line.is_empty() || line.starts_with("- ") || line.starts_with("Replay:");
        match lines.last_mut().filter(|last| !begins && !last.is_empty()) {
            // A line of the Chinese document is a paragraph: without blanks between words it can't be joined.
            Some(last) if language == Language::English => *last = format!("{last} {line}"),
            _ => lines.push(line.to_owned()),
        }
    }
    let shown = lines.iter().map(|line| -> Text<Lines> {
        match language {
            Language::English => text!("{}\n", screen.text(line)),
            // A terminal breaks it between any two characters.
            Language::Chinese => text!("{}\n", line),
        }
    });
    text!("{}\n\n{}", name, Text::<Lines>::joined(shown, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page shows a rule's title and name, the console its name: here is both.
    #[test]
    fn titles_of_rules_are_those_of_the_page() {
        let page = include_str!("../crates/emit-web/page/src/views/overview/answers/advice.ts");
        let title = |text: &'static str, end: &str| {
            text.strip_prefix("**").and_then(|text| text.split_once(end)).map(|(title, _)| title)
        };
        for ((name, english), (_, chinese)) in rules().zip(sections(ADVICE_IN_CHINESE)) {
            let titles = (title(english, ".**"), title(chinese, "**："));
            let (Some(english), Some(chinese)) = titles else { panic!("{name} has no title") };
            let line = format!("\"{name}\": [\"{english}\", \"{chinese}\"]");
            assert!(page.contains(&line), "the page does not have {line}");
        }
    }

    #[test]
    fn every_rule_of_the_advice_has_a_text() {
        let names: Vec<&str> = rules().map(|(name, _)| name).collect();
        for rule in bigtpu_answers::RULE_NAMES {
            assert!(names.contains(&rule), "{rule} is not in docs/advice.md");
        }
        assert_eq!(names.len(), bigtpu_answers::RULE_NAMES.len());
        assert!(rules().all(|(_, text)| text.len() > 100));
        let in_chinese: Vec<&str> = sections(ADVICE_IN_CHINESE).map(|(name, _)| name).collect();
        assert_eq!(in_chinese, names);
    }
}
