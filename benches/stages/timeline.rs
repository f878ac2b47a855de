//! From records to aligned events: clean, join, align. All threads.

use bigtpu_synth::{Options, Style};
use divan::Bencher;
use divan::counter::ItemsCount;

use crate::dumps::{options, synth};

fn build(bencher: Bencher<'_, '_>, options: &Options) {
    let synth = synth(options);
    let events = synth.profile().event_count();
    bencher.counter(ItemsCount::new(events)).bench_local(|| synth.profile().event_count());
}

/// Records only: rings, ids, times, labels, the common time line.
#[divan::bench]
fn clean(bencher: Bencher<'_, '_>) {
    build(bencher, &options(0, |_| {}));
}

/// Records joined to words.
#[divan::bench]
fn join_words(bencher: Bencher<'_, '_>) {
    build(bencher, &options(1, |_| {}));
}

/// Records joined to words and full bits.
#[divan::bench]
fn join_bits(bencher: Bencher<'_, '_>) {
    build(bencher, &options(2, |_| {}));
}

/// Records joined to cached descriptor streams.
#[divan::bench]
fn join_streams(bencher: Bencher<'_, '_>) {
    build(bencher, &options(2, |o| o.style = Style::Graph));
}

/// Lost records make the sections' lengths differ: alignment has to search.
#[divan::bench]
fn align_with_losses(bencher: Bencher<'_, '_>) {
    build(bencher, &options(1, |o| o.loss = 0.03));
}
