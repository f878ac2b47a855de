//! Options: wrong ones are usage errors, and each may be spelled with underscores or hyphens.

use std::path::Path;

use super::{CASE, contains_all};
use crate::support::case::{case, fixture};
use crate::support::dump::DumpCopy;
use crate::support::run::{analyze, analyzed, finish, say, tool};

#[test]
fn wrong_usage_ends_with_code_2() {
    let bad: [&[&str]; 17] = [
        &["--nope"],
        &["dump", "--tiu_freq", "0"],
        &["dump", "--tiu_freq", "fast"],
        &["dump", "--tiu_freq=-5"],
        &["dump", "--num_core", "0"],
        &["dump", "--cores", "3-2"],
        &["dump", "--cores", "one"],
        &["dump", "--cores", "0", "--num_core", "1"],
        &["dump", "--jobs", "many"],
        &["dump", "--jobs", "100000"],
        &["dump", "--trace_file"],
        &["dump", "--host_align", "somehow"],
        &["dump", "--quiet", "--verbose"],
        &["dump", "--disable_doc", "--enable_doc"],
        &["--generate", "poem"],
        &["dump", "--emit", "trace,poem"],
        &["dump", "--emit", "trace", "--perfetto"],
    ];
    for args in bad {
        let said = say(args);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{args:?}: {said:?}");
        contains_all(&said.stderr, &["error: ", "--help"]);
    }
}

#[test]
fn options_accept_hyphens_for_underscores() {
    let trace = fixture("host/torch_alexnet.json.gz");
    let trace = trace.to_str().unwrap();
    let spellings: [&[&str]; 8] = [
        &["--disable_summary"],
        &["--disable_web"],
        &["--disable_doc"],
        &["--enable_doc"],
        &["--compress_trace"],
        &["--trace_file", trace, "--host_align", "start"],
        &["--tiu_freq", "750"],
        &["--num_core", "1"],
    ];
    for args in spellings {
        let hyphens: Vec<String> = args
            .iter()
            .map(
                |arg| if arg.starts_with("--") { arg.replace('_', "-") } else { (*arg).to_owned() },
            )
            .collect();
        let run = |args: &[&str]| {
            let args = [&["--perfetto"], args].concat();
            analyzed(&case(CASE).dump(), &args)
        };
        let (one, other) =
            (run(args), run(&hyphens.iter().map(String::as_str).collect::<Vec<_>>()));
        assert!(one.files() == other.files(), "{args:?} and {hyphens:?} differ");
        assert_eq!(one.said.stderr, other.said.stderr);
    }
}

