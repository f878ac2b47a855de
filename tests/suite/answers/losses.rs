//! Lost records: counts stay true, and launches with missing commands are left out of statistics.

use serde_json::Value;

use super::{Synth, with};

fn kernels(report: &Value) -> &[Value] {
    report["kernels"].as_array().unwrap()
}

#[test]
fn lost_records_make_no_imbalance() {
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        let healthy = Synth::new(&["--chip", chip]).report();
        let lossy = Synth::new(&["--chip", chip, "--loss", "0.05"]).report();
        for kernel in kernels(&healthy) {
            assert_eq!(kernel["incomplete_launches"], 0, "{chip} {kernel:#}");
            let same = with(&lossy["kernels"], "kernel", kernel["kernel"].clone());
            assert_eq!(same["launches"], kernel["launches"], "{chip} {same:#}");
            assert!(same["incomplete_launches"].as_u64() > Some(0), "{chip} {same:#}");
        }
        for kernel in lossy["balance"]["kernels"].as_array().unwrap() {
            assert!(kernel["imbalance"].as_f64() < Some(0.05), "{chip} {kernel:#}");
        }
        let ids: Vec<_> = lossy["advice"].as_array().unwrap().iter().map(|a| &a["id"]).collect();
        assert!(!ids.contains(&&Value::from("core-imbalance")), "{chip} {ids:?}");
        let notes = lossy["ledger"]["notes"].to_string();
        assert!(notes.contains("kernel launches have missing commands"), "{chip} {notes}");
    }
}

/// Few losses: the percentiles and the balance are those of the launches that are whole.
#[test]
fn percentiles_and_balance_leave_out_incomplete_launches() {
    let shape = ["--chip", "aks", "--cores", "4", "--launches", "55", "--seed", "1"];
    let healthy = Synth::new(&shape).report();
    let lossy = Synth::new(&[&shape[..], &["--loss", "0.002"]].concat()).report();
    let left_out: u64 = lossy["balance"]["kernels"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|kernel| kernel["left_out"].as_u64())
        .sum();
    assert!(left_out > 0, "{:#}", lossy["balance"]);
    for kernel in kernels(&healthy) {
        let same = with(&lossy["kernels"], "kernel", kernel["kernel"].clone());
        for value in ["p50_ns", "p95_ns", "max_ns"] {
            let ratio = same[value].as_f64().unwrap() / kernel[value].as_f64().unwrap();
            assert!((0.95..1.01).contains(&ratio), "{value} {ratio} {same:#}");
        }
    }
}

/// Records that bind to a launch far away do not stretch it: totals stay near those of the run without losses, and no mean
/// exceeds its maximum.
#[test]
fn small_losses_change_no_total() {
    for (chip, losses) in
        [("aks", ["0.001", "0.01"]), ("aksv", ["0.01", "0.02"]), ("cv84x6", ["0.01", "0.02"])]
    {
        let shape = ["--chip", chip, "--launches", "44", "--seed", "2"];
        let healthy = Synth::new(&shape).report();
        for loss in losses {
            let lossy = Synth::new(&[&shape[..], &["--loss", loss]].concat()).report();
            for kernel in kernels(&lossy) {
                let same = with(&healthy["kernels"], "kernel", kernel["kernel"].clone());
                let ns = |kernel: &Value| kernel["total_ns"].as_f64().unwrap();
                let ratio = ns(kernel) / ns(same);
                assert!((0.9..1.2).contains(&ratio), "{chip} {loss} {ratio} {kernel:#}");
                let [mean, max] =
                    ["mean_ns", "max_ns"].map(|value| kernel[value].as_f64().unwrap());
                assert!(mean <= max, "{chip} {loss} {kernel:#}");
            }
        }
    }
}
