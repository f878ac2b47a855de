//! A static model where only core 1 has an SDMA: it stays on core 1, on that core's time.

use crate::support::case::case;
use crate::support::dump::{blocks, kind};
use crate::support::register_text::{Record, records};
use crate::support::run::analyzed;

const CASE: &str = "beyond-static-sdma-on-core-1";

/// Records that are the firmware's preamble.
const PREAMBLE: usize = 2;

fn of_engine(text: &str, engine: &str) -> Vec<Record> {
    records(text).into_iter().filter(|record| record.get("Engine Id") == engine).collect()
}

/// The counter at the start of core 1's first record after the preamble.
fn first_start(kind: u32) -> i64 {
    let file = std::fs::read(case(CASE).dump().join("cdmlib0_1.profile")).unwrap();
    let monitor = blocks(&file).into_iter().find(|block| block.kind == kind).unwrap();
    let record = monitor.content.chunks_exact(64).nth(PREAMBLE).unwrap();
    u32::from_le_bytes(record[..4].try_into().unwrap()).into()
}

#[test]
fn sdma_records_stay_on_their_core() {
    let run = analyzed(&case(CASE).dump(), &["--emit", "text,report,trace,summary", "--strict"]);
    let [core_0, core_1] = [0, 1].map(|core| run.text(&format!("tdmaRegInfo_{core}.txt")));
    assert!(of_engine(&core_0, "3").is_empty());
    assert!(!of_engine(&core_0, "1").is_empty());
    let sdma = of_engine(&core_1, "3");
    assert!(!sdma.is_empty() && sdma.iter().all(|record| record.get("Core Id") == "1"));
    assert!(sdma.iter().all(|record| record.get("Function Type") != "unknown"));

    let trace = run.trace();
    assert!(!trace.paths().contains(&"Core 0/SDMA"));
    assert_eq!(trace.slices_on("Core 1/SDMA").len(), sdma.len());
}

#[test]
fn the_sdma_is_on_its_own_cores_time() {
    let run = analyzed(&case(CASE).dump(), &["--emit", "text,report,trace,summary", "--strict"]);
    let text = run.text("tdmaRegInfo_1.txt");
    let start = |engine: &str| of_engine(&text, engine)[0].number("Start Time(ns)");
    // At 1000 MHz a cycle is a nanosecond.
    assert_eq!(start("3") - start("1"), first_start(kind::SDMA) - first_start(kind::GDMA));
}
