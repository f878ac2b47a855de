//! Records and commands that do not fit one another.

use super::{Note, expect, shown, undamaged};
use crate::suite::answers::Synth;
use crate::support::dump::{Block, DumpCopy, HEAD, blocks, boundaries, kind};
use crate::support::run::analyzed;
use crate::support::summary::{ledger, table};

const CDMA: &str = "aksv-mode2-cdma";
const SYNC: &str = "aks-mode2-sync";
const FILE: &str = "cdmlib0_0.profile";

fn start_of(dump: &DumpCopy, file: &str, kind: u32) -> usize {
    let bytes = dump.read(file);
    boundaries(&bytes)[blocks(&bytes).iter().position(|b| b.kind == kind).unwrap()] + HEAD
}

#[test]
fn lost_records_are_counted_from_the_commands() {
    let says = ["9 of 23 GDMA commands have no record, and 7 records match no command"];
    let dump = DumpCopy::copy("aksv-lost-records");
    let run = expect("records", &dump, &Note { lost: true, place: FILE, says: &says });
    let ledger = ledger(&run.text("summary.txt"));
    let gdma = &ledger["core 0 GDMA"];
    assert_eq!((gdma["unmatched"], gdma["unseen"], gdma["lost"]), (7, 9, 9));
}

#[test]
fn stray_records_at_the_ends_are_left_out_and_counted() {
    // The last TIU records have an id that only an early command has.
    let dump = DumpCopy::copy(SYNC);
    let strays = 4;
    dump.edit(FILE, |blocks| {
        let tiu = blocks.iter_mut().find(|block| block.kind == kind::TIU).unwrap();
        let all = tiu.content.len() / 16;
        for record in all - strays..all {
            tiu.content[record * 16 + 8..record * 16 + 12].copy_from_slice(&1u32.to_le_bytes());
        }
    });
    let says = ["TIU records at start and end match no command and are left out"];
    let run = expect("strays", &dump, &Note { lost: true, place: FILE, says: &says });
    assert!(shown(&run)["tiuRegInfo_0.txt"] < undamaged(SYNC)["tiuRegInfo_0.txt"]);
}

#[test]
fn records_without_a_matching_model_are_shown() {
    let dump = DumpCopy::copy("aks-bmodel");
    const DES_TIU: u32 = 13;
    dump.edit(FILE, |blocks| {
        let des = blocks.iter_mut().find(|block| block.kind == DES_TIU).unwrap();
        des.content.truncate(16);
    });
    let says = ["1 of 1 TIU commands have no record, and 16 records match no command"];
    let run = expect("model", &dump, &Note { lost: true, place: FILE, says: &says });
    assert_eq!(shown(&run), undamaged("aks-bmodel"));
}

#[test]
fn ports_without_a_sync_send_are_not_shifted() {
    let dump = DumpCopy::copy(CDMA);
    dump.edit("cdmlib0_3.profile", |blocks| {
        let sdma = blocks.iter_mut().find(|block| block.kind == kind::SDMA).unwrap();
        sdma.content.truncate(3 * 64);
    });
    dump.edit_global(|text| text.replace("core3_sdma_record=8", "core3_sdma_record=3"));
    let says = ["the SDMA has 1 sync sends for 3 CDMA ports", "are not aligned"];
    let note = Note { lost: false, place: "cdmlib0_3.profile", says: &says };
    let run = dump.analyze(&["--perfetto", "--verbose"]);
    assert!(run.said.stderr.lines().any(|line| note.is(line)), "{}", run.said.stderr);
    // The SDMA's other records are gone with the sends.
    let says = ["5 of 5 SDMA commands have no record"];
    let run = expect("sends", &dump, &Note { lost: true, says: &says, ..note });
    let ports = |shown: std::collections::BTreeMap<String, usize>| {
        shown.into_iter().filter(|(name, _)| name.starts_with("cdma")).count()
    };
    assert_eq!(ports(shown(&run)), ports(undamaged(CDMA)));
}

