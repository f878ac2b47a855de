//! `bigtpuprofile simulate`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::say;
use crate::support::trace::Trace;

fn real(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/real").join(name).display().to_string()
}

fn json(args: &[&str]) -> Value {
    let said = say(args);
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

#[test]
fn a_real_dump_is_predicted_beside_its_measured_time() {
    let said = say(&["simulate", &real("bmprofile_data-1_bm1688")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        said.stdout.starts_with("BM1688, simulated: 302.22 us, measured 303.966 us (-0.57 %)\n"),
        "{}",
        said.stdout
    );
    let answer = json(&["simulate", &real("bmprofile_data-1_bm1688"), "--json"]);
    assert_eq!(answer["tiu"]["exact"], answer["tiu"]["commands"]);
    let shares = ["exact", "fitted", "estimated", "not_validated"];
    let sum: f64 = shares.iter().map(|mark| answer["marks"][mark].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{answer}");
    for engine in ["tiu", "dma"] {
        let parts = answer[engine]["parts"].as_object().unwrap();
        let sum: f64 = parts.values().map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{engine}: {parts:?}");
    }
    assert_eq!(answer["tiu"]["parts"]["work"], 0.687, "{answer}");
}

#[test]
fn every_output_says_that_the_run_is_simulated() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let said = say(&["simulate", &real("bmprofile_data_bm1688_2core"), &out.display().to_string()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let read = |name: &str| fs::read(out.join(name)).unwrap();
    let report: Value = serde_json::from_slice(&read("report.json")).unwrap();
    assert_eq!(report["dump"]["simulated"], true);
    let has = |name: &str, text: &str| {
        let bytes = read(name);
        assert!(bytes.windows(text.len()).any(|part| part == text.as_bytes()), "{name}: {text}");
    };
    has("perfetto.pftrace", "bigtpuprofile.simulated");
    has("simulate.pftrace", "bigtpuprofile.Simulated.simulated");
    has("summary.txt", "simulated: the times are predicted");
    let csv = String::from_utf8(read("commands.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    let cells = rows[0].split(',').count();
    assert!(rows.iter().all(|row| row.split(',').count() == cells));
    // Sends and waits of the DMA have no records.
    assert!(rows.len() > 471, "{}", rows.len());
    assert!(out.join("simulate.html").is_file() && out.join("PerfWeb/result.html").is_file());
}

#[test]
fn both_runs_in_one_trace_show_the_layers_by_their_names() {
    let dir = tempfile::tempdir().unwrap();
    let said =
        say(&["simulate", &real("bmprofile_data-1_bm1688"), &dir.path().display().to_string()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let trace = Trace::open(&dir.path().join("simulate.pftrace"));
    for run in ["Measured", "Simulated"] {
        let mut slices = trace.slices.iter().filter(|slice| slice.track == run);
        assert!(slices.any(|slice| slice.name == "80_Relu (Conv2D)"), "{run}");
    }
}

#[test]
fn what_is_not_validated_is_said_in_the_line_of_the_total() {
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("demo").display().to_string();
    assert_eq!(say(&["synth", &dump, "--cores", "1", "--launches", "2", "-q"]).code, Some(0));
    let said = say(&["simulate", &dump]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let first = said.stdout.lines().next().unwrap();
    assert!(first.contains("estimated or not validated: the error is not known"), "{first}");
    assert!(said.stdout.contains("mm2.nn"), "{}", said.stdout);
}

#[test]
fn wrong_inputs_end_with_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.display().to_string()
    };
    let says = |args: &[&str], text: &str| {
        let said = say(args);
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
        assert!(said.stderr.contains(text), "{args:?}: {}", said.stderr);
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    };
    says(&["simulate", &write("a.bmodel", b"nothing")], "a .bmodel with 0xff55aaee");
    says(&["simulate", &write("b.txt", b"nothing")], "is no dump directory, no .bmodel");
    says(&["simulate", &write("c.bmodel", &[0xee, 0xaa, 0x55, 0xff, 64, 0, 0, 0])], "truncated");
    let files = tempfile::tempdir().unwrap();
    let command = files.path().join("op-0-0.BD.0");
    fs::write(&command, [0xff; 200]).unwrap();
    let command = command.display().to_string();
    says(&["simulate", &command], "--chip");
    says(&["simulate", &command, "--chip", "bm1690"], "TIU commands at byte 192");
    let records_only = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/aks-mode0-cdma/dump");
    says(&["simulate", &records_only.display().to_string()], "no command has descriptors");
}

/// Reports and events of real runs say what commands should have taken, and why.
#[test]
fn a_real_run_says_which_commands_are_slower_than_their_bits_explain() {
    let dir = tempfile::tempdir().unwrap();
    let analyzed = |name: &str| {
        let out = dir.path().join(name);
        let said = say(&[&real(name), &out.display().to_string(), "--emit", "report,csv"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let report: Value =
            serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap();
        (report, fs::read_to_string(out.join("events.csv")).unwrap())
    };
    let (report, events) = analyzed("bmprofile_data_bm1688_2core");
    let slowest = &report["expected"]["slower"][0];
    assert_eq!(
        (slowest["cause"].as_str(), slowest["engine"].as_str()),
        (Some("other-core"), Some("GDMA"))
    );
    let mut rows = events.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let at = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (expected, mark, duration) = (at("expected_ns"), at("expected_mark"), at("duration_ns"));
    // No text of this dump has a comma.
    let exact: Vec<_> = rows.filter(|row| row[mark] == "exact").collect();
    assert!(exact.len() > 100, "{}", exact.len());
    for row in &exact {
        let [expected, duration] = [expected, duration].map(|at| row[at].parse::<i64>().unwrap());
        assert!((expected - duration).abs() <= 1, "{row:?}");
    }
    let advice = |report: &Value, id: &str| {
        let all = report["advice"].as_array().unwrap();
        all.iter().find(|advice| advice["id"] == id).cloned().unwrap_or_default()
    };
    let (report, _) = analyzed("bmprofile_data-1_bm1684x");
    let pieces = advice(&report, "short-pieces");
    assert_eq!(
        (pieces["mark"].as_str(), pieces["replayed"].as_bool()),
        (Some("fitted"), Some(true))
    );
    let text =
        "2048 pieces of 8 B (DDR->LMEM): 7.2 us of 7.7 are per-piece time. 31 transfers consist";
    assert!(pieces["text"].as_str().unwrap().starts_with(text), "{pieces}");
    let shapes = advice(&report, "unaligned-shapes");
    assert!(shapes["text"].as_str().unwrap().contains("24 of 64 lanes work"), "{shapes}");
    let (report, _) = analyzed("bmprofile_data-1_cv184x");
    let in_place = advice(&report, "in-place");
    let text =
        "`arith.max` works in place: 4098 cycles, with the result in another bank about 2058.";
    assert!(in_place["text"].as_str().unwrap().starts_with(text), "{in_place}");
    assert_eq!(in_place["mark"], "estimated");
    let records_only = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/aks-mode0-cdma/dump");
    let out = dir.path().join("records").display().to_string();
    let said = say(&[&records_only.display().to_string(), &out, "--emit", "report"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let report = fs::read_to_string(dir.path().join("records/report.json")).unwrap();
    assert!(!report.contains("\"expected\":"), "no command has full bits");
}

/// A dump, its `.bmodel` and its command files, as the program itself writes them.
#[test]
fn synth_writes_a_model_in_three_forms_that_take_the_same_time() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    for chip in ["aks", "bm1688"] {
        let [dump, model, files] =
            ["dump", "model.bmodel", "commands"].map(|name| path(&format!("{chip}-{name}")));
        let said = say(&[
            "synth",
            &dump,
            "--style",
            "bmodel",
            "--chip",
            chip,
            "--cores",
            "2",
            "--launches",
            "1",
            "--bmodel",
            &model,
            "--cmodel",
            &files,
        ]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let of_dump = json(&["simulate", &dump, "--json"]);
        let of_model = json(&["simulate", &model, "--json"]);
        let of_files = json(&["simulate", &files, "--chip", chip, "--json"]);
        for part in ["tiu", "dma"] {
            assert_eq!(of_model[part]["commands"], of_files[part]["commands"], "{chip}");
        }
        assert_eq!(of_model["predicted_ns"], of_files["predicted_ns"], "{chip}");
        let [dump, model] =
            [&of_dump, &of_model].map(|answer| answer["predicted_ns"].as_f64().unwrap());
        assert!(model > 0.0 && (dump / model - 1.0).abs() < 1e-6, "{chip}: {dump} {model}");
    }
    let said = say(&["synth", &path("op"), "--launches", "1", "--bmodel", &path("op.bmodel")]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("add --style bmodel"), "{}", said.stderr);
}

#[test]
fn the_same_commands_run_on_another_chip_of_their_command_set() {
    let aks = real("cdm_profile_data_dev0_bm1690");
    let answer = json(&["whatif", &aks, "--chip", "aksv", "--json"]);
    assert_eq!(answer["changes"][0], "chip=AKSV");
    // AKSV has the sizes of AKS, and was never measured.
    assert_eq!(answer["predicted_ns"], answer["measured_ns"]);
    let width = |answer: &Value| {
        let [least, said, most] = [
            &answer["predicted_range_ns"][0],
            &answer["predicted_ns"],
            &answer["predicted_range_ns"][1],
        ]
        .map(|ns| ns.as_f64().unwrap());
        assert!(least < said && said < most, "{least} {said} {most}");
        most / least
    };
    assert!(width(&answer) > 1.05, "{answer}");
    assert!((answer["rules"]["estimated"].as_f64().unwrap() - 1.0).abs() < 1e-9, "{answer}");
    let wall = |lanes: &str| {
        let answer = json(&["whatif", &aks, "--lanes", lanes, "--json"]);
        // The size of the chip itself changes nothing; more lanes than it has change few commands.
        let least = [("8", 1.02), ("256", 1.0)].into_iter().find(|(of, _)| *of == lanes);
        assert!(least.is_none_or(|(_, least)| width(&answer) > least), "{lanes}: {answer}");
        answer["predicted_ns"].as_i64().unwrap()
    };
    let [few, own, many] = ["8", "64", "256"].map(wall);
    assert!(few > own && own >= many, "{few} {own} {many}");
    assert_eq!(answer["measured_ns"].as_i64(), Some(own));
    let said = say(&["whatif", &aks, "--chip", "bm1688"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("other bits than those of AKS"), "{}", said.stderr);
}

/// Every tile loads the same weights from DDR; the same program that loads them from L2M after the first tile is what a cache
/// makes of it.
#[test]
fn a_cache_of_constants_serves_what_was_loaded_before() {
    let dir = tempfile::tempdir().unwrap();
    for chip in ["aks", "aksv"] {
        let synth = |fault: &str| {
            let dump = dir.path().join(format!("{chip}-{fault}")).display().to_string();
            let plant = ["synth", &dump, "--chip", chip, "--l2m-gbps", "128", "--plant", fault];
            assert_eq!(say(&plant).code, Some(0));
            dump
        };
        let (dump, cached) = (synth("weights=ddr"), synth("weights=l2m"));
        let with = |cache: &str| json(&["whatif", &dump, "--cache", cache, "--json"]);
        let (small, large) = (with("0.5"), with("1024"));
        let count = |answer: &Value, key: &str| answer["cache"][key].as_u64().unwrap();
        for key in ["loads", "load_bytes", "constants", "constant_bytes"] {
            assert_eq!(small["cache"][key], large["cache"][key], "{key}");
        }
        assert!(count(&large, "hits") > count(&small, "hits"), "{large}");
        // Room for all: each constant is loaded once.
        let once = count(&large, "hit_bytes") + count(&large, "constant_bytes");
        assert!(once <= count(&large, "load_bytes"), "{large}");
        let ns = |answer: &Value, key: &str| answer[key].as_i64().unwrap();
        let predicted = ns(&large, "predicted_ns");
        let truth = ns(&json(&["whatif", &cached, "--json"]), "measured_ns");
        let error = predicted as f64 / truth as f64 - 1.0;
        assert!(error.abs() < 0.005, "{chip}: said {predicted}, true {truth}");
        assert!(predicted < ns(&large, "measured_ns") && predicted <= ns(&small, "predicted_ns"));
        // Where the cache is slower than the DDR, loads go on to come from DDR.
        let slow = with("1024@1");
        assert_eq!(ns(&slow, "predicted_ns"), ns(&slow, "measured_ns"));
        let said = say(&["whatif", &dump, "--cache", "16"]);
        assert!(said.stdout.contains("loads from DDR"), "{}", said.stdout);
    }
    let said = say(&["whatif", &real("bmprofile_data-1_bm1688"), "--cache", "16"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("--cache 16@200"), "{}", said.stderr);
}

#[test]
fn constants_of_own_records_are_written_and_read() {
    let dir = tempfile::tempdir().unwrap();
    let model = dir.path().join("own.json").display().to_string();
    let dump = real("bmprofile_data-1_cv184x");
    let said = say(&["simulate", "--calibrate", &dump, "--to", &model]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("transfers: median error"), "{}", said.stdout);
    let own = json(&["simulate", &dump, "--model", &model, "--json"]);
    let error = own["predicted_ns"].as_f64().unwrap() / own["measured_ns"].as_f64().unwrap() - 1.0;
    assert!(error.abs() < 0.01, "{error}");
    assert!(own["marks"]["estimated"].as_f64().unwrap() < 0.01, "{own}");
    let other = say(&["simulate", &real("bmprofile_data-1_bm1688"), "--model", &model]);
    assert_eq!(other.code, Some(1));
    assert!(other.stderr.contains("has constants of CV184X"), "{}", other.stderr);
}

/// An Add of 1024x1024 FP16 on a core of a BM1690 board in tiles of 32x128: 632 us with a launch of 22 us, in the mean of 20 samples. Its core issues
/// the 1024 commands word by word.
#[test]
fn an_add_in_256_tiles_takes_what_it_took_on_the_board() {
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/simulate/add-256-tiles");
    let files = files.display().to_string();
    let answer = json(&["simulate", &files, "--chip", "bm1690", "--json"]);
    let with_launch = answer["predicted_ns"].as_f64().unwrap() / 1e3 + 22.0;
    assert!((with_launch / 632.0 - 1.0).abs() < 0.15, "{with_launch}");
    assert_eq!(answer["dispatch"]["commands"], 1024);
    assert_eq!(answer["dispatch"]["mark"], "fitted");
    let said = say(&["simulate", &files, "--chip", "bm1690"]);
    assert!(said.stdout.contains("Dispatch: 1024 commands are issued word by word"), "{said:?}");
    // A static model's commands are a stream.
    let answer = json(&["simulate", &real("cdm_profile_data_dev0_bm1690"), "--json"]);
    assert_eq!(answer["dispatch"], Value::Null);
}
