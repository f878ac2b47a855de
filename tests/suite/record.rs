//! `record`: a program is run with the capture switched on, and what it wrote is analyzed. A script stands in for the program
//! and its runtime.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::support::case::fixture;
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

/// A runtime, what it is told besides, its dump, and what `info` says of it.
struct Runtime {
    name: &'static str,
    told: Option<(&'static str, PathBuf)>,
    dump: &'static str,
    says: &'static str,
}

/// The runtimes of docs/capture.md.
fn runtimes() -> Vec<Runtime> {
    const FULL: &str = "mode 2: commands with full bits";
    const OP: &str = "cdm_profile_data_dev0-0";
    const MODEL: &str = "cdm_profile_data_dev0";
    const CONTAINER: &str = "bmprofile_data-1";
    let plain = |name, dump, says| Runtime { name, told: None, dump, says };
    let real = |says: &'static str, dump: &str| {
        let told = Some(("RECORDED", fixture("real").join(dump)));
        Runtime { name: "libsophon-recorded", told, dump: CONTAINER, says }
    };
    let sibling = ("SIBLING", fixture("writers").join("cv_bmprofile_sibling/bmprofile_data0"));
    vec![
        // The mode is the program's own.
        plain("torch-tpu", OP, "mode 1: commands by type"),
        plain("tilelang", OP, FULL),
        plain("vllm", OP, FULL),
        plain("model-rt", MODEL, FULL),
        // Its summary beside it is no dump of its own.
        Runtime { told: Some(sibling), ..plain("libsophon-cv84x6", MODEL, FULL) },
        plain("libsophon-bm1688", CONTAINER, "BM1688, static model"),
        real("BM1684X (BM1686), static model", "bmprofile_data-1_bm1684x"),
        real("CV184X, static model", "bmprofile_data-1_cv184x"),
    ]
}

#[test]
fn each_runtime_is_switched_on_and_its_dump_is_analyzed() {
    for Runtime { name, told, dump, says } in runtimes() {
        let place = Place::new();
        let told: Vec<(&str, &str)> =
            told.iter().map(|(variable, path)| (*variable, path.to_str().unwrap())).collect();
        let said = place.record(&["--perfetto"], name, &told);
        assert_eq!(said.code, Some(0), "{name}: {}", said.stderr);
        // The program's own streams.
        assert!(said.stdout.starts_with("out of the program\n"), "{}", said.stdout);
        assert!(said.stderr.contains("err of the program"), "{}", said.stderr);
        assert!(said.stdout.contains("\nVerdict"), "{name}: {}", said.stdout);
        assert!(said.stdout.contains("profile_out/perfetto.pftrace"), "{}", said.stdout);
        let info = finish(tool().arg("info").arg(place.path(dump)));
        assert!(info.stdout.lines().next().unwrap().contains(says), "{name}: {}", info.stdout);
        assert!(place.report("profile_out")["dump"]["events"].as_u64().unwrap() > 100);
    }
}

