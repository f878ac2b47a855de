//! `report.md`: the run in a page of Markdown, the verdict first.

use serde_json::Value;

use crate::support::case::{case, fixture};
use crate::support::run::analyzed;

#[test]
fn the_brief_has_the_verdict_first_and_the_numbers_of_the_report() {
    for dump in [
        case("aks-mode2-sync").dump(),
        fixture("real").join("bmprofile_data_bm1688_2core"),
        case("aksv-lost-records").dump(),
    ] {
        let run = analyzed(&dump, &["--emit", "brief,report"]);
        let (text, report) = (run.text("report.md"), run.text("report.json"));
        let report: Value = serde_json::from_str(&report).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("# ") && lines.len() <= 80, "{text}");
        let verdict = report["verdict"]["headline"]["text"].as_str().unwrap();
        let said = lines[2].split_once(":** ").unwrap().1.replace('\\', "");
        assert!(lines[2].starts_with("**Verdict"), "{text}");
        assert!(said.starts_with(&verdict[..verdict.len().min(40)]), "{said}\n{verdict}");
        if let Some(rule) = report["verdict"]["rule"].as_str() {
            assert!(
                lines[2].replace('\\', "").starts_with(&format!("**Verdict ({rule}):**")),
                "{text}"
            );
        }
        let wall = report["intervals"]["overall"]["wall_ns"].as_i64().unwrap();
        let wall = format!("the run takes {:.3} us", wall as f64 / 1e3);
        assert!(text.contains(&wall), "{wall}: {text}");
        assert!(text.contains("## What the run waited for (critical path)"), "{text}");
        let owner = match report["layers"].as_array().is_some_and(|layers| !layers.is_empty()) {
            true => "layers of a static model",
            false => "## Kernels (",
        };
        assert!(text.to_lowercase().contains(&owner.to_lowercase()[..6]), "{owner}: {text}");
        assert_eq!(
            text.contains("## What is lost or doubtful"),
            report["ledger"]["notes"] != Value::Array(vec![])
        );
        assert!(!text.contains("(outside kernels)"), "{text}");
    }
}

/// In a static model layers stand where kernels stand elsewhere.
#[test]
fn texts_of_a_static_model_name_layers() {
    let dump = fixture("real").join("bmprofile_data_bm1688_2core");
    let summary = analyzed(&dump, &["--emit", "summary"]).text("summary.txt");
    let section = |title: &str| -> Vec<String> {
        let lines = summary.lines().skip_while(|line| !line.starts_with(title));
        lines.take_while(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let roofline = section("Roofline (ideal times; core time)");
    assert!(
        roofline.iter().any(|line| line.contains("Layer") && line.contains("Time(us)")),
        "{roofline:?}"
    );
    assert!(roofline.len() > 20, "a row a layer: {roofline:?}");
    let roofs = section("Roofs of a core");
    let with = |text: &str| roofs.iter().any(|line| line.contains(text));
    assert!(with("DDR, one core") && with("24 GB/s") && with("measured"), "{roofs:?}");
    assert!(with("DDR, each of 2 cores") && with("15 GB/s") && with("published"), "{roofs:?}");
}
