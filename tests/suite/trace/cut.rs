//! Traces of a part of a run: `--window`, `--kernel`.

use std::path::Path;

use crate::support::run::{analyzed, fails, say};
use crate::support::trace::{Slice, Trace};

fn synth(dir: &Path) {
    let said = say(&["synth", dir.to_str().unwrap(), "--chip", "bm1688", "--launches", "22", "-q"]);
    assert_eq!(said.code, Some(0), "{said:?}");
}

/// The commands of a trace: everything with a global index.
fn commands(trace: &Trace) -> Vec<String> {
    let all = trace.slices.iter().filter(|slice| slice.arg("Global Idx").is_some());
    let mut lines: Vec<String> = all.map(|slice| slice.line()).collect();
    lines.sort();
    lines
}

#[test]
fn a_window_has_what_touches_it_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    synth(dir.path());
    let whole = analyzed(dir.path(), &["--emit", "trace,report"]);
    let part = analyzed(dir.path(), &["--emit", "trace,report", "--window", "100us:0.2ms"]);
    assert_eq!(whole.text("report.json"), part.text("report.json"));
    assert!(part.said.stderr.contains("the trace is cut to"), "{}", part.said.stderr);
    let (whole, part) = (whole.trace(), part.trace());
    assert_eq!(part.problems, Vec::<String>::new());
    let touching = Trace {
        slices: whole
            .slices
            .iter()
            .filter(|s| s.ts < 200_000 && s.end() > 100_000)
            .cloned()
            .collect(),
        ..Trace::default()
    };
    assert!(commands(&part).len() > 50 && commands(&part).len() < commands(&whole).len() / 2);
    assert_eq!(commands(&part), commands(&touching));
    // Steps would stretch the view to the whole run.
    let steps = part.slices_on("Steps");
    assert!(steps.iter().all(|step| step.ts >= 100_000 && step.end() <= 200_000), "{steps:?}");
    let counter = |trace: &Trace| trace.samples_on("Core 0/GDMA Bandwidth").len();
    assert!(counter(&part) > 0 && counter(&part) < counter(&whole));
}

#[test]
fn a_kernel_has_the_times_in_which_it_ran() {
    let dir = tempfile::tempdir().unwrap();
    synth(dir.path());
    let cut = |pattern| analyzed(dir.path(), &["--emit", "trace", "--kernel", pattern]).trace();
    let part = cut("rop*");
    assert_eq!(part.problems, Vec::<String>::new());
    // The patterns are those of `whatif --scale kernel:PATTERN=F`.
    let lines = |trace: &Trace| trace.slices.iter().map(Slice::line).collect::<Vec<_>>();
    assert_eq!(lines(&cut("rop?")), lines(&part));
    let ropes: Vec<_> = part.slices.iter().filter(|slice| slice.name == "rope").collect();
    assert!(ropes.len() >= 2);
    for slice in part.slices.iter().filter(|slice| slice.arg("Global Idx").is_some()) {
        let runs = ropes.iter().any(|rope| rope.ts < slice.end() && slice.ts < rope.end());
        assert!(runs, "{}", slice.line());
    }
    let out = dir.path().with_extension("out");
    let (dump, out) = (dir.path().to_str().unwrap(), out.to_str().unwrap());
    fails(&[dump, out, "--kernel", "no_such"], "no kernel or layer has this name; the run has: ");
    fails(&[dump, out, "--window", "5s:6s"], "nothing ran then; the run ends at ");
    let said = say(&[dump, out, "--window", "5s"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("write for example 100us:1.5ms"), "{}", said.stderr);
}
