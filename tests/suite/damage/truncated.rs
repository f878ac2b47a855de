//! A file that was cut short.

use super::{Note, expect, shown, undamaged};
use crate::support::dump::{DumpCopy, HEAD, blocks, boundaries, kind};
use crate::support::summary::ledger;

const CASE: &str = "aks-mode2-sync";
const FILE: &str = "cdmlib0_1.profile";

/// Cuts that have nothing to do with the file's structure.
const ANYWHERE: [usize; 12] = [5, 50, 211, 377, 999, 1301, 1600, 1797, 2222, 3003, 4096, 4700];

/// Cuts around every block's start, head and end, and elsewhere; never between two blocks, for what is
/// whole there says nothing of a cut.
fn cuts(file: &[u8]) -> Vec<usize> {
    let boundaries = boundaries(file);
    let mut cuts: Vec<usize> = boundaries
        .iter()
        .flat_map(|&at| [at.wrapping_sub(1), at + 1, at + HEAD - 1, at + HEAD, at + HEAD + 1])
        .chain(ANYWHERE)
        .filter(|cut| *cut < file.len() && !boundaries.contains(cut))
        .collect();
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

#[test]
fn a_cut_is_reported_with_its_block_and_offset() {
    let dump = DumpCopy::copy(CASE);
    let file = dump.read(FILE);
    let boundaries = boundaries(&file);
    let cuts = cuts(&file);
    assert!(cuts.len() > 25, "{cuts:?}");
    let whole = undamaged(CASE);
    for cut in cuts {
        dump.write(FILE, &file[..cut]);
        let block = *boundaries.iter().rfind(|&&start| start < cut).unwrap();
        let left = cut - block;
        let what = match left {
            ..HEAD => format!("a block header has {HEAD} bytes, but only {left} are left"),
            _ => format!("the file has {} left", left - HEAD),
        };
        let share = match 100.0 * left as f64 / cut as f64 {
            ..0.1 => "(under 0.1% of the file)".to_owned(),
            share => format!("({share:.1}% of the file)"),
        };
        let place = format!("{FILE} at byte {block}");
        let note = Note { lost: true, place: &place, says: &[&what, &share] };
        let run = expect(&format!("cut at {cut}"), &dump, &note);
        // The other core is not touched.
        let found = shown(&run);
        for name in ["tiuRegInfo_0.txt", "tdmaRegInfo_0.txt"] {
            assert_eq!(found.get(name), whole.get(name), "cut at {cut}: {name}");
        }
    }
}

#[test]
fn whole_records_before_a_cut_are_kept() {
    let dump = DumpCopy::copy(CASE);
    let file = dump.read(FILE);
    let gdma = blocks(&file).iter().position(|block| block.kind == kind::GDMA).unwrap();
    let start = boundaries(&file)[gdma] + HEAD;
    for (kept, more) in [(5, 0), (5, 63), (17, 1)] {
        dump.write(FILE, &file[..start + kept * 64 + more]);
        let run = dump.analyze(&["--emit", "text,report,trace,summary"]);
        let ledger = ledger(&run.text("summary.txt"));
        assert_eq!(ledger["core 1 GDMA"]["read"], kept as u64);
        let gdma = &ledger["core 1 GDMA"];
        // What is not in the file, the runtime counted.
        assert_eq!(gdma["lost"], 18 - kept as u64, "{kept} and {more} bytes");
        assert_eq!(ledger["core 1 SDMA"]["lost"], 4);
    }
}

#[test]
fn records_between_blocks_of_a_cut_file_are_lost() {
    let dump = DumpCopy::copy(CASE);
    let file = dump.read(FILE);
    // Between two blocks only the runtime's count shows the cut.
    for (block, engine, count) in [(1, "GDMA", 18), (2, "SDMA", 4)] {
        dump.write(FILE, &file[..boundaries(&file)[block]]);
        let counts = format!("core 1 {engine}: {count} records were written, the file holds 0");
        let note = Note { lost: true, place: "global.profile", says: &[&counts] };
        expect(&format!("cut before {engine}"), &dump, &note);
    }
}
