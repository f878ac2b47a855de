//! The critical path in every view: its pieces and its track add up to the wall time.

use std::fs;

use serde_json::Value;

use crate::support::case::case;
use crate::support::run::{analyzed, finish, tool};
use crate::support::trace::Trace;

fn sum_ns(trace: &Trace, track: &str) -> i64 {
    trace.slices_on(track).iter().map(|slice| slice.dur).sum()
}

#[test]
fn the_path_is_in_every_view() {
    for name in ["aks-mode2-sync", "aksv-rvt", "bm1688-bmodel", "cv84x6-sync-dynamic"] {
        let run = analyzed(&case(name).dump(), &["--perfetto", "--full"]);
        let report: Value = serde_json::from_str(&run.text("report.json")).unwrap();
        let path = &report["critical_path"];
        assert_eq!(path["refusal"], Value::Null, "{name}");
        let wall = path["wall_ns"].as_i64().unwrap();
        assert_eq!(report["intervals"]["overall"]["wall_ns"].as_i64(), Some(wall), "{name}");
        let pieces = path["pieces"].as_array().unwrap();
        let sum: i64 = pieces.iter().map(|piece| piece["ns"].as_i64().unwrap()).sum();
        assert_eq!(sum, wall, "{name}");
        assert_eq!(sum_ns(&run.trace(), "Critical Path"), wall, "{name}");
        for text in [run.text("summary.txt"), run.said.stdout.clone()] {
            assert!(text.contains("What the run waited for"), "{name}");
        }
    }
}

#[test]
fn both_runs_of_a_prediction_have_their_path() {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out");
    let dump = case("aks-mode2-sync").dump();
    let said = finish(tool().arg("whatif").arg(&dump).args(["--scale", "ddr=2", "-o"]).arg(&out));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let page = fs::read_to_string(out.join("whatif.html")).unwrap();
    assert!(page.contains("</html>"));
    let text = fs::read_to_string(out.join("whatif.json")).unwrap();
    let answer: Value = serde_json::from_str(&text).unwrap();
    let trace = Trace::open(&out.join("whatif.pftrace"));
    for (run, key) in [("Measured", "measured_ns"), ("Predicted", "predicted_ns")] {
        let track = format!("{run}/Critical Path");
        assert_eq!(Some(sum_ns(&trace, &track)), answer[key].as_i64(), "{run}");
    }
}

/// Slack and path of each event: no event of the path has slack, the events of the path are those of its pieces, and
/// a synthetic dump has events beside the path that could end later.
#[test]
fn slack_and_path_of_each_event_are_in_the_table() {
    for name in ["aks-mode2-sync", "aksv-rvt", "bm1688-bmodel"] {
        let run = analyzed(&case(name).dump(), &["--perfetto", "--csv"]);
        let text = run.text("events.csv");
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap().split(',').collect();
        let column = |name: &str| names.iter().position(|known| *known == name).unwrap();
        let (slack, on_path) = (column("slack_ns"), column("on_critical_path"));
        let mut on = 0;
        let mut later = 0;
        for line in lines.filter(|line| !line.contains("runtime")) {
            let cells: Vec<&str> = line.rsplit(',').collect();
            let cell = |column: usize| cells[names.len() - 1 - column];
            let ns: i64 = cell(slack).parse().unwrap();
            assert!(ns >= 0, "{name}: {line}");
            if cell(on_path) == "true" {
                assert_eq!(ns, 0, "{name}: {line}");
                on += 1;
            }
            later += usize::from(ns > 0);
        }
        assert!(on > 0 && later > 0, "{name}: {on} on the path, {later} with slack");
        let of_trace = run.trace();
        let slices = of_trace.slices.iter().filter(|slice| slice.arg("slack(ns)").is_some());
        assert_eq!(slices.count(), text.lines().skip(1).filter(|l| !l.contains("runtime")).count());
    }
}
