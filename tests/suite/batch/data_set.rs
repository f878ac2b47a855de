//! The data set of the events of all dumps.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::{ALL, DUMPS, Fleet, expect_result};
use crate::support::run::{analyzed, finish, tool, tree};

/// Files of the data set, by the dumps' order.
const FILES: [&str; 3] = [
    "host=host1/run=__HIVE_DEFAULT_PARTITION__/device=0/call=0/host1~cdm_profile_data_dev0-0.parquet",
    "host=host1/run=__HIVE_DEFAULT_PARTITION__/device=0/call=1/host1~cdm_profile_data_dev0-1.parquet",
    "host=host2%2Frun/run=__HIVE_DEFAULT_PARTITION__/device=__HIVE_DEFAULT_PARTITION__/call=__HIVE_DEFAULT_PARTITION__/host2~run~model.parquet",
];

fn data_set(fleet: &Fleet) -> PathBuf {
    fleet.out_dir().join("events")
}

/// The files below a directory, by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let all = tree(dir).into_iter().filter(|(name, _)| dir.join(name).is_file());
    all.map(|(name, bytes)| (name.to_string_lossy().into_owned(), bytes)).collect()
}

fn names(dir: &Path) -> Vec<String> {
    files(dir).into_keys().collect()
}

/// Rows of a file, and the duration of all work in ns.
fn rows(file: &Path) -> (i64, i64) {
    let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
    let (mut count, mut work_ns) = (0, 0);
    for row in reader.get_row_iter(None).unwrap() {
        let row = row.unwrap();
        let cell = |name: &str| row.get_column_iter().find(|(n, _)| *n == name).unwrap().1.clone();
        count += 1;
        if let (Field::Str(activity), Field::Long(ns)) = (cell("activity"), cell("duration_ns"))
            && activity == "work"
        {
            work_ns += ns;
        }
    }
    (count, work_ns)
}

#[test]
fn events_are_partitioned_by_host_run_device_and_call() {
    let fleet = Fleet::new();
    expect_result(&fleet.run(&["--emit", "events,report"]), 0, ALL);
    let set = data_set(&fleet);
    assert_eq!(names(&set), FILES);
    let index = fleet.index();
    for ((dump, file), entry) in DUMPS.iter().zip(FILES).zip(index["dumps"].as_array().unwrap()) {
        // The same file as alone, and nowhere else.
        let alone = analyzed(&fleet.root().join(dump), &["--emit", "events"]).files();
        assert!(fs::read(set.join(file)).unwrap() == alone["events.parquet"], "{file}");
        assert_eq!(names(&fleet.out_dir().join(dump)), ["batch.json", "report.json"]);
        let (count, work_ns) = rows(&set.join(file));
        assert_eq!(entry["events"], count);
        assert!(work_ns > 0, "{file}");
        assert_eq!(entry["table"]["name"], format!("events/{file}"));
        assert_eq!(entry["table"]["bytes"], fs::metadata(set.join(file)).unwrap().len());
    }
}

#[test]
fn unchanged_files_stay_and_missing_files_are_written_again() {
    let fleet = Fleet::new();
    let args = ["--emit", "events"];
    expect_result(&fleet.run(&args), 0, ALL);
    let set = data_set(&fleet);
    fs::write(set.join(FILES[0]).with_file_name("note.txt"), "another's").unwrap();
    let before = files(&fleet.out_dir());
    let modified = |file| fs::metadata(set.join(file)).unwrap().modified().unwrap();
    let times = FILES.map(modified);
    expect_result(
        &fleet.run(&args),
        0,
        "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 0 with lost data",
    );
    assert!(files(&fleet.out_dir()) == before && FILES.map(modified) == times);
    fs::remove_file(set.join(FILES[2])).unwrap();
    expect_result(
        &fleet.run(&args),
        0,
        "3 dumps: 1 analyzed, 2 unchanged, 0 failed; 0 with lost data",
    );
    assert!(files(&fleet.out_dir()) == before);
    // One thread or many, at once or one after another.
    fs::remove_dir_all(fleet.out_dir()).unwrap();
    expect_result(&fleet.run(&["--emit", "events", "-j", "1"]), 0, ALL);
    assert!(FILES.iter().all(|file| files(&set)[*file] == before[&format!("events/{file}")]));
    // A call for other views leaves the events of the same dumps there, and the index names them.
    fs::write(set.join("note.txt"), "another's").unwrap();
    expect_result(&fleet.run(&["--emit", "summary"]), 0, ALL);
    assert_eq!(names(&set), [&FILES[..], &["note.txt"]].concat());
    let index = fleet.index();
    let tables = index["dumps"].as_array().unwrap().iter().filter(|dump| dump["table"].is_object());
    assert_eq!(tables.count(), FILES.len());
    // Events that are not those of the dump any more go, a file of another's stays, and the call says so.
    let dump = fleet.root().join(DUMPS[0]);
    fs::write(dump.join("added.txt"), "more").unwrap();
    let said = fleet.run(&["--emit", "summary"]);
    assert_eq!(names(&set), [&FILES[1..], &["note.txt"]].concat());
    assert!(format!("{said:?}").contains("events of 1 dump are removed"), "{said:?}");
}

#[test]
fn a_dump_among_the_partitions_is_refused() {
    let fleet = Fleet::new();
    let root = fleet.dir.path().join("above");
    fs::create_dir(&root).unwrap();
    fs::rename(fleet.root(), root.join("events")).unwrap();
    let run = |args: &[&str]| {
        finish(
            tool().arg("batch").arg(&root).arg(fleet.out_dir()).args(["--disable_web"]).args(args),
        )
    };
    let said = run(&["--events"]);
    assert_eq!(said.code, Some(1));
    assert!(said.stderr.contains("rename the directory events"), "{}", said.stderr);
    assert!(!fleet.out_dir().exists());
    assert_eq!(run(&["--disable_doc"]).code, Some(0));
}
