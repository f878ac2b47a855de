//! Where the output directory lies, and what is in its way.

use std::fs;

use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::{finish, tool, tree};

const CASE: &str = "aks-mode2-sync";

#[test]
fn input_inside_output_and_output_inside_input_do_no_harm() {
    let dir = tempfile::tempdir().unwrap();
    let alone = dir.path().join("alone");
    let said = finish(tool().arg(case(CASE).dump()).arg(&alone).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let results = tree(&alone);
    // What a later run may remove.
    let mut files = results.keys().filter(|name| alone.join(name).is_file());
    assert!(files.all(|name| bigtpu_session::is_output(name)), "{:?}", results.keys());
    for below in ["..", ".", "out", "out/new"] {
        let dump = DumpCopy::copy(CASE);
        let input = tree(&dump.path());
        let out = dump.path().join(below);
        // The second run finds the results of the first.
        for _ in 0..2 {
            let said = finish(tool().arg(dump.path()).arg(&out).arg("--perfetto"));
            let code = if below == "." { 1 } else { 0 };
            assert_eq!(said.code, Some(code), "{below}: {}", said.stderr);
        }
        if below == "." {
            assert!(tree(&dump.path()) == input, "{below}");
            continue;
        }
        let found = tree(&out);
        assert!(results.iter().all(|(name, bytes)| found.get(name) == Some(bytes)), "{below}");
        let now = tree(&dump.path());
        assert!(input.iter().all(|(name, bytes)| now.get(name) == Some(bytes)), "{below}");
    }
}

/// Also without a list of files, which not all commands write.
#[test]
fn results_in_a_dump_are_written_again() {
    let dump = DumpCopy::copy(CASE);
    let (path, out) = (dump.path(), dump.path().join("out"));
    for _ in 0..2 {
        for command in ["whatif", "diff"] {
            let mut run = tool();
            run.arg(command).arg(&path);
            if command == "diff" {
                run.arg(&path);
            }
            let said = finish(run.arg("-o").arg(&out));
            assert_eq!(said.code, Some(0), "{}", said.stderr);
        }
    }
}

#[test]
fn a_dump_is_no_output_directory() {
    let dump = DumpCopy::copy(CASE);
    let other = dump.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("file"), "").unwrap();
    let input = tree(&dump.path());
    let (path, case) = (dump.path(), case(CASE).dump());
    let costs = path.join("global.profile");
    let runs: [&[&std::ffi::OsStr]; 5] = [
        &[case.as_ref(), path.as_ref()],
        &[case.as_ref(), other.as_ref()],
        &["whatif".as_ref(), case.as_ref(), "-o".as_ref(), path.as_ref()],
        &["diff".as_ref(), case.as_ref(), case.as_ref(), "-o".as_ref(), path.as_ref()],
        &["costs".as_ref(), case.as_ref(), "-o".as_ref(), costs.as_ref()],
    ];
    for args in runs {
        let said = finish(tool().args(args));
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.stderr);
        assert!(said.stderr.contains("is a dump"), "{args:?}: {}", said.stderr);
        assert!(tree(&dump.path()) == input, "{args:?}");
    }
}

