//! A real BM1684X dump (blazeface, F16), end to end.

use std::fs;

use serde_json::Value;

use crate::support::case::fixture;
use crate::support::run::analyzed;

#[test]
fn a_real_dump_is_whole_and_its_clocks_are_aligned() {
    let run = analyzed(
        &fixture("real").join("bmprofile_data-1_bm1684x"),
        &["--emit", "text,report", "--strict"],
    );
    let report: Value =
        serde_json::from_slice(&fs::read(run.out_dir().join("report.json")).unwrap()).unwrap();
    let ledger = &report["ledger"];
    assert_eq!((&ledger["losses"], &ledger["lost_records"]), (&0.into(), &0.into()));
    let count = |line: usize, key: &str| ledger["lines"][line]["counts"][key].as_u64().unwrap();
    // 93 commands, of which the PMU left out three very short ones.
    assert_eq!(["commands", "read", "matched", "unseen"].map(|key| count(0, key)), [93, 90, 90, 3]);
    // One input copy and two output copies next to the model; the end command has no record.
    assert_eq!(
        ["commands", "read", "matched", "runtime"].map(|key| count(1, key)),
        [160, 163, 160, 3]
    );
    let notes = ledger["notes"].to_string();
    assert!(notes.contains("3 of 93 TIU commands have no record"), "{notes}");
    assert!(notes.contains("(an interval of 6 ns)"), "{notes}");
    let text = fs::read_to_string(run.out_dir().join("tiuRegInfo_0.txt")).unwrap();
    assert!(text.contains("Chip Arch: BM1684X") && text.contains("DDR Max BW(GB/s/Core): unknown"));
    assert_eq!(text.matches("__TIU_REG_INFO__").count(), 90);
}
