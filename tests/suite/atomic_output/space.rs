//! A full disk, and one that can't be written.

#![cfg(target_os = "linux")]

use std::process::Command;

use super::large_dump;
use crate::support::run::finish;

/// Mounts a small disk over the directory `$1` in a name space of its own, puts an old result there, makes the disk as
/// `$2` says, runs the rest of the arguments, and lists what is there.
const ON_SMALL_DISK: &str = r#"
out=$1; remount=$2; shift 2
mount -t tmpfs -o size=512k none "$out" || exit 77
echo old > "$out/summary.txt"
mount -o "remount,$remount" "$out" || exit 77
"$@"
code=$?
cd "$out" && find . -mindepth 1 -print && cat summary.txt
exit $code"#;

/// What the script ends with where mounting is not allowed.
const NOT_ALLOWED: i32 = 77;

fn on_small_disk(remount: &str, args: &[&str]) -> Option<String> {
    let dump = large_dump();
    let dir = tempfile::tempdir().unwrap();
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", ON_SMALL_DISK, "sh"]).arg(dir.path()).arg(remount);
    command.arg(env!("CARGO_BIN_EXE_bigtpuprofile")).arg(dump.path()).arg(dir.path()).args(args);
    let can_mount = Command::new("unshare").args(["-rm", "true"]).output();
    let said = can_mount.is_ok_and(|o| o.status.success()).then(|| finish(&mut command));
    let Some(said) = said.filter(|said| said.code != Some(NOT_ALLOWED)) else {
        let text = "mounting a small disk is not allowed here";
        assert!(std::env::var("CI").is_err(), "{text}");
        eprintln!("SKIPPED: {text}");
        return None;
    };
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(said.stdout, "./summary.txt\nold\n", "what is on the disk afterwards");
    Some(said.stderr)
}

#[test]
fn a_full_disk_is_an_error_and_old_results_stay() {
    // Register texts and trace do not fit; neither does the workbook alone.
    for args in
        [["--emit=text,trace", "-j2"], ["--emit=text,trace", "-j1"], ["--emit=workbook", "-j1"]]
    {
        let Some(said) = on_small_disk("rw", &args) else { return };
        // The workbook's library may say a word of its own first.
        let last = said.lines().last().unwrap();
        assert!(last.starts_with("error: ") && last.contains("cannot be written"), "{said}");
        assert!(last.contains("check space and permissions"), "{said}");
    }
}

#[test]
fn a_disk_that_cannot_be_written_is_an_error() {
    let Some(said) = on_small_disk("ro", &["--perfetto"]) else { return };
    assert!(said.contains("Read-only file system") && said.starts_with("error: "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