#[test]
fn options_may_be_at_any_position() {
    let dump = case(CASE).dump();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let said = say(&["--perfetto", dump.to_str().unwrap(), "-j", "1", out.to_str().unwrap()]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(out.join("perfetto.pftrace").is_file());
}

#[test]
fn all_views_are_written_by_default_and_three_with_perfetto() {
    let dump = case(CASE).dump();
    let all = analyzed::<&str>(&dump, &[]);
    let texts = ["tdmaRegInfo_0.txt", "tdmaRegInfo_1.txt", "tiuRegInfo_0.txt", "tiuRegInfo_1.txt"];
    let fast = ["perfetto.pftrace", "report.json", "summary.txt"];
    assert_eq!(all.names(), [&fast[..], &texts].concat());
    for name in ["PerfDoc/PerfAI_output.xlsx", "PerfWeb/result.html", "PerfWeb/profile_data.js"] {
        assert!(all.out_dir().join(name).is_file(), "{name}");
    }
    let few = analyzed(&dump, &["--perfetto"]);
    assert_eq!(few.names(), fast);
    assert!(!few.out_dir().join("PerfWeb").exists() && !few.out_dir().join("PerfDoc").exists());
    fast.iter().for_each(|name| assert!(few.files()[*name] == all.files()[*name], "{name}"));
}

#[test]
fn arch_names_the_chip_of_a_dump_without_one() {
    let dump = DumpCopy::copy(CASE);
    let named = analyzed(&dump.path(), &["--perfetto", "--arch", "SG2260E"]);
    assert_eq!(named.said.stderr, "");
    let other = analyzed(&dump.path(), &["--perfetto", "--arch", "8800"]);
    contains_all(&other.said.stderr, &["names AKSV and --arch names AKS; AKSV is used"]);
    dump.edit_global(|text| text.replace("arch=", "# "));
    let refused = dump.analyze(&["--perfetto"]).said;
    assert_eq!(refused.code, Some(1));
    contains_all(&refused.stderr, &["no line `arch=...`", "--arch"]);
    let salvaged = analyzed(&dump.path(), &["--perfetto", "--arch", "aksv"]);
    assert!(salvaged.files() == named.files());
    assert_eq!(say(&["dump", "--arch", "BM1"]).code, Some(2));
}

#[test]
fn long_options_may_be_cut_short() {
    let dump = case(CASE).dump();
    let whole = analyzed(&dump, &["--perfetto", "--disable_summary", "--tiu_freq", "900"]);
    let short = analyzed(&dump, &["--perf", "--disable-s", "--tiu=900"]);
    assert!(whole.files() == short.files());
    let said = say(&["dump", "--disable"]);
    assert_eq!(said.code, Some(2));
    contains_all(&said.stderr, &["--disable_doc", "--disable_summary", "--disable_web"]);
}

#[test]
fn the_summary_can_be_left_out() {
    let run = analyzed(&case(CASE).dump(), &["--perfetto", "--disable_summary"]);
    assert!(!run.names().contains(&"summary.txt".to_owned()));
    assert!(!run.said.stdout.contains("Parallelism"), "{}", run.said.stdout);
    assert!(!run.trace().slices.is_empty());
}

#[test]
fn exactly_what_emit_names_is_written() {
    let dump = case(CASE).dump();
    let names = |emit: &str| analyzed(&dump, &["--emit", emit]).names();
    assert_eq!(names("trace,summary"), ["perfetto.pftrace", "summary.txt"]);
    assert_eq!(names("summary"), ["summary.txt"]);
    let texts = ["tdmaRegInfo_0.txt", "tdmaRegInfo_1.txt", "tiuRegInfo_0.txt", "tiuRegInfo_1.txt"];
    assert_eq!(names("text"), texts);
    let all = analyzed(&dump, &["--perfetto"]);
    let run = analyzed(&dump, &["--emit", "trace"]);
    assert!(run.files()["perfetto.pftrace"] == all.files()["perfetto.pftrace"]);
    assert!(run.said.stdout.contains("Parallelism") && all.said.stdout.contains("Parallelism"));
}

#[test]
fn strict_returns_0_for_a_complete_dump() {
    let run = analyze(&case(CASE).dump(), &["--strict"]);
    assert_eq!((run.said.code, run.said.stderr.as_str()), (Some(0), ""));
}

/// The line that stands for further notes names a file of this run only.
#[test]
fn further_notes_are_in_a_file_that_the_run_writes() {
    let dir = tempfile::tempdir().unwrap();
    let dump = dir.path().join("dump");
    let dump = dump.to_str().unwrap();
    let said = say(&["synth", dump, "-q", "--loss", "0.05", "--launches", "5"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    for (view, place) in [("trace", "the trace"), ("summary", "summary.txt"), ("csv", "--verbose")]
    {
        let run = analyzed(Path::new(dump), &["--emit", view]);
        let last = run.said.stderr.lines().last().unwrap();
        assert!(last.starts_with('(') && last.contains(place), "{view}: {last}");
        for other in ["the trace", "summary.txt"].into_iter().filter(|other| *other != place) {
            assert!(!last.contains(other), "{view}: {last}");
        }
    }
}

#[test]
fn verbose_shows_the_ledger_and_every_note() {
    let dump = DumpCopy::copy(CASE);
    let counts: String = (2..30).map(|core| format!("core{core}_tiu_record=9\n")).collect();
    dump.edit_global(|text| text + &counts);
    let few = dump.analyze(&["--perfetto"]).said;
    let all = dump.analyze(&["--perfetto", "-v"]).said;
    let lost = |said: &str| said.lines().filter(|line| line.starts_with("lost: ")).count();
    assert_eq!((lost(&few.stderr), lost(&all.stderr)), (2, 28));
    contains_all(&few.stderr, &["(26 more notes: see --verbose, summary.txt or the trace)"]);
    assert!(!few.stdout.contains("Ledger"));
    contains_all(&all.stdout, &["Ledger", "core 1 GDMA"]);
}

#[test]
fn emit_takes_the_events_too() {
    let dump = fixture(CASE);
    let names = |args: &[&str]| analyzed(&dump, args).names();
    assert_eq!(
        names(&["--emit", "report", "--events", "--csv"]),
        ["events.csv", "events.parquet", "report.json"]
    );
    assert_eq!(names(&["--emit", "events", "--events"]), ["events.parquet"]);
}

#[test]
fn strict_says_why_it_fails_even_when_quiet() {
    let said =
        analyze(&fixture("aksv-lost-records"), &["--emit", "report", "--strict", "--quiet"]).said;
    assert_eq!(said.code, Some(3));
    contains_all(&said.stderr, &["data was lost", "--strict"]);
    assert_eq!(said.stderr.lines().count(), 1, "{said:?}");
}

#[test]
fn an_iteration_of_a_dump_without_iterations_is_refused() {
    let said = analyze(&fixture(CASE), &["--iteration", "5"]).said;
    assert_eq!(said.code, Some(1));
    contains_all(&said.stderr, &["has no iterations", "leave out --iteration"]);
}

#[test]
fn a_batch_into_its_own_root_is_refused() {
    let root = tempfile::tempdir().unwrap();
    std::fs::create_dir(root.path().join("dump")).unwrap();
    let said = finish(tool().arg("batch").arg(root.path()).arg(root.path()));
    assert_eq!(said.code, Some(1));
    contains_all(&said.stderr, &["holds the dumps", "another directory"]);
}
