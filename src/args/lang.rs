//! The language of what people read.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};

use bigtpu_messages::Language;
use bigtpu_output::open_pages_in;
use clap::ValueEnum;

/// The language of sentences.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct LangArgs {
    /// Language of sentences on the console and in report.md (default: Chinese under a Chinese locale, else English), and in
    /// which pages open (default: that of the browser); names, keys and headers of tables are the same in both
    #[arg(long, value_name = "LANGUAGE")]
    lang: Option<LangArg>,
}

impl LangArgs {
    /// The language that was asked for, else that of the locale.
    pub(crate) fn language(self) -> Language {
        match self.lang {
            Some(LangArg::En) => Language::English,
            Some(LangArg::Zh) => Language::Chinese,
            None => Language::from_environment(),
        }
    }
}

/// Whether the process speaks Chinese where no arguments are at hand: of what it can't parse, of signals, of limits.
static IS_CHINESE: AtomicBool = AtomicBool::new(false);

/// Finds the language that a command line asks for, before it is parsed.
pub(crate) fn set_of_process(given: &[OsString]) -> Language {
    let asked = asked(given);
    // A locale is that of who runs the program; who reads the page has a browser with a language of its own.
    open_pages_in(asked);
    let language = asked.unwrap_or_else(Language::from_environment);
    IS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
    language
}

/// The language of the process: that of the command line that it runs.
pub(crate) fn of_process() -> Language {
    if IS_CHINESE.load(Ordering::Relaxed) { Language::Chinese } else { Language::English }
}

/// Whether a word is the option `--lang`, also by a prefix of it, alone or with its value.
fn is_lang(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or_default();
    name.len() > "--l".len() && "--lang".starts_with(name)
}

/// `--lang zh COMMAND ...` as `COMMAND --lang zh ...`: all commands have the option, so that it may stand before their name.
pub(super) fn behind_command(
    command: impl FnOnce() -> clap::Command,
    given: Vec<OsString>,
) -> Vec<OsString> {
    let word = |at: usize| given.get(at).and_then(|word: &OsString| word.to_str());
    let mut end = 1;
    while let Some(option) = word(end).filter(|word| is_lang(word)) {
        end += if option.contains('=') { 1 } else { 2 };
    }
    if end == 1 || end > given.len() {
        return given;
    }
    let command = command();
    // `help` shows the help of others in the language that the process has.
    let is_help = word(end) == Some("help");
    let (mut scope, mut behind) = (&command, end);
    while let Some(below) = word(behind).and_then(|name| scope.find_subcommand(name)) {
        scope = below;
        behind += 1;
    }
    if behind == end && !is_help {
        return given;
    }
    let (program, rest) = given.split_at(1);
    let (options, rest) = rest.split_at(end - 1);
    let (names, rest) = rest.split_at(behind - end);
    [program, names, if is_help { &[] } else { options }, rest].concat()
}

/// What `--lang` names, also by a prefix of the option.
fn asked(given: &[OsString]) -> Option<Language> {
    let mut words = given.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next().filter(|word| *word != "--") {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        match if is_lang(name) { value.or_else(|| words.next()) } else { None } {
            Some("en") => return Some(Language::English),
            Some("zh") => return Some(Language::Chinese),
            _ => {}
        }
    }
    None
}

/// A language by its code.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LangArg {
    /// English
    En,
    /// Simplified Chinese
    Zh,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn the_language_may_stand_before_the_command() {
        for (given, expected) in [
            ("x --lang zh pipeline --stages 2", "x pipeline --lang zh --stages 2"),
            ("x --lan=zh cluster part d", "x cluster part --lan=zh d"),
            ("x --lang zh help synth", "x help synth"),
            ("x --lang zh help", "x help"),
            ("x --lang zh dump out", "x --lang zh dump out"),
            ("x --lang zh", "x --lang zh"),
            ("x --lang", "x --lang"),
            ("x -q synth", "x -q synth"),
            ("x diff --lang zh a b", "x diff --lang zh a b"),
        ] {
            let words = given.split(' ').map(OsString::from).collect();
            let found = behind_command(Cli::command, words).join(std::ffi::OsStr::new(" "));
            assert_eq!(found.to_str(), Some(expected));
        }
    }

    /// Else it could not stand before their names.
    #[test]
    fn every_command_has_the_option() {
        fn check(command: &clap::Command) {
            let has = command.get_arguments().any(|arg| arg.get_long() == Some("lang"));
            assert!(has, "{}", command.get_name());
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}
