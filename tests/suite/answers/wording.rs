//! One thing has one number and one word in all views, and no sentence leaves its reader with a riddle.

use std::path::Path;

use serde_json::Value;

use crate::support::case::{case, fixture};
use crate::support::run::{analyzed, finish, say, tool};

/// A synthetic dump below `dir`.
fn synthetic(dir: &Path, args: &[&str]) -> String {
    let path = dir.join("dump").display().to_string();
    let said = say(&[&["synth", &path], args].concat());
    assert_eq!(said.code, Some(0), "{said:?}");
    path
}

fn in_language(language: &str, args: &[&str]) -> String {
    let said = finish(tool().args(args).args(["--lang", language]));
    assert_eq!(said.code, Some(0), "{args:?}: {said:?}");
    said.stdout
}

fn report(dir: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(dir.join("report.json")).unwrap()).unwrap()
}

/// Waits of several engines of a core at once are one wait of the core: as much of its sync at most as there is.
#[test]
fn time_at_barriers_is_core_time() {
    let dir = tempfile::tempdir().unwrap();
    let dump = synthetic(dir.path(), &["--cores", "4", "--launches", "22"]);
    let out = dir.path().join("out");
    let text = in_language("en", &[&dump, out.to_str().unwrap(), "--full", "--emit", "report"]);
    let report = report(&out);
    let waited = report["balance"]["barriers"]["waited_ns"].as_i64().unwrap();
    let cores = report["intervals"]["cores"].as_array().unwrap();
    let sync: i64 = cores.iter().map(|core| core["sync_ns"].as_i64().unwrap()).sum();
    assert!(waited > 0 && waited <= sync, "{waited} of {sync}");
    let said = format!("{:.3} us of core time waiting", waited as f64 / 1000.0);
    assert!(text.contains(&said), "{said}\n{text}");
}

/// Work behind the last step is told with the steps.
#[test]
fn steps_and_the_time_behind_them() {
    let dir = tempfile::tempdir().unwrap();
    let dump = synthetic(dir.path(), &["--cores", "1", "--launches", "28"]);
    let out = dir.path().join("out");
    let args = [&dump, out.to_str().unwrap(), "--emit", "report"];
    let text = in_language("en", &args);
    let after = report(&out)["steps"]["after_ns"].as_i64().unwrap();
    assert!(after > 0);
    let after = format!("{:.3} us", after as f64 / 1000.0);
    assert!(text.contains(&format!("Steps: 2 and {after} after them")), "{text}");
    assert!(in_language("zh", &args).contains(&format!("步：2 步，之后还有 {after}")));
}

/// A comparison of different programs first says that they are different, and names no cause.
#[test]
fn runs_of_different_programs_have_no_verdict_on_speed() {
    let real = |name: &str| fixture("real").join(name).display().to_string();
    let (one, other) = (real("cdm_profile_data_dev0_bm1690"), real("bmprofile_data_bm1688_2core"));
    let text = in_language("en", &["diff", &one, &other]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.starts_with("Verdict: The runs have only 3 % of their time in the same"),
        "{text}"
    );
    assert!(text.contains("Before 133.2 us, after 2176.2 us."), "{text}");
    assert!(!text.contains("Causes:") && !text.contains("most of all"), "{text}");
    // Rows of the critical path are in the language of the console.
    let text = in_language("zh", &["diff", &one, &other, "--full"]);
    assert!(text.starts_with("结论：两侧运行只有 3 % 的时间"), "{text}");
    assert!(text.contains("TIU 计算") && !text.contains("TIU compute"), "{text}");
    // Of one program there is a verdict.
    let text = in_language("en", &["diff", &one, &one]);
    assert!(text.starts_with("Verdict: The run takes the same time"), "{text}");
}

/// The words of limits are in the language of the sentences, on the console and in diff.md.
#[test]
fn what_became_of_limits_is_told_in_the_language_of_the_console() {
    let dir = tempfile::tempdir().unwrap();
    let [one, other] = ["1", "3"].map(|factor| {
        let fault = format!("slow-kernel=rope:{factor}");
        let path = dir.path().join(factor).display().to_string();
        let said = say(&["synth", &path, "--cores", "2", "--launches", "6", "--plant", &fault]);
        assert_eq!(said.code, Some(0), "{said:?}");
        path
    });
    let out = dir.path().join("out").display().to_string();
    let limits = ["--fail-on", "total>+3%", "--fail-on", "kernel:rope>+900%"];
    let args = [&["diff", &one, &other, "-o", &out, "--lang", "zh"][..], &limits].concat();
    let said = finish(tool().args(args));
    assert_eq!(said.code, Some(4), "{said:?}");
    let page = std::fs::read_to_string(Path::new(&out).join("diff.md")).unwrap();
    assert!(said.stderr.starts_with("未通过：total>+3%："), "{}", said.stderr);
    assert!(said.stdout.contains("\n通过：kernel:rope>+900%（1 行）"), "{}", said.stdout);
    assert!(page.contains("- 未通过：total&gt;+3%：") && page.contains("| 未知 |"), "{page}");
    for text in [&said.stderr, &said.stdout, &page] {
        assert!(!text.contains("FAILED") && !text.contains("unknown"), "{text}");
    }
    // Scripts read these.
    let text = std::fs::read_to_string(Path::new(&out).join("diff.txt")).unwrap();
    assert!(text.starts_with("FAILED: total>+3%: "), "{text}");
}

