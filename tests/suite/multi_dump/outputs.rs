//! What is written: each dump's own files, and those of all.

use std::fs;

use bigtpu_synth::Options;

use super::{FOUR, Fleet, os, whole};
use crate::support::case::{case, fixture};
use crate::support::run::{analyze, finish, tool, tree};

#[test]
fn each_dumps_files_are_those_of_a_run_of_its_own() {
    for args in [&["--perfetto", "--csv"][..], &[]] {
        let fleet = Fleet::copy(&FOUR);
        fleet.done(args);
        for (_, name) in FOUR {
            let alone = analyze(&fleet.dump(name), args);
            assert_eq!(alone.said.code, Some(0));
            let (own, alone) = (tree(&fleet.out_dir().join(name)), tree(alone.out_dir()));
            assert!(own == alone, "{name}: {:?} {:?}", own.keys(), alone.keys());
        }
        let top = fs::read_dir(fleet.out_dir()).unwrap().map(|e| e.unwrap().file_name());
        let mut top: Vec<_> = top.map(|name| name.into_string().unwrap()).collect();
        top.retain(|name| !name.starts_with("cdm_") && name != bigtpu_output::MANIFEST_FILE);
        top.sort();
        let page: &[&str] = if args.is_empty() { &["devices.html"] } else { &[] };
        assert_eq!(top, [page, &["perfetto.pftrace", "report.json", "summary.txt"]].concat());
        if args.is_empty() {
            let page = fs::read_to_string(fleet.out_dir().join("devices.html")).unwrap();
            for (_, name) in FOUR {
                assert!(
                    page.contains(&format!(
                        "<a href=\"{name}/PerfWeb/result.html#up=..%2F..%2Fdevices.html\">"
                    )),
                    "{page}"
                );
                assert!(fleet.out_dir().join(name).join("PerfWeb/result.html").is_file());
            }
            assert!(page.contains("id=\"dumps\"") && page.contains("id=\"kernels\""), "{page}");
        }
    }
}

#[test]
fn a_directory_of_dumps_is_the_list_of_them() {
    let fleet = Fleet::copy(&FOUR);
    let args = ["--emit", "trace,summary,report"];
    let at_once = whole(&fleet.run(&args), &fleet.out_dir());
    let listed = fleet.keep.path().join("listed");
    // In any order.
    let dumps = FOUR.iter().rev().map(|(_, name)| os(&fleet.dump(name)));
    let said = finish(tool().args(dumps).arg(&listed).args(args).args(["-j", "1"]));
    assert!(whole(&said, &listed) == at_once);
}

