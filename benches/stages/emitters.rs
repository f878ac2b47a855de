//! From aligned events to files: each emitter alone, all threads, into a directory of its own. Events, their analysis
//! and their tracks are made before the measurement; what an emitter makes, every iteration makes anew.

use bigtpu_answers::Analysis;
use bigtpu_emit::report::JsonReport;
use bigtpu_emit::{Emitter, EmitterInput, Quiet};
use bigtpu_emit_events::ParquetEvents;
use bigtpu_emit_perfetto::Perfetto;
use bigtpu_emit_text::{RegisterTexts, SummaryText};
use bigtpu_emit_web::WebPage;
use bigtpu_emit_xlsx::Workbook;
use bigtpu_host_trace::HostAlign;
use bigtpu_messages::Language;
use bigtpu_output::OutDir;
use bigtpu_scene::measured;
use divan::Bencher;
use divan::counter::ItemsCount;

use crate::dumps::{options, synth};

fn emit(bencher: Bencher<'_, '_>, emitter: &dyn Emitter) {
    let synth = synth(&options(2, |_| {}));
    let profile = synth.profile();
    let analysis = Analysis::of_device(&profile);
    let scene = measured(&profile, &analysis, None);
    let dir = tempfile::tempdir().unwrap();
    let emit = |out: &OutDir| {
        let input = EmitterInput {
            profile: &profile,
            analysis: &analysis,
            scene: &scene,
            out,
            progress: &Quiet,
            language: Language::English,
        };
        emitter.emit(&input).unwrap();
    };
    let events = profile.event_count();
    // Files that are not published are removed when their directory is dropped, outside of the measurement.
    bencher.counter(ItemsCount::new(events)).bench_local(|| {
        let out = OutDir::create(dir.path()).unwrap();
        emit(&out);
        out
    });
}

#[divan::bench]
fn text(bencher: Bencher<'_, '_>) {
    emit(bencher, &RegisterTexts::default());
}

#[divan::bench]
fn summary(bencher: Bencher<'_, '_>) {
    emit(bencher, &SummaryText);
}

#[divan::bench]
fn report_json(bencher: Bencher<'_, '_>) {
    emit(bencher, &JsonReport);
}

#[divan::bench]
fn events(bencher: Bencher<'_, '_>) {
    emit(bencher, &ParquetEvents::default());
}

#[divan::bench]
fn workbook(bencher: Bencher<'_, '_>) {
    emit(bencher, &Workbook::default());
}

#[divan::bench]
fn page(bencher: Bencher<'_, '_>) {
    let page = WebPage { source: "bench".into(), ..WebPage::default() };
    emit(bencher, &page);
}

#[divan::bench(args = [false, true])]
fn trace(bencher: Bencher<'_, '_>, compress: bool) {
    emit(
        bencher,
        &Perfetto {
            host: None,
            align: HostAlign::Anchors,
            layers: None,
            compress,
            cut: None,
            detail: None,
        },
    );
}
