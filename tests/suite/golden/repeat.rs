//! Outputs of every emitter are the same bytes, whatever the number of threads, the locale, the time zone, the order of the
//! directory's entries, and the place of input and output.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::case::{Case, all};
use crate::support::run::{TRACE, finish, tool, tree};
use crate::support::workbook::WORKBOOK;

/// Where and how a run takes place.
struct Circumstance {
    jobs: &'static str,
    locale: &'static str,
    time_zone: &'static str,
}

const CIRCUMSTANCES: [Circumstance; 4] = [
    Circumstance { jobs: "-j1", locale: "C", time_zone: "UTC" },
    Circumstance { jobs: "-j2", locale: "de_DE.UTF-8", time_zone: "Asia/Kolkata" },
    Circumstance { jobs: "-j2", locale: "tr_TR.UTF-8", time_zone: "America/St_Johns" },
    Circumstance { jobs: "-j7", locale: "ar_EG.UTF-8", time_zone: "Pacific/Kiritimati" },
];

/// The page, in the output directory.
const PAGE: &str = "PerfWeb/result.html";

/// Every emitter.
const EVERY: &str = "text,summary,report,events,csv,workbook,page,trace";

fn outputs(
    case: &Case,
    dump: &Path,
    at: &Circumstance,
    more: &[&str],
) -> BTreeMap<PathBuf, Vec<u8>> {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join(at.time_zone);
    let mut command = tool();
    let args = case.host_trace().into_iter().flat_map(|trace| ["--trace_file".into(), trace]);
    command.arg(dump).arg(&out).args(args).args(["--emit", EVERY]).args(more);
    command.arg(at.jobs).env("LC_ALL", at.locale).env("LANG", at.locale).env("TZ", at.time_zone);
    let said = finish(&mut command);
    assert_eq!(said.code, Some(0), "{}: {}", case.name, said.stderr);
    tree(&out)
}

/// A copy of a dump whose files were made in reverse order, which is the order that many file systems list them in.
fn turned(case: &Case) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> =
        fs::read_dir(case.dump()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // Of the same name: the page shows it.
    fs::create_dir(copy.path().join("dump")).unwrap();
    for file in files.iter().rev() {
        fs::copy(file, copy.path().join("dump").join(file.file_name().unwrap())).unwrap();
    }
    copy
}

#[track_caller]
fn same(case: &Case, one: &BTreeMap<PathBuf, Vec<u8>>, other: &BTreeMap<PathBuf, Vec<u8>>) {
    let names = |run: &BTreeMap<PathBuf, Vec<u8>>| run.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(one), names(other), "{}: the files", case.name);
    let changed: Vec<_> = one.keys().filter(|&name| one[name] != other[name]).collect();
    assert!(changed.is_empty(), "{}: two runs differ in {changed:?}", case.name);
}

#[test]
fn outputs_do_not_depend_on_circumstances_or_chance() {
    for case in all() {
        let one = outputs(&case, &case.dump(), &CIRCUMSTANCES[0], &[]);
        // Of every emitter something is there.
        for name in
            [TRACE, WORKBOOK, "summary.txt", "report.json", "events.parquet", "events.csv", PAGE]
        {
            assert!(one.contains_key(Path::new(name)), "{}: no {name}", case.name);
        }
        assert!(
            one.keys().any(|name| name.to_string_lossy().contains("RegInfo_")),
            "{}",
            case.name
        );
        for (number, at) in (0..).zip(&CIRCUMSTANCES[1..]) {
            let turned = turned(&case);
            let dump = if number == 0 { case.dump() } else { turned.path().join("dump") };
            same(&case, &one, &outputs(&case, &dump, at, &[]));
        }
    }
}

#[test]
fn deflated_traces_do_not_depend_on_circumstances_either() {
    for case in all().iter().step_by(5) {
        let run = |at| outputs(case, &case.dump(), at, &["--compress_trace"]);
        let one = run(&CIRCUMSTANCES[0]);
        CIRCUMSTANCES[1..].iter().for_each(|at| same(case, &one, &run(at)));
    }
}
