//! The script of the GitHub Action: analysis, comparison, baseline.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::case::fixture;
use crate::support::run::{Said, finish, tool};

/// Runs the script on the dumps in `profiles`, with the built program in front of `PATH`.
fn compare(here: &Path, limits: &str) -> Said {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/action/compare.sh");
    let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg(script).args(["profiles", "results"]).current_dir(here);
    command.env("PATH", path).env("LIMITS", limits).env("GITHUB_OUTPUT", here.join("outputs"));
    finish(&mut command)
}

fn dump(here: &Path, case: &str) {
    let to = here.join("profiles/run");
    let _ = fs::remove_dir_all(&to);
    fs::create_dir_all(&to).unwrap();
    for file in fs::read_dir(fixture(case).join("dump")).unwrap().map(Result::unwrap) {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn outputs(here: &Path) -> String {
    let text = fs::read_to_string(here.join("outputs")).unwrap();
    fs::remove_file(here.join("outputs")).unwrap();
    text
}

#[test]
fn the_first_run_is_ok_and_later_ones_are_compared_with_it() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    dump(here, "aks-mode2-sync");
    let first = compare(here, "total>+3%\n  loss>0  \n\n");
    assert_eq!(first.code, Some(0), "{first:?}");
    assert!(first.stdout.contains("There is no baseline yet"), "{first:?}");
    assert_eq!(outputs(here), "exit-code=0\nverdict=skipped\nreport=results/diff\n");
    let junit = fs::read_to_string(here.join("results/diff/diff.junit.xml")).unwrap();
    assert!(junit.contains("<skipped message=\"skipped: total&gt;+3%"), "{junit}");
    let comparison = fs::read_to_string(here.join("results/diff/diff.md")).unwrap();
    assert!(comparison.starts_with("> There is no baseline yet"), "{comparison}");

    // What the action saves on the main branch.
    fs::rename(here.join("results/reports"), here.join("results/baseline")).unwrap();
    let same = compare(here, "total>+3%");
    assert_eq!(
        (same.code, outputs(here).as_str()),
        (Some(0), "exit-code=0\nverdict=ok\nreport=results/diff\n")
    );
    dump(here, "aks-mode1-batch");
    let other = compare(here, "total.events>1");
    assert_eq!(other.code, Some(0), "{other:?}");
    assert_eq!(outputs(here), "exit-code=4\nverdict=failed\nreport=results/diff\n");
}

/// Three programs beside each other, one of which became slower: the limit fails on it, and it stands first in the comment. One that is gone
/// fails, too.
#[test]
fn programs_beside_each_other_are_compared_apart() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let profile = |name: &str, args: &[&str]| {
        let to = here.join("profiles").join(name);
        let _ = fs::remove_dir_all(&to);
        let mut synth = tool();
        synth.arg("synth").arg(&to).args(["--cores", "2", "-q"]).args(args);
        assert_eq!(finish(&mut synth).code, Some(0));
    };
    fs::create_dir_all(here.join("profiles")).unwrap();
    let resnet = ["--kernel", "rope", "--launches", "4"];
    profile("resnet", &resnet);
    profile("bert", &["--launches", "11"]);
    profile("vit", &["--launches", "22", "--repeat", "3"]);
    assert_eq!(compare(here, "total>+3%").code, Some(0));
    outputs(here);
    fs::rename(here.join("results/reports"), here.join("results/baseline")).unwrap();
    profile("resnet", &[&resnet[..], &["--plant", "slow-kernel=rope:2"]].concat());
    assert_eq!(compare(here, "total>+3%").code, Some(0));
    assert_eq!(outputs(here), "exit-code=4\nverdict=failed\nreport=results/diff\n");
    let comment = fs::read_to_string(here.join("results/diff/diff.md")).unwrap();
    let first = comment.lines().find(|line| line.contains("FAILED")).unwrap();
    assert!(first.starts_with("- FAILED: resnet: total&gt;+3%: "), "{comment}");
    assert!(comment.find("FAILED").unwrap() < comment.find("bert").unwrap(), "{comment}");
    fs::remove_dir_all(here.join("profiles/resnet")).unwrap();
    assert_eq!(compare(here, "total>+3%").code, Some(0));
    assert!(outputs(here).starts_with("exit-code=4\n"));
}

