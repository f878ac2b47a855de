//! Faults at calls: whatever call of a run fails, its results are the old ones or the new ones, never some of each; the run
//! ends with a documented code, one sentence and no panic, and the next run into the directory leaves nothing behind.
//!
//! `tests/tools/faults.c` lets call n of a process fail. The tests let a sample of the calls fail, and all calls that give files
//! their names; `FAULTS=whole cargo test --test main -- faults --nocapture` all of them, and prints the figures of
//! docs/reliability.md; `FAULTS_KIND=EINTR` leaves out the other kinds.

mod scenario;
mod shim;

use std::collections::BTreeMap;
use std::path::Path;

use scenario::{Scenario, State, scenarios};
use shim::{End, Fault, Shim};

const OPEN: u32 = 1;
const READ: u32 = 2;
const WRITE: u32 = 4;
const NAME: u32 = 8;
const SYNC: u32 = 16;
const LOOK: u32 = 32;
const CLOSE: u32 = 64;
const MAP: u32 = 128;
const THREAD: u32 = 256;
const MEMORY: u32 = 512;
const LOCK: u32 = 1024;

/// What the system says, and of which calls.
struct Kind {
    name: &'static str,
    errno: i32,
    classes: u32,
    /// Whether all later calls fail, too.
    lasts: bool,
}

const KINDS: [Kind; 8] = [
    Kind {
        name: "EIO",
        errno: 5,
        classes: OPEN | READ | WRITE | NAME | SYNC | LOOK | CLOSE | MAP,
        lasts: false,
    },
    Kind { name: "EIO from then on", errno: 5, classes: WRITE | NAME | SYNC, lasts: true },
    Kind { name: "ENOSPC", errno: 28, classes: WRITE | NAME | SYNC, lasts: false },
    Kind { name: "ENOSPC from then on", errno: 28, classes: WRITE, lasts: true },
    Kind { name: "EINTR", errno: 4, classes: OPEN | READ | WRITE | CLOSE | LOCK, lasts: false },
    Kind { name: "EMFILE", errno: 24, classes: OPEN, lasts: true },
    Kind { name: "ENOMEM", errno: 12, classes: MAP | OPEN | THREAD, lasts: false },
    Kind { name: "EAGAIN", errno: 11, classes: THREAD, lasts: true },
];

/// Calls of a scenario and kind that are let fail, of those that there are.
const SAMPLE: u64 = 3;

/// Allocations of a scenario that are let fail: there are too many to let each fail.
const SAMPLE_OF_ALLOCATIONS: u64 = 12;

/// Stands for the signal by which the standard library ends a process: 134 in a shell.
const ENDED: i32 = 134;

/// How the runs of a scenario and kind ended.
#[derive(Debug, Default)]
struct Figures {
    calls: u64,
    outcomes: BTreeMap<&'static str, u64>,
}

fn is_whole() -> bool {
    std::env::var_os("FAULTS").is_some_and(|value| value == "whole")
}

/// The calls to let fail: at most so many.
fn chosen(calls: u64, most: u64) -> Vec<u64> {
    if calls <= most {
        return (1..=calls).collect();
    }
    // The middle of each of so many equal parts, and the last one.
    (0..most - 1).map(|n| (2 * n + 1) * calls / (2 * most - 2) + 1).chain([calls]).collect()
}

/// The first thread has no second stack: the standard library ends the process before the program begins.
fn has_no_first_stack(stderr: &str) -> bool {
    stderr.contains("thread 'main'") && stderr.contains("failed to allocate an alternative stack")
}

