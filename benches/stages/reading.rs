//! From bytes to records, words and commands; one thread.

use bigtpu_chip::{Engine, TiuCost};
use bigtpu_format::{BlockKind, DmaRecord, ExtraItems, TiuRecord, Words, blocks, records};
use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use crate::dumps::{Synth, options, synth};

fn dump() -> Synth {
    synth(&options(2, |_| {}))
}

/// The blocks of a kind of all cores.
fn contents(synth: &Synth, kind: BlockKind) -> Vec<&[u8]> {
    let files = synth.dump.cores.iter();
    let all = files.flat_map(|file| blocks(file.bytes()).blocks);
    all.filter(|block| block.kind == kind).map(|block| block.content).collect()
}

fn bytes(contents: &[&[u8]]) -> BytesCount {
    BytesCount::new(contents.iter().map(|content| content.len()).sum::<usize>())
}

#[divan::bench]
fn split_blocks(bencher: Bencher<'_, '_>) {
    let synth = dump();
    let cores = &synth.dump.cores;
    bencher
        .counter(ItemsCount::new(cores.len()))
        .bench_local(|| cores.iter().map(|file| blocks(file.bytes()).blocks.len()).sum::<usize>());
}

/// Every record's start and end are looked at, and nothing else.
#[divan::bench]
fn cast_records(bencher: Bencher<'_, '_>) {
    let synth = dump();
    let tiu = contents(&synth, BlockKind::MonitorTiu);
    let gdma = contents(&synth, BlockKind::MonitorGdma);
    let count = |contents: &[&[u8]], bytes| contents.iter().map(|c| c.len() / bytes).sum::<usize>();
    let both = count(&tiu, size_of::<TiuRecord>()) + count(&gdma, size_of::<DmaRecord>());
    bencher.counter(ItemsCount::new(both)).bench_local(|| {
        let tiu = tiu.iter().flat_map(|c| records::<TiuRecord>(c).0);
        let gdma = gdma.iter().flat_map(|c| records::<DmaRecord>(c).0);
        let cycles = |start: u32, end: u32| u64::from(end.wrapping_sub(start));
        tiu.map(|r| cycles(r.start.get(), r.end.get())).sum::<u64>()
            + gdma.map(|r| cycles(r.start.get(), r.end.get())).sum::<u64>()
    });
}

#[divan::bench]
fn walk_words(bencher: Bencher<'_, '_>) {
    let synth = dump();
    let data = contents(&synth, BlockKind::DynData);
    bencher
        .counter(bytes(&data))
        .bench_local(|| data.iter().map(|content| Words::new(content).count()).sum::<usize>());
}

/// Descriptors of all engines: which operation each is, and what it costs.
#[divan::bench]
fn decode_commands(bencher: Bencher<'_, '_>) {
    let synth = dump();
    let chip = synth.dump.chip;
    let extras = contents(&synth, BlockKind::DynExtra);
    let items: Vec<&[u8]> =
        extras.iter().flat_map(|content| ExtraItems::new(content)).map(|item| item.bytes).collect();
    bencher.counter(ItemsCount::new(items.len())).bench_local(|| {
        for bits in &items {
            match chip.ops(Engine::Tiu).decode(bits) {
                Ok(command) => {
                    black_box(TiuCost::compute(chip, &command));
                }
                Err(_) => {
                    black_box(chip.ops(Engine::Gdma).decode(bits).is_ok());
                }
            }
        }
    });
}
