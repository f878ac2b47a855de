//! Pages without scripts.

use crate::{Markup, Text, Untrusted, text};

/// A page with the content of its body. It shows its own styles, runs no script and loads nothing, whatever its texts hold.
#[must_use]
pub fn page(title: &Untrusted<'_>, style: &'static str, body: &Text<Markup>) -> Text<Markup> {
    text!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         base-uri 'none'; form-action 'none'\">\n<title>{}</title>\n\
         <style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        title,
        Text::of(style),
        body
    )
}