/// A newcomer's line: the page is served under the address that is printed.
#[test]
fn the_page_is_shown() {
    let place = Place::new();
    let mut command = place.command(&["--open", "--no_browser"], "tilelang", &[]);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(process.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap).skip_while(|line| !line.contains("http://"));
    let line = lines.next().unwrap();
    let address = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap();
    let (host, path) = address.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let page = fs::read(place.path("profile_out/PerfWeb/result.html")).unwrap();
    assert!(answer.ends_with(&page), "{}", String::from_utf8_lossy(&answer[..200]));
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

#[test]
fn mode_and_records_reach_the_runtime() {
    let place = Place::new();
    let variables = [("NEEDS", "500")];
    let said =
        place.record(&["--perfetto", "--mode", "1", "--records", "64"], "tilelang", &variables);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(mode(&place.path("cdm_profile_data_dev0-0")), "mode 1: commands by type");
    assert!(said.stderr.contains("record again with --records"), "{}", said.stderr);
    // The mode of the environment is kept where none is given.
    let said = place.record(&["--perfetto"], "tilelang", &[("PROFILE_BOOK_KEEPING", "0")]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(mode(&place.path("cdm_profile_data_dev0-0")), "mode 0: PMU records only");
}

#[test]
fn a_full_ring_is_recorded_again() {
    let place = Place::new();
    for (runtime, records) in [("tilelang", "64"), ("model-rt", "64")] {
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
    let said = place.record(&["--perfetto", "--retry"], "torch-tpu", &variables);
    assert!(said.stderr.contains("rings of the same size"), "{}", said.stderr);
}

#[test]
fn dumps_of_earlier_runs_are_not_taken() {
    let place = Place::new();
    assert_eq!(place.record(&["--perfetto"], "tilelang", &[]).code, Some(0));
    fs::remove_dir_all(place.path("profile_out")).unwrap();
    let said = place.record(&["--perfetto"], "tilelang", &[("MISTAKE", "nothing")]);
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
fn all_devices_and_calls_of_a_run_are_analyzed() {
    for (runtime, variables, dumps) in [
        ("model-rt", &[("DEVICES", "2")][..], &["dev0", "dev1"][..]),
        ("tilelang", &[("DEVICES", "2"), ("CALLS", "2")], &["dev0-0", "dev0-1", "dev1-0"]),
    ] {
        let place = Place::new();
        // A call of an earlier run beside them.
        let earlier = place.path("cdm_profile_data_dev0-7");
        finish(tool().arg("synth").arg(&earlier).args(["--launches", "1", "-q"]));
        let said = place.record(&["--perfetto"], runtime, variables);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        assert!(said.stdout.contains(&format!("{} dumps", dumps.len())), "{}", said.stdout);
        for dump in dumps {
            let results = place.path("profile_out").join(format!("cdm_profile_data_{dump}"));
            assert!(results.join("report.json").is_file(), "{dump}");
        }
        assert!(!place.path("profile_out/cdm_profile_data_dev0-7").exists());
    }
}

/// What is said where there is no dump follows the runtime that the program uses.
#[test]
fn without_a_dump_the_cause_is_that_of_the_runtime() {
    let place = Place::new();
    for (program, words) in [
        ("python3.11", "call torch.ops.my_ops.enable_profile(max_record_num, mode)"),
        ("tpu-model-rt", "old bmodels need TPUKERNEL_FIRMWARE_PATH"),
        ("bmrt_test", "the process must launch a bmodel"),
        ("my_program", "no runtime of a TPU was seen"),
    ] {
        let path = place.path(program);
        fs::copy("/bin/true", &path).unwrap();
        let said = finish(tool().current_dir(place.0.path()).args(["record", "--"]).arg(&path));
        assert_eq!(said.code, Some(1), "{program}: {}", said.stdout);
        assert!(said.stderr.contains(words), "{program}: {}", said.stderr);
    }
}

#[test]
fn the_exit_code_is_the_programs() {
    let place = Place::new();
    let said = place.record(&["--perfetto"], "tilelang", &[("MISTAKE", "crash")]);
    assert_eq!(said.code, Some(7), "{}", said.stderr);
    assert!(said.stderr.contains("exit code 7 and wrote no dump"), "{}", said.stderr);
    assert!(!place.path("profile_out").exists());
    let said = place.record(&["--perfetto"], "tilelang", &[("MISTAKE", "killed")]);
    assert_eq!(said.code, Some(128 + 9), "{}", said.stderr);
    assert!(said.stderr.contains("A signal ended the program"), "{}", said.stderr);
    let said = place.record(&["--perfetto"], "tilelang", &[("MISTAKE", "crash-behind-dump")]);
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
    let said = place.record(&["--perfetto"], "tilelang", &variables);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(elsewhere.path("cdm_profile_data_dev0-0").is_dir());
    assert!(place.path("profile_out").join("report.json").is_file());
}

/// Starts a program, sends `signal` to `record` while it runs, and waits for the end.
#[cfg(target_os = "linux")]
fn stopped(place: &Place, mistake: &str, signal: &str) -> Output {
    let ready = place.path("ready");
    let variables = [("MISTAKE", mistake), ("READY", ready.to_str().unwrap())];
    let mut command = place.command(&["--perfetto"], "tilelang", &variables);
    let process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !ready.exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let id = process.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    process.wait_with_output().unwrap()
}

/// A signal reaches the program, and ends both.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_ends_both() {
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        let place = Place::new();
        let ended = stopped(&place, "waits", signal);
        let by = std::os::unix::process::ExitStatusExt::signal(&ended.status);
        assert_eq!(by, Some(number), "{:?}", ended.status);
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(said.contains("stopped\n"), "the program's own words: {said}");
        assert!(!place.path("profile_out").exists());
    }
}

/// A server is stopped by Ctrl-C and ends well: its dump is analyzed.
#[test]
#[cfg(target_os = "linux")]
fn a_program_that_a_signal_stops_well_is_analyzed() {
    let place = Place::new();
    let ended = stopped(&place, "serves", "-INT");
    assert_eq!(ended.status.code(), Some(0), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!(place.path("profile_out/report.json").is_file());
}

#[test]
fn the_host_trace_of_the_run_is_merged() {
    let place = Place::new();
    fs::write(place.path("trace_old.json"), "{\"traceEvents\": [").unwrap();
    let trace = place.path("source.txt");
    let event = r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":10,"dur":5}"#;
    fs::write(&trace, format!("{{\"traceEvents\": [{event}]}}")).unwrap();
    let options = ["--perfetto", "--host-trace", "trace*.json"];
    let said = place.record(&options, "tilelang", &[("TRACE", trace.to_str().unwrap())]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(
        fs::read(place.path("profile_out/perfetto.pftrace"))
            .unwrap()
            .windows(8)
            .any(|text| text == b"aten::mm")
    );
    let said = place.record(&options, "tilelang", &[]);
    assert!(said.stderr.contains("no host trace to merge"), "{}", said.stderr);
}

#[test]
fn repeated_runs_have_a_spread_and_are_compared() {
    let place = Place::new();
    let said = place.record(&["--perfetto", "--runs", "3", "-o", "old"], "tilelang", &[]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.contains("3 runs: median "), "{}", said.stdout);
    assert!(place.path("old/run-3/report.json").is_file());
    // Against earlier results.
    let slower = [("OPTIONS", "--plant slow-kernel=rope:3")];
    let options =
        ["--perfetto", "--runs", "3", "--compare", "old", "--fail-on", "total>+3%", "-o", "new"];
    let said = place.record(&options, "tilelang", &slower);
    assert_eq!(said.code, Some(4), "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("rope"), "{}", said.stdout);
    assert!(place.path("new/diff/diff.html").is_file());
    // Against a command, in turn; the same program is not slower.
    let other = format!("'{SCRIPT}'");
    let options =
        ["--perfetto", "--runs", "5", "--compare", &other, "--fail-on", "total>+3%", "-o", "both"];
    let said = place.record(&options, "tilelang", &[]);
    assert_eq!(said.code, Some(0), "{}{}", said.stdout, said.stderr);
    assert!(place.path("both/before/run-5/report.json").is_file());
    let order: Vec<&str> = said.stderr.lines().filter(|line| line.contains("Run ")).collect();
    let sides = |line: &&str| line.rsplit(", ").next().map(str::to_owned);
    let sides: Vec<String> = order.iter().filter_map(sides).collect();
    assert_eq!(sides[..4], ["before", "after", "after", "before"], "{order:?}");
}
