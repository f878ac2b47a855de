//! One check for each kind of input. Each takes any bytes and panics when something does not hold.

use std::collections::BTreeSet;
use std::path::Path;

use bigtpu_chip::{Chip, Engine, StreamEnd, chips, walk};
use bigtpu_command_cost::CostModel;
use bigtpu_format::{BlockKind, DynNode, ExtraItems, Global, KvHeader, Words, blocks};
use bigtpu_host_trace::{HostTrace, ReadOptions, Span, Stats, nest};
use bigtpu_simulate::compiled::{Bmodel, CommandFile};
use bigtpu_simulate::{CoreFile, Program, program_of_files, program_of_subnets, simulate};
use bigtpu_timeline::Clocks;

use crate::files::DumpFiles;
use crate::pipeline::{Views, analyze};

/// The container: blocks lie in the file one behind another, and with what is damaged make up all of it.
///
/// # Panics
/// When they don't.
pub fn container(file: &[u8]) {
    let found = blocks(file);
    let mut end = 0;
    let known = found.blocks.iter().map(|block| (block.offset, block.content.len() as u64));
    let unknown = found.unknown.iter().map(|run| (run.offset, run.bytes));
    let mut places: Vec<(u64, u64)> = known.chain(unknown).collect();
    places.sort_unstable();
    for (offset, bytes) in places {
        assert_eq!(offset, end + 8, "a gap between blocks");
        end = offset + bytes;
    }
    for block in &found.blocks {
        let name = block.kind.name();
        assert!(!name.is_empty());
        match block.kind {
            BlockKind::DynData => words(block.content),
            BlockKind::DynExtra => items(block.content),
            BlockKind::DesKv => {
                let split = KvHeader::split(block.content);
                assert_eq!(split.is_some(), block.content.len() >= KvHeader::BYTES);
            }
            _ => {}
        }
    }
    match &found.damage {
        None => assert_eq!(end, file.len() as u64, "bytes of the file are in no block"),
        Some(damage) => assert_eq!(damage.offset + damage.bytes, file.len() as u64),
    }
}

/// DYN_DATA: nodes follow one another, each a word or more, and all whole words are seen.
///
/// # Panics
/// When they don't.
pub fn words(content: &[u8]) {
    let mut next = 0;
    for (at, node) in Words::new(content) {
        assert!(at >= next && at.is_multiple_of(4) && at + 4 <= content.len(), "node at {at}");
        next = at + 4;
        if let DynNode::Func(name) | DynNode::OddFunc { text: name, .. } = node {
            // Bytes that are no UTF-8 become one mark of three bytes each, at most.
            assert!(name.len() <= 3 * content.len());
        }
    }
}

/// DYN_DATA and DYN_EXTRA; the first two bytes say how much of the rest is DYN_DATA.
///
/// # Panics
/// When [`words`] or [`items`] does.
pub fn dyn_data(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk() else { return };
    let (data, extra) = rest.split_at(usize::from(u16::from_le_bytes(*length)).min(rest.len()));
    words(data);
    items(extra);
    let block = |kind: u32, content: &[u8]| {
        let length = (content.len() as u32).to_le_bytes();
        [&kind.to_le_bytes(), &length, content].concat()
    };
    // All of the walk, on the chip that has the most rules.
    let core = [block(5, data), block(6, extra)].concat();
    let files = [("cdmlib0_3.profile", core), ("global.profile", b"arch=6".to_vec())];
    directory(&DumpFiles(files.map(|(name, bytes)| (name.to_owned(), bytes)).to_vec()).pack());
}

/// DYN_EXTRA: items and what is damaged make up the whole block.
///
/// # Panics
/// When they don't.
pub fn items(content: &[u8]) {
    let mut items = ExtraItems::new(content);
    let mut end = 0;
    for item in items.by_ref() {
        assert_eq!(item.offset, end + 12);
        end = item.offset + item.bytes.len();
    }
    let damaged = items.damage().map_or(0, |damage| damage.bytes as usize);
    assert_eq!(end + damaged, content.len(), "bytes of the block are in no item");
}

