//! Two languages in pages without scripts: each phrase is in the page in both, and the reader's choice shows one of them.

use bigtpu_messages::Message;

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

/// Buttons of the languages, English first, and what they hide.
const CHOICE: &str = "\
<style>#zh:checked~[lang=en],#zh:checked~* [lang=en],#en:checked~[lang=zh],#en:checked~* [lang=zh]{display:none}</style>
<input class=\"choice\" type=\"radio\" name=\"language\" id=\"zh\"><label for=\"zh\" lang=\"zh\">中文</label>\
<input class=\"choice\" type=\"radio\" name=\"language\" id=\"en\" checked><label for=\"en\">English</label>
";

/// A page as [`page`](crate::page) makes it, whose reader chooses between the languages of its phrases.
#[must_use]
pub fn page_in_two_languages(
    title: &Untrusted<'_>,
    style: &'static str,
    body: &Text<Markup>,
) -> Text<Markup> {
    html::page(title, style, &text!("{}{}", Text::literal(CHOICE), body))
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
}
