//! Files in memory, as the page in a browser analyzes them: the same results as the program's, byte for byte.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use bigtpu_emit::Quiet;
use bigtpu_messages::Language;
use bigtpu_session::{HeldInputs, HeldRequest, HeldResults, Settings};

use crate::suite::real::DUMPS;
use crate::support::case::{all, fixture, real_dump};
use crate::support::run::{finish, tool, tree};

/// The files of a directory, named as they are when the directory is dropped on a page.
fn dropped(directory: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let name = directory.file_name().unwrap();
    plain_files(directory)
        .into_iter()
        .map(|(path, bytes)| (Path::new(name).join(path), bytes))
        .collect()
}

/// The files below a directory, without the list that the program keeps of its results.
fn plain_files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = tree(directory).into_iter();
    files.filter(|(path, _)| directory.join(path).is_file()).collect()
}

fn analyze(files: Vec<(PathBuf, Vec<u8>)>) -> Result<HeldResults, String> {
    analyze_as(files, HeldRequest::default())
}

fn analyze_as(files: Vec<(PathBuf, Vec<u8>)>, request: HeldRequest) -> Result<HeldResults, String> {
    let mut inputs = HeldInputs::default();
    for (path, bytes) in files {
        inputs.add(&path, bytes).map_err(|error| error.to_string())?;
    }
    inputs.analyze(request, &Quiet).map_err(|error| error.to_string())
}

/// What the program writes, run next to the dumps: notes name files as they were given.
fn written(parent: &Path, dumps: &[&str], args: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out");
    let mut command = tool();
    let said = finish(command.current_dir(parent).args(dumps).arg(&out).args(args));
    assert_eq!(said.code, Some(0), "{dumps:?}: {}", said.stderr);
    plain_files(&out)
}

/// What the program writes for one dump.
fn written_of(dump: &Path, args: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let name = dump.file_name().unwrap().to_str().unwrap();
    written(dump.parent().unwrap(), &[name], args)
}

fn assert_same(held: &HeldResults, disk: &BTreeMap<PathBuf, Vec<u8>>, name: &str) {
    assert_eq!(Vec::from_iter(held.files.keys()), Vec::from_iter(disk.keys()), "{name}");
    for (path, bytes) in &held.files {
        assert!(*bytes == disk[path], "{name}: {} differs", path.display());
    }
}

#[test]
fn a_dump_in_memory_has_the_results_of_one_on_the_disk() {
    let real = DUMPS.map(|name| (name.to_owned(), real_dump(name)));
    let cases = all().into_iter().map(|case| (case.name.to_owned(), case.dump()));
    let mut dumps = 0;
    for (name, dump) in real.into_iter().chain(cases) {
        let held = analyze(dropped(&dump)).unwrap();
        assert_same(&held, &written_of(&dump, &[]), &name);
        dumps += 1;
    }
    assert!(dumps > 30, "{dumps}");
}

#[test]
fn several_dumps_in_memory_have_the_results_of_those_on_the_disk() {
    let dump = |name: &str| fixture(name).join("dump");
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, from) in [("run_dev0-0", "aksv-mode1"), ("run_dev1-0", "aks-mode1-batch")] {
        let to = dir.path().join(name);
        std::fs::create_dir(&to).unwrap();
        for (path, bytes) in tree(&dump(from)) {
            std::fs::write(to.join(path), bytes).unwrap();
        }
        files.extend(dropped(&to));
    }
    let disk = written(dir.path(), &["run_dev0-0", "run_dev1-0"], &[]);
    let held = analyze(files).unwrap();
    assert_eq!(held.dumps, [Path::new("run_dev0-0"), Path::new("run_dev1-0")]);
    assert_same(&held, &disk, "two dumps");
}

#[test]
fn two_dumps_in_memory_are_compared_as_those_on_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let both = dir.path().join("both");
    let mut files = Vec::new();
    for (name, from) in [("run1_dev0-0", "aksv-mode1"), ("run2_dev0-0", "aksv-lost-records")] {
        let to = both.join(name);
        std::fs::create_dir_all(&to).unwrap();
        for (path, bytes) in tree(&fixture(from).join("dump")) {
            std::fs::write(to.join(path), bytes).unwrap();
        }
        files.extend(dropped(&to));
    }
    let below = |(path, bytes): &(PathBuf, Vec<u8>)| (Path::new("both").join(path), bytes.clone());
    let together = files.iter().map(below).collect();
    // Two directories that were given, and one that has both in it.
    for (files, prefix) in [(files, ""), (together, "both/")] {
        let out = dir.path().join("out");
        let mut command = tool();
        command.current_dir(if prefix.is_empty() { &both } else { dir.path() });
        let [before, after] = ["run1_dev0-0", "run2_dev0-0"].map(|name| format!("{prefix}{name}"));
        let said = finish(command.args(["diff", &before, &after, "-o"]).arg(&out));
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let request = HeldRequest { relates: true, ..HeldRequest::default() };
        let held = analyze_as(files, request).unwrap();
        assert_compared(&held, &plain_files(&out));
        assert_eq!(held.first_page, Path::new("diff/diff.html"));
    }
}