/// `global.profile`: its meaning does not depend on a byte order mark, line ends or blanks, and each line is warned of
/// once at most.
///
/// # Panics
/// When it does.
pub fn global(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let plain = Global::parse(&text);
    assert!(plain.warnings.len() <= text.lines().count());
    let dressed: String = text
        .trim_start_matches('\u{feff}')
        .lines()
        .flat_map(|line| ["\t ", line, " \r\n"])
        .collect();
    let dressed = Global::parse(&format!("\u{feff}{dressed}"));
    assert_eq!(format!("{plain:?}"), format!("{dressed:?}"));
}

/// Descriptors of any chip and engine; the first byte picks them. Commands follow one another, and a stream that breaks
/// off says where.
///
/// # Panics
/// When they don't.
pub fn descriptors(bytes: &[u8]) {
    let Some((&pick, stream)) = bytes.split_first() else { return };
    let engines = [Engine::Tiu, Engine::Gdma, Engine::Sdma, Engine::Cdma];
    let chip = &chips()[usize::from(pick / 4) % chips().len()];
    let engine = engines[usize::from(pick % 4)];
    let walked = walk(chip, engine, stream);
    let offsets: Vec<usize> = walked.commands.iter().map(|command| command.offset).collect();
    assert!(offsets.is_sorted_by(|a, b| a < b), "commands overlap");
    assert!(offsets.iter().all(|&at| at < stream.len()), "a command lies behind the stream");
    if let StreamEnd::Lost { offset, bytes, .. } = walked.end {
        assert_eq!(offset + bytes, stream.len());
    }
}

/// A `.bmodel`: it is read and simulated, or refused with a sentence.
///
/// # Panics
/// When the simulation does not end as its commands say.
pub fn bmodel(file: &[u8]) {
    let model = match Bmodel::read(file) {
        Ok(model) => model,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let chip = Chip::find(&model.chip).unwrap_or(&chips()[0]);
    for stage in model.nets.iter().flat_map(|net| &net.stages).take(4) {
        let clocks = Clocks::of_chip(chip, None);
        let program = program_of_subnets(chip, clocks, file, &stage.subnets, Path::new("bmodel"));
        if let Ok(program) = program {
            simulated(program, &CostModel::compiled_in(chip));
        }
    }
}

/// Command files of the TIU and GDMA of a core: the first byte picks the chip, the second the length of the TIU's file
/// in units of 16 bytes.
///
/// # Panics
/// As [`bmodel`].
pub fn command_files(bytes: &[u8]) {
    let [pick, rest @ ..] = bytes else { return };
    let chip = &chips()[usize::from(*pick) % chips().len()];
    commands_take(&CostModel::compiled_in(chip), rest);
}

/// Constants of `simulate --model`: what is read is the same after it was written again, and commands take the time that
/// they say or are refused. The first four bytes are the length of the JSON text; command files as in
/// [`command_files`] follow, without their first byte.
///
/// # Panics
/// When it isn't so.
pub fn model(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return };
    let (text, commands) = rest.split_at((u32::from_le_bytes(*length) as usize).min(rest.len()));
    match CostModel::of_json(&String::from_utf8_lossy(text)) {
        Ok(model) => {
            let written = model.to_json();
            let again = CostModel::of_json(&written.to_string()).expect("what was written is read");
            assert_eq!(again.to_json(), written);
            commands_take(&model, commands);
        }
        Err(error) => assert!(error.to_string().len() <= 4096 + 4 * text.len(), "{error:.200}"),
    }
}