#[test]
fn a_directory_with_a_results_name_is_an_error_and_nothing_changes() {
    let dir = tempfile::tempdir().unwrap();
    for name in
        ["perfetto.pftrace", "summary.txt", "tdmaRegInfo_1.txt", "PerfDoc/PerfAI_output.xlsx"]
    {
        let out = dir.path().join("out");
        fs::create_dir_all(out.join(name)).unwrap();
        fs::write(out.join("tiuRegInfo_0.txt"), "old").unwrap();
        let before = tree(&out);
        let args = ["--perfetto", "--enable_doc"];
        let said = finish(tool().arg(case(CASE).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(1), "{name}: {}", said.stderr);
        assert!(said.stderr.contains(name) && said.stderr.contains("directory"), "{}", said.stderr);
        assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
        assert!(tree(&out) == before, "{name}: {:?}", tree(&out).keys());
        fs::remove_dir_all(&out).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_link_with_a_results_name_is_replaced_not_followed() {
    let dir = tempfile::tempdir().unwrap();
    let (out, other) = (dir.path().join("out"), dir.path().join("other"));
    fs::create_dir(&out).unwrap();
    fs::write(&other, "not ours").unwrap();
    std::os::unix::fs::symlink(&other, out.join("summary.txt")).unwrap();
    let said = finish(tool().arg(case(CASE).dump()).arg(&out).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(fs::read_to_string(&other).unwrap(), "not ours");
    assert!(fs::symlink_metadata(out.join("summary.txt")).unwrap().is_file());
}

/// What a directory that someone else made may do: nothing outside of it, and nothing to files that are no outputs.
#[cfg(unix)]
#[test]
fn a_prepared_list_of_files_removes_no_file_that_is_no_output() {
    let dir = tempfile::tempdir().unwrap();
    let (out, other) = (dir.path().join("out"), dir.path().join("other"));
    fs::create_dir_all(out.join("own")).unwrap();
    fs::create_dir(&other).unwrap();
    let own =
        [out.join("notes.txt"), out.join("own/key"), other.join("summary.txt"), other.join("key")];
    for file in &own {
        fs::write(file, "precious").unwrap();
    }
    fs::write(out.join("events.csv"), "of an earlier run").unwrap();
    std::os::unix::fs::symlink(&other, out.join("link")).unwrap();
    std::os::unix::fs::symlink(other.join("key"), out.join("tiuRegInfo_7.txt")).unwrap();
    let list = "notes.txt\nown/key\nlink/summary.txt\nlink/key\n../other/key\ntiuRegInfo_7.txt\nevents.csv\n";
    fs::write(out.join(bigtpu_output::MANIFEST_FILE), list).unwrap();
    let said = finish(tool().arg(case(CASE).dump()).arg(&out).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for file in &own {
        assert_eq!(fs::read_to_string(file).unwrap(), "precious", "{}", file.display());
    }
    assert!(!out.join("events.csv").exists(), "an output of an earlier run stays");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (out, other) = (dir.path().join("out"), dir.path().join("other"));
    for (args, name) in [(&["--emit", "page"][..], "PerfWeb"), (&["--enable_doc"], "PerfDoc")] {
        fs::create_dir_all(&out).unwrap();
        fs::create_dir_all(&other).unwrap();
        std::os::unix::fs::symlink(&other, out.join(name)).unwrap();
        let said = finish(tool().arg(case(CASE).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(1), "{name}: {}", said.stderr);
        assert!(
            said.stderr.contains(name) && said.stderr.contains("symbolic link"),
            "{}",
            said.stderr
        );
        assert_eq!(fs::read_dir(&other).unwrap().count(), 0, "{name}");
        fs::remove_dir_all(&out).unwrap();
    }
    // A batch puts the results of a dump below its output directory.
    let root = dir.path().join("root");
    fs::create_dir_all(root.join("a")).unwrap();
    for file in fs::read_dir(case(CASE).dump()).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), root.join("a").join(file.file_name())).unwrap();
    }
    fs::create_dir_all(&out).unwrap();
    std::os::unix::fs::symlink(&other, out.join("a")).unwrap();
    let said = finish(tool().arg("batch").arg(&root).arg(&out).args(["--emit", "summary"]));
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 0, "{}", said.stderr);
}

/// `batch.json` lists the files of an earlier run, and may be anyone's.
#[test]
fn a_prepared_note_of_a_batch_removes_no_file_that_is_no_output() {
    let dir = tempfile::tempdir().unwrap();
    let (out, key) = (dir.path().join("out"), dir.path().join("key"));
    let run = |args: &[&str]| {
        let said = finish(tool().arg("batch").arg(case(CASE).dump()).arg(&out).args(args));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
    };
    run(&["--emit", "summary"]);
    fs::write(&key, "precious").unwrap();
    fs::write(out.join("key"), "precious").unwrap();
    let note = fs::read_to_string(out.join("batch.json")).unwrap();
    let mut note: serde_json::Value = serde_json::from_str(&note).unwrap();
    for name in ["../key", "key"] {
        let file = serde_json::json!({ "name": name, "bytes": 8 });
        note["entry"]["files"].as_array_mut().unwrap().push(file);
    }
    fs::write(out.join("batch.json"), note.to_string()).unwrap();
    run(&["--emit", "report", "--force"]);
    assert!(key.exists() && out.join("key").exists());
    assert!(!out.join("summary.txt").exists(), "an output of an earlier run stays");
}

#[cfg(unix)]
#[test]
fn modes_follow_the_mask_and_parts_of_a_killed_run_go() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_bigtpuprofile");
    for (mask, file_mode, directory_mode) in [("002", 0o664, 0o775), ("077", 0o600, 0o700)] {
        let out = dir.path().join(mask);
        let script = format!("umask {mask}; exec \"$0\" \"$1\" \"$2\" --emit page,report,summary");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, program]).arg(case(CASE).dump()).arg(&out);
        assert_eq!(finish(&mut shell).code, Some(0));
        let mode = |path: &str| fs::metadata(out.join(path)).unwrap().permissions().mode() & 0o777;
        for file in
            ["summary.txt", "report.json", "PerfWeb/result.html", bigtpu_output::MANIFEST_FILE]
        {
            assert_eq!(mode(file), file_mode, "{mask} {file}");
        }
        assert_eq!([mode(""), mode("PerfWeb")], [directory_mode; 2], "{mask}");
        // A killed run leaves its marker and its parts: nobody has their lock.
        for left in [
            ".bigtpuprofile-1.2.3.part",
            ".bigtpuprofile-1.2.3-1.part",
            ".bigtpuprofile-aBcDeF.part",
        ] {
            fs::write(out.join(left), "half").unwrap();
        }
        let said = finish(tool().arg(case(CASE).dump()).arg(&out).args(["--emit", "summary"]));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
        let parts = names.filter(|name| name.to_string_lossy().ends_with(".part"));
        assert_eq!(parts.count(), 0, "{mask}");
    }
}