/// A baseline that can't be read must not stop the run that would renew it.
#[test]
fn a_baseline_that_cannot_be_read_is_renewed() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    dump(here, "aks-mode2-sync");
    fs::create_dir_all(here.join("results/baseline/run")).unwrap();
    fs::write(
        here.join("results/baseline/run/report.json"),
        "{\"schema_version\": 99, \"intervals\": {}}",
    )
    .unwrap();
    let said = compare(here, "total>+3%\nloss>0");
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("::warning::The baseline can't be compared"), "{said:?}");
    assert!(said.stderr.contains("a newer version of the program wrote it"), "{said:?}");
    assert_eq!(outputs(here), "exit-code=0\nverdict=skipped\nreport=results/diff\n");
    assert!(here.join("results/reports/run/report.json").is_file(), "the next baseline");
}

#[test]
fn a_misspelled_limit_is_found_in_the_first_run() {
    let here = tempfile::tempdir().unwrap();
    dump(here.path(), "aks-mode2-sync");
    let said = compare(here.path(), "tota>+3%");
    assert_eq!(said.code, Some(2), "{said:?}");
}

/// Runs a script of the action; `GITHUB_OUTPUT` is a file.
fn script(here: &Path, name: &str, args: &[&str], env: &[(&str, &str)]) -> Said {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("bash");
    command.arg(root.join(".github/action").join(name)).args(args).current_dir(here);
    let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile")).parent().unwrap();
    let path =
        format!("{}:{}:{}", here.display(), program.display(), std::env::var("PATH").unwrap());
    command.env("PATH", path).env("ACTION_PATH", root).env("GITHUB_OUTPUT", here.join("outputs"));
    finish(command.envs(env.iter().copied()))
}

#[test]
fn inputs_that_would_lead_elsewhere_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let inputs = |output: &str, key: &str| {
        script(here, "inputs.sh", &[], &[("OUTPUT", output), ("BASELINE_KEY", key)])
    };
    for (output, key) in [
        ("", "key"),
        ("/", "key"),
        (".", "key"),
        ("../..", "key"),
        ("a\nreport=b", "key"),
        ("a", ""),
        ("a", "k\" or 1"),
        ("a", "k\nl"),
    ] {
        let said = inputs(output, key);
        assert_eq!(said.code, Some(1), "{output:?} {key:?}: {said:?}");
        assert!(said.stderr.starts_with("the input "), "{said:?}");
    }
    assert!(!here.join("outputs").exists());
    assert_eq!(inputs("-rf", "key").code, Some(0));
    assert!(outputs(here).starts_with("output=./-rf\nsources="));
    for name in ["compare.sh", "baseline.sh"] {
        let said = script(here, name, &["", ""], &[]);
        assert_eq!(said.code, Some(1), "{name}: {said:?}");
    }
}

/// The cached program is that of these sources.
#[test]
fn the_key_of_the_cache_depends_on_all_sources() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let action = here.join("action");
    for (name, text) in [
        ("Cargo.toml", "a"),
        ("Cargo.lock", "a"),
        ("src/main.rs", "a"),
        ("crates/a/src/lib.rs", "a"),
        (".github/action/install.sh", "a"),
        ("docs/a.md", "a"),
    ] {
        fs::create_dir_all(action.join(name).parent().unwrap()).unwrap();
        fs::write(action.join(name), text).unwrap();
    }
    let key = || {
        let env =
            [("OUTPUT", "a"), ("BASELINE_KEY", "b"), ("ACTION_PATH", action.to_str().unwrap())];
        assert_eq!(script(here, "inputs.sh", &[], &env).code, Some(0));
        outputs(here)
    };
    let first = key();
    fs::write(action.join("docs/a.md"), "b").unwrap();
    assert_eq!(key(), first);
    for name in ["Cargo.lock", "src/main.rs", "crates/a/src/lib.rs", ".github/action/install.sh"] {
        let before = key();
        fs::write(action.join(name), "b").unwrap();
        assert_ne!(key(), before, "{name}");
    }
}

