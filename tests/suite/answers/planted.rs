//! Faults that `synth` plants are found, where they are and as large as they are.

use serde_json::Value;

use super::{Synth, with};

const SHAPE: [&str; 4] = ["--cores", "4", "--launches", "11"];

fn planted(fault: &str) -> Value {
    Synth::new(&[&SHAPE[..], &["--plant", fault]].concat()).report()
}

#[test]
fn an_imbalance_names_its_core_and_factor() {
    let report = planted("imbalance=2:1.5");
    let kernels = report["balance"]["kernels"].as_array().unwrap();
    let matmuls = || kernels.iter().filter(|k| k["kernel"].as_str().unwrap().starts_with("matmul"));
    assert_eq!(matmuls().count(), 4);
    for kernel in matmuls() {
        assert_eq!(kernel["slowest"], 2, "{kernel:#}");
        // One of four works 1.5 times as long: 1.5 / 1.125 - 1.
        let imbalance = kernel["imbalance"].as_f64().unwrap();
        assert!((imbalance - 1.0 / 3.0).abs() < 0.02, "{kernel:#}");
    }
    assert_eq!(report["balance"]["barriers"]["last"], serde_json::json!([[2, 22]]));
    let advice = with(&report["advice"], "id", "core-imbalance");
    assert!(advice["evidence"][0]["place"].as_str().unwrap().ends_with("on core 2"), "{advice:#}");
    let even = Synth::new(&SHAPE).report();
    let ids: Vec<_> = even["advice"].as_array().unwrap().iter().map(|a| &a["id"]).collect();
    assert!(!ids.contains(&&serde_json::json!("core-imbalance")), "{ids:?}");
}

/// In mode 0 the dump shows no launches: the gaps between those that the replay infers are idle time of the chip.
#[test]
fn gaps_between_launches_that_only_times_show_are_gained() {
    let shape = ["--chip", "aksv", "--mode", "0", "--cores", "4", "--launches", "8"];
    let even = Synth::new(&shape).report();
    let gap = Synth::new(&[&shape[..], &["--plant", "launch-gap=30"]].concat()).report();
    let wall = |report: &Value| report["critical_path"]["wall_ns"].as_i64().unwrap();
    let gain = with(&gap["advice"], "id", "stall")["gain_ns"].as_i64().unwrap();
    let planted = wall(&gap) - wall(&even);
    assert!(planted > 25_000 && gain >= planted * 9 / 10, "{gain} of {planted}");
}

#[test]
fn a_bubble_is_found_on_its_engine_and_others_wait_for_it() {
    let (even, report) = (Synth::new(&SHAPE).report(), planted("bubble=1:tiu:80"));
    let longest = |report: &serde_json::Value, core: u32| {
        let gaps = report["gaps"]["longest"].as_array().unwrap();
        let own = serde_json::json!(["TIU", core]);
        let is_own = |g: &&Value| {
            serde_json::json!([g["engine"], g["index"]]) == own
                || g["with"].as_array().unwrap().contains(&own)
        };
        gaps.iter().filter(is_own).max_by_key(|g| g["cost_ns"].as_i64()).unwrap().clone()
    };
    let own = report["gaps"]["longest"].as_array().unwrap().iter();
    let mut own = own.filter(|gap| gap["engine"] == "TIU" && gap["index"] == 1);
    let bubble = own.next().unwrap();
    let length = bubble["end_ns"].as_i64().unwrap() - bubble["start_ns"].as_i64().unwrap();
    assert!((80_000..84_000).contains(&length), "{bubble:#}");
    assert_ne!(bubble["cause"], "sync");
    // The others wait at one barrier: one row.
    assert_eq!(longest(&report, 0), longest(&report, 3));
    for core in [0, 2, 3] {
        let waiting = longest(&report, core);
        assert_eq!(waiting["cause"], "sync", "{waiting:#}");
        // TIU and GDMA of core 1 send at the same time.
        assert_eq!(waiting["waited_for"][1], 1, "{waiting:#}");
    }
    let wall =
        |report: &serde_json::Value| report["intervals"]["overall"]["wall_ns"].as_i64().unwrap();
    assert!(
        (wall(&report) - wall(&even) - 80_000).abs() < 5_000,
        "{} {}",
        wall(&even),
        wall(&report)
    );
}

#[test]
fn a_comparison_shows_a_slow_kernel() {
    let (even, slow) = (Synth::new(&SHAPE).report(), planted("slow-kernel=rope:3"));
    let time = |report: &serde_json::Value, kernel: &str| {
        with(&report["kernels"], "kernel", kernel)["total_ns"].as_f64().unwrap()
    };
    // Its sync, which nothing slows, is part of a launch.
    let factor = time(&slow, "rope") / time(&even, "rope");
    assert!((2.7..=3.0).contains(&factor), "{factor}");
    for kernel in ["matmul_qkv", "flash_attention", "rms_norm"] {
        let factor = time(&slow, kernel) / time(&even, kernel);
        assert!((0.99..1.01).contains(&factor), "{kernel} {factor}");
    }
}

/// A run is the same through an RVT front end; only the reference's summary counts the waits of its cores as work.
#[test]
fn a_front_end_changes_no_phases() {
    for chip in ["aksv", "cv84x6"] {
        let run = |style| {
            let options = ["--chip", chip, "--style", style, "--mode", "1", "--launches", "11"];
            Synth::new(&options).report()
        };
        let (plain, rvt) = (run("op"), run("rvt"));
        assert_eq!(plain["intervals"], rvt["intervals"], "{chip}");
        assert_eq!(plain["balance"], rvt["balance"], "{chip}");
        let cycles = |report: &Value, engine: &str| {
            report["legacy_summary"][0][engine].as_i64().unwrap_or_else(|| panic!("{report:#}"))
        };
        for engine in ["tiu_cycles", "gdma_cycles"] {
            assert!(cycles(&rvt, engine) > cycles(&plain, engine), "{chip} {engine}");
        }
    }
}
