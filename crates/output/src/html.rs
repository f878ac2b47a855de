//! Pages without scripts.

use crate::{Markup, Text, Untrusted, text};

/// What all pages share that are not of the page of a run: colours of both themes, type, tables, print.
pub const PAGE_STYLE: &str = include_str!("page.css");

/// A page with the content of its body, and styles of its own. It runs no script and loads nothing, whatever its texts hold.
#[must_use]
pub fn page(title: &Untrusted<'_>, style: &'static str, body: &Text<Markup>) -> Text<Markup> {
    text!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n<title>{}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <style>{}{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        title,
        Text::of(PAGE_STYLE),
        Text::of(style),
        body
    )
}
