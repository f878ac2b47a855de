//! The language of what people read.

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

/// A language by its code.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LangArg {
    /// English
    En,
    /// Simplified Chinese
    Zh,
}
