//! Without a word of the TPU, host and device each keep their own time.

use super::super::{CASE, first_on_device, is_device, merge};
use super::{file, host_lines, merged, shown};
use crate::support::case::case;
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::Trace;

const UNALIGNED: &str = "host and device are not aligned";

#[test]
fn without_an_anchor_both_start_together_with_a_warning() {
    let run = merge(&file(), &[]);
    assert!(run.said.stderr.contains(UNALIGNED), "{}", run.said.stderr);
    assert!(run.said.stderr.starts_with("warning: "));
    let alone = analyzed(&case(CASE).dump(), &["--perfetto"]).trace();
    let host = shown().iter().map(|event| event.start().ns()).min().unwrap();
    let trace = run.trace();
    assert_eq!(first_on_device(&trace), host + first_on_device(&alone));
    let device =
        |trace: &Trace| trace.slices.iter().filter(|slice| is_device(&slice.track)).count();
    assert_eq!(device(&trace), device(&alone), "every device slice is there");
}

#[test]
fn host_align_start_starts_both_together() {
    let run = merge(&file(), &["--host_align", "start"]);
    assert!(run.said.stderr.contains("not aligned"), "{}", run.said.stderr);
    assert_eq!(first_on_device(&run.trace()), first_on_device(&merged()));
    assert_same("host slices", host_lines(&merged()), host_lines(&run.trace()));
}
