//! What the console shows of the answers.

use super::{Synth, analyze};
use crate::support::case::case;
use crate::support::run::{analyzed, say};

/// Eight cores with losses: every part of the output at its longest.
#[test]
fn the_default_output_fits_forty_lines() {
    let synth = Synth::new(&["--launches", "12", "--cdma", "3", "--loss", "0.01"]);
    let run = analyzed(&synth.path(), &["--perfetto", "--enable_doc", "--events", "--csv"]);
    let (out, err) = (run.said.stdout.lines().count(), run.said.stderr.lines().count());
    assert!(out + err <= 40, "{out} + {err} lines:\n{}{}", run.said.stdout, run.said.stderr);
    for part in ["Where the time went: ", "Kernels (the first 5 of", "Advice (", "Written:"] {
        assert!(run.said.stdout.contains(part), "{part}");
    }
}

#[test]
fn full_shows_every_answer() {
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--full", "--disable_doc"]);
    for title in [
        "Where the wall time went",
        "Engines",
        "Kernels (time",
        "Roofline",
        "Gaps by cause",
        "Gaps with the highest cost",
        "Kernel launches and the gaps",
        "Balance between cores",
        "    overlap ratio 2.1% [core 0]",
    ] {
        assert!(run.said.stdout.contains(title), "{title} in {}", run.said.stdout);
    }
}

#[test]
fn json_is_the_report_and_nothing_else() {
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--json", "--disable_doc"]);
    assert_eq!(run.said.stdout, run.text("report.json"));
    let again = analyze(&case("aks-mode2-sync").dump());
    assert_eq!(again.text("report.json"), run.said.stdout);
}

#[test]
fn roofs_can_be_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("hw.json");
    let dump = case("aks-mode2-sync").dump();
    std::fs::write(
        &file,
        r#"{"ddr_gbps": 32.0, "ddr_port_gbps": 64.0, "peak_tops": {"TF32": 4.5}}"#,
    )
    .unwrap();
    let args = ["--hw", file.to_str().unwrap(), "--disable_doc"];
    let (own, other) = (super::report(&analyze(&dump)), super::report(&analyzed(&dump, &args)));
    let hardware = &other["roofline"]["hardware"];
    assert_eq!(
        (hardware["ddr_gbps"].as_f64(), hardware["peak_tops"]["TF32"].as_f64()),
        // Two of eight cores run: the port is the ceiling.
        (Some(64.0), Some(4.5))
    );
    let ideal = |report: &serde_json::Value| {
        report["roofline"]["overall"]["ideal_ddr_ns"].as_i64().unwrap()
    };
    // Half of the bandwidth of the ports, which bounds two cores: twice the time, but for the cut to whole ns.
    assert!((ideal(&other) - 2 * ideal(&own)).abs() <= 1, "{} {}", ideal(&other), ideal(&own));
    std::fs::write(&file, r#"{"ddr": 1}"#).unwrap();
    let said =
        say(&[dump.to_str().unwrap(), dir.path().join("o").to_str().unwrap(), args[0], args[1]]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("hw.json: invalid --hw file"), "{}", said.stderr);
}

/// The first table is a contract; what follows it shows the same as the report.
#[test]
fn the_summary_begins_with_totals_and_verdict_and_ends_with_the_ledger() {
    let run = analyzed(&case("aks-mode2-sync").dump(), &["--perfetto", "--disable_web"]);
    let summary = run.text("summary.txt");
    let (first, answers) = summary.split_once("Where the wall time went").unwrap();
    assert!(first.contains("Overall") && first.contains("\nVerdict\n"), "{first}");
    let (answers, last) = answers.split_once("Ledger").unwrap();
    assert!(last.contains("core 0 GDMA"), "{last}");
    for text in ["conv2d_forward_multi_core", "launch-overhead (saves 4.228 us, 13.5%)"] {
        assert!(answers.contains(text), "{text}");
    }
}

/// Layers are of static models; where nothing describes them, the console says what to give, and so does report.json.
#[test]
fn a_static_model_without_a_description_says_what_layers_need() {
    for (name, is_told) in [
        ("aks-bmodel", true),
        ("bm1688-sync-static", true),
        ("aks-layers", false),
        ("bm1688-layers", false),
        ("cv84x6-sync-dynamic", false),
        ("aks-mode2-sync", false),
    ] {
        let run = analyzed(&case(name).dump(), &["--perfetto", "--csv"]);
        let note = "note: no layers: nothing describes the model's layers; put `final.mlir`";
        assert_eq!(run.said.stderr.contains(note), is_told, "{name}: {}", run.said.stderr);
        let id = "note-layers-not-described";
        assert_eq!(run.text("report.json").contains(id), is_told, "{name}");
        let has_layers = run.out_dir().join("layers.csv").exists();
        assert!(!(is_told && has_layers), "{name}");
    }
}