/// How many records a dump has, and how many of these are what an analysis calls its events.
#[test]
fn info_tells_records_from_events() {
    let dump = fixture("real").join("cdm_profile_data_dev0_bm1690").display().to_string();
    let said = say(&["info", &dump]).stdout;
    assert!(said.contains("Records: 264; 242 are the run's events, 22 the preamble"), "{said}");
}

/// A dump that has all that the PMU wrote is complete, and says what the PMU does not write.
#[test]
fn what_the_pmu_skips_is_told_beside_complete() {
    let dump = fixture("real").join("bmprofile_data-1_bm1684x").display().to_string();
    let said = say(&["info", &dump]).stdout;
    let line = "Completeness: complete: all that the PMU wrote is there, and of 3 very short commands it wrote no record";
    assert!(said.contains(line), "{said}");
}

/// Chip with the names that it is known by, clocks with who says so, the verdict with its headline and a change without a sign, the way
/// to the rest of the advice: on the console and in report.md.
#[test]
fn what_heads_a_run_is_told_in_all_views() {
    let dump = fixture("real").join("cdm_profile_data_dev0_bm1690").display().to_string();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let args = [&dump, out.to_str().unwrap(), "--emit", "brief"];
    let chip = "AKS (SG2260, BM1690)";
    let clocks = "TIU 1000 MHz (from the dump), DMA 1000 MHz (chip default, not measured)";
    let verdict = "7 of 8 cores unused (cores 1 to 7). Without this the run would take about 16.8";
    let console = in_language("en", &args);
    let page = std::fs::read_to_string(out.join("report.md")).unwrap();
    for text in [&console, &page] {
        for part in
            [chip, clocks, verdict, "instead of 133.2 us (about 87.4 % shorter; an estimate)"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
    assert!(console.contains("(3 of 6, --full shows all;"), "{console}");
    assert!(console.contains("bigtpuprofile explain RULE"), "{console}");
    let info = in_language("en", &["info", &dump]);
    assert!(info.contains(&format!(": {chip}, static model, commands as descriptors\n{clocks}\n")));
    // One word on completeness.
    assert!(info.contains("Completeness: can't be verified") && !info.contains("consistent"));
    let console = in_language("zh", &args);
    let page = std::fs::read_to_string(out.join("report.md")).unwrap();
    for text in [&console, &page] {
        assert!(text.contains("层 5 80_Relu") && !text.contains("layer 5"), "{text}");
        assert!(text.contains("芯片默认值，非实测"), "{text}");
        assert!(text.contains("而不是 133.2 us（约缩短 87.4 %，估计值）"), "{text}");
    }
    assert!(page.contains("| 计算 | TIU | 层 5"), "{page}");
}

/// The cells of kernels that people read are words of the language.
#[test]
fn what_bounds_kernels_is_in_both_languages() {
    let dump = case("aks-mode2-sync").dump().display().to_string();
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out").display().to_string();
    assert!(in_language("en", &[&dump, &out, "--emit", "brief"]).contains("serialized\n"));
    assert!(in_language("zh", &[&dump, &out, "--emit", "brief"]).contains("串行（serialized）\n"));
    assert_eq!(analyzed(&case("aks-mode2-sync").dump(), &["--emit", "report"]).said.code, Some(0));
}

/// A term is explained by itself; a question is no name that is missing; the glossary is for users.
#[test]
fn explain_leaves_no_riddle() {
    for (name, part) in [
        ("round", "the n-th launches of a kernel"),
        ("fitted", "records of this chip"),
        ("estimated", "unknown error"),
    ] {
        let said = in_language("en", &["explain", name]);
        assert!(said.contains(part) && !said.contains("The same"), "{name}: {said}");
    }
    let asked = ["explain", "why is my TIU idle?"];
    assert!(in_language("en", &asked).contains("\nMore:\n"));
    let said = in_language("zh", &asked);
    assert!(said.contains("\n另见：\n") && !said.contains("(Terms"), "{said}");
    let glossary = in_language("en", &["explain", "docs/glossary.md"]);
    assert!(!glossary.contains(".rs") && !glossary.contains("cargo"), "{glossary}");
}

/// A page of estimates has the micro sign, and the measured run a word in both languages.
#[test]
fn the_estimate_page_names_units_and_the_measured_run() {
    let dump = fixture("real").join("bmprofile_data_bm1688_2core").display().to_string();
    let dir = tempfile::tempdir().unwrap();
    let args = ["estimate", &dump, "--on", "bm1688", "-o", dir.path().to_str().unwrap()];
    let console = in_language("en", &args);
    assert!(console.contains("Transfers (us)"), "{console}");
    let page = std::fs::read_to_string(dir.path().join("estimate.html")).unwrap();
    assert!(page.contains("µs") && !page.contains(" us<") && !page.contains("(us)"));
    assert!(
        page.contains("<span lang=\"en\">measured</span><span lang=\"zh\">实测</span></th>")
            || page.contains("<span lang=\"en\">measured</span><span lang=\"zh\">实测</span></td>")
    );
    assert!(!page.contains("<td>measured</td>") && !page.contains(">measured</text>"));
}
