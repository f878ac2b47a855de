//! From aligned events to the command table, and from there to answers and tracks. All threads; every iteration builds
//! anew what it measures.

use bigtpu_answers::{Analysis, Depth};
use bigtpu_compat::Summary;
use bigtpu_measure::{CommandTable, CommandWaits, Launches, sync_flows};
use bigtpu_replay::Replay;
use bigtpu_scene::measured;
use bigtpu_timeline::Profile;
use divan::Bencher;
use divan::counter::ItemsCount;

use crate::dumps::{options, synth};

/// Measures `work` on a profile with full bits.
fn of_profile<T>(bencher: Bencher<'_, '_>, work: impl Fn(&Profile<'_>) -> T) {
    let synth = synth(&options(2, |_| {}));
    let profile = synth.profile();
    bencher.counter(ItemsCount::new(profile.event_count())).bench_local(|| work(&profile));
}

/// Measures `work` on a profile and its analysis.
fn of_analysis<T>(bencher: Bencher<'_, '_>, work: impl Fn(&Profile<'_>, &Analysis) -> T) {
    let synth = synth(&options(2, |_| {}));
    let profile = synth.profile();
    let analysis = Analysis::of_device(&profile);
    bencher
        .counter(ItemsCount::new(profile.event_count()))
        .bench_local(|| work(&profile, &analysis));
}

/// Every command decoded.
#[divan::bench]
fn table(bencher: Bencher<'_, '_>) {
    of_profile(bencher, CommandTable::decode);
}

#[divan::bench]
fn launches(bencher: Bencher<'_, '_>) {
    of_profile(bencher, Launches::collect);
}

/// bigTpuProfile's totals.
#[divan::bench]
fn summary(bencher: Bencher<'_, '_>) {
    of_analysis(bencher, |profile, analysis| Summary::add_up(profile, &analysis.table));
}

#[divan::bench]
fn sync_messages(bencher: Bencher<'_, '_>) {
    of_analysis(bencher, |profile, analysis| sync_flows(profile, &analysis.table));
}

/// The task graph, its check against the measured times, and the critical path.
#[divan::bench]
fn replay(bencher: Bencher<'_, '_>) {
    of_analysis(bencher, |profile, analysis| {
        let waits = CommandWaits::find(profile, &analysis.table);
        Replay::build(profile, &analysis.table, analysis.flows(profile), waits).is_ok()
    });
}

/// Everything that views take: the table, totals, replay, all answers.
#[divan::bench]
fn report(bencher: Bencher<'_, '_>) {
    of_profile(bencher, |profile| {
        let analysis = Analysis::of_device(profile);
        analysis.deepen(profile, Depth::Answers);
        analysis
    });
}

/// Tracks, lanes and slices for the views that draw them.
#[divan::bench]
fn scene(bencher: Bencher<'_, '_>) {
    of_analysis(bencher, |profile, analysis| measured(profile, analysis, None));
}
