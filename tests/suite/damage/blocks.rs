//! Blocks that are unknown, or end in the middle of a record.

use super::{Note, expect, shown, undamaged};
use crate::support::case::case;
use crate::support::dump::{Block, DumpCopy, HEAD, boundaries, kind};
use crate::support::run::analyzed;

const CASE: &str = "aks-mode2-sync";
const FILE: &str = "cdmlib0_0.profile";

#[test]
fn an_unknown_block_is_skipped_and_named() {
    let plain = analyzed(&case(CASE).dump(), &["--emit", "text"]).files();
    for place in 0..=5 {
        let dump = DumpCopy::copy(CASE);
        let start = boundaries(&dump.read(FILE))[place];
        dump.edit(FILE, |blocks| {
            blocks.insert(place, Block { kind: 77, content: b"from the future".to_vec() });
        });
        let place = format!("{FILE} at byte {}", start + HEAD);
        let says = ["unknown block type 77", "15 bytes", "% of the file)"];
        let note = Note { lost: true, place: &place, says: &says };
        let run = expect("unknown block", &dump, &note);
        for (name, text) in &plain {
            assert!(&run.files()[name] == text, "{place}: {name} changed");
        }
    }
}

#[test]
fn a_block_that_is_not_needed_is_no_loss() {
    let dump = DumpCopy::copy(CASE);
    dump.edit(FILE, |blocks| {
        for kind in [1, 2, 7, 8, 9, 10, 100] {
            blocks.insert(1, Block { kind, content: vec![0xff; 21] });
        }
    });
    let run = dump.analyze(&["--strict"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    assert_eq!((run.said.stderr.as_str(), shown(&run)), ("", undamaged(CASE)));
}

#[test]
fn the_ragged_end_of_a_monitor_is_left_out() {
    let cases = [(kind::TIU, "MONITOR_BD", 16), (kind::GDMA, "MONITOR_GDMA", 64)];
    for ((kind, name, bytes), tail) in
        cases.into_iter().flat_map(|c| [(c, 1), (c, 7), (c, c.2 - 1)])
    {
        let dump = DumpCopy::copy(CASE);
        let mut end = 0;
        dump.edit(FILE, |blocks| {
            for block in blocks {
                end += HEAD + block.content.len();
                if block.kind == kind {
                    block.content.extend(vec![0xee; tail]);
                    break;
                }
            }
        });
        let place = format!("{FILE} at byte {end}");
        let says = format!("{name} ends with an incomplete record ({tail} of {bytes} bytes)");
        let note = Note { lost: true, place: &place, says: &[&says, "% of the file)"] };
        let run = expect(name, &dump, &note);
        assert_eq!(shown(&run), undamaged(CASE), "{name}: the whole records are shown");
    }
}

#[test]
fn a_second_monitor_of_a_kind_is_lost() {
    let dump = DumpCopy::copy(CASE);
    let end = dump.read(FILE).len();
    dump.edit(FILE, |blocks| blocks.push(Block { kind: kind::TIU, content: vec![0; 32] }));
    let place = format!("{FILE} at byte {}", end + HEAD);
    let note =
        Note { lost: true, place: &place, says: &["MONITOR_BD", "32 bytes", "% of the file)"] };
    assert_eq!(shown(&expect("second monitor", &dump, &note)), undamaged(CASE));
}
