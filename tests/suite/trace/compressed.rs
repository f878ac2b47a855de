//! `--compress_trace` deflates packets inside the trace: smaller, and the same to a reader.

use std::fs;

use crate::support::case::{Case, case, with_reference};
use crate::support::run::{Finished, TRACE, analyzed};
use crate::support::trace::{Sample, Slice, Trace};

fn run(case: &Case, more: &[&str]) -> Finished {
    let mut args = case.args();
    args.extend(more.iter().map(|&arg| arg.to_owned()));
    analyzed(&case.dump(), &args)
}

fn size(run: &Finished) -> u64 {
    fs::metadata(run.out_dir().join(TRACE)).unwrap().len()
}

#[test]
fn a_compressed_trace_has_the_same_content() {
    for case in with_reference() {
        let (plain, small) = (run(&case, &[]), run(&case, &["--compress_trace"]));
        let (one, other) = (plain.trace(), small.trace());
        assert!(!one.compressed && other.compressed, "{}", case.name);
        let slices = |trace: &Trace| trace.slices.iter().map(Slice::line).collect::<Vec<_>>();
        let samples = |trace: &Trace| trace.samples.iter().map(Sample::line).collect::<Vec<_>>();
        assert!(slices(&one) == slices(&other), "{}: slices differ", case.name);
        assert!(samples(&one) == samples(&other), "{}: samples differ", case.name);
        assert_eq!(one.paths(), other.paths(), "{}", case.name);
        assert_eq!(one.attributes, other.attributes, "{}", case.name);
        assert!(size(&small) < size(&plain), "{}: {} bytes", case.name, size(&small));
    }
}

#[test]
fn a_long_trace_shrinks_to_a_fraction() {
    let case = case("aks-long-kernel");
    let (plain, small) = (run(&case, &[]), run(&case, &["--compress_trace"]));
    assert!(size(&small) * 3 < size(&plain), "{} of {} bytes", size(&small), size(&plain));
}