/// In capture mode 0 nothing says when a port worked: the wall time is that of the cores.
#[test]
fn a_port_that_nothing_binds_is_not_in_the_wall_time() {
    let wall = |dump: &DumpCopy| {
        let run = dump.analyze(&["--emit", "report"]);
        let report: serde_json::Value = serde_json::from_str(&run.text("report.json")).unwrap();
        let path = report["critical_path"]["wall_ns"].as_i64().unwrap();
        let all = &report["intervals"]["overall"];
        (all["wall_ns"].as_i64().unwrap(), path, run.said.stderr)
    };
    let dump = DumpCopy::copy("aks-mode0-cdma");
    let (with_ports, path, said) = wall(&dump);
    let told = |line: &&str| line.contains("left out of the wall time and of the critical path");
    assert_eq!(said.lines().filter(told).count(), 2, "{said}");
    dump.remove("cdma0_0.profile");
    dump.remove("cdma0_1.profile");
    let (without, path_without, _) = wall(&dump);
    assert_eq!((with_ports, path), (without, path_without));
}

#[test]
fn port_records_that_match_several_cores_stay_unmatched() {
    let dump = DumpCopy::copy(CDMA);
    dump.write("cdmlib0_1.profile", dump.read(FILE));
    dump.edit_global(|text| {
        text.lines().filter(|l| !l.contains("_record=")).map(|l| format!("{l}\n")).collect()
    });
    let note = Note {
        lost: false,
        place: "cdma0_0.profile",
        says: &["match the commands of more than one core and stay unmatched"],
    };
    let run = dump.analyze(&["--perfetto", "--enable_doc", "--verbose"]);
    assert!(run.said.stderr.lines().any(|line| note.is(line)), "{}", run.said.stderr);
    // A copy of another core's file is told as such.
    let says = ["one of the two files was copied over the other"];
    let copied = Note { lost: true, place: "cdmlib0_1.profile", says: &says };
    assert!(run.said.stderr.lines().any(|line| copied.is(line)), "{}", run.said.stderr);
    assert!(ledger(&run.text("summary.txt"))["port 0 CDMA"]["unmatched"] > 0);
    // So few records fit that this is reported, too.
    let few =
        Note { lost: false, place: "cdma0_0.profile", says: &["records match no core's commands"] };
    assert!(run.said.stderr.lines().any(|line| few.is(line)), "{}", run.said.stderr);
}

#[test]
fn a_port_monitor_in_a_core_file_is_lost() {
    let dump = DumpCopy::copy(SYNC);
    let end = dump.read(FILE).len();
    dump.edit(FILE, |blocks| blocks.push(Block { kind: kind::CDMA, content: vec![0; 128] }));
    let place = format!("{FILE} at byte {}", end + HEAD);
    let says = ["MONITOR_CDMA is in a core's file", "% of the file)"];
    let run = expect("cdma", &dump, &Note { lost: true, place: &place, says: &says });
    assert_eq!(shown(&run), undamaged(SYNC));
}

#[test]
fn blocks_that_a_port_does_not_use_are_no_loss() {
    let dump = DumpCopy::copy(CDMA);
    let before = dump.analyze(&["--emit", "text,report,trace,summary"]).files();
    dump.edit("cdma0_0.profile", |blocks| {
        for kind in [1, 2, 5, 6, 7, 8, 9, 10, 16, 17, 100] {
            blocks.push(Block { kind, content: vec![0xff; 24] });
        }
    });
    let run = dump.analyze(&["--emit", "text,report,trace,summary", "--strict"]);
    assert_eq!((run.said.code, run.said.stderr.as_str()), (Some(0), ""));
    assert!(run.files() == before);
}

#[test]
fn a_stream_block_shorter_than_its_header_is_lost() {
    let dump = DumpCopy::copy("aks-graph-des");
    let end = dump.read(FILE).len();
    dump.edit(FILE, |blocks| blocks.push(Block { kind: kind::DES_KV, content: vec![1; 11] }));
    let place = format!("{FILE} at byte {}", end + HEAD);
    let says = ["DES_KV is too short for its header of 12", "% of the file)"];
    let run = expect("short", &dump, &Note { lost: true, place: &place, says: &says });
    assert_eq!(shown(&run), undamaged("aks-graph-des"));
}

#[test]
fn truncated_commands_are_reported_with_their_offset() {
    let name = (400u32 << 7).to_le_bytes().to_vec();
    let stream = (8u32 | 1 << 7).to_le_bytes().to_vec();
    let cases = [
        (name, "a kernel's name extends beyond the end of the block"),
        (stream, "a DES node's second word is missing"),
        (vec![0xff; 3], "DYN_DATA ends with an incomplete word of 3 bytes"),
    ];
    for (tail, what) in cases {
        let dump = DumpCopy::copy(SYNC);
        let mut length = 0;
        dump.edit(FILE, |blocks| {
            let data = blocks.iter_mut().find(|block| block.kind == kind::DYN_DATA).unwrap();
            length = data.content.len();
            data.content.extend(tail);
        });
        let place = format!("{FILE} at byte {}", start_of(&dump, FILE, kind::DYN_DATA) + length);
        let note = Note { lost: true, place: &place, says: &[what, "% of the file)"] };
        assert_eq!(shown(&expect(what, &dump, &note)), undamaged(SYNC));
    }
}

