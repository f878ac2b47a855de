//! Peaks and clocks have one value for a run: all outputs of all fixtures and of real hardware, held against each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use super::golden::head_of_page;
use super::real::DUMPS;
use crate::support::case::{all, fixture};
use crate::support::run::{Finished, analyzed};
use crate::support::workbook;

/// Value of a peak or clock as texts show it.
fn amount(roof: &Value) -> String {
    match roof["value"].as_f64() {
        Some(value) => format!("{value} {}", roof["unit"].as_str().unwrap()),
        None => "unknown".to_owned(),
    }
}

/// The peaks and clocks of a report, by id.
fn registry(report: &Value) -> BTreeMap<&str, &Value> {
    let roofline = &report["roofline"];
    let all = ["roofs", "clocks"].iter().flat_map(|list| roofline[*list].as_array().unwrap());
    let mut by_id = BTreeMap::new();
    for roof in all {
        let id = roof["id"].as_str().unwrap();
        assert!(by_id.insert(id, roof).is_none(), "{id} is there twice");
        assert!(roof["scope"].is_string(), "{roof}");
        let is_unknown = roof["source"] == "unknown";
        assert_eq!(roof["value"].is_null(), is_unknown, "{roof}");
        assert_ne!(roof["value"].as_f64(), Some(0.0), "unknown is no 0: {roof}");
    }
    by_id
}

fn check(name: &str, run: &Finished) {
    let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
    let peaks = registry(&report);
    let value = |id: &str| peaks.get(id).and_then(|roof| roof["value"].as_f64());
    let in_run =
        |id: &str| value(&format!("ddr.active.{id}")).or_else(|| value(&format!("ddr.core.{id}")));
    let hardware = &report["roofline"]["hardware"];
    assert_eq!(hardware["ddr_gbps"].as_f64().map(four), in_run("one_way"), "{name}");
    assert_eq!(hardware["l2m_gbps"].as_f64(), value("l2m.core"), "{name}");
    assert_eq!(hardware["tiu_mhz"].as_f64(), value("clock.tiu"), "{name}");
    let clocks = [("tiu_mhz", "clock.tiu"), ("dma_mhz", "clock.dma")];
    for (key, id) in clocks {
        assert_eq!(report["dump"][key].as_f64(), value(id), "{name} {key}");
    }
    summary_has_them(name, &peaks, &run.text("summary.txt"));
    workbook_has_them(name, &peaks, in_run("one_way"), run.out_dir());
    page_has_them(name, &report, &value, &run.text("PerfWeb/result.html"));
    texts_have_the_clocks(name, &peaks, run);
    let trace = run.trace();
    for (key, id) in clocks {
        let in_trace = trace.attributes.iter().find(|(name, _)| name.ends_with(&format!(".{key}")));
        assert_eq!(in_trace.and_then(|(_, v)| v.parse().ok()), value(id), "{name} {key}");
    }
    rooflines_follow(name, &report);
}

