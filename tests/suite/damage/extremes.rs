//! Lengths, ids, times and names at their extremes.

use super::{Note, expect, shown, undamaged};
use crate::support::dump::{Block, DumpCopy, HEAD, blocks, boundaries, kind};
use crate::support::register_text::records;
use crate::support::summary::ledger;

const CASE: &str = "aks-mode2-sync";
const FILE: &str = "cdmlib0_0.profile";

fn word(at: usize, bytes: &mut [u8]) -> &mut [u8] {
    &mut bytes[at..at + 4]
}

/// Changes the content of the first block of a kind.
fn edit(dump: &DumpCopy, kind: u32, change: impl FnOnce(&mut Vec<u8>)) {
    dump.edit(FILE, |blocks| {
        change(&mut blocks.iter_mut().find(|block| block.kind == kind).unwrap().content);
    });
}

/// The start of the content of the first block of a kind.
fn start_of(dump: &DumpCopy, kind: u32) -> usize {
    let file = dump.read(FILE);
    boundaries(&file)[blocks(&file).iter().position(|b| b.kind == kind).unwrap()] + HEAD
}

#[test]
fn a_block_longer_than_its_file_keeps_what_is_there() {
    for length in [u32::MAX, 0x8000_0000, 100_000] {
        let dump = DumpCopy::copy(CASE);
        let mut file = dump.read(FILE);
        let starts = boundaries(&file);
        let last = starts[starts.len() - 2];
        word(last + 4, &mut file).copy_from_slice(&length.to_le_bytes());
        dump.write(FILE, &file);
        let says =
            [&format!("has a length of {length} bytes"), "copy the file again", "% of the file)"];
        let place = format!("{FILE} at byte {last}");
        let note = Note { lost: true, place: &place, says: &says };
        assert_eq!(shown(&expect("length", &dump, &note)), undamaged(CASE));
    }
}

#[test]
fn extreme_ids_only_leave_their_records_unmatched() {
    for id in [u32::MAX, 0x8000_0000, 0x7fff_ffff, 0x00ff_ffff] {
        let dump = DumpCopy::copy(CASE);
        edit(&dump, kind::GDMA, |records| {
            word(10 * 64 + 8, records).copy_from_slice(&id.to_le_bytes());
        });
        let run = dump.analyze(&["--perfetto", "--enable_doc"]);
        assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
        assert_eq!(shown(&run), undamaged(CASE), "{id}");
        assert!(ledger(&run.text("summary.txt"))["core 0 GDMA"]["unmatched"] > 0, "{id}");
        run.trace();
    }
}

#[test]
fn extreme_times_keep_every_record() {
    // Start and end of a record in the middle.
    for (start, end) in [(u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX), (0, 0), (1 << 31, 1)] {
        let dump = DumpCopy::copy(CASE);
        edit(&dump, kind::TIU, |records| {
            word(8 * 16, records).copy_from_slice(&start.to_le_bytes());
            word(8 * 16 + 4, records).copy_from_slice(&end.to_le_bytes());
        });
        let run = dump.analyze(&["--perfetto", "--enable_doc"]);
        assert_eq!(run.said.code, Some(0), "{start}, {end}: {}", run.said.stderr);
        let count = |name: &str| records(&run.text(name)).len();
        assert_eq!(
            count("tiuRegInfo_0.txt"),
            undamaged(CASE)["tiuRegInfo_0.txt"],
            "{start}, {end}"
        );
        run.trace();
    }
}

#[test]
fn a_monitor_may_have_one_record() {
    for (kind, size, engine) in
        [(kind::TIU, 16, "TIU"), (kind::GDMA, 64, "GDMA"), (kind::SDMA, 64, "SDMA")]
    {
        // A dump without commands: what is shown depends on records alone.
        let dump = DumpCopy::copy(CASE);
        dump.edit(FILE, |blocks| {
            blocks.retain(|block| block.kind == kind);
            blocks[0].content.truncate(size);
        });
        dump.remove("cdmlib0_1.profile");
        dump.edit_global(|_| "arch=5\ncore_num=1\n".to_owned());
        let run = dump.analyze(&["--perfetto", "--enable_doc", "--strict"]);
        assert_eq!(run.said.code, Some(0), "{engine}: {}", run.said.stderr);
        // The only record of an engine is its preamble's first, if anything.
        assert!(run.said.stdout.contains("events"), "{}", run.said.stdout);

        dump.edit_global(|text| format!("{text}core0_{}_record=1\n", engine.to_lowercase()));
        let run = dump.analyze(&["--emit", "text,report,trace,summary"]);
        let warning = format!("core 0 {engine}: a single record means truncated data");
        assert!(run.said.stderr.contains(&warning), "{}", run.said.stderr);
    }
}