/// A host's dumps are on one clock without being asked for; those of several hosts are joined as by `cluster`.
#[test]
fn ranks_of_several_hosts_in_memory_are_a_cluster() {
    let dir = tempfile::tempdir().unwrap();
    let ranks = dir.path().join("ranks");
    let synth = ["synth", "ranks", "--cluster", "4", "--devices-per-host", "2"];
    assert_eq!(say_in(dir.path(), &synth), Some(0));
    for file in ["rank_table.json", "topology.json", "truth.json"] {
        std::fs::remove_file(ranks.join(file)).unwrap();
    }
    assert_eq!(say_in(dir.path(), &["cluster", "ranks", "out", "-q"]), Some(0));
    let request = HeldRequest { relates: true, ..HeldRequest::default() };
    let held = analyze_as(dropped(&ranks), request).unwrap();
    assert_eq!(held.first_page, Path::new("cluster/cluster.html"));
    let below = held.files.iter().filter_map(|(path, bytes)| {
        Some((path.strip_prefix("cluster").ok()?.to_owned(), bytes.clone()))
    });
    assert!(BTreeMap::from_iter(below) == plain_files(&dir.path().join("out")));
}

fn say_in(dir: &Path, args: &[&str]) -> Option<i32> {
    let mut command = tool();
    finish(command.current_dir(dir).args(args)).code
}

fn assert_compared(held: &HeldResults, disk: &BTreeMap<PathBuf, Vec<u8>>) {
    let compared = held.files.iter().filter_map(|(path, bytes)| {
        Some((path.strip_prefix("diff").ok()?.to_owned(), bytes.clone()))
    });
    let compared: BTreeMap<PathBuf, Vec<u8>> = compared.collect();
    assert_eq!(Vec::from_iter(compared.keys()), Vec::from_iter(disk.keys()));
    for (path, bytes) in &compared {
        assert!(*bytes == disk[path], "{} differs", path.display());
    }
}

#[test]
fn archives_and_traces_of_the_host_are_told_from_files_of_a_dump() {
    let dump = fixture("aksv-mode1").join("dump");
    let host = fixture("host").join("torch_alexnet.json.gz");
    let host_bytes = std::fs::read(&host).unwrap();
    let mut disk = written_of(&dump, &["--trace_file", host.to_str().unwrap()]);
    let mut files = vec![(PathBuf::from("torch_alexnet.json.gz"), host_bytes)];
    let dir = tempfile::tempdir().unwrap();
    let archive = dir.path().join("run.tar.gz");
    let parent = dump.parent().unwrap();
    let done =
        Command::new("tar").arg("-czf").arg(&archive).arg("-C").arg(parent).arg("dump").status();
    assert!(done.unwrap().success());
    let archive = std::fs::read(archive).unwrap();
    files.push((PathBuf::from("run.tar.gz"), archive));
    let held = analyze(files).unwrap();
    assert_eq!(held.name, "dump");
    let mut held_files = held.files;
    // Notes of the host's trace name its path.
    let report =
        |files: &mut BTreeMap<PathBuf, Vec<u8>>| files.remove(Path::new("perfetto.pftrace"));
    assert_eq!(report(&mut held_files), report(&mut disk));
    // Files without a directory are those of one dump.
    let loose = dropped(&dump)
        .into_iter()
        .map(|(path, bytes)| (PathBuf::from(path.file_name().unwrap()), bytes));
    let loose = analyze(loose.collect()).unwrap();
    assert_same(&loose, &written_of(&dump, &[]), "loose files");
}

#[test]
fn what_cannot_be_analyzed_is_a_sentence() {
    let dump = || dropped(&fixture("aksv-mode1").join("dump"));
    let none = analyze(Vec::new()).unwrap_err();
    assert!(none.contains("no dump among these files"), "{none}");
    let text = analyze(vec![("a/b.txt".into(), b"x".to_vec())]).unwrap_err();
    assert!(text.contains("global.profile"), "{text}");
    let twice = analyze(dump().into_iter().chain(dump()).collect()).unwrap_err();
    assert!(twice.contains("give each file once"), "{twice}");
    let outside = analyze(vec![("../x".into(), Vec::new())]).unwrap_err();
    assert!(outside.contains("../x"), "{outside}");
    let damaged = analyze(vec![("x.tar.gz".into(), b"\x1f\x8b\x08 no".to_vec())]).unwrap_err();
    assert!(damaged.contains("x.tar.gz"), "{damaged}");
    let request = HeldRequest { most_records: Some(10), ..HeldRequest::default() };
    let large = analyze_as(dump(), request).unwrap_err();
    assert!(
        large.contains("more than the 10") && large.contains("bigtpuprofile dump out"),
        "{large}"
    );
}

#[test]
fn notes_and_pages_are_in_the_language_that_is_asked_for() {
    let dump = fixture("aksv-lost-records").join("dump");
    let of = |language| {
        let settings = Settings { language, page_language: Some(language), ..Settings::default() };
        let request = HeldRequest { settings, ..HeldRequest::default() };
        analyze_as(dropped(&dump), request).unwrap()
    };
    let (english, chinese) = (of(Language::English), of(Language::Chinese));
    assert!(english.has_loss && !english.notes.is_empty());
    assert_eq!(english.notes.len(), chinese.notes.len());
    assert_ne!(english.notes, chinese.notes);
    assert_same(&chinese, &written_of(&dump, &["--lang", "zh"]), "Chinese");
}