/// Runs a scenario with one fault; what became of its results.
fn outcome(shim: &Shim, scenario: &Scenario, fault: Fault) -> Result<&'static str, String> {
    let dir = scenario.with_old();
    let End { code, stderr } = shim.run(&scenario.command(dir.path()), fault);
    let states = scenario.states(dir.path());
    let is_old = states.values().all(|state| *state == State::Old);
    // The first thread, for which the system has no second stack, or an allocation for which it has no memory: the standard
    // library ends the process by itself.
    let has_no_stack = has_no_first_stack(&stderr);
    let has_no_memory = fault.classes == MEMORY && stderr.contains("memory allocation of ");
    let code = match code {
        // A later thread for which it has none ends the run with a sentence.
        Some(5) if stderr.contains("error: the system has too little memory") => 1,
        Some(code) => code,
        None if has_no_stack || has_no_memory => ENDED,
        None => return Err(format!("ended by a signal or not at all: {stderr}")),
    };
    if stderr.contains("panicked") && !has_no_stack {
        return Err(format!("a panic: {stderr}"));
    }
    if ![0, 1, 3, 4, ENDED].contains(&code) {
        return Err(format!("code {code}: {stderr}"));
    }
    let has_error = stderr.lines().any(|line| line.starts_with("error: "));
    if code == 1 && !has_error && fault.classes & WRITE == 0 {
        return Err(format!("no sentence: {stderr}"));
    }
    // Where names can't be changed any more, not even back, or the process is gone, the next run completes the commit: that is
    // looked at below.
    let is_left = fault.lasts && fault.classes & NAME != 0 && code == 1 || code == ENDED;
    // The list of a batch says which of its dumps failed.
    let is_list = |unit: &str| scenario.has_units() && unit.is_empty() && code != 0;
    for (unit, state) in states.iter().filter(|(unit, _)| !is_left && !is_list(unit)) {
        if *state == State::Other && code != 3 {
            return Err(format!("{unit} is neither old nor new, code {code}: {stderr}"));
        }
        if let State::Mixed(what) = state {
            return Err(format!("{unit} is mixed ({what}), code {code}: {stderr}"));
        }
    }
    // What is left goes with the next run.
    let next = shim.run(&scenario.command(dir.path()), Fault::NONE);
    if next.code != Some(0) {
        return Err(format!("the next run: {}", next.stderr));
    }
    let left = scenario::temporary(dir.path());
    if !left.is_empty() {
        return Err(format!("the next run leaves {left:?}"));
    }
    if scenario.states(dir.path()).values().any(|state| *state != State::New) {
        return Err("the next run does not complete the results".to_owned());
    }
    let is_new = states.values().all(|state| *state == State::New);
    // A file of the dump could not be read: what is lost is told, with the code for it.
    let is_told =
        code == 3 && ["lost: ", "error: data was lost"].iter().any(|told| stderr.contains(told));
    match (code, is_new, is_old) {
        (ENDED, _, true) => Ok("old results, ended by the standard library"),
        (ENDED, true, _) => Ok("new results, ended by the standard library"),
        (ENDED, ..) => Ok("ended by the standard library, the next run completes it"),
        (3, false, false) if is_told => Ok("new results, a loss is told"),
        (1, true, _) => Ok("new results and an error"),
        (1, _, true) => Ok("old results and an error"),
        (1, ..) if is_left => Ok("an error, the next run completes it"),
        (1, ..) => Ok("some dumps new and an error"),
        (_, true, _) => Ok("new results"),
        (3, ..) if is_told => Ok("some dumps new, a loss is told"),
        _ => Err(format!("code {code} with old results: {stderr}")),
    }
}

