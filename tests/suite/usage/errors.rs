//! Input that cannot be analyzed at all: one sentence that names the file and says what to do.

use std::fs;
use std::path::Path;

use super::{CASE, contains_all, refused};
use crate::support::case::case;
use crate::support::dump::DumpCopy;
use crate::support::run::{analyze, finish, tool};

/// The dump with other text in a file next to it, used as host trace.
fn with_trace_file(name: &str, content: &[u8]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, content).unwrap();
    let run = analyze(&case(CASE).dump(), &["--perfetto", "--trace_file", path.to_str().unwrap()]);
    refused(&run.said, run.out_dir())
}

fn refused_dump(path: &Path) -> String {
    let run = analyze::<&str>(path, &[]);
    refused(&run.said, run.out_dir())
}

#[test]
fn no_such_directory() {
    let dir = tempfile::tempdir().unwrap();
    let said = refused_dump(&dir.path().join("nowhere"));
    contains_all(&said, &["nowhere", "no such directory", "cdm_profile_data_"]);
}

#[test]
fn a_file_in_place_of_a_directory() {
    let dump = DumpCopy::copy(CASE);
    let said = refused_dump(&dump.file("global.profile"));
    contains_all(&said, &["global.profile", "not a directory"]);
}

#[test]
fn no_global_profile() {
    let dir = tempfile::tempdir().unwrap();
    let said = refused_dump(dir.path());
    // What a dump looks like.
    contains_all(&said, &["no global.profile", "cdm_profile_data_", "cdmlib0_N", "cdma0_P"]);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn a_nearby_dump_is_suggested() {
    // A dump below is no error: see `several`.
    let dump = DumpCopy::copy(CASE);
    fs::create_dir(dump.file("logs")).unwrap();
    let above = refused_dump(&dump.file("logs"));
    contains_all(&above, &["no global.profile", "did you mean", "cdm_profile_data_dev0-0?"]);
}

#[test]
fn an_unknown_chip() {
    let dump = DumpCopy::copy(CASE);
    dump.edit_global(|text| text.replace("arch=140814", "arch=TPU9000"));
    let said = refused_dump(&dump.path());
    contains_all(&said, &["global.profile", "\"TPU9000\""]);
    assert_eq!(said.matches("unknown chip").count(), 1, "{said}");
    contains_all(&said, &["AKS (BM1690, ", "AKSV (", "BM1688 (4)", "CV84X6 (BM1684X2, 7)"]);
}

#[test]
fn a_dump_of_a_chip_that_is_not_supported() {
    let dump = DumpCopy::copy(CASE);
    dump.edit_global(|text| text.replace("arch=140814", "arch=BM1684"));
    let said = refused_dump(&dump.path());
    contains_all(&said, &["global.profile", "BM1684 (arch 1), which is not supported yet"]);
    // Another chip's name in that line would not help.
    assert!(!said.contains("arch=") && !said.contains("unknown"), "{said}");
}

#[test]
fn a_chip_is_found_by_any_of_its_names() {
    for arch in ["140814", "6", "AKSV", "aksv"] {
        let dump = DumpCopy::copy(CASE);
        dump.edit_global(|text| text.replace("arch=140814", &format!("arch={arch}")));
        let run = dump.analyze(&[]);
        assert_eq!(run.said.code, Some(0), "{arch}: {}", run.said.stderr);
        assert!(run.said.stdout.starts_with("AKSV"), "{arch}: {}", run.said.stdout);
    }
}

#[test]
fn no_chip_at_all() {
    let dump = DumpCopy::copy(CASE);
    dump.edit_global(|text| text.replace("arch=140814", ""));
    contains_all(&refused_dump(&dump.path()), &["global.profile", "no line `arch=...`"]);
}

#[test]
fn no_profile_files() {
    let dump = DumpCopy::copy(CASE);
    for core in [0, 1] {
        dump.remove(&format!("cdmlib0_{core}.profile"));
    }
    contains_all(&refused_dump(&dump.path()), &["no cdmlib", "only global.profile"]);
}

#[test]
fn profile_files_none_of_which_can_be_read() {
    let dump = DumpCopy::copy(CASE);
    for core in [0, 1] {
        let name = format!("cdmlib0_{core}.profile");
        dump.remove(&name);
        fs::create_dir(dump.file(&name)).unwrap();
    }
    contains_all(&refused_dump(&dump.path()), &["cdmlib0_0.profile", "cannot be read"]);
}

#[test]
fn a_trace_file_that_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("nowhere.json");
    for (path, says) in [(missing.as_path(), "cannot open it"), (dir.path(), "reading failed")] {
        let path = path.to_str().unwrap();
        let run = analyze(&case(CASE).dump(), &["--perfetto", "--trace_file", path]);
        contains_all(&refused(&run.said, run.out_dir()), &[path, says]);
    }
}

#[test]
fn a_trace_file_that_is_no_json_trace() {
    let said = with_trace_file("notes.txt", b"hello");
    contains_all(&said, &["notes.txt", "byte 0", "expected the `[` or `{`", "\"hello\""]);
    let said = with_trace_file("empty.json", b"");
    contains_all(&said, &["empty.json", "byte 0", "found nothing"]);
    let said = with_trace_file("other.json", b" {\"a\": [1, 2]}");
    contains_all(&said, &["other.json", "no `traceEvents` list"]);
    let said = with_trace_file("broken.json.gz", b"\x1f\x8bgarbage");
    contains_all(&said, &["broken.json.gz", "damaged compressed data"]);
}

#[test]
fn an_output_path_that_is_a_file() {
    let dump = DumpCopy::copy(CASE);
    let file = dump.parent().join("results");
    fs::write(&file, "precious").unwrap();
    for out in [file.clone(), file.join("below")] {
        let said = finish(tool().arg(dump.path()).arg(&out));
        contains_all(&refused(&said, &out), &["results", "cannot be used as output directory"]);
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
}
