//! Where results, notes and errors go.

use std::fs;
use std::process::Stdio;

use super::{CASE, contains_all};
use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::{analyzed, files, finish, tool};
use crate::support::summary::table;

#[test]
fn results_list_the_summary_and_each_file_with_its_size() {
    let run = analyzed(&case(CASE).dump(), &["--perfetto"]);
    let said = &run.said;
    for row in table(&run.text("summary.txt"), "Summary").into_values() {
        row.iter().for_each(|(column, cell)| contains_all(&said.stdout, &[column, cell]));
    }
    let (_, written) = said.stdout.split_once("Written:\n").unwrap();
    assert_eq!(written.lines().count(), run.files().len());
    for (name, bytes) in run.files() {
        let size = match bytes.len() {
            ..1024 => format!("{} bytes", bytes.len()),
            length => format!("{:.1} KiB", length as f64 / 1024.0),
        };
        contains_all(written, &[&format!("{} ({size})", run.out_dir().join(&name).display())]);
    }
    let trace = written.lines().find(|line| line.contains("perfetto.pftrace")).unwrap();
    contains_all(trace, &["https://ui.perfetto.dev"]);
}

#[test]
fn a_complete_dump_prints_nothing_on_stderr() {
    // No notes, and no progress bars where stderr is no terminal.
    assert_eq!(analyzed(&case(CASE).dump(), &["--perfetto"]).said.stderr, "");
}

#[test]
fn progress_bars_never_reach_a_file() {
    let said = analyzed(&case("aks-two-monitor-blocks").dump(), &["--perfetto", "-v"]).said;
    let text = said.stdout + &said.stderr;
    assert!(!text.contains(['\u{1b}', '\r']), "{text:?}");
}

#[test]
fn quiet_is_quiet() {
    for name in [CASE, "aks-two-monitor-blocks"] {
        let run = analyzed(&case(name).dump(), &["--perfetto", "-q"]);
        assert_eq!((run.said.stdout.as_str(), run.said.stderr.as_str()), ("", ""), "{name}");
        let loud = analyzed(&case(name).dump(), &["--perfetto"]);
        assert!(run.files() == loud.files(), "{name}: quiet changes the outputs");
    }
}

#[test]
fn results_go_to_profile_out_by_default() {
    let dir = tempfile::tempdir().unwrap();
    let said = finish(tool().current_dir(dir.path()).arg(case(CASE).dump()));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let expected = analyzed::<&str>(&case(CASE).dump(), &[]).files();
    assert!(files(&dir.path().join("profile_out")) == expected);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn old_results_are_replaced_and_other_files_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("a/b");
    fs::create_dir_all(&out).unwrap();
    fs::write(out.join("tiuRegInfo_0.txt"), "old").unwrap();
    fs::write(out.join("notes.txt"), "mine").unwrap();
    let said = finish(tool().arg(case(CASE).dump()).arg(&out));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let mut expected = analyzed::<&str>(&case(CASE).dump(), &[]).files();
    expected.insert("notes.txt".into(), b"mine".to_vec());
    assert!(files(&out) == expected, "{:?}", files(&out).keys());
}

#[test]
fn results_of_the_same_dump_and_options_stay_and_what_is_removed_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let run = |case_name: &str, args: &[&str]| {
        let said = finish(tool().arg(case(case_name).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        said.stderr
    };
    run(CASE, &["--perfetto"]);
    let all = files(&out);
    // Other views are added, those that are there stay.
    let said = run(CASE, &["--emit", "events"]);
    assert!(!said.contains("removed"), "{said}");
    let mut with_events = files(&out);
    let added: Vec<String> =
        with_events.keys().filter(|name| !all.contains_key(*name)).cloned().collect();
    assert_eq!(added, ["events.parquet"]);
    with_events.remove("events.parquet");
    assert!(with_events == all, "{:?}", with_events.keys());
    // Another clock, another dump: what is not written again goes, and is named.
    let said = run(CASE, &["--emit", "events", "--tiu_freq", "500"]);
    assert!(said.contains("note: removed results of another dump, version or options: "), "{said}");
    assert!(said.contains("perfetto.pftrace, report.json"), "{said}");
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["events.parquet"]);
    let said = run("aks-bmodel", &["--emit", "summary"]);
    assert!(said.contains("events.parquet"), "{said}");
    assert_eq!(files(&out).into_keys().collect::<Vec<_>>(), ["summary.txt"]);
    // Also beside more notes than the console shows.
    let said = run("aksv-lost-records", &["--emit", "events"]);
    assert!(said.contains(" more notes: ") && said.contains("summary.txt"), "{said}");
}

#[test]
fn a_closed_stdout_is_not_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let mut command = tool();
    command.arg(case(CASE).dump()).arg(&out).arg("--perfetto");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");
    assert!(out.join("summary.txt").is_file());
}

#[test]
fn a_closed_stdout_hides_no_loss() {
    let dump = DumpCopy::copy(CASE);
    let name = "cdmlib0_0.profile";
    let bytes = dump.read(name);
    dump.write(name, &bytes[..bytes.len() - 5]);
    let mut command = tool();
    command.arg(dump.path()).arg(dump.parent().join("out")).args(["--perfetto", "--strict"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_an_error_but_the_files_are_complete() {
    let dir = tempfile::tempdir().unwrap();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = tool();
    command.arg(case(CASE).dump()).arg(dir.path()).stdout(full).stderr(Stdio::piped());
    let ended = command.spawn().unwrap().wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{said}");
    contains_all(&said, &["error: stdout cannot be written", "files are not affected"]);
    let expected = analyzed::<&str>(&case(CASE).dump(), &[]).files();
    assert!(files(dir.path()) == expected);
}