fn four(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// The table of `summary.txt` has each peak with value and source.
fn summary_has_them(name: &str, peaks: &BTreeMap<&str, &Value>, summary: &str) {
    let table = summary.split_once("Roofs of a core, and clocks").unwrap().1;
    for roof in peaks.values() {
        let title = roof["name"].as_str().unwrap();
        let cells = [title, &amount(roof), roof["source"].as_str().unwrap()];
        let row = table.lines().find(|line| {
            let mut words =
                line.split(['|', '│', '┆']).map(str::trim).filter(|word| !word.is_empty());
            words.next() == Some(title)
        });
        let row = row.unwrap_or_else(|| panic!("{name}: no row of {title}"));
        assert!(cells.iter().all(|cell| row.contains(cell)), "{name}: {row} {cells:?}");
    }
}

/// The sheet `Roofline` says them, and its chart has the DDR of the run's cores.
fn workbook_has_them(name: &str, peaks: &BTreeMap<&str, &Value>, ddr: Option<f64>, out: &Path) {
    let rows = workbook::rows(out, "Roofline");
    let said = rows.iter().flatten().find(|cell| cell.starts_with("Roofs of a core: ")).unwrap();
    for roof in peaks.values() {
        let text = format!("{} {}", roof["name"].as_str().unwrap(), amount(roof));
        assert!(said.contains(&text), "{name}: {text} is not in: {said}");
    }
    let drawn =
        rows.iter().flatten().filter_map(|cell| cell.strip_prefix("DDR ")?.strip_suffix(" GB/s"));
    for gbps in drawn {
        assert_eq!(gbps.parse().ok().map(four), ddr, "{name}");
    }
}

/// The page has the report's peaks; its curves are drawn under those of a core alone in both directions.
fn page_has_them(name: &str, report: &Value, value: &dyn Fn(&str) -> Option<f64>, page: &str) {
    let head: Value = serde_json::from_str(head_of_page(page)).unwrap();
    for list in ["roofs", "clocks", "hardware"] {
        assert_eq!(head["answers"]["roofline"][list], report["roofline"][list], "{name} {list}");
    }
    let chip = &head["chip"];
    let alone = value("ddr.core.both_ways").or_else(|| value("ddr.core.one_way"));
    assert_eq!(chip["ddrGbps"].as_f64().map(four), alone, "{name}");
    assert_eq!(chip["l2Gbps"].as_f64(), value("l2m.core"), "{name}");
    assert_eq!(chip["linkGbps"].as_f64(), value("link.port"), "{name}");
    let clocks = [("tiuMhz", "TIU"), ("dmaMhz", "DMA")];
    for (key, engine) in clocks {
        let id = format!("clock.{}", engine.to_lowercase());
        assert_eq!(head["clocks"][key].as_f64(), value(&id), "{name} {key}");
        let facts = chip["facts"].as_array().unwrap();
        let fact = facts.iter().find(|fact| fact[0] == format!("{engine} Frequency(MHz)")).unwrap();
        assert_eq!(fact[1].as_str().unwrap().parse().ok(), value(&id), "{name} {key}");
    }
}

fn texts_have_the_clocks(name: &str, peaks: &BTreeMap<&str, &Value>, run: &Finished) {
    for file in run.names().into_iter().filter(|name| name.contains("RegInfo")) {
        let text = run.text(&file);
        for (engine, id) in [("TIU", "clock.tiu"), ("DMA", "clock.dma")] {
            let line = text
                .lines()
                .find_map(|line| line.trim().strip_prefix(&format!("{engine} Frequency(MHz): ")));
            let mhz: f64 = line.unwrap().parse().unwrap();
            assert_eq!(Some(mhz), peaks[id]["value"].as_f64(), "{name} {file}");
        }
    }
}

/// How near a kernel or layer is to its roof follows from what is known of it; what is not known is null.
fn rooflines_follow(name: &str, report: &Value) {
    let roofline = &report["roofline"];
    let rows = ["kernels", "layers"].iter().flat_map(|list| roofline[*list].as_array().unwrap());
    for row in rows.chain([&roofline["overall"]]) {
        let label = format!("{name} {}", row["kernel"]);
        let ideal = |of: &str| row[format!("ideal_{of}_ns")].as_f64();
        assert_eq!(row["ops"].is_null(), ideal("compute").is_none(), "{label}");
        assert_eq!(row["ops"].is_null(), row["tops"].is_null(), "{label}");
        if row["ops"].as_f64().is_some_and(|ops| ops > 1e5) {
            assert!(ideal("compute").unwrap() > 0.0, "{label}: operations take time: {row}");
        }
        if row["ddr_bytes"].as_f64().unwrap() > 1e5 {
            assert_ne!(ideal("ddr"), Some(0.0), "{label}: bytes take time: {row}");
        }
        let nearest = ["compute", "ddr", "l2m"]
            .into_iter()
            .filter_map(ideal)
            .fold(None, |most: Option<f64>, ns| Some(most.map_or(ns, |most| most.max(ns))));
        let ns = row["ns"].as_f64().unwrap();
        match (row["roof"].as_f64(), nearest) {
            (Some(roof), Some(nearest)) => {
                let share = if ns > 0.0 { nearest / ns } else { 0.0 };
                assert!((roof - share).abs() <= 6e-5, "{label}: {roof} {share}");
            }
            (roof, nearest) => assert_eq!(roof, nearest, "{label}"),
        }
    }
}

#[test]
fn all_outputs_have_the_same_peaks_and_clocks() {
    for case in all() {
        let mut args: Vec<String> = case.host_trace().map_or_else(Vec::new, |trace| {
            vec!["--trace_file".to_owned(), trace.display().to_string()]
        });
        args.extend(["--emit".to_owned(), "text,summary,report,workbook,page,trace".to_owned()]);
        let run = analyzed(&case.dump(), &args);
        check(&case.dump().display().to_string(), &run);
    }
}

/// On real hardware nothing exceeds a roof, and the outputs agree, also where an option gives a peak or a clock.
#[test]
fn real_hardware_is_under_its_roofs() {
    let given = tempfile::NamedTempFile::with_suffix(".json").unwrap();
    std::fs::write(given.path(), r#"{"ddr_gbps": 200, "link_gbps": 40}"#).unwrap();
    let options: [&[&str]; 2] =
        [&[], &["--hw", given.path().to_str().unwrap(), "--tiu_freq", "950"]];
    for (name, more) in DUMPS.iter().flat_map(|name| options.map(|more| (name, more))) {
        let args = [&["--emit", "text,summary,report,workbook,page,trace"][..], more].concat();
        let run = analyzed(&fixture("real").join(name), &args);
        check(name, &run);
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        let sources: BTreeSet<&str> =
            registry(&report).values().map(|roof| roof["source"].as_str().unwrap()).collect();
        assert_eq!(sources.contains("given"), !more.is_empty(), "{name}");
        if more.is_empty() {
            let roofline = &report["roofline"];
            let rows =
                ["kernels", "layers"].iter().flat_map(|list| roofline[*list].as_array().unwrap());
            for row in rows.chain([&roofline["overall"]]) {
                assert_ne!(row["bound"], "implausible", "{name}: {row}");
            }
        }
    }
}
