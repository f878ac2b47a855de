//! Archives as input, shards, and the index of what they left.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{ALL, DUMPS, Fleet, expect_result};
use crate::support::run::{analyzed, files, finish, tool};
#[cfg(unix)]
use crate::support::schedulers::Schedulers;

/// An archive of a directory.
fn tar(args: &[&str], archive: &Path, root: &Path) {
    let mut tar = Command::new("tar");
    let done = tar.args(args).arg(archive).arg("-C").arg(root).arg(".").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn an_archive_gives_the_results_of_its_directory() {
    let fleet = Fleet::new();
    let dump = fleet.root().join(DUMPS[0]);
    let dir = fleet.dir.path();
    let views = ["--emit", "text,report,trace,page"];
    let alone = analyzed(&dump, &views).files();
    for (name, args) in [("a.tar", ["-cf"]), ("a.tar.gz", ["-czf"]), ("posix.tar", ["-cf"])] {
        let archive = dir.join(name);
        let format: &[&str] = if name == "posix.tar" { &["--format=posix"] } else { &[] };
        tar(&[format, &args].concat(), &archive, dump.parent().unwrap().parent().unwrap());
        // Of several dumps in it, the first: as with the directory.
        let out = dir.join(format!("{name}.out"));
        let said = finish(tool().arg("batch").arg(&archive).arg(&out).args(views));
        expect_result(&said, 0, ALL);
        let mut own = files(&out.join(DUMPS[0]));
        assert!(own.remove("batch.json").is_some());
        assert!(own == alone, "{name}: {:?}", own.keys());
        let said = finish(tool().arg("batch").arg(&archive).arg(&out).args(views));
        expect_result(&said, 0, "3 dumps: 0 analyzed, 3 unchanged, 0 failed; 0 with lost data");
    }
    // One dump, also from stdin.
    let archive = dir.join("one.tar.gz");
    tar(&["-czf"], &archive, &dump);
    let out = dir.join("one");
    let said =
        finish(tool().arg("-").arg(&out).args(views).stdin(fs::File::open(&archive).unwrap()));
    assert_eq!(said.code, Some(0), "{said:?}");
    let texts = |all: std::collections::BTreeMap<String, Vec<u8>>| -> Vec<(String, Vec<u8>)> {
        all.into_iter().filter(|(name, _)| name.ends_with("RegInfo_0.txt")).collect()
    };
    assert_eq!(texts(files(&out)), texts(alone));
    assert!(!texts(files(&out)).is_empty());
}

/// The files are unpacked into a directory that is gone afterwards: no result names it.
#[test]
fn devices_in_an_archive_are_joined_under_its_name() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("run");
    let said =
        finish(tool().args(["synth", "--cluster", "3", "--operations", "5", "-q"]).arg(&root));
    assert_eq!(said.code, Some(0), "{said:?}");
    let archive = dir.path().join("run.tar.gz");
    tar(&["-czf"], &archive, &root);
    for command in [&["cluster"][..], &[]] {
        let report = |input: &Path, out: &str| {
            let out = dir.path().join(format!("{out}{}", command.len()));
            let said = finish(tool().args(command).arg(input).arg(&out).arg("-q"));
            assert_eq!(said.code, Some(0), "{said:?}");
            fs::read_to_string(out.join("cluster.json")).unwrap()
        };
        let archived = report(&archive, "archived");
        let place = format!("\"dump\": \"{}", archive.display());
        assert_eq!(archived.matches(&place).count(), 3, "{archived}");
        let unpacked =
            archived.replace(&archive.display().to_string(), &root.display().to_string());
        // Without a command, a directory holds the dumps themselves, not those of its hosts.
        let plain = if command.is_empty() { root.join("host0") } else { root.clone() };
        assert!(unpacked == report(&plain, "plain"), "{command:?}");
    }
}

