//! The languages of the catalogue.

use std::cell::Cell;

thread_local! {
    /// See [`Language::display`].
    static DISPLAYED: Cell<Language> = const { Cell::new(Language::English) };
}

/// A language of the program's texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Language {
    /// Where nothing else is asked for.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The language that `LC_ALL`, `LC_MESSAGES` or `LANG` asks for: the first of them that is set counts, as in all programs.
    #[must_use]
    pub fn from_environment() -> Self {
        let values = ["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok());
        Self::from_locales(values.into_iter().flatten())
    }

    fn from_locales(values: impl Iterator<Item = String>) -> Self {
        let mut set = values.filter(|value| !value.is_empty());
        match set.next() {
            Some(locale) if locale.starts_with("zh") => Self::Chinese,
            _ => Self::English,
        }
    }

    /// Runs `show` with this language as that of all errors that `show` displays. `Display` has no argument for a language: an error
    /// is in English wherever nobody asks for another one, and the place that shows it to a person asks.
    pub fn display<T>(self, show: impl FnOnce() -> T) -> T {
        /// Sets the language from before also when `show` panics.
        struct Before(Language);
        impl Drop for Before {
            fn drop(&mut self) {
                DISPLAYED.set(self.0);
            }
        }
        let _before = Before(DISPLAYED.replace(self));
        show()
    }

    /// The language of `Display` in this thread: see [`Language::display`].
    #[must_use]
    pub fn displayed() -> Self {
        DISPLAYED.get()
    }

    /// One of two texts.
    #[must_use]
    pub fn choose<T>(self, english: T, chinese: T) -> T {
        match self {
            Self::English => english,
            Self::Chinese => chinese,
        }
    }

    /// What stands between two sentences.
    pub(crate) fn sentence_gap(self) -> &'static str {
        self.choose(" ", "")
    }

    /// Items as one text: `0, 1 and 4`, `0、1、4`.
    pub(crate) fn list(self, items: &[String]) -> String {
        match (self, items) {
            (Self::English, [first @ .., before, last]) => {
                let first: String = first.iter().map(|item| format!("{item}, ")).collect();
                format!("{first}{before} and {last}")
            }
            _ => items.join("、"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_set_counts() {
        let of = |values: &[&str]| {
            Language::from_locales(values.iter().map(|value| (*value).to_owned()))
        };
        assert_eq!(of(&["zh_CN.UTF-8"]), Language::Chinese);
        assert_eq!(of(&["", "zh_TW"]), Language::Chinese);
        assert_eq!(of(&["C", "zh_CN.UTF-8"]), Language::English);
        assert_eq!(of(&["en_US.UTF-8"]), Language::English);
        assert_eq!(of(&[]), Language::English);
    }

    #[test]
    fn display_is_english_outside_of_a_call_that_asks_for_chinese() {
        let message = crate::message!("place-core", core = crate::Arg::Number(2));
        let nested = || Language::English.display(|| message.to_string()) + &message.to_string();
        assert_eq!(Language::Chinese.display(nested), "core 2核 2");
        let panicked = std::panic::catch_unwind(|| Language::Chinese.display(|| panic!("test")));
        assert!(panicked.is_err());
        assert_eq!(message.to_string(), "core 2");
    }

    #[test]
    fn lists_have_the_words_of_the_language() {
        let items = ["0", "1", "4"].map(str::to_owned);
        assert_eq!(Language::English.list(&items), "0, 1 and 4");
        assert_eq!(Language::Chinese.list(&items), "0、1、4");
        assert_eq!(Language::English.list(&items[..1]), "0");
    }
}
