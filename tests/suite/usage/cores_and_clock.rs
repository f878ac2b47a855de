//! `--cores`, `--num_core` and `--tiu_freq`.

use super::{CASE, contains_all};
use crate::suite::answers::Synth;
use crate::support::case::{case, real_dump};
use crate::support::dump::DumpCopy;
use crate::support::register_text::{Record, parse, records};
use crate::support::run::{Finished, analyzed};
use crate::support::summary::{ledger, table};

#[test]
fn only_the_first_cores_are_reported() {
    let dump = case("aksv-mode2-cdma").dump();
    let all = analyzed(&dump, &["--emit", "text,report,trace,summary"]);
    let all_files = all.files();
    for cores in 1..=4 {
        let run = analyzed(
            &dump,
            &["--emit", "text,report,trace,summary", "--num_core", &cores.to_string()],
        );
        let files = run.files();
        let texts: Vec<&String> = files
            .keys()
            .filter(|name| name.starts_with('t') && name.contains("RegInfo_"))
            .collect();
        assert_eq!(texts.len(), 2 * cores, "a TIU and a DMA text for each core: {texts:?}");
        for name in texts {
            assert!(files[name] == all_files[name], "--num_core {cores} changes {name}");
        }
        // Ports belong to no core.
        assert_eq!(files.keys().filter(|name| name.starts_with("cdmaRegInfo_")).count(), 3);

        let summary = run.text("summary.txt");
        let rows: Vec<String> = table(&summary, "Summary").into_keys().collect();
        let expected: Vec<String> =
            (0..cores).map(|core| core.to_string()).chain(["Overall".to_owned()]).collect();
        assert_eq!(rows, expected);
        let trace = run.trace();
        let hidden = format!("core {cores} ");
        assert!(!ledger(&summary).keys().any(|place| place.starts_with(&hidden)));
        assert!(!trace.paths().contains(&format!("Core {cores}").as_str()));
        assert!(trace.paths().contains(&format!("Core {}", cores - 1).as_str()));
        let plural = if cores == 1 { "" } else { "s" };
        contains_all(&run.said.stdout, &[&format!("{cores} core{plural}")]);
    }
}

/// Cores keep their numbers; a core between them that is left out has no row, no text, no track and no share in the means.
#[test]
fn any_cores_can_be_chosen() {
    let dump = case("aksv-mode2-cdma").dump();
    let views = ["--emit", "text,report,trace,summary,csv,page,workbook"];
    let all = analyzed(&dump, &views).files();
    let run = analyzed(&dump, &[&views[..], &["--cores", "1,3"]].concat());
    let files = run.files();
    let texts: Vec<&str> = files
        .keys()
        .map(|name| &name[..])
        .filter(|name| name.starts_with('t') && name.contains("RegInfo_"))
        .collect();
    let expected =
        ["tdmaRegInfo_1.txt", "tdmaRegInfo_3.txt", "tiuRegInfo_1.txt", "tiuRegInfo_3.txt"];
    assert_eq!(texts, expected);
    texts.iter().for_each(|name| assert!(files[*name] == all[*name], "{name} changed"));

    let summary = run.text("summary.txt");
    let rows = table(&summary, "Summary");
    assert_eq!(rows.keys().collect::<Vec<_>>(), ["1", "3", "Overall"]);
    let places = ledger(&summary);
    assert!(places.keys().any(|place| place.starts_with("core 3 ")));
    for left_out in ["core 0 ", "core 2 "] {
        assert!(!places.keys().any(|place| place.starts_with(left_out)), "{left_out}");
    }
    let trace = run.trace();
    let cores: Vec<&str> =
        trace.paths().into_iter().filter(|path| path.starts_with("Core ")).collect();
    assert!(cores.iter().all(|path| path.starts_with("Core 1") || path.starts_with("Core 3")));
    assert!(cores.contains(&"Core 1") && cores.contains(&"Core 3"));

    let report: serde_json::Value = serde_json::from_str(&run.text("report.json")).unwrap();
    assert_eq!(report["dump"]["cores"], 2);
    let rows = report["intervals"]["cores"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["core"].as_u64()).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert!(report["advice"].as_array().unwrap().iter().all(|advice| advice["id"] != "idle-cores"));
    let said = &run.said.stderr;
    contains_all(
        said,
        &["--cores 1,3 leaves out cores 0 and 2 with", "are of the other cores alone"],
    );
}

/// Cores that are left out ran all the same: the others shared the memory with them, and are rated so.
#[test]
fn what_is_left_out_changes_no_ceiling() {
    for dump in [real_dump("bmprofile_data_bm1688_2core"), case("aksv-mode2-cdma").dump()] {
        let roofline = |args: &[&str]| -> serde_json::Value {
            let run = analyzed(&dump, &[&["--emit", "report"], args].concat());
            let report: serde_json::Value = serde_json::from_str(&run.text("report.json")).unwrap();
            report["roofline"].clone()
        };
        let (all, part) = (roofline(&[]), roofline(&["--cores", "0"]));
        assert_eq!(part["roofs"], all["roofs"], "{}", dump.display());
        assert_eq!(part["hardware"], all["hardware"], "{}", dump.display());
        assert!(
            all["roofs"].as_array().unwrap().iter().any(|roof| roof["scope"] == "active_cores")
        );
    }
}

