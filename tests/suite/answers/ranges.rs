//! Gains that are known within bounds only: the true one is within the range that the advice states.

use serde_json::Value;

use std::path::Path;

use super::{Synth, analyze, report, with};

fn wall(report: &Value) -> f64 {
    report["intervals"]["overall"]["wall_ns"].as_f64().unwrap()
}

/// Compares the stated range with the difference to the healthy dump, and its sentence with its numbers.
#[track_caller]
fn holds(rule: &str, shape: &[&str], healthy: &[&str], fault: &[&str]) {
    let healthy = Synth::new(&[shape, healthy].concat()).report();
    let report = Synth::new(&[shape, fault].concat()).report();
    let lost = wall(&report) - wall(&healthy);
    let advice = with(&report["advice"], "id", rule);
    let said = advice["gain_ns"].as_f64().unwrap();
    let options = [shape, fault].concat().join(" ");
    // Where the times show each launch, the gain is a point.
    if advice["gain_range_ns"].is_null() {
        assert!((said - lost).abs() <= 0.1 * lost, "{options}: {said}, true {lost}");
        return;
    }
    let [least, most] = [0, 1].map(|end| advice["gain_range_ns"][end].as_f64().unwrap());
    println!(
        "| `{options}` | {rule} | {:.1} us | {:.1} to {:.1} us | {:.1} us |",
        said / 1e3,
        least / 1e3,
        most / 1e3,
        lost / 1e3
    );
    assert!((least..=most).contains(&lost), "{options}: {least} to {most}, true {lost}");
    assert!((least..=most).contains(&said) && most <= wall(&report), "{options}: {said}");
    // Far from the gain the most is no range, but a bound.
    let is_bound = advice["most_is_bound"] == true;
    assert_eq!(is_bound, most > 3.0 * said, "{options}: {most}");
    let [from, to] = [least, most].map(|ns| format!("{:.1} us", ns / 1e3));
    let sentence = if is_bound {
        format!(" This costs {from} at least; {to} is a bound: ")
    } else {
        format!(" This costs {} to {to}: ", from.trim_end_matches(" us"))
    };
    assert!(advice["text"].as_str().unwrap().contains(&sentence), "{advice}");
    if report["verdict"]["rule"] == rule && !is_bound {
        let takes = [most, least].map(|gain| format!("{:.1}", (wall(&report) - gain) / 1e3));
        let said = format!("would take {} to {} instead of", takes[0], takes[1]);
        assert!(report["verdict"]["text"].as_str().unwrap().contains(&said), "{report:#}");
    }
}

const PIPELINED: [&str; 7] =
    ["--seed", "5", "--launches", "22", "--launch-gap", "0", "--pipelined"];

/// Only one kernel has such commands, or, without full bits, operations are not known.
#[test]
fn what_is_like_nothing_else_may_be_slow_too() {
    for (form, kernel) in [
        (&["--chip", "cv84x6"][..], "flash_attention"),
        (&["--chip", "bm1688"], "flash_attention"),
        (&["--chip", "cv84x6", "--writer", "libsophon"], "flash_attention"),
        (&["--chip", "aks", "--mode", "1"], "matmul_down"),
        (&["--chip", "cv84x6", "--mode", "1"], "matmul_down"),
    ] {
        let shape = [form, &PIPELINED].concat();
        let fault = format!("slow-kernel={kernel}:3");
        holds("slow-transfers", &shape, &[], &["--plant", &fault]);
    }
}

/// Mode 0 has no launches: where all cores' waits end together is a barrier. On BM1688 and CV84X6 waits look like work.
#[test]
fn barriers_that_only_times_show_tell_slow_cores_and_kernels() {
    for (chip, fault) in [
        ("bm1688", "imbalance=1:1.5"),
        ("bm1688", "straggler=1.5"),
        ("cv84x6", "imbalance=1:1.5"),
        ("cv84x6", "straggler=1.5"),
    ] {
        let shape = [&["--chip", chip, "--mode", "0"], &PIPELINED[..]].concat();
        holds("core-imbalance", &shape, &[], &["--plant", fault]);
    }
    for (chip, cores, kernel) in [
        ("aks", "8", "matmul_down"),
        ("aks", "1", "matmul_down"),
        ("bm1688", "2", "matmul_down"),
        ("bm1688", "2", "flash_attention"),
    ] {
        let shape = [&["--chip", chip, "--mode", "0", "--cores", cores], &PIPELINED[..]].concat();
        let fault = format!("slow-kernel={kernel}:3");
        holds("slow-transfers", &shape, &[], &["--plant", &fault]);
    }
}

