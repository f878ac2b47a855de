//! The language that the environment asks for.

/// A language of the explanations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// Of `LC_ALL`, `LC_MESSAGES` or `LANG`: the first of them that is set counts, as everywhere.
    pub(crate) fn of_environment() -> Self {
        let known = ["LC_ALL", "LC_MESSAGES", "LANG"].map(|name| std::env::var(name).ok());
        Self::of(known.into_iter().flatten())
    }

    fn of(values: impl Iterator<Item = String>) -> Self {
        let mut set = values.filter(|value| !value.is_empty());
        match set.next() {
            Some(locale) if locale.starts_with("zh") => Self::Chinese,
            _ => Self::English,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_set_counts() {
        let of = |values: &[&str]| Language::of(values.iter().map(|value| (*value).to_owned()));
        assert_eq!(of(&["zh_CN.UTF-8"]), Language::Chinese);
        assert_eq!(of(&["", "zh_TW"]), Language::Chinese);
        assert_eq!(of(&["C", "zh_CN.UTF-8"]), Language::English);
        assert_eq!(of(&["en_US.UTF-8"]), Language::English);
        assert_eq!(of(&[]), Language::English);
    }
}