/// All cores by name are all cores; a core that is not there is named.
#[test]
fn chosen_cores_are_those_of_the_dump() {
    let dump = case("aksv-mode2-cdma").dump();
    let files = |args: &[&str]| analyzed(&dump, &[&["--perfetto"], args].concat()).files();
    assert!(files(&["--cores", "0-3"]) == files(&[]));
    assert!(files(&["--cores", "0-1"])["summary.txt"] != files(&[])["summary.txt"]);
    let run = analyzed(&dump, &["--perfetto", "--cores", "0,9"]);
    contains_all(&run.said.stderr, &["--cores 0,9: there is no core 9; the dump has 4 cores"]);
}

#[test]
fn more_cores_than_there_are_change_nothing() {
    let dump = case(CASE).dump();
    let run = analyzed(&dump, &["--emit", "text,report,trace,summary", "--num_core", "99"]);
    assert!(run.files() == analyzed(&dump, &["--emit", "text,report,trace,summary"]).files());
}

fn tiu(run: &Finished) -> (Record, Vec<Record>) {
    parse(&run.text("tiuRegInfo_0.txt"))
}

fn durations(records: &[Record]) -> Vec<i64> {
    records.iter().map(|r| r.number("End Time(ns)") - r.number("Start Time(ns)")).collect()
}

#[test]
fn the_tiu_clock_changes_its_times_and_is_printed() {
    // At the dump's 1000 MHz a cycle is a nanosecond, at 500 it is two.
    let dump = case(CASE).dump();
    let (own, half) = (
        analyzed(&dump, &["--emit", "text,report,trace,summary"]),
        analyzed(&dump, &["--emit", "text,report,trace,summary", "--tiu_freq", "500"]),
    );
    let ((own_head, own_tiu), (half_head, half_tiu)) = (tiu(&own), tiu(&half));
    assert_eq!(own_head.get("TIU Frequency(MHz)"), "1000");
    assert_eq!(half_head.get("TIU Frequency(MHz)"), "500");
    let doubled: Vec<i64> = durations(&own_tiu).into_iter().map(|ns| 2 * ns).collect();
    assert_eq!(durations(&half_tiu), doubled);
    let cycles =
        |records: &[Record]| records.iter().map(|r| r.number("Asic Cycle")).collect::<Vec<_>>();
    assert_eq!(cycles(&half_tiu), cycles(&own_tiu));
    contains_all(&own.said.stdout, &["TIU 1000 MHz"]);
    contains_all(&half.said.stdout, &["TIU 500 MHz"]);

    let gdma = |run: &Finished| durations(&records(&run.text("tdmaRegInfo_0.txt")));
    assert_eq!(gdma(&half), gdma(&own), "the DMA has a clock of its own");
    assert!(half.text("tdmaRegInfo_0.txt").contains("TIU Frequency(MHz): 500"));
    let slices: i64 = half.trace().slices_on("Core 0/TIU").iter().map(|slice| slice.dur).sum();
    assert_eq!(slices, doubled.iter().sum::<i64>());
}

#[test]
fn the_tiu_clock_is_of_the_command_line_then_the_dump_then_the_chip() {
    let dump = DumpCopy::copy(CASE);
    let clock = |args: &[&str]| tiu(&dump.analyze(args)).0.get("TIU Frequency(MHz)").to_owned();
    dump.edit_global(|text| text.replace("tpu_freq=1000", "tpu_freq=900"));
    assert_eq!((clock(&[]), clock(&["--tiu_freq", "800"])), ("900".into(), "800".into()));
    dump.edit_global(|text| text.replace("tpu_freq=900", ""));
    assert_eq!(clock(&[]), "1000");
}

/// A wrong clock moves the TIU against the other engines of its core, of each core in another way: that looks like files of other captures.
#[test]
fn a_given_clock_is_doubted_before_the_files_are() {
    let synth = Synth::new(&[]);
    let run = analyzed(&synth.path(), &["--emit", "summary,report", "--tiu_freq", "800"]);
    let notes = run.text("report.json");
    let [given, other] =
        ["--tiu_freq gives, files of the dump do not fit", "is of another capture"];
    let places = [given, other].map(|text| notes.find(text).unwrap_or_else(|| panic!("{text}")));
    assert!(places[0] < places[1], "{places:?}");
    let own = analyzed(&synth.path(), &["--emit", "summary,report"]).text("report.json");
    assert!(!own.contains(given) && !own.contains(other));
}
