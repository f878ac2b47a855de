//! How every page starts, and the language in which it opens.
//!
//! Which language a page opens in is asked for once for a whole run of the program, as that of its errors is, and every page
//! that the run writes has it: a page is written deep below the request that it belongs to. A reader's own choice comes first.

use std::sync::atomic::{AtomicU8, Ordering};

use bigtpu_messages::Language;

use crate::{Markup, Text, text};

/// What stands in a page with a script for who has none.
pub const NO_SCRIPT: &str = "<noscript>This page shows its data with JavaScript, which is switched off. \
    此页面用 JavaScript 显示数据，而 JavaScript 已关闭。</noscript>\n";

/// 0 if nobody asked, else 1 + the place in [`Language::ALL`].
static ASKED: AtomicU8 = AtomicU8::new(0);

/// Pages that are written from now on open in this language; `None`: in that of their reader's browser.
pub fn open_pages_in(asked: Option<Language>) {
    let number = asked.map_or(0, |language| language.choose(1, 2));
    ASKED.store(number, Ordering::Relaxed);
}

/// The language that was asked for.
#[must_use]
pub fn asked_page_language() -> Option<Language> {
    match ASKED.load(Ordering::Relaxed) {
        0 => None,
        number => Language::ALL.get(usize::from(number) - 1).copied(),
    }
}

/// The start of a page whose script shows it in the reader's language, up to its head's first element. `opens_in`: instead of what was
/// asked for of the process.
#[must_use]
pub fn page_start(opens_in: Option<Language>) -> Text<Markup> {
    let asked = opens_in.or_else(asked_page_language);
    start(asked.unwrap_or_default(), asked)
}

/// The start of a page whose text is in this language. `opens_in`: what its script reads as the language to open in.
pub(crate) fn start(language: Language, opens_in: Option<Language>) -> Text<Markup> {
    let asked = match opens_in {
        Some(asked) => text!(" data-lang=\"{}\"", asked.choose("en", "zh")),
        None => Text::new(),
    };
    text!(
        "<!doctype html>\n<html lang=\"{}\"{}>\n<head>\n<meta charset=\"utf-8\">\n",
        language.choose("en", "zh-CN"),
        asked
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_the_language_that_was_asked_for() {
        let line = |asked: Option<Language>| {
            let text = start(asked.unwrap_or_default(), asked);
            text.as_str().lines().nth(1).unwrap_or_default().to_owned()
        };
        assert_eq!(line(None), "<html lang=\"en\">");
        assert_eq!(line(Some(Language::English)), "<html lang=\"en\" data-lang=\"en\">");
        assert_eq!(line(Some(Language::Chinese)), "<html lang=\"zh-CN\" data-lang=\"zh\">");
    }
}
