//! The whole way from a dump to its files, in this process.

use std::path::Path;
use std::sync::Arc;

use bigtpu_answers::Analysis;
use bigtpu_emit::{Emitter, Input, OutDir, Quiet, Written};
use bigtpu_emit_perfetto::Perfetto;
use bigtpu_emit_report::JsonReport;
use bigtpu_emit_text::{RegisterTexts, SummaryText};
use bigtpu_emit_web::WebPage;
use bigtpu_emit_xlsx::Workbook;
use bigtpu_host_trace::{HostAlign, HostTrace, ReadOptions};
use bigtpu_layers::Layers;
use bigtpu_scene::measured;
use bigtpu_timeline::{Dump, Options, Profile};

use crate::files::HOST_TRACE;

/// Which views are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Views {
    /// The workbook, which takes more time than the others together.
    pub workbook: bool,
    /// The page, which takes much time where nothing is optimized.
    pub page: bool,
    /// Deflated packets in the trace.
    pub compress: bool,
}

/// Analyzes a dump and writes its views. A host trace next to the dump's files is merged. Returns what was written,
/// or in one sentence why the dump can't be analyzed.
///
/// # Errors
/// The sentence.
///
/// # Panics
/// When anything is found that must not be, whatever the bytes.
pub fn analyze(input: &Path, output: &Path, views: Views) -> Result<Vec<Written>, String> {
    let dump = Dump::open(input).map_err(|error| error.to_string())?;
    let host_path = input.join(HOST_TRACE);
    let host = host_path.is_file().then(|| HostTrace::open(&host_path, &ReadOptions::default()));
    let host = host.transpose().map_err(|error| error.to_string())?.map(Arc::new);
    let out = OutDir::create(output).map_err(|error| error.to_string())?;
    let profile = Profile::build(&dump, &Options::default());
    sound(&profile);
    let analysis = Analysis::of(&profile);
    let layers = Layers::open(&dump.root).map(Arc::new);
    let scene = measured(&profile, &analysis, layers.as_deref());
    let mut emitters: Vec<Box<dyn Emitter>> = vec![
        Box::new(RegisterTexts),
        Box::new(SummaryText),
        Box::new(JsonReport),
        Box::new(Perfetto {
            host: host.clone(),
            align: HostAlign::Anchors,
            layers: layers.clone(),
            compress: views.compress,
        }),
    ];
    if views.page {
        emitters.push(Box::new(WebPage { host, layers: layers.clone(), ..WebPage::default() }));
    }
    if views.workbook {
        emitters.push(Box::new(Workbook { layers, ..Workbook::default() }));
    }
    let scene = &scene;
    let input =
        Input { profile: &profile, analysis: &analysis, scene, out: &out, progress: &Quiet };
    let mut written = Vec::new();
    for emitter in emitters {
        written.extend(emitter.emit(&input).map_err(|error| error.to_string())?);
    }
    out.publish().map_err(|error| error.to_string())?;
    for file in &written {
        let size = std::fs::metadata(&file.path).expect("a written file is there").len();
        assert_eq!(size, file.bytes, "{}", file.path.display());
        assert!(file.path.starts_with(output), "{}", file.path.display());
    }
    Ok(written)
}

/// What holds for every profile.
fn sound(profile: &Profile<'_>) {
    let mut counted = 0;
    for line in &profile.ledger.lines {
        let c = line.counts;
        assert_eq!(c.shown, c.matched + c.unmatched, "{}", line.place);
        assert!(c.shown <= c.read, "{}: more events than records", line.place);
        counted += c.shown;
    }
    let even = profile.tracks().all(|track| {
        let e = &track.events;
        e.start.len() == e.len() && e.end.len() == e.len() && e.binding.len() == e.len()
    });
    assert!(even, "the columns of a track differ in length");
    assert_eq!(counted, profile.event_count() as u64, "the ledger counts all events");
}
