//! A signal in the middle of a run.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{large_dump, old_results};
use crate::support::dump::DumpCopy;
use crate::support::run::{tool, tree};

const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

/// A run that writes all it can, without waiting for its end.
fn start(dump: &DumpCopy, out: &Path) -> Child {
    let mut command = tool();
    command.arg(dump.path()).arg(out).args(["--perfetto", "--enable_doc", "-j1"]);
    command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until the run writes a file under a temporary name.
fn wait_for_part(run: &mut Child, out: &Path) {
    loop {
        let is_part = |name: &std::ffi::OsStr| name.to_string_lossy().ends_with(".part");
        let mut names = fs::read_dir(out).into_iter().flatten().map(|e| e.unwrap().file_name());
        if names.any(|name| is_part(&name)) {
            return;
        }
        assert!(run.try_wait().unwrap().is_none(), "the run ended before it could be stopped");
        // Not all of a processor, which the run needs.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Whether this process ignores a signal: a shell starts what follows `&` so that it ignores INT, and `nohup` what it
/// starts so that it ignores HUP. Runs inherit it, and rightly go on.
fn is_ignored(number: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    mask >> (number - 1) & 1 == 1
}

fn send(signal: &str, run: &Child) {
    let sent = Command::new("kill").args(["-s", signal, &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_stopped_run_leaves_old_results_and_no_temporary_files() {
    let dump = large_dump();
    let dir = tempfile::tempdir().unwrap();
    let used = dir.path().join("used");
    let old = old_results(&used);
    for out in [used.clone(), dir.path().join("new/deep")] {
        for (name, number) in SIGNALS.into_iter().filter(|(_, number)| !is_ignored(*number)) {
            let mut run = start(&dump, &out);
            wait_for_part(&mut run, &out);
            send(name, &run);
            let ended = run.wait_with_output().unwrap();
            // Ended by the signal: shells show 128 and its number.
            assert_eq!(ended.status.signal(), Some(number), "{:?}", ended.status);
            let said = String::from_utf8(ended.stderr).unwrap();
            let expected = format!("stopped by SIG{name}; no incomplete files are left\n");
            assert!(said.ends_with(&expected), "{said}");
        }
    }
    assert!(tree(&used) == old, "old results changed: {:?}", tree(&used).keys());
    assert!(!dir.path().join("new").exists(), "directories that the run made are left");
}

#[test]
fn ignored_signals_stay_ignored() {
    let dump = large_dump();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    // As nohup does.
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap '' HUP; exec "$0" "$@""#, env!("CARGO_BIN_EXE_bigtpuprofile")]);
    command.arg(dump.path()).arg(&out).args(["--perfetto", "-j1"]).stdout(Stdio::null());
    let mut run = command.spawn().unwrap();
    wait_for_part(&mut run, &out);
    send("HUP", &run);
    assert_eq!(run.wait().unwrap().code(), Some(0));
    assert!(out.join("perfetto.pftrace").is_file());
}

/// A tar archive of many empty files.
fn archive_of_many() -> Vec<u8> {
    let mut bytes = Vec::new();
    for number in 0..50_000 {
        let mut header = [0u8; 512];
        let name = format!("d/{number}");
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(b"00000000000\0");
        header[148..156].copy_from_slice(b"        ");
        header[156] = b'0';
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        bytes.extend(header);
    }
    bytes.extend([0; 1024]);
    bytes
}

/// Files are put into a directory while it is removed: in the end nothing is there.
#[test]
fn a_run_that_is_stopped_while_it_unpacks_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (archive, temporary) = (dir.path().join("many.tar"), dir.path().join("temporary"));
    fs::write(&archive, archive_of_many()).unwrap();
    fs::create_dir(&temporary).unwrap();
    let files = || walkdir::WalkDir::new(&temporary).into_iter().flatten().take(500).count();
    for _ in 0..3 {
        let mut command = tool();
        command.arg(&archive).arg(dir.path().join("out")).env("TMPDIR", &temporary);
        let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while files() < 500 {
            assert!(run.try_wait().unwrap().is_none(), "the run ended before it could be stopped");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        send("TERM", &run);
        assert_eq!(run.wait().unwrap().signal(), Some(15));
        let left: Vec<_> = fs::read_dir(&temporary).unwrap().flatten().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