#[test]
fn blocks_may_be_in_any_order() {
    for case in [SYNC, "aks-graph-des", CDMA] {
        let dump = DumpCopy::copy(case);
        let before = dump.analyze(&["--perfetto", "--enable_doc"]).files();
        dump.edit(FILE, |blocks| {
            // Streams of one key overrule one another, in their order.
            blocks.sort_by_key(|block| std::cmp::Reverse(block.kind));
        });
        let run = dump.analyze(&["--perfetto", "--enable_doc", "--strict"]);
        assert_eq!(run.said.code, Some(0), "{case}: {}", run.said.stderr);
        assert!(run.files() == before, "{case}: the order of blocks changes the outputs");
    }
}

#[test]
fn the_last_of_several_lines_counts() {
    let dump = DumpCopy::copy(SYNC);
    let before = dump.analyze(&["--emit", "text,report,trace,summary"]).files();
    dump.edit_global(|text| format!("arch=4\ntpu_freq=5\ncore_num=9\ncore0_tiu_record=99\n{text}"));
    let run = dump.analyze(&["--emit", "text,report,trace,summary", "--strict"]);
    assert_eq!((run.said.code, run.said.stderr.as_str()), (Some(0), ""));
    assert!(run.files() == before);
}

#[test]
fn every_port_of_the_summary_is_in_its_table() {
    let dump = DumpCopy::copy(CDMA);
    let run = dump.analyze(&["--emit", "text,report,trace,summary"]);
    let ports = table(&run.text("summary.txt"), "CDMA ports");
    assert_eq!(ports.keys().collect::<Vec<_>>(), ["0", "1", "2"]);
    for (port, row) in ports {
        let (sent, received) = (row["TxCmds"].as_str(), row["RxCmds"].as_str());
        assert_eq!((sent, received, row["OtherCmds"].as_str()), ("1", "1", "0"), "port {port}");
        assert_eq!(row["TxBytes"], row["RxBytes"], "port {port}");
        assert_eq!(row["Events"], "4", "port {port}: with a send and a wait, which move nothing");
    }
}

#[test]
fn a_lapped_ring_is_reported() {
    let dump = DumpCopy::copy("aksv-lapped-ring");
    let run = dump.analyze(&["--emit", "text,report,trace,summary", "--verbose", "--strict"]);
    assert_eq!(run.said.code, Some(3), "{}", run.said.stderr);
    let note = run.said.stderr.lines().find(|line| line.contains("PMU ring overflowed")).unwrap();
    assert!(note.starts_with("lost: cdmlib0_") && note.contains(" at byte "), "{note}");
    assert!(note.contains("profile again with max_record_num="), "{note}");
    let ledger = ledger(&run.text("summary.txt"));
    assert!(ledger.values().any(|line| line["rotated"] > 0));
}

/// The ids of records restart with each launch, so that a full ring itself shows only a part of what was overwritten.
#[test]
fn the_size_that_a_full_ring_asks_for_holds_the_run() {
    let [whole, full] = [&[][..], &["--lapped"]].map(Synth::new);
    let records = |synth: &Synth| {
        let run = analyzed(&synth.path(), &["--emit", "report", "-q"]);
        run.text("report.json")
    };
    let (whole, full) = (records(&whole), records(&full));
    let whole: serde_json::Value = serde_json::from_str(&whole).unwrap();
    let full: serde_json::Value = serde_json::from_str(&full).unwrap();
    let read = |line: &serde_json::Value| line["counts"]["read"].as_u64().unwrap();
    let most = whole["ledger"]["lines"].as_array().unwrap().iter().map(read).max().unwrap();
    let mut asked = 0;
    for note in full["ledger"]["notes"].as_array().unwrap() {
        let text = note["text"].as_str().unwrap();
        let Some((_, size)) = text.split_once("profile again with max_record_num=") else {
            continue;
        };
        let size: u64 = size.split(' ').next().unwrap().parse().unwrap();
        asked += 1;
        assert!(size > most, "{size} of {most}: {text}");
    }
    assert!(asked > 8, "{asked}");
}
