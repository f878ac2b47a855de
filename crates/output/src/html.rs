//! Pages without scripts.

use crate::Untrusted;

/// What a page may do: show its own styles. It runs no script and loads nothing, whatever its texts hold.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A page with the content of its body.
#[must_use]
pub fn page(title: &Untrusted<'_>, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{}</title>\n\
         <style>{style}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        title.html()
    )
}