#[test]
fn a_directory_with_one_dump_is_this_dump() {
    let fleet = Fleet::copy(&[FOUR[1]]);
    let said = fleet.run(&["--emit", "report,text"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stderr.contains("the dump in it is used"), "{}", said.stderr);
    assert!(fleet.out_dir().join("tiuRegInfo_0.txt").is_file());
}

/// Two positionals are what they always were: a dump and a directory for its results. A dump is no such directory.
#[test]
fn of_two_directories_the_second_is_for_the_results() {
    let fleet = Fleet::copy(&FOUR[..1]);
    let into = fleet.out_dir();
    let said = finish(tool().arg(case("aks-mode2-sync").dump()).arg(&into).arg("--perfetto"));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(said.stdout.starts_with("AKS (SG2260, BM1690), dynamic run"), "{}", said.stdout);
    assert!(into.join("perfetto.pftrace").is_file() && !into.join("dump").exists());
    let other = fleet.dump(FOUR[0].1);
    let said = finish(tool().arg(case("aks-mode2-sync").dump()).arg(&other).arg("--perfetto"));
    assert_eq!(said.code, Some(1), "{}", said.stdout);
    assert!(
        said.stderr.contains("is a dump, and outputs are not mixed with it"),
        "{}",
        said.stderr
    );
    assert!(!other.join("perfetto.pftrace").exists());
}

/// All that an analysis can write.
const EACH_VIEW: &str = "text,summary,report,brief,events,csv,layers,workbook,page,trace";

/// Results in a directory inside a dump are no part of it: each command takes its own results a second time.
#[test]
fn results_inside_a_dump_are_written_again() {
    let fleet = Fleet::copy(&FOUR[..2]);
    let dump = fleet.dump(FOUR[0].1);
    let text = |path: &std::path::Path| path.display().to_string();
    let (all, one, other) = (fleet.keep.path(), text(&dump), text(&fleet.dump(FOUR[1].1)));
    let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|w| (*w).to_owned()).collect() };
    let ranks = text(&fleet.keep.path().join("ranks"));
    let synth = ["synth", "--cluster", "2", "--operations", "3", "-q", &ranks];
    assert_eq!(finish(tool().args(synth)).code, Some(0));
    // A batch of all must not find them.
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = text(&elsewhere.path().join("ranks"));
    fs::rename(&ranks, &moved).unwrap();
    let commands: [(&str, Vec<String>); 9] = [
        ("cluster", owned(&["cluster", &moved, "OUT"])),
        ("each view", owned(&[&one, "OUT", "--emit", EACH_VIEW])),
        ("costs", owned(&["costs", &one, "-o", "OUT/costs.json"])),
        (
            "batch",
            vec!["batch".into(), text(all), "OUT".into(), "--emit".into(), "events,report".into()],
        ),
        ("history", vec!["diff".into(), "--history".into(), "OUT".into(), one.clone()]),
        ("diff", vec!["diff".into(), one.clone(), other, "-o".into(), "OUT".into()]),
        (
            "whatif",
            vec![
                "whatif".into(),
                one.clone(),
                "--scale".into(),
                "ddr=2".into(),
                "-o".into(),
                "OUT".into(),
            ],
        ),
        (
            "several",
            vec![text(&fleet.root()), "OUT".into(), "--emit".into(), "report,summary".into()],
        ),
        ("analysis", vec![one, "OUT".into(), "--perfetto".into()]),
    ];
    for (name, command) in commands {
        let inside = dump.join(format!("results of {name}"));
        for time in ["first", "second"] {
            let args = command.iter().map(|arg| arg.replace("OUT", &text(&inside)));
            let said = finish(tool().args(args));
            assert_eq!(said.code, Some(0), "{name}, the {time} time: {}", said.stderr);
        }
        // With anything else in it, it is a part of the dump.
        fs::write(inside.join("notes.txt"), "mine").unwrap();
        let args = command.iter().map(|arg| arg.replace("OUT", &text(&inside)));
        let said = finish(tool().args(args));
        let is_listed = inside.join(bigtpu_output::MANIFEST_FILE).exists();
        assert_eq!(said.code, Some(i32::from(!is_listed)), "{name}: {}", said.stderr);
        fs::remove_dir_all(&inside).unwrap();
    }
}

