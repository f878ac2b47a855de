//! Files that are missing, empty, or none at all.

use std::fs;

use super::{Note, expect, shown, undamaged};
use crate::support::dump::DumpCopy;
use crate::support::register_text::records;
use crate::support::summary::table;

#[test]
fn cores_keep_their_numbers_when_a_file_is_missing() {
    // Core 1 is idle, core 2 is not. How many cores there are, the names show without `core_num` too.
    for (core, count) in [(1, "core_num=4"), (2, "core_num=4"), (1, ""), (2, "")] {
        let dump = DumpCopy::copy("aksv-edge-idle");
        dump.remove(&format!("cdmlib0_{core}.profile"));
        dump.edit_global(|text| text.replace("core_num=4", count));
        let says = format!("core {core} TIU");
        let note = Note {
            lost: true,
            place: "global.profile",
            says: &[&says, "the dump has no file for it"],
        };
        let run = expect("file missing", &dump, &note);
        let mut expected = undamaged("aksv-edge-idle");
        expected.retain(|name, _| !name.ends_with(&format!("_{core}.txt")));
        assert_eq!(shown(&run), expected);
        for name in expected.keys() {
            let (_, number) = name.strip_suffix(".txt").unwrap().rsplit_once('_').unwrap();
            let all_of_core = records(&run.text(name)).iter().all(|r| r.get("Core Id") == number);
            assert!(all_of_core, "{name} has another core's records");
        }
        // The missing core has a row and tracks of its own, empty ones.
        let summary = table(&run.text("summary.txt"), "Summary");
        let rows: Vec<&str> = summary.keys().map(String::as_str).collect();
        assert_eq!(rows, ["0", "1", "2", "3", "Overall"]);
        assert_eq!(summary[&core.to_string()]["totalTiuCycle"], "0");
        let trace = run.trace();
        assert!(trace.paths().contains(&format!("Core {core}/TIU").as_str()));
        assert!(trace.slices_on(&format!("Core {core}/TIU")).is_empty());
        assert!(!trace.slices_on("Core 3/TIU").is_empty());
    }
}

#[test]
fn an_empty_file_is_an_empty_core() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    dump.write("cdmlib0_0.profile", "");
    let mut expected = undamaged("aks-mode2-sync");
    expected.retain(|name, _| name.ends_with("_1.txt"));
    // That it is empty is a warning; that records were in it, the runtime says.
    let counted = "core 0 TIU: 27 records were written, the file holds 0";
    let lost = Note { lost: true, place: "global.profile", says: &[counted] };
    let run = expect("empty file", &dump, &lost);
    assert_eq!(shown(&run), expected);
    let empty = Note { lost: false, place: "cdmlib0_0.profile", says: &["the file is empty"] };
    assert!(run.said.stderr.lines().any(|line| empty.is(line)), "{}", run.said.stderr);

    dump.edit_global(|text| {
        text.lines().filter(|l| !l.contains("_record=")).map(|l| format!("{l}\n")).collect()
    });
    // Without counts, the other core's file shows that the barrier's records are missing.
    let missing = ["the file is empty, but the firmware's barrier leaves records"];
    let lost = Note { lost: true, place: "cdmlib0_0.profile", says: &missing };
    assert_eq!(shown(&expect("empty file without counts", &dump, &lost)), expected);
}

#[test]
fn a_directory_in_place_of_a_file_is_left_out() {
    let dump = DumpCopy::copy("aks-mode2-sync");
    dump.remove("cdmlib0_0.profile");
    fs::create_dir(dump.file("cdmlib0_0.profile")).unwrap();
    let note =
        Note { lost: true, place: "cdmlib0_0.profile", says: &["left out", "not a regular"] };
    let run = expect("directory", &dump, &note);
    let mut expected = undamaged("aks-mode2-sync");
    expected.retain(|name, _| name.ends_with("_1.txt"));
    assert_eq!(shown(&run), expected);
}

#[test]
fn files_of_no_core_or_port_are_named() {
    let stray = [
        ("cdmlib0_x.profile", "not end in a core or port number"),
        ("cdma0_99.profile", "CDMA ports"),
        ("cdmlib1_0.profile", "taken by an earlier file"),
    ];
    for (name, says) in stray {
        let dump = DumpCopy::copy("aks-mode2-sync");
        dump.write(name, "x");
        let note =
            Note { lost: true, place: name, says: &["left out", says, "100.0% of the file"] };
        assert_eq!(shown(&expect(name, &dump, &note)), undamaged("aks-mode2-sync"));
    }
    let dump = DumpCopy::copy("aks-mode2-sync");
    dump.write("tensor_location.txt", "x");
    assert_eq!(dump.analyze(&["--strict"]).said.stderr, "");
}
