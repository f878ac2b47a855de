//! Writes the workbook of a dump.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_answers::Analysis;
use bigtpu_emit::{Emitter, EmitterInput, Quiet};
use bigtpu_emit_xlsx::Workbook;
use bigtpu_measure::layers::Layers;
use bigtpu_output::OutDir;
use bigtpu_timeline::{BuildOptions, Dump, Profile};

/// Writes the workbook of a dump; `None` when it has no events.
pub(crate) fn write(dump: &Path, out: &Path) -> Option<PathBuf> {
    let layers = Layers::open(dump).layers.map(Arc::new);
    write_with(&Workbook { layers, ..Workbook::default() }, dump, out)
}

/// Writes the workbook of a dump as configured.
pub(crate) fn write_with(workbook: &Workbook, dump: &Path, out: &Path) -> Option<PathBuf> {
    let dump = Dump::open(dump).unwrap();
    let profile = Profile::build(&dump, &BuildOptions::default());
    let analysis = Analysis::of_device(&profile);
    let out = OutDir::create(out).unwrap();
    let scene = &bigtpu_scene::Scene::default();
    let input = EmitterInput {
        profile: &profile,
        analysis: &analysis,
        scene,
        language: Default::default(),
        out: &out,
        progress: &Quiet,
    };
    let written = workbook.emit(&input).unwrap().pop();
    out.publish().unwrap();
    written.map(|written| written.path)
}
