//! The language of what people read.

use std::ffi::OsString;
use std::sync::atomic::{AtomicBool, Ordering};

use bigtpu_messages::Language;
use clap::ValueEnum;

/// The language of sentences.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct LangArgs {
    /// Language of sentences on the console and in report.md (default: Chinese under a Chinese locale, else English); names,
    /// keys and tables are the same in both
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
    let language = asked(given).unwrap_or_else(Language::from_environment);
    IS_CHINESE.store(language == Language::Chinese, Ordering::Relaxed);
    language
}

/// The language of the process: that of the command line that it runs.
pub(crate) fn of_process() -> Language {
    if IS_CHINESE.load(Ordering::Relaxed) { Language::Chinese } else { Language::English }
}

/// What `--lang` names, also by a prefix of the option.
fn asked(given: &[OsString]) -> Option<Language> {
    let mut words = given.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next().filter(|word| *word != "--") {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let is_lang = name.len() > "--l".len() && "--lang".starts_with(name);
        match if is_lang { value.or_else(|| words.next()) } else { None } {
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
