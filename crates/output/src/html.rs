//! Pages without scripts.

use bigtpu_messages::Language;

use crate::page_start::start;
use crate::{Markup, Text, Untrusted, text};

/// Style of pages without scripts: tokens (colours of both themes, type, paper) and parts of all pages, then their own layout.
pub const PAGE_STYLE: &str =
    concat!(include_str!("tokens.css"), include_str!("components.css"), include_str!("page.css"));

/// The button of the theme: the other one than the system's. Paper is light in both.
const THEME: &str = "\
<style>@media screen and (prefers-color-scheme:light){:root:has(#theme:checked){color-scheme:dark}}\
@media screen and (prefers-color-scheme:dark){:root:has(#theme:checked){color-scheme:light}}</style>
<input class=\"choice\" type=\"checkbox\" id=\"theme\" aria-label=\"Light or dark, 浅色或深色\"><label for=\"theme\">◐</label>\n";

/// A page with the content of its body, and styles of its own. It runs no script and loads nothing, whatever its texts hold.
#[must_use]
pub fn page(title: &Untrusted<'_>, style: &'static str, body: &Text<Markup>) -> Text<Markup> {
    page_in(Language::English, title, style, body)
}

/// As [`page`], its text in this language.
pub(crate) fn page_in(
    language: Language,
    title: &Untrusted<'_>,
    style: &'static str,
    body: &Text<Markup>,
) -> Text<Markup> {
    text!(
        "{}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n<title>{}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <style>{}{}</style>\n</head>\n<body>\n<main>\n{}{}</main>\n</body>\n</html>\n",
        start(language, None),
        title,
        Text::literal(PAGE_STYLE),
        Text::literal(style),
        Text::literal(THEME),
        body
    )
}
