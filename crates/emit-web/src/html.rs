//! The file: a frame, the data, the script. Nothing in it refers to anything outside.

use bigtpu_output::{
    ByLibrary, Json, Markup, NO_SCRIPT, OutFile, OutputError, Text, page_start, text,
};

use bigtpu_messages::Language;
use serde::Serialize;

use crate::head::Head;
use crate::runs::RunsHead;

const SCRIPT: &str = include_str!("../page/dist/page.js");
const STYLE: &str = include_str!("../page/dist/page.css");
/// Hash of the script: the page runs no other, whatever a dump's names hold.
const SCRIPT_HASH: &str = include_str!("../page/dist/page.js.sha256");

/// Writes the page of a run, or of two: then the element `runs` says what they are to each other. Numbers of chunks go
/// on from head to head.
pub(crate) fn write(
    heads: &mut [Head<'_>],
    mut runs: Option<&mut RunsHead<'_>>,
    opens_in: Option<Language>,
    file: &mut OutFile,
) -> Result<(), OutputError> {
    let start: Text<Markup> = text!(
        "{}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; \
         style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>bigtpuprofile</title>\n\
         <style>{}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         {}",
        page_start(opens_in),
        Text::literal(SCRIPT_HASH),
        Text::literal(STYLE),
        Text::literal(NO_SCRIPT)
    );
    file.append(&start)?;
    let pairs = runs.iter_mut().flat_map(|runs| &mut runs.tracks).map(|track| &mut track.pairs);
    heads
        .iter_mut()
        .flat_map(Head::chunks)
        .chain(pairs)
        .enumerate()
        .for_each(|(id, chunk)| chunk.id = id);
    for (number, head) in heads.iter().enumerate() {
        let id = if number == 0 { "head".to_owned() } else { format!("head{number}") };
        write_json(head, &id, file)?;
    }
    if let Some(runs) = &runs {
        write_json(runs, "runs", file)?;
    }
    let pairs = runs.iter_mut().flat_map(|runs| &mut runs.tracks).map(|track| &mut track.pairs);
    let chunks = heads.iter_mut().flat_map(Head::chunks).chain(pairs);
    for chunk in chunks.filter(|c| !c.content.is_empty()) {
        put(file, &text!("<script type=\"text/plain\" id=\"c{}\">", chunk.id))?;
        // Base64.
        file.append(&ByLibrary(chunk.content.as_bytes()))?;
        put(file, &Text::literal("</script>\n"))?;
    }
    put(file, &text!("<script>{}</script>\n</body>\n</html>\n", Text::literal(SCRIPT)))
}

fn put(file: &mut OutFile, text: &Text<Markup>) -> Result<(), OutputError> {
    file.append(text)
}

/// Data in an element of this id.
fn write_json(data: &impl Serialize, id: &str, file: &mut OutFile) -> Result<(), OutputError> {
    let json = serde_json::to_string(data).unwrap_or_default();
    put(file, &text!("<script type=\"application/json\" id=\"{}\">", id))?;
    file.append(&Json::in_page(&json))?;
    put(file, &Text::literal("</script>\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundle_does_not_close_its_script_element() {
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }
}
