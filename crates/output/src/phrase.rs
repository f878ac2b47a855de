//! Two languages in pages without scripts: each phrase is in the page in both, and the reader's choice shows one of them.

use bigtpu_messages::{Language, Message};

use crate::page_start::asked_page_language;
use crate::{Markup, Show, Text, Untrusted, html, text};

/// A phrase in English and in Chinese, for [`page_in_two_languages`].
#[must_use]
pub fn phrase(english: &impl Show<Markup>, chinese: &impl Show<Markup>) -> Text<Markup> {
    text!("<span lang=\"en\">{}</span><span lang=\"zh\">{}</span>", english, chinese)
}

/// A text in English and in Chinese, for [`page_in_two_languages`]: once where both are the same.
#[must_use]
pub fn in_two_languages([english, chinese]: &[String; 2]) -> Text<Markup> {
    match english == chinese {
        true => text!("{}", english),
        false => phrase(english, chinese),
    }
}

/// A message in both languages, for [`page_in_two_languages`].
#[must_use]
pub fn both(message: &Message) -> Text<Markup> {
    in_two_languages(&message.in_both())
}

/// A phrase in both languages within a text of an SVG picture.
#[must_use]
pub fn phrase_in_picture(english: &impl Show<Markup>, chinese: &impl Show<Markup>) -> Text<Markup> {
    text!("<tspan lang=\"en\">{}</tspan><tspan lang=\"zh\">{}</tspan>", english, chinese)
}

/// What the buttons of the languages hide.
const HIDDEN: &str = "\
<style>#zh:checked~[lang=en],#zh:checked~* [lang=en],#en:checked~[lang=zh],#en:checked~* [lang=zh]{display:none}</style>
";

/// The buttons of the languages, this one pressed.
fn buttons(pressed: Language) -> Text<Markup> {
    let [english, chinese] = pressed.choose([" checked", ""], ["", " checked"]).map(Text::literal);
    text!(
        "<input class=\"choice\" type=\"radio\" name=\"language\" id=\"zh\"{}><label for=\"zh\" lang=\"zh\">中文</label>\
         <input class=\"choice\" type=\"radio\" name=\"language\" id=\"en\"{}><label for=\"en\">English</label>\n",
        chinese,
        english
    )
}

/// A page as [`page`](crate::page) makes it, whose reader chooses between the languages of its phrases.
#[must_use]
pub fn page_in_two_languages(
    title: &Untrusted<'_>,
    style: &'static str,
    body: &Text<Markup>,
) -> Text<Markup> {
    page_opening_in(asked_page_language().unwrap_or_default(), title, style, body)
}

fn page_opening_in(
    language: Language,
    title: &Untrusted<'_>,
    style: &'static str,
    body: &Text<Markup>,
) -> Text<Markup> {
    let body = text!("{}{}{}", Text::literal(HIDDEN), buttons(language), body);
    html::page_in(language, title, style, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_are_in_the_page_as_text() {
        let body = phrase(&"<b>", &"粗体");
        let page = page_in_two_languages(&"T".into(), "", &body);
        let both = "<span lang=\"en\">&lt;b&gt;</span><span lang=\"zh\">粗体</span>";
        assert!(page.as_str().contains(both), "{}", page.as_str());
        assert!(page.as_str().contains("id=\"en\" checked"));
    }

    #[test]
    fn a_page_opens_in_the_language_that_was_asked_for() {
        let page = page_opening_in(Language::Chinese, &"T".into(), "", &Text::new());
        let text = page.as_str();
        assert!(
            text.contains("id=\"zh\" checked") && !text.contains("id=\"en\" checked"),
            "{text}"
        );
        assert!(text.contains("<html lang=\"zh-CN\">"), "{text}");
    }
}
