//! Commands that the dump lacks: their records are kept.

use super::{Note, expect, shown, undamaged};
use crate::support::dump::{DumpCopy, HEAD, blocks, boundaries, kind};
use crate::support::summary::ledger;
use crate::support::trace::Value;

const FILE: &str = "cdmlib0_0.profile";

/// Number of an item of `aks-mode2-sync` that is a GDMA's command; all ones are none of its types.
const A_LOAD: usize = 14;

/// Where each item of a DYN_EXTRA block starts.
fn items(content: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    while at < content.len() {
        starts.push(at);
        at += 12 + u32::from_le_bytes(content[at + 8..at + 12].try_into().unwrap()) as usize;
    }
    starts
}

/// The start of the content of the first block of a kind.
fn start_of(dump: &DumpCopy, kind: u32) -> usize {
    let file = dump.read(FILE);
    let at = blocks(&file).iter().position(|b| b.kind == kind).unwrap();
    boundaries(&file)[at] + HEAD
}

#[test]
fn missing_bits_make_the_last_commands_condensed() {
    for missing in [1, 3, 20] {
        let dump = DumpCopy::copy("aks-mode2-sync");
        dump.edit(FILE, |blocks| {
            let extra = blocks.iter_mut().find(|b| b.kind == kind::DYN_EXTRA).unwrap();
            let starts = items(&extra.content);
            extra.content.truncate(starts[starts.len() - missing]);
        });
        let place = format!("{FILE} at byte {}", start_of(&dump, kind::DYN_DATA));
        let says = format!("DYN_EXTRA has {missing} items too few");
        let note = Note { lost: true, place: &place, says: &[&says] };
        let run = expect("bits missing", &dump, &note);
        assert_eq!(shown(&run), undamaged("aks-mode2-sync"));
        // A command known by type is matched all the same.
        let ledger = ledger(&run.text("summary.txt"));
        assert_eq!(ledger["core 0 TIU"]["unmatched"], 0);
    }
}

#[test]
fn a_cut_item_is_reported_with_its_offset() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    let start = start_of(&dump, kind::DYN_EXTRA);
    let mut item = 0;
    dump.edit(FILE, |blocks| {
        let extra = blocks.iter_mut().find(|b| b.kind == kind::DYN_EXTRA).unwrap();
        item = *items(&extra.content).last().unwrap();
        extra.content.truncate(item + 15);
    });
    let place = format!("{FILE} at byte {}", start + item);
    let note = Note {
        lost: true,
        place: &place,
        says: &["DYN_EXTRA: an item has a length of", "has 3", "% of the file)"],
    };
    assert_eq!(shown(&expect("item cut", &dump, &note)), undamaged("aks-mode2-sync"));
}

#[test]
fn an_unknown_word_is_skipped() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    let at = start_of(&dump, kind::DYN_DATA);
    dump.edit(FILE, |blocks| {
        let data = blocks.iter_mut().find(|b| b.kind == kind::DYN_DATA).unwrap();
        data.content.splice(0..0, 50u32.to_le_bytes());
    });
    let place = format!("{FILE} at byte {at}");
    let note =
        Note { lost: true, place: &place, says: &["DYN_DATA", "unknown kind", "% of the file)"] };
    assert_eq!(shown(&expect("unknown word", &dump, &note)), undamaged("aks-mode2-sync"));
}

#[test]
fn undecodable_bits_are_shown_as_unknown() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    let mut bits = start_of(&dump, kind::DYN_EXTRA);
    dump.edit(FILE, |blocks| {
        let extra = blocks.iter_mut().find(|b| b.kind == kind::DYN_EXTRA).unwrap();
        let [item, end] = [A_LOAD, A_LOAD + 1].map(|number| items(&extra.content)[number]);
        extra.content[item + 12..end].fill(0xff);
        bits += item + 12;
    });
    let place = format!("{FILE} at byte {bits}");
    let note = Note { lost: true, place: &place, says: &["DYN_EXTRA", "shown as unknown"] };
    let run = expect("bad bits", &dump, &note);
    assert_eq!(shown(&run), undamaged("aks-mode2-sync"));
    let undecodable = |place: &str| ledger(&run.text("summary.txt"))[place]["undecodable"];
    assert_eq!(undecodable("core 0 TIU") + undecodable("core 0 GDMA"), 1);
}

#[test]
fn records_of_a_missing_stream_keep_their_tags() {
    let dump = DumpCopy::copy("aks-graph-des");
    let whole = undamaged("aks-graph-des");
    let mut commands = 0;
    dump.edit(FILE, |blocks| {
        let at = blocks.iter().rposition(|block| block.kind == kind::DES_KV).unwrap();
        let head = blocks.remove(at).content;
        commands = u32::from_le_bytes(head[4..8].try_into().unwrap());
    });
    let says = [&format!("of {commands} commands"), "no DES_KV block contains it"];
    let run = expect("stream missing", &dump, &Note { lost: true, place: FILE, says: &says });
    assert_eq!(shown(&run), whole);
    let ledger = ledger(&run.text("summary.txt"));
    let unmatched: u64 = ledger.values().map(|line| line["unmatched"]).sum();
    assert_eq!(unmatched, u64::from(commands));

    let trace = run.trace();
    let unknown: Vec<_> = trace.slices.iter().filter(|s| s.name == "unknown").collect();
    assert_eq!(unknown.len() as u64, unmatched);
    for slice in unknown {
        assert_eq!(slice.arg("Mode"), Some(&Value::Text("DES".into())), "{}", slice.line());
        assert!(slice.arg("Kernel Function").is_some(), "{}", slice.line());
    }
}