/// Simulates command files with the model: the first byte is the length of the TIU's file in units of 16 bytes.
fn commands_take(model: &CostModel, bytes: &[u8]) {
    let [length, commands @ ..] = bytes else { return };
    let tiu = commands.len().min(usize::from(*length) * 16);
    let file = |name: &str, range| CommandFile::of_name(name).map(|name| CoreFile { name, range });
    let files = [file("a-0-0.BD.0", 0..tiu), file("a-0-0.GDMA.0", tiu..commands.len())];
    let files: Vec<CoreFile> = files.into_iter().flatten().collect();
    let buffers = [commands.to_vec()];
    let clocks = Clocks::of_chip(model.chip, None);
    if let Ok(program) = program_of_files(model.chip, clocks, &buffers, &files, Path::new("a")) {
        simulated(program, model);
    }
}

/// Every command of a program has times in order, or the program an error.
fn simulated(program: Program<'_>, model: &CostModel) {
    let commands = program.len();
    match simulate(program, model) {
        Ok(simulation) => {
            let times: Vec<(i64, i64)> =
                simulation.times.iter().flatten().flatten().copied().collect();
            assert_eq!(times.len(), commands);
            assert!(times.iter().all(|(start, end)| 0 <= *start && start <= end), "{times:?}");
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// How compressed data start.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A host trace: plain text is the same trace in pieces of any size, and every slice is nested once.
///
/// # Panics
/// When it isn't.
pub fn host_trace(text: &[u8]) {
    let read = |chunk_bytes| {
        let options =
            ReadOptions { chunk_bytes, max_event_bytes: 1 << 16, ..ReadOptions::default() };
        HostTrace::read(text, Path::new("trace.json"), &options)
    };
    let (large, small) = (read(1 << 16), read(61));
    let (large, small) = match (large, small) {
        (Ok(large), Ok(small)) => (large, small),
        // Of damaged compressed data, smaller pieces save more.
        (large, small) if text.starts_with(&GZIP) && (large.is_err() || small.is_err()) => return,
        (Err(large), Err(small)) => {
            assert_eq!(std::mem::discriminant(&large), std::mem::discriminant(&small));
            return;
        }
        (large, small) => panic!("{:?}, in small pieces {:?}", large.err(), small.err()),
    };
    // How much is read of what is behind the trace's end depends on the pieces.
    let text_bytes = large.files[0].stats.text_bytes;
    let [of_large, of_small] = [&large, &small].map(|trace| &trace.files[0].stats);
    assert!(
        text.starts_with(&GZIP) || *of_large == Stats { text_bytes, ..of_small.clone() },
        "{of_large:?}"
    );
    assert_eq!(large.tally.read, large.tally.accounted(), "{}", large.tally);
    assert!(text.starts_with(&GZIP) || large.slices == small.slices);
    let mut kept = 0;
    for places in large.kept_by_thread() {
        let spans: Vec<Span> = places.iter().map(|&at| Span::from(&large.slices[at])).collect();
        let lanes = nest(&spans);
        assert!(spans.is_empty() || !lanes.is_empty());
        kept += spans.len();
    }
    assert_eq!(kept, large.kept_slices().count());
}

/// A whole dump directory, packed (see [`DumpFiles::pack`]): analyzed with all views, or refused in one sentence.
///
/// # Panics
/// When something does not hold, or a file was left that is no result.
pub fn directory(packed: &[u8]) {
    let dir = tempfile::tempdir().expect("there is room for temporary files");
    let (input, output) = (dir.path().join("dump"), dir.path().join("out"));
    std::fs::create_dir(&input).expect("a directory can be made");
    DumpFiles::unpack(packed).write(&input);
    let views = Views {
        workbook: packed.len().is_multiple_of(8),
        page: packed.len().is_multiple_of(4),
        compress: false,
    };
    match analyze(&input, &output, views) {
        Ok(written) => {
            let parents = written.iter().filter_map(|file| file.path.parent());
            let folders: BTreeSet<&Path> = parents.filter(|parent| *parent != output).collect();
            let top = std::fs::read_dir(&output).expect("results are there").count();
            let in_top = written.iter().filter(|file| file.path.parent() == Some(&output)).count();
            assert_eq!(top, in_top + folders.len(), "litter in the output directory");
        }
        Err(sentence) => assert!(sentence.len() > 20, "no sentence: {sentence}"),
    }
}
