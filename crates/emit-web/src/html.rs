//! The file: a frame, the data, the script. Nothing in it refers to anything outside.

use bigtpu_emit::{EmitError, OutFile};

use crate::head::Head;

const SCRIPT: &str = include_str!("../page/dist/page.js");
const STYLE: &str = include_str!("../page/dist/page.css");
/// Hash of the script: the page runs no other, whatever a dump's names hold.
const SCRIPT_HASH: &str = include_str!("../page/dist/page.js.sha256");

/// Writes the page.
pub(crate) fn write(head: &mut Head<'_>, file: &mut OutFile) -> Result<(), EmitError> {
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data: blob:; \
         base-uri 'none'; form-action 'none'"
    );
    file.append(
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>bigtpuprofile</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
             <noscript>This page shows its data with JavaScript, which is switched off.</noscript>\n"
        )
        .as_bytes(),
    )?;
    let json = serde_json::to_string(head).unwrap_or_default();
    file.append(b"<script type=\"application/json\" id=\"head\">")?;
    file.append(in_script(&json).as_bytes())?;
    file.append(b"</script>\n")?;
    for chunk in head.chunks().filter(|c| !c.content.is_empty()) {
        file.append(format!("<script type=\"text/plain\" id=\"c{}\">", chunk.id).as_bytes())?;
        file.append(chunk.content.as_bytes())?;
        file.append(b"</script>\n")?;
    }
    file.append(format!("<script>{SCRIPT}</script>\n</body>\n</html>\n").as_bytes())
}

/// JSON inside an element: `<` is in strings only, and its escape means the same.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_closes_its_script_element() {
        let json = serde_json::to_string("</script><img src=x onerror=alert(1)><!--").unwrap();
        let safe = in_script(&json);
        assert!(!safe.contains('<'));
        let back: String = serde_json::from_str(&safe).unwrap();
        assert_eq!(back, "</script><img src=x onerror=alert(1)><!--");
    }

    #[test]
    fn the_bundle_does_not_close_its_script_element() {
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }
}
