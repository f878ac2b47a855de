//! `record`: a program is run with the capture switched on, and what it wrote is analyzed. A script stands in for the program
//! and its runtime.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use crate::support::run::{Said, finish, tool};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/runtime.sh");

/// A directory in which programs are recorded.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `record` with these options for the script as `runtime`, with the script's own variables.
    fn command(&self, options: &[&str], runtime: &str, variables: &[(&str, &str)]) -> Command {
        let mut command = tool();
        command.current_dir(self.0.path()).arg("record").args(options).args(["--", SCRIPT]);
        command.env("STAND_IN", runtime).env("TOOL", env!("CARGO_BIN_EXE_bigtpuprofile"));
        command.envs(variables.iter().copied());
        command
    }

    fn record(&self, options: &[&str], runtime: &str, variables: &[(&str, &str)]) -> Said {
        finish(&mut self.command(options, runtime, variables))
    }

    fn report(&self, directory: &str) -> serde_json::Value {
        let text = fs::read_to_string(self.path(directory).join("report.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

/// The mode of the captured dump.
fn mode(dump: &Path) -> String {
    let said = finish(tool().arg("info").arg(dump));
    let line = said.stdout.lines().next().unwrap().to_owned();
    line.rsplit(", ").next().unwrap().to_owned()
}

#[test]
fn each_runtime_is_switched_on_and_its_dump_is_analyzed() {
    for (runtime, dump) in [
        ("tpudnn", "cdm_profile_data_dev0-0"),
        ("model-rt", "cdm_profile_data_dev0"),
        ("libsophon", "cdm_profile_data_dev0"),
    ] {
        let place = Place::new();
        let said = place.record(&["--perfetto"], runtime, &[]);
        assert_eq!(said.code, Some(0), "{runtime}: {}", said.stderr);
        // The program's own streams.
        assert!(said.stdout.starts_with("out of the program\n"), "{}", said.stdout);
        assert!(said.stderr.contains("err of the program"), "{}", said.stderr);
        assert!(said.stdout.contains("profile_out/perfetto.pftrace"), "{}", said.stdout);
        assert_eq!(mode(&place.path(dump)), "mode 2: commands with full bits", "{runtime}");
        assert!(place.report("profile_out")["dump"]["events"].as_u64().unwrap() > 100);
    }
}

#[test]
fn mode_and_records_reach_the_runtime() {
    let place = Place::new();
    let variables = [("NEEDS", "500")];
    let said =
        place.record(&["--perfetto", "--mode", "1", "--records", "64"], "tpudnn", &variables);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(mode(&place.path("cdm_profile_data_dev0-0")), "mode 1: commands by type");
    assert!(said.stderr.contains("record again with --records"), "{}", said.stderr);
    // The mode of the environment is kept where none is given.
    let said = place.record(
        &["--perfetto"],
        "tpudnn",
        &[("PROFILE_MODE", "0"), ("PROFILE_BOOK_KEEPING", "0")],
    );
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(mode(&place.path("cdm_profile_data_dev0-0")), "mode 0: PMU records only");
}

#[test]
fn a_full_ring_is_recorded_again() {
    let place = Place::new();
    for (runtime, records) in [("tpudnn", "64"), ("model-rt", "64")] {
        let variables = [("NEEDS", "100")];
        let options = ["--perfetto", "--retry", "--strict", "--records", records];
        let said = place.record(&options, runtime, &variables);
        assert_eq!(said.code, Some(0), "{runtime}: {}", said.stderr);
        assert!(said.stderr.contains("Recording again with"), "{runtime}: {}", said.stderr);
        assert_eq!(said.stdout.matches("out of the program").count(), 2, "{}", said.stdout);
        assert!(!said.stderr.contains("rings of the same size"), "{}", said.stderr);
    }
    // A program that sets the size itself.
    let variables = [("NEEDS", "1000"), ("OWN_RECORDS", "204")];
    let said = place.record(&["--perfetto", "--retry"], "tpudnn", &variables);
    assert!(said.stderr.contains("rings of the same size"), "{}", said.stderr);
}

#[test]
fn dumps_of_earlier_runs_are_not_taken() {
    let place = Place::new();
    assert_eq!(place.record(&["--perfetto"], "tpudnn", &[]).code, Some(0));
    fs::remove_dir_all(place.path("profile_out")).unwrap();
    let said = place.record(&["--perfetto"], "tpudnn", &[("MISTAKE", "nothing")]);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stderr.contains("cdm_profile_data_dev0-0 is of an earlier run"),
        "{}",
        said.stderr
    );
    assert!(!place.path("profile_out").exists());
    // Another call of another process beside it.
    let said = place.record(&["--perfetto"], "model-rt", &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(place.report("profile_out")["dump"]["is_static"], true);
    // A runtime that writes over a part of an earlier dump.
    let part = place.path("cdm_profile_data_dev0");
    let copied = place.path("copied");
    fs::create_dir(&copied).unwrap();
    fs::copy(part.join("global.profile"), copied.join("global.profile")).unwrap();
    let variables = [("MISTAKE", "part"), ("PART", copied.to_str().unwrap())];
    let said = place.record(&["--perfetto"], "model-rt", &variables);
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(said.stderr.contains("remove the directory and record again"), "{}", said.stderr);
}

#[test]
fn all_devices_of_a_run_are_analyzed() {
    let place = Place::new();
    let said = place.record(&["--perfetto"], "model-rt", &[("DEVICES", "2")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("2 dumps"), "{}", said.stdout);
    for dump in ["cdm_profile_data_dev0", "cdm_profile_data_dev1"] {
        assert!(place.path("profile_out").join(dump).join("report.json").is_file(), "{dump}");
    }
}

#[test]
fn the_exit_code_is_the_programs() {
    let place = Place::new();
    let said = place.record(&["--perfetto"], "tpudnn", &[("MISTAKE", "crash")]);
    assert_eq!(said.code, Some(7), "{}", said.stderr);
    assert!(said.stderr.contains("exit code 7 and wrote no dump"), "{}", said.stderr);
    assert!(!place.path("profile_out").exists());
    let said = place.record(&["--perfetto"], "tpudnn", &[("MISTAKE", "killed")]);
    assert_eq!(said.code, Some(128 + 9), "{}", said.stderr);
    assert!(said.stderr.contains("A signal ended the program"), "{}", said.stderr);
    let said = place.record(&["--perfetto"], "tpudnn", &[("MISTAKE", "crash-behind-dump")]);
    assert_eq!(said.code, Some(7), "{}", said.stderr);
    assert!(place.path("profile_out").join("report.json").is_file());
    let said = finish(tool().args(["record", "--", "./no-such-program"]));
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("./no-such-program: can't be started"), "{}", said.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn a_dump_in_the_directory_to_which_the_program_changed_is_found() {
    let [place, elsewhere] = [(); 2].map(|()| Place::new());
    let variables = [("MISTAKE", "elsewhere"), ("ELSEWHERE", elsewhere.0.path().to_str().unwrap())];
    let said = place.record(&["--perfetto"], "tpudnn", &variables);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(elsewhere.path("cdm_profile_data_dev0-0").is_dir());
    assert!(place.path("profile_out").join("report.json").is_file());
}

/// A signal reaches the program, and ends both.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_both() {
    let place = Place::new();
    let ready = place.path("ready");
    let variables = [("MISTAKE", "waits"), ("READY", ready.to_str().unwrap())];
    let mut command = place.command(&["--perfetto"], "tpudnn", &variables);
    let process: Child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !ready.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    let ended = process.wait_with_output().unwrap();
    let signal = std::os::unix::process::ExitStatusExt::signal(&ended.status);
    assert_eq!(signal, Some(15), "{:?}", ended.status);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(said.contains("stopped\n"), "the program's own words: {said}");
    assert!(!place.path("profile_out").exists());
}

#[test]
fn the_host_trace_of_the_run_is_merged() {
    let place = Place::new();
    fs::write(place.path("trace_old.json"), "{\"traceEvents\": [").unwrap();
    let trace = place.path("source.txt");
    let event = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":5}"#;
    fs::write(&trace, format!("{{\"traceEvents\": [{event}]}}")).unwrap();
    let options = ["--perfetto", "--host-trace", "trace*.json"];
    let said = place.record(&options, "tpudnn", &[("TRACE", trace.to_str().unwrap())]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        fs::read(place.path("profile_out/perfetto.pftrace"))
            .unwrap()
            .windows(8)
            .any(|text| text == b"aten::mm")
    );
    let said = place.record(&options, "tpudnn", &[]);
    assert!(said.stderr.contains("no host trace to merge"), "{}", said.stderr);
}

#[test]
fn repeated_runs_have_a_spread_and_are_compared() {
    let place = Place::new();
    let said = place.record(&["--perfetto", "--runs", "3", "-o", "old"], "tpudnn", &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("3 runs: median "), "{}", said.stdout);
    assert!(place.path("old/run-3/report.json").is_file());
    // Against earlier results.
    let slower = [("OPTIONS", "--plant slow-kernel=rope:3")];
    let options =
        ["--perfetto", "--runs", "3", "--compare", "old", "--fail-on", "total>+3%", "-o", "new"];
    let said = place.record(&options, "tpudnn", &slower);
    assert_eq!(said.code, Some(4), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("rope"), "{}", said.stdout);
    assert!(place.path("new/diff/diff.html").is_file());
    // Against a command, in turn; the same program is not slower.
    let other = format!("'{SCRIPT}'");
    let options =
        ["--perfetto", "--runs", "5", "--compare", &other, "--fail-on", "total>+3%", "-o", "both"];
    let said = place.record(&options, "tpudnn", &[]);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    assert!(place.path("both/before/run-5/report.json").is_file());
    let order: Vec<&str> = said.stderr.lines().filter(|line| line.contains("Run ")).collect();
    let sides = |line: &&str| line.rsplit(", ").next().map(str::to_owned);
    let sides: Vec<String> = order.iter().filter_map(sides).collect();
    assert_eq!(sides[..4], ["before", "after", "after", "before"], "{order:?}");
}