#[test]
fn dumps_of_one_name_get_directories_of_their_own() {
    let (here, there) = (Fleet::copy(&FOUR[..1]), Fleet::copy(&[("aks-mode1-batch", FOUR[0].1)]));
    let dumps = [here.dump(FOUR[0].1), there.dump(FOUR[0].1)];
    let said = finish(tool().args(&dumps).arg(here.out_dir()).args(["--emit", "report,trace"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert_eq!(here.fields("directory"), [FOUR[0].1.to_owned(), format!("{}_2", FOUR[0].1)]);
    assert_eq!(here.fields("events"), [85, 70]);
    assert_eq!(here.alignment().0, "one_after_another");
    assert!(here.trace().paths().contains(&"dev0-0_2/Core 0/TIU"));
}

/// A note is neither a loss nor a warning.
#[test]
fn notes_of_a_healthy_dump_are_no_warnings() {
    let real = fixture("real").join("bmprofile_data-1_bm1688");
    let broken = case("aksv-lost-records").dump();
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out");
    let said = finish(tool().args([&real, &broken, &out]).args(["--emit", "report"]));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let text = fs::read_to_string(out.join("report.json")).unwrap();
    let index: serde_json::Value = serde_json::from_str(&text).unwrap();
    let row = |chip: &str| {
        let rows = index["dumps"].as_array().unwrap().iter();
        rows.clone().find(|row| row["chip"] == chip).unwrap().clone()
    };
    let healthy = row("BM1688");
    let own = out.join(healthy["directory"].as_str().unwrap()).join("report.json");
    let own: serde_json::Value = serde_json::from_slice(&fs::read(own).unwrap()).unwrap();
    assert!(!own["ledger"]["notes"].as_array().unwrap().is_empty());
    assert_eq!((&healthy["losses"], &healthy["warnings"]), (&0.into(), &0.into()), "{healthy:#}");
    assert!(row("AKSV")["losses"].as_u64() > Some(0), "{index:#}");
}

#[test]
fn the_table_shows_a_slow_device() {
    let even = Options { launches: 11, cores: 2, ..Options::of_chip("aks").unwrap() };
    let slow = Options { plants: vec!["slow-kernel=rope:9".parse().unwrap()], ..even.clone() };
    let fleet = Fleet::synth(&[
        ("cdm_profile_data_dev0-0", even.clone()),
        ("cdm_profile_data_dev1-0", slow),
        ("cdm_profile_data_dev2-0", even),
    ]);
    let said = fleet.done(&["--perfetto"]);
    let walls: Vec<i64> =
        fleet.fields("wall_ns").iter().map(|wall| wall.as_i64().unwrap()).collect();
    assert!(walls[0] == walls[2] && walls[1] > walls[0], "{walls:?}");
    let tops: Vec<_> = fleet.fields("top_kernel").iter().map(|k| k["kernel"].clone()).collect();
    assert!(tops[1] == "rope" && tops[0] != "rope" && tops[0] == tops[2], "{tops:?}");
    let summary = fs::read_to_string(fleet.out_dir().join("summary.txt")).unwrap();
    for text in [&said, &summary] {
        let row = text.lines().find(|line| line.trim_start().starts_with("dev1-0")).unwrap();
        let wall = format!("{:.3}", walls[1] as f64 / 1000.0);
        assert!(row.contains(&wall) && row.contains("rope"), "{row}");
        assert_eq!(
            text.matches("Time line: dumps of the same call (by name) start").count(),
            1,
            "{text}"
        );
    }
    assert!(said.lines().count() <= 40);
    // The call's straggler, and what it costs the others at the median.
    let work: Vec<i64> =
        fleet.fields("work_ns").iter().map(|work| work.as_i64().unwrap()).collect();
    let index = fleet.index();
    assert_eq!(index["calls"].as_array().map(Vec::len), Some(1), "{index:#}");
    let call = &index["calls"][0];
    assert_eq!((&call["call"], &call["devices"]), (&0.into(), &3.into()), "{call:#}");
    assert_eq!((&call["slowest"], &call["slowest_ns"]), (&"dev1-0".into(), &work[1].into()));
    assert_eq!(call["lost_ns"], work[1] - work[0], "{call:#}");
    let line = "Call 0, 3 devices: dev1-0 worked longest";
    assert!(said.contains(line) && summary.contains(line), "{said}");
    // What the row says is what the dump's own report says.
    let own = fleet.out_dir().join("cdm_profile_data_dev1-0/report.json");
    let own: serde_json::Value = serde_json::from_slice(&fs::read(own).unwrap()).unwrap();
    assert_eq!(own["intervals"]["overall"]["wall_ns"], walls[1]);
    let exposed = &fleet.fields("exposed_transfer_ns")[1];
    assert_eq!(&own["intervals"]["overall"]["transfer_only_ns"], exposed);
}