/// Lets at most so many calls of each kind fail.
fn run(scenario: &Scenario, kinds: &[&Kind], most: u64) {
    let shim = Shim::build();
    let mut wrong = Vec::new();
    let only = std::env::var("FAULTS_KIND").ok();
    for kind in kinds.iter().filter(|kind| only.as_ref().is_none_or(|only| only == kind.name)) {
        let Kind { name, errno, classes, lasts } = **kind;
        let none = Fault { classes, ..Fault::NONE };
        let dir = scenario.with_old();
        let (end, calls) = shim.count(&scenario.command(dir.path()), none);
        assert_eq!(end.code, Some(0), "{}: {}", scenario.name, end.stderr);
        let mut figures = Figures { calls, ..Figures::default() };
        for call in chosen(calls, most) {
            match outcome(&shim, scenario, Fault { classes, call, errno, lasts }) {
                Ok(what) => *figures.outcomes.entry(what).or_default() += 1,
                Err(why) => {
                    let text = format!("{} {name} at call {call} of {calls}: {why}", scenario.name);
                    // A run of all calls takes long: each is shown when it is found.
                    eprintln!("{text}");
                    wrong.push(text);
                }
            }
        }
        // The figures of docs/reliability.md.
        let Figures { calls, outcomes } = figures;
        let faults: u64 = outcomes.values().sum();
        eprintln!("| {} | {name} | {calls} | {faults} | {outcomes:?} |", scenario.name);
        assert!(faults > 0 || !wrong.is_empty() || calls == 0, "{name}: nothing was let fail");
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
}

macro_rules! tests {
    ($($test:ident: $scenario:literal),* $(,)?) => {$(
        #[test]
        fn $test() {
            let scenario = scenarios().into_iter().find(|scenario| scenario.name == $scenario).unwrap();
            let most = if is_whole() { u64::MAX } else { SAMPLE };
            run(&scenario, &KINDS.iter().collect::<Vec<_>>(), most);
        }
    )*};
}

tests! {
    an_analysis_with_a_fault_at_any_call_leaves_old_or_new_results: "analysis",
    a_batch_with_a_fault_at_any_call_leaves_old_or_new_results: "batch",
    a_cluster_with_a_fault_at_any_call_leaves_old_or_new_results: "cluster",
    a_comparison_with_a_fault_at_any_call_leaves_old_or_new_results: "diff",
}

/// Every call that gives a file its name or takes it away, alone and with all later ones.
#[test]
fn a_commit_is_whole_whichever_of_its_calls_fails() {
    let scenario = scenarios().into_iter().find(|scenario| scenario.name == "analysis").unwrap();
    let kinds =
        [false, true].map(|lasts| Kind { name: "EIO of names", errno: 5, classes: NAME, lasts });
    run(&scenario, &kinds.iter().collect::<Vec<_>>(), u64::MAX);
}

/// What a batch could not read of a dump, the next one reads, though the dump is the same.
#[test]
fn a_file_that_could_not_be_read_is_read_by_the_next_batch() {
    let scenario = scenarios().into_iter().find(|scenario| scenario.name == "batch").unwrap();
    let kind = Kind { name: "EIO of maps and looks", errno: 5, classes: MAP | LOOK, lasts: false };
    run(&scenario, &[&kind], u64::MAX);
}

/// An allocation for which there is no memory.
#[test]
fn an_allocation_that_fails_leaves_old_or_new_results() {
    let kind = Kind { name: "ENOMEM of allocations", errno: 12, classes: MEMORY, lasts: false };
    for scenario in scenarios() {
        run(&scenario, &[&kind], SAMPLE_OF_ALLOCATIONS);
    }
}

/// A process that is allowed no further thread.
#[test]
fn a_run_without_further_threads_gives_the_same_results() {
    let shim = Shim::build();
    for scenario in scenarios() {
        let dir = scenario.with_old();
        let none = Fault { classes: THREAD, call: 1, errno: 11, lasts: true };
        let end = shim.run(&scenario.command(dir.path()), none);
        assert_eq!(end.code, Some(0), "{}: {}", scenario.name, end.stderr);
        assert!(
            scenario.states(dir.path()).values().all(|state| *state == State::New),
            "{}",
            scenario.name
        );
    }
}

/// With `-j 1` one thread does all work. The only other one waits for signals: no view, no library starts any.
#[test]
fn one_job_is_one_thread() {
    let shim = Shim::build();
    for name in ["analysis", "batch", "cluster"] {
        let scenario = scenarios().into_iter().find(|scenario| scenario.name == name).unwrap();
        let dir = scenario.with_old();
        let fault = Fault { classes: THREAD, ..Fault::NONE };
        let (end, threads) = shim.count(&scenario.command(dir.path()), fault);
        assert_eq!(end.code, Some(0), "{name}: {}", end.stderr);
        assert_eq!(threads, 1, "{name}");
    }
}

/// The counts are no zeros: the library is loaded, and calls go through it.
#[test]
fn calls_are_seen() {
    let shim = Shim::build();
    let scenario = &scenarios()[0];
    for classes in [OPEN, READ, WRITE, NAME, SYNC, LOOK, CLOSE, MAP, LOCK, MEMORY] {
        let dir = scenario.with_old();
        let (_, calls) =
            shim.count(&scenario.command(dir.path()), Fault { classes, ..Fault::NONE });
        assert!(calls > 0, "no call of class {classes}");
    }
    assert!(Path::new(shim.path()).is_file());
}

/// A limit of memory: whatever it is, the run ends well, or with one sentence that says what to do.
#[test]
fn a_limit_of_memory_ends_with_a_sentence() {
    let mut codes = BTreeMap::new();
    for kib in (40_000..70_000)
        .step_by(500)
        .chain((70_000..140_000).step_by(4_000))
        .chain([400_000, 4_000_000])
    {
        codes.entry(code_under_a_limit_of(kib)).or_insert_with(Vec::new).push(kib);
    }
    assert!(codes.contains_key(&5) && codes.contains_key(&0), "{codes:?}");
    // Just above what the program needs to be loaded, a few KiB decide which of its parts finds no memory.
    let loaded = codes[&5][0];
    for kib in (loaded..loaded + 4_500).step_by(8) {
        code_under_a_limit_of(kib);
    }
}

/// The exit code of a run that may have `kib` KiB, and has said what its code means.
fn code_under_a_limit_of(kib: u32) -> i32 {
    let dump = crate::support::case::case("aks-mode2-sync").dump();
    let dir = tempfile::tempdir().unwrap();
    let mut command = std::process::Command::new("sh");
    command.args(["-c", r#"ulimit -v "$1"; shift; exec "$@""#, "sh"]).arg(kib.to_string());
    command.arg(env!("CARGO_BIN_EXE_bigtpuprofile")).arg(&dump).arg(dir.path().join("out"));
    command
        .args(["-j1", "-q"])
        .env(crate::support::run::ONE_ARENA.0, crate::support::run::ONE_ARENA.1);
    let said = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&said.stderr);
    let code = said.status.code().unwrap_or(-1);
    match code {
        0 => {}
        1 => assert!(stderr.starts_with("error: "), "{kib}: {stderr}"),
        5 => assert!(
            stderr.contains("error: the memory limit of") && stderr.contains("--window"),
            "{kib}: {stderr}"
        ),
        // Below some limit the system can't even load the program, or start its first thread; there is no sentence then.
        -1 if has_no_first_stack(&stderr) => return code,
        -1 | 126 | 127 => assert!(!stderr.contains("memory allocation"), "{kib}: {stderr}"),
        _ => panic!("{kib} KiB: code {code}: {stderr}"),
    }
    assert!(!stderr.contains("panicked"), "{kib}: {stderr}");
    code
}
