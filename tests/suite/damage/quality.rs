//! How well each command is known, in all views of a dump with a damaged record.

use serde_json::Value as Json;

use crate::support::case::fixture;
use crate::support::dump::{DumpCopy, kind};
use crate::support::run::Finished;

const REAL: &str = "real/cdm_profile_data_dev0_bm1690";
const FILE: &str = "cdmlib0_0.profile";
const TIU_BYTES: usize = 16;

/// Engine, place and quality of all rows that are not sure.
fn in_table(run: &Finished) -> Vec<(String, String, String)> {
    let csv = run.text("events.csv");
    let header = csv.lines().next().unwrap();
    assert!(header.starts_with("engine,core,port,event,"));
    let quality = header.split(',').position(|name| name == "quality").unwrap();
    let cells = csv.lines().skip(1).map(|line| {
        let row: Vec<&str> = line.split(',').collect();
        (row[0].to_owned(), row[3].to_owned(), row[quality].to_owned())
    });
    cells.filter(|(.., quality)| quality != "sure").collect()
}

/// Engine, place and quality of all slices of the trace that are not sure.
fn in_trace(run: &Finished) -> Vec<(String, String, String)> {
    let slices = run.trace().slices;
    let told = slices.iter().filter_map(|slice| {
        let engine = slice.track.rsplit('/').next()?.split(' ').next()?.to_owned();
        let quality = slice.arg("quality")?.text()?.to_owned();
        Some((engine, slice.arg("Global Idx")?.to_string(), quality))
    });
    told.collect()
}

fn analyzed(dump: &DumpCopy) -> (Finished, Json) {
    let run = dump.analyze(&["--emit", "csv,trace,report"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    let report: Json = serde_json::from_str(&run.text("report.json")).unwrap();
    (run, report)
}

#[test]
fn a_sound_dump_tells_no_quality() {
    let (run, report) = analyzed(&DumpCopy::of_path(&fixture(REAL)));
    assert_eq!(in_table(&run), []);
    assert_eq!(in_trace(&run), []);
    assert_eq!(report["ledger"]["quality"], Json::Null);
}

/// The id of each of these records becomes another one by one bit, which cuts the model's section in two.
#[test]
fn a_repaired_record_is_so_in_every_view() {
    // Of 32 bits of the id, one that makes it smaller and one that makes it larger.
    for (record, bit) in [(36, 5), (36, 6), (50, 4)] {
        let dump = DumpCopy::of_path(&fixture(REAL));
        dump.edit(FILE, |blocks| {
            let tiu = blocks.iter_mut().find(|block| block.kind == kind::TIU).unwrap();
            tiu.content[record * TIU_BYTES + 8] ^= 1 << bit;
        });
        let (run, report) = analyzed(&dump);
        let table = in_table(&run);
        // The block begins with two records of the preamble and two of the runtime.
        let expected = ("TIU".to_owned(), (record - 4).to_string(), "repaired".to_owned());
        assert_eq!(table, [expected], "record {record}, bit {bit}");
        assert_eq!(in_trace(&run), table);
        let quality = &report["ledger"]["quality"];
        assert_eq!(quality["repaired"], 1, "{quality}");
        assert_eq!((&quality["doubtful"], &quality["unnamed"]), (&0.into(), &0.into()));
        // All other names and times are those of the sound dump.
        let (sound, _) = analyzed(&DumpCopy::of_path(&fixture(REAL)));
        let plain = |run: &Finished| -> Vec<String> {
            let csv = run.text("events.csv").replace(",repaired\n", ",sure\n");
            csv.lines().map(str::to_owned).collect()
        };
        let (now, before) = (plain(&run), plain(&sound));
        let changed = now.iter().zip(&before).filter(|(a, b)| a != b).count();
        assert!(now.len() == before.len() && changed <= 1, "{changed} rows changed");
    }
}