#[test]
fn what_is_no_archive_or_a_hostile_one_ends_with_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("inside");
    fs::create_dir(&inside).unwrap();
    fs::write(inside.join("global.profile"), "arch=AKSV\n").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", inside.join("cdmlib0_0.profile")).unwrap();
    let archive = dir.path().join("link.tar");
    tar(&["-cf"], &archive, &inside);
    let text = dir.path().join("text.tar.gz");
    fs::write(&text, b"\x1f\x8bno archive").unwrap();
    for (input, what) in [(&archive, "is a link"), (&text, "cannot be unpacked")] {
        for batch in [true, false] {
            let mut run = tool();
            if batch {
                run.arg("batch");
            }
            let said = finish(run.arg(input).arg(dir.path().join("out")));
            assert_eq!(said.code, Some(1), "{said:?}");
            assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
            assert!(
                said.stderr.contains(what) && !said.stderr.contains("/tmp/bigtpuprofile-"),
                "{said:?}"
            );
            assert!(!dir.path().join("out").exists());
        }
    }
}

#[test]
fn shards_and_the_index_give_what_one_batch_gives() {
    let fleet = Fleet::new();
    let args = ["--emit", "summary,events", "--quiet"];
    assert_eq!(fleet.run(&args).code, Some(0));
    let whole = fleet.index();
    // Into one directory, and into one of each shard.
    for apart in [false, true] {
        let all = fleet.dir.path().join(if apart { "apart" } else { "together" });
        for shard in 0..2 {
            let out = if apart { all.join(format!("s{shard}")) } else { all.clone() };
            let mut run = tool();
            run.arg("batch").arg(fleet.root()).arg(&out).args(args);
            assert_eq!(finish(run.args(["--shard", &format!("{shard}/2")])).code, Some(0));
            assert!(!out.join("index.json").exists());
        }
        let mut run = tool();
        let said = finish(run.arg("batch").arg(fleet.root()).arg(&all).arg("--index"));
        expect_result(&said, 0, "3 dumps with results");
        let index = fs::read(all.join("index.json")).unwrap();
        let mut index: serde_json::Value = serde_json::from_slice(&index).unwrap();
        assert!(all.join("index.html").is_file() && all.join("index.md").is_file());
        let dumps = index["dumps"].as_array_mut().unwrap();
        for dump in dumps.iter_mut() {
            let name = dump["dump"].as_str().unwrap().to_owned();
            let table = dump["table"]["name"].as_str().unwrap().to_owned();
            assert!(all.join(&table).is_file() && all.join(&name).is_dir());
            if apart {
                dump["dump"] = name.get(3..).unwrap().into();
                dump["table"]["name"] = table.get(3..).unwrap().into();
            }
        }
        dumps.sort_by_key(|dump| dump["dump"].as_str().unwrap().to_owned());
        assert_eq!(index["dumps"], whole["dumps"]);
        assert_eq!(index["roots"], whole["roots"]);
    }
}

/// The lines of `docs/fleet.md` for schedulers, with stand-ins for these.
#[cfg(unix)]
#[test]
fn the_documented_lines_for_schedulers_give_one_index() {
    let document = include_str!("../../../docs/fleet.md");
    let fleet = Fleet::new();
    let here = fleet.dir.path();
    fs::rename(fleet.root(), here.join("profiles")).unwrap();
    let sbatch = "#!/bin/sh\nfor arg; do line=$arg; done\nexport SLURM_ARRAY_TASK_COUNT=8\n\
                  for SLURM_ARRAY_TASK_ID in $(seq 0 7); do export SLURM_ARRAY_TASK_ID; sh -ec \"$line\" || exit; done\n";
    let parallel = "#!/bin/sh\nfor n in $(seq 0 7); do line=\n\
                    for arg; do [ \"$arg\" = ::: ] && break\n\
                    line=\"$line '$(printf %s \"$arg\" | sed \"s|{}|$n|\")'\"; done\n\
                    eval \"$line\" || exit; done\n";
    Schedulers::new(document, here, sbatch, parallel).run(|scheduler| {
        let index = fs::read(here.join("results/index.json")).unwrap();
        let index: serde_json::Value = serde_json::from_slice(&index).unwrap();
        let names: Vec<&str> = index["dumps"]
            .as_array()
            .unwrap()
            .iter()
            .map(|d| d["dump"].as_str().unwrap())
            .collect();
        assert_eq!(names, DUMPS, "{scheduler}");
        fs::remove_dir_all(here.join("results")).unwrap();
    });
}