/// The case with another name for its first kernel.
fn with_kernel(name: &[u8]) -> DumpCopy {
    let dump = DumpCopy::copy(CASE);
    edit(&dump, kind::DYN_DATA, |words| {
        let is_func = |word: &[u8]| u32::from_le_bytes(word.try_into().unwrap()) & 0x7f == 0;
        let at = 4 * words.chunks_exact(4).position(is_func).unwrap();
        let old = u32::from_le_bytes(word(at, words).try_into().unwrap()) as usize >> 7;
        let mut new = ((name.len() as u32) << 7).to_le_bytes().to_vec();
        new.extend(name);
        new.resize(new.len().next_multiple_of(4), 0);
        words.splice(at..at + 4 + old.next_multiple_of(4), new);
    });
    dump
}

#[test]
fn a_kernels_name_is_a_text_whatever_its_bytes() {
    let turned = "a\u{202e}b".as_bytes();
    let cases: [(&[u8], &str); 7] = [
        (b"\xff\xfe\xc3(", "\u{fffd}\u{fffd}\u{fffd}("),
        (b"<script>alert(1)</script>", "<script>alert(1)</script>"),
        (b"=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
        (b"../../etc/passwd", "../../etc/passwd"),
        (b"a\n\tMsg Id: 5\r\n__TIU_REG_INFO__", r"a\u{a}\u{9}Msg Id: 5\u{d}\u{a}__TIU_REG_INFO__"),
        (b"\x1b[31m\x00\x07", r"\u{1b}[31m\u{0}\u{7}"),
        (turned, r"a\u{202e}b"),
    ];
    for (name, expected) in cases {
        let dump = with_kernel(name);
        let run = dump.analyze(&["--perfetto", "--enable_doc", "--strict"]);
        assert_eq!(run.said.code, Some(0), "{expected:?}: {}", run.said.stderr);
        assert_eq!(shown(&run), undamaged(CASE), "{expected:?}");
        let kernels: Vec<String> = records(&run.text("tiuRegInfo_0.txt"))
            .iter()
            .map(|record| record.get("kernel_func").to_owned())
            .collect();
        assert!(kernels.iter().any(|kernel| kernel == expected), "{expected:?}: {kernels:?}");
        let trace = run.trace();
        let path = "Core 0/Kernel Function";
        assert!(trace.slices_on(path).iter().any(|s| s.name == expected), "{expected:?}");
        let rows = crate::support::workbook::rows(run.out_dir(), "Kernels");
        assert!(rows.iter().any(|row| row[0] == expected), "{expected:?}: {rows:?}");
    }
}

#[test]
fn a_kernels_name_of_ten_megabytes_is_shown_by_its_start() {
    let dump = with_kernel(&vec![b'k'; 10 << 20]);
    let place = format!("{FILE} at byte ");
    let run = expect_long_name(&dump, &place);
    assert_eq!(shown(&run), undamaged(CASE));
    // Ten megabytes for each of its commands would be hundreds.
    assert!(run.files().values().all(|bytes| bytes.len() < 1 << 20));
}

fn expect_long_name(dump: &DumpCopy, place: &str) -> crate::support::run::Finished {
    let run = dump.analyze(&["--perfetto", "--enable_doc", "--strict"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    let warning = "a kernel's name has 10485760 bytes";
    let note = run.said.stderr.lines().find(|line| line.contains(warning)).unwrap();
    assert!(note.starts_with("warning: ") && note.contains(place), "{note}");
    run
}

#[test]
fn more_bits_than_commands_are_not_used() {
    let dump = DumpCopy::copy(CASE);
    edit(&dump, kind::DYN_EXTRA, |items| {
        let length = u32::from_le_bytes(word(8, items).try_into().unwrap()) as usize;
        let first = items[..12 + length].to_vec();
        items.extend(first.repeat(3));
    });
    let place = format!("{FILE} at byte {}", start_of(&dump, kind::DYN_DATA));
    let note = Note { lost: true, place: &place, says: &["DYN_EXTRA has 3 items more"] };
    let run = expect("surplus", &dump, &note);
    assert_eq!(shown(&run), undamaged(CASE));
}

#[test]
fn bits_without_commands_are_lost() {
    let dump = DumpCopy::copy(CASE);
    dump.edit(FILE, |blocks| blocks.retain(|block| block.kind != kind::DYN_DATA));
    let place = format!("{FILE} at byte {}", start_of(&dump, kind::DYN_EXTRA) + 12);
    let note =
        Note { lost: true, place: &place, says: &["DYN_EXTRA holds", "DYN_DATA is missing"] };
    expect("no commands", &dump, &note);
}

#[test]
fn commands_and_streams_for_missing_ports_are_lost() {
    // NODE_SET for CDMA with port 15, and a CDMA stream for it.
    let dump = DumpCopy::copy("aksv-mode2-cdma");
    let command: u32 = 1 | 3 << 7 | 15 << 28;
    let stream: [u32; 2] = [11, 15 << 28 | 1];
    let mut at = 0;
    dump.edit(FILE, |blocks| {
        let data = blocks.iter_mut().find(|b| b.kind == kind::DYN_DATA).unwrap();
        at = data.content.len();
        for word in [command, command, stream[0], stream[1]] {
            data.content.extend(word.to_le_bytes());
        }
    });
    at += start_of(&dump, kind::DYN_DATA);
    for (offset, what) in [(0, "2 commands for CDMA port 15"), (8, "1 streams for CDMA port 15")] {
        let place = format!("{FILE} at byte {}", at + offset);
        let says = [what, "which the chip does not have", "% of the file)"];
        expect(what, &dump, &Note { lost: true, place: &place, says: &says });
    }
}

#[test]
fn an_undecodable_descriptor_is_reported() {
    let dump = DumpCopy::copy("aks-bmodel");
    const DES_TIU: u32 = 13;
    let start = start_of(&dump, DES_TIU);
    let place = format!("{FILE} at byte {start}");
    // Bits of no operation: of one the form shows the length, of the other nothing does.
    edit(&dump, DES_TIU, |bits| bits[..16].fill(0xee));
    let note = Note { lost: false, place: &place, says: &["TIU descriptors", "shown as unknown"] };
    expect("descriptor", &dump, &note);
    edit(&dump, DES_TIU, |bits| bits[..16].fill(0x11));
    let says = ["TIU descriptors", "its length is not known; those behind it are read"];
    expect("length", &dump, &Note { lost: true, place: &place, says: &says });
}

#[test]
fn trailing_zeros_are_one_loss() {
    // As a file system leaves it that lost power.
    let dump = DumpCopy::copy(CASE);
    let mut file = dump.read(FILE);
    let end = file.len();
    file.resize(end + (1 << 20), 0);
    dump.write(FILE, &file);
    let place = format!("{FILE} at byte {}", end + HEAD);
    let says = ["unknown block type 0 and 131071 more after it", "% of the file)"];
    let run = expect("zeros", &dump, &Note { lost: true, place: &place, says: &says });
    assert_eq!(shown(&run), undamaged(CASE));
}

#[test]
fn thousands_of_faults_are_counted() {
    let dump = DumpCopy::copy(CASE);
    dump.edit(FILE, |blocks| {
        for _ in 0..5000 {
            blocks.push(Block { kind: 77, content: Vec::new() });
            blocks.push(Block { kind: 100, content: Vec::new() });
        }
    });
    let run = dump.analyze(&["--emit", "text,report,trace,summary", "--verbose", "--strict"]);
    assert_eq!((run.said.code, shown(&run)), (Some(3), undamaged(CASE)));
    let last = format!("lost: {FILE}: 4800 more notes about this file are not shown");
    assert_eq!(run.said.stderr.lines().filter(|line| *line == last).count(), 1);
    assert_eq!(run.said.stderr.lines().count(), 201);
    assert!(run.text("summary.txt").contains(&last));
    // The trace has the first hundred, and how many there are.
    let attributes = run.trace().attributes;
    let value =
        |name: &str| attributes.iter().find(|(key, _)| key == name).map(|(_, v)| v.as_str());
    assert_eq!(value("bigtpuprofile.notes"), Some("201"));
    assert!(value("bigtpuprofile.note.100").is_some() && value("bigtpuprofile.note.101").is_none());
}