#[test]
fn directories_of_others_are_not_removed() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    dump(here, "aks-mode2-sync");
    fs::create_dir_all(here.join("results/results")).unwrap();
    fs::write(here.join("results/results/own"), "").unwrap();
    let said = compare(here, "");
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("is not of this action"), "{said:?}");
    assert!(here.join("results/results/own").exists());
}

/// Whatever is between the two lines is no command to the runner.
#[test]
fn what_is_shown_holds_no_commands() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    dump(here, "aks-mode2-sync");
    let said = script(here, "compare.sh", &["profiles", "results"], &[("GITHUB_ACTIONS", "true")]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let first = said.stdout.lines().next().unwrap();
    let word = first.strip_prefix("::stop-commands::").unwrap();
    assert_eq!(word.len(), 32);
    assert_eq!(said.stdout.lines().last(), Some(format!("::{word}::").as_str()));
}

#[test]
fn a_name_is_no_part_of_the_program_that_looks_for_the_comment() {
    use std::os::unix::fs::PermissionsExt;
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    // In the place of GitHub's program: writes down what it is given.
    let gh = "#!/bin/sh\nprintf '%s\\n' \"$@\" >> calls\necho \"$MARKER\" >> markers\n";
    fs::write(here.join("gh"), gh).unwrap();
    fs::set_permissions(here.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(here.join("diff.md"), "text\n").unwrap();
    let env = [("PULL_REQUEST", "1"), ("GITHUB_REPOSITORY", "a/b")];
    for name in ["x\")) | halt_error(\"", "a --> <script>", "tpu-baseline"] {
        let said = script(here, "comment.sh", &["diff.md", name], &env);
        assert_eq!(said.code, Some(0), "{said:?}");
    }
    let calls = fs::read_to_string(here.join("calls")).unwrap();
    assert!(!calls.contains("halt_error") && !calls.contains("script"), "{calls}");
    let markers = fs::read_to_string(here.join("markers")).unwrap();
    let markers: Vec<&str> = markers.lines().collect();
    assert_eq!(markers.last(), Some(&"<!-- bigtpuprofile tpu-baseline -->"));
    assert!(markers.iter().all(|marker| marker.matches("--").count() == 2), "{markers:?}");
}

/// Twelve versions, of which the last four take longer: each job has the history of the baseline before it.
#[test]
fn the_baseline_carries_the_history() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let script = |name: &str| {
        let mut command = Command::new("bash");
        let action = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/action");
        let program = Path::new(env!("CARGO_BIN_EXE_bigtpuprofile")).parent().unwrap();
        let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
        command.arg(action.join(name)).current_dir(here).env("PATH", path);
        command
    };
    let mut said = Vec::new();
    for version in 0..12u32 {
        let dump = here.join("profiles/run");
        let _ = fs::remove_dir_all(here.join("profiles"));
        let gap = if version < 8 { "1" } else { "30" };
        let seed = version.to_string();
        let options = ["--launches", "3", "--launch-gap", gap, "--seed", &seed, "--quiet"];
        assert_eq!(finish(tool().arg("synth").arg(&dump).args(options)).code, Some(0));
        let mut compare = script("compare.sh");
        compare.args(["profiles", "results"]).env("HISTORY", "true");
        let job = finish(compare.env("LABEL", format!("v{version}")));
        assert_eq!(job.code, Some(0), "{job:?}");
        assert_eq!(finish(script("baseline.sh").arg("results")).code, Some(0));
        said.push(job.stdout.contains("::warning::The history shows"));
    }
    assert_eq!(said.iter().filter(|slower| **slower).count(), 1, "{said:?}");
    let history = fs::read_to_string(here.join("results/baseline/history/history.jsonl")).unwrap();
    assert_eq!(history.lines().filter(|line| line.contains("\"times\"")).count(), 12);
    let shown = fs::read_to_string(here.join("results/diff/history.txt")).unwrap();
    assert!(shown.contains("v8"), "{shown}");
    let comparison = fs::read_to_string(here.join("results/diff/diff.md")).unwrap();
    assert!(comparison.contains("v8"), "{comparison}");
}
