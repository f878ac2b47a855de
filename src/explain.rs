//! `bigtpuprofile explain`: what docs/advice.md says of a rule.

use anyhow::Result;
use bigtpu_output::{Lines, Text, text};

use crate::args::explain::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;
use crate::terminal::Screen;

const ADVICE: &str = include_str!("../docs/advice.md");

/// The rules with their texts, in the order of the page.
pub(crate) fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    ADVICE.split("\n## ").skip(1).filter_map(|section| section.split_once("\n\n"))
}

/// Prints the rule, or the names of all.
pub(crate) fn run(args: &Args) -> Result<()> {
    let text: Text<Lines> = match &args.rule {
        None => Text::<Lines>::joined(rules().map(|(name, _)| text!("{}\n", name)), ""),
        Some(rule) => {
            let found = rules().filter(|(name, _)| name == rule);
            Text::<Lines>::joined(found.map(|(name, text)| shown(name, text)), "")
        }
    };
    ignore_broken_pipe(standard::lines(&text).map_err(Into::into))
}

/// The section with its lines joined, so that they fit the terminal.
fn shown(name: &str, text: &str) -> Text<Lines> {
    let screen = Screen::stdout();
    let paragraphs = text.trim().split("\n\n").map(|paragraph| -> Text<Lines> {
        let joined = paragraph.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        text!("{}\n", screen.text(&joined))
    });
    text!("{}\n\n{}", name, Text::<Lines>::joined(paragraphs, "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_advice_has_a_text() {
        let names: Vec<&str> = rules().map(|(name, _)| name).collect();
        for rule in bigtpu_answers::RULE_NAMES {
            assert!(names.contains(&rule), "{rule} is not in docs/advice.md");
        }
        assert_eq!(names.len(), bigtpu_answers::RULE_NAMES.len());
        assert!(rules().all(|(_, text)| text.len() > 100));
    }
}
