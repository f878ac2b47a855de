//! A thousand damaged dumps: each ends within five seconds and 512 MB, with a documented exit code, and with outputs
//! that open or none.

mod binary;
mod shard;

use std::fs;
use std::path::Path;

use bigtpu_fuzz_support::mutate::{Mutant, mutant};
use bigtpu_fuzz_support::{DumpFiles, Numbers};

use bigtpu_synth::{Options, Style, generate};

use crate::support::case::{all, fixture};
use crate::support::register_text::parse;
use crate::support::run::TRACE;
use crate::support::trace::Trace;
use crate::support::workbook::{WORKBOOK, rows};

/// Mutants that are analyzed in the process of a test.
const IN_PROCESS: u64 = 900;

/// Mutants that the binary analyzes.
const OF_BINARY: u64 = 100;

/// Most memory of a process, in KiB.
const MOST_KIB: u32 = 512 << 10;

/// Most seconds that a processor may work on a mutant.
const MOST_SECONDS: u32 = 5;

/// The fixtures' dumps, each with its host trace, and synthetic ones of every chip and style.
fn sound() -> Vec<DumpFiles> {
    let read = |case: crate::support::case::Case| {
        let mut files = DumpFiles::read(&case.dump());
        if let Some(trace) = case.host_trace() {
            files.0.push(("host_trace.json".to_owned(), fs::read(trace).unwrap()));
        }
        files
    };
    all().into_iter().map(read).chain(synthetic()).collect()
}

/// Small synthetic dumps: every style and mode that a chip can have.
fn synthetic() -> Vec<DumpFiles> {
    let mut dumps = Vec::new();
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for style in [Style::Op, Style::Graph, Style::Rvt, Style::Bmodel] {
            for mode in [1, 2] {
                let defaults = Options::of_chip(chip).unwrap();
                let ports = u8::from(defaults.chip.cdma_ports > 0);
                let options =
                    Options { style, mode, ports, cores: 2, launches: 3, repeat: 2, ..defaults };
                // Not every chip has every style.
                if let Ok(files) = generate(&options) {
                    dumps.push(DumpFiles(files.into_iter().collect()));
                }
            }
        }
    }
    dumps
}

/// The mutant of a number.
fn numbered_mutant(sound: &[DumpFiles], number: u64) -> Mutant {
    mutant(&sound[number as usize % sound.len()], &mut Numbers::seeded(number))
}

/// Opens every output, as its users' programs do.
fn open(out: &Path) {
    let names: Vec<String> = fs::read_dir(out)
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != bigtpu_output::MANIFEST_FILE)
        .collect();
    for name in &names {
        match name.as_str() {
            "PerfDoc" => {
                assert_eq!(fs::read_dir(out.join(name)).unwrap().count(), 1, "litter");
                assert!(!rows(out, "Data Quality").is_empty());
                assert!(out.join(WORKBOOK).is_file());
            }
            TRACE => {
                let trace = Trace::open(&out.join(TRACE));
                assert!(trace.problems.is_empty(), "{:#?}", trace.problems);
            }
            "PerfWeb" => {
                let page = fs::read_to_string(out.join("PerfWeb/result.html")).unwrap();
                assert!(page.ends_with("</html>\n"), "the page is cut");
            }
            "report.json" => {
                let report = fs::read_to_string(out.join(name)).unwrap();
                assert!(
                    bigtpu_emit::report::read_json(&report).is_ok(),
                    "report.json is no report"
                );
            }
            "summary.txt" => assert!(!fs::read_to_string(out.join(name)).unwrap().is_empty()),
            text if text.contains("RegInfo_") => {
                let (_, records) = parse(&fs::read_to_string(out.join(name)).unwrap());
                assert!(!records.is_empty(), "{name} has no record");
            }
            other => panic!("{other} is no output"),
        }
    }
}

#[test]
fn all_fixtures_are_mutated() {
    assert!(fixture("").is_dir() && sound().len() >= 38 + 16, "{} dumps", sound().len());
}