/// What waits for a port is known in mode 0 only where nothing else worked, and fewer cores than the chip's have no sync pair.
#[test]
fn ports_that_few_times_place_have_a_range() {
    for form in [&["--mode", "0"][..], &["--cores", "2"]] {
        let shape = [form, &PIPELINED, &["--cdma", "4"]].concat();
        holds("slow-link", &shape, &[], &["--plant", "slow-port=1:8"]);
    }
    // Nothing places a port of mode 0 where not all cores run.
    for cores in ["1", "4"] {
        let shape = [&["--mode", "0", "--cdma", "4", "--cores", cores], &PIPELINED[..]].concat();
        holds("slow-link", &shape, &[], &["--plant", "slow-port=1:8"]);
    }
    let one = ["--cdma", "2", "--cores", "1"];
    holds("slow-link", &one, &[], &["--plant", "slow-port=1:4"]);
}

/// Modes 0 and 1 know no dependences; mode 0 knows no launches.
#[test]
fn overlap_without_dependences_has_a_range() {
    for mode in ["0", "1"] {
        for chip in ["bm1688", "cv84x6"] {
            let shape = [&["--chip", chip, "--mode", mode], &PIPELINED[..6]].concat();
            holds("serialized", &shape, &["--pipelined"], &[]);
        }
    }
    let shape = [&["--chip", "bm1688", "--mode", "1"], &PIPELINED[..]].concat();
    holds("small-transfers", &shape, &[], &["--plant", "small-transfers=8"]);
}

/// Two cores of a static model have 2173.9 and 247.7 us of work. An even division may save 965 us; the replay, which keeps what each command
/// waits for now, saves less.
#[test]
fn a_new_division_of_the_work_may_save_what_waits_hide() {
    let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real");
    let report = report(&analyze(&real.join("bmprofile_data_bm1688_2core")));
    let advice = with(&report["advice"], "id", "core-imbalance");
    let gain = advice["gain_ns"].as_f64().unwrap();
    let [least, most] = [0, 1].map(|end| advice["gain_range_ns"][end].as_f64().unwrap());
    assert!(least <= gain && (963e3..970e3).contains(&most), "{least} {gain} {most}");
}

/// Mode 0, four cores of a generator by another hand: in turn a core has three times the tiles of the others. The same tiles divided evenly take
/// 196.356 us.
#[test]
fn launches_that_only_times_show_tell_which_core_has_more_work() {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/alternating-mode0");
    let report = report(&analyze(&dump));
    let lost = wall(&report) - 196_356.0;
    let advice = with(&report["advice"], "id", "core-imbalance");
    let gain = advice["gain_ns"].as_f64().unwrap();
    assert!((gain / lost - 1.0).abs() < 0.1, "{gain}, true {lost}");
}

/// A run of a generator by another hand: its report, and what it loses in ns against the same run without the faults.
fn foreign(name: &str, healthy_ns: f64) -> (Value, f64) {
    let dump = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let report = report(&analyze(&dump));
    let lost = wall(&report) - healthy_ns;
    (report, lost)
}

/// In one kernel core 0 loads each tile in 64 pieces, in another a core in turn has three times the tiles: both are uneven work, and only the
/// second is divided where the first becomes fewer commands. Without them the run takes 261.909 us.
#[test]
fn rounds_whose_commands_become_fewer_are_not_divided_as_well() {
    let (report, lost) = foreign("small-and-alternating.zip", 261_909.0);
    let gain = report["advice_together"]["gain_ns"].as_f64().unwrap();
    assert!((gain / lost - 1.0).abs() < 0.05, "{gain}, true {lost}");
}

/// Products of 2 rows instead of 64, beside launches with 64: as a bound they take their part of these. Without them the run takes
/// 308.437 us.
#[test]
fn commands_of_good_shapes_say_what_bad_ones_lose() {
    let (report, lost) = foreign("two-rows.zip", 308_437.0);
    let advice = with(&report["advice"], "id", "unaligned-shapes");
    let gain = advice["gain_ns"].as_f64().unwrap();
    assert!((gain / lost - 1.0).abs() < 0.01 && advice["is_bound"] == true, "{gain}, true {lost}");
}

/// A core that takes 12 % longer now and then is told, with what it costs.
#[test]
fn a_straggler_of_twelve_percent_is_told() {
    let shape = [&PIPELINED[..], &["--chip", "aks", "--cores", "4"]].concat();
    let healthy = Synth::new(&shape).report();
    let report = Synth::new(&[&shape[..], &["--plant", "straggler=1.12"]].concat()).report();
    let lost = wall(&report) - wall(&healthy);
    let advice = with(&report["advice"], "id", "core-imbalance");
    let gain = advice["gain_ns"].as_f64().unwrap();
    assert!((gain / lost - 1.0).abs() < 0.1, "{gain}, true {lost}");
}
