//! Without a word of the TPU, host and device each keep their own time.

use super::super::{CASE, first_on_device, is_device, merge};
use super::{file, host_lines, merged, shown};
use crate::support::case::case;
use crate::support::multiset::assert_same;
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Trace};

const UNALIGNED: &str = "host and device are not aligned";

#[test]
fn without_an_anchor_the_device_stays_and_a_warning_says_so() {
    let run = merge(&file(), &[]);
    assert!(run.said.stderr.contains(UNALIGNED), "{}", run.said.stderr);
    assert!(run.said.stderr.starts_with("warning: "));
    let alone = analyzed(&case(CASE).dump(), &["--perfetto"]).trace();
    let device = |trace: &Trace| -> Vec<String> {
        let slices = trace.slices.iter().filter(|slice| is_device(&slice.track));
        slices.map(Slice::line).collect()
    };
    let trace = run.trace();
    assert_eq!(first_on_device(&trace), first_on_device(&alone));
    assert_same("device slices", device(&alone), device(&trace));
}

#[test]
fn the_device_can_be_put_at_the_hosts_start() {
    let run = merge(&file(), &["--host_align", "start"]);
    assert!(run.said.stderr.contains("not aligned"), "{}", run.said.stderr);
    let alone = first_on_device(&analyzed(&case(CASE).dump(), &["--perfetto"]).trace());
    let host = shown().iter().map(|event| event.start().ns()).min().unwrap();
    assert_eq!(first_on_device(&run.trace()), host + alone);
    assert_same("host slices", host_lines(&merged()), host_lines(&run.trace()));
}
