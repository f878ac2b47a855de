//! Kernels: a launch spans everything that it dispatched, on every core and port that it ran on.

use crate::support::case::{case, with_reference};
use crate::support::run::analyzed;
use crate::support::trace::{Slice, Trace, Value};

const ARG: &str = "Kernel Function";

/// The core that a slice of an engine is of.
fn core(slice: &Slice) -> Option<&str> {
    let (core, engine) = slice.track.split_once('/')?;
    // A gap may lie before the launch of the command that it is named by.
    let is_command = !engine.starts_with(ARG) && !engine.starts_with("Gaps/");
    (core.starts_with("Core ") && is_command).then_some(core)
}

/// Whether a launch of the slice's kernel on its core spans it.
fn is_spanned(slice: &Slice, core: &str, kernel: &str, trace: &Trace) -> bool {
    trace
        .slices_on(&format!("{core}/{ARG}"))
        .iter()
        .any(|launch| launch.name == kernel && launch.ts <= slice.ts && slice.end() <= launch.end())
}

#[test]
fn every_command_of_a_kernel_lies_in_a_launch_of_it() {
    let mut commands = 0;
    for case in with_reference().iter().filter(|case| case.name != "aks-long-kernel") {
        let trace = analyzed(&case.dump(), &case.args()).trace();
        for slice in &trace.slices {
            let (Some(core), Some(kernel)) = (core(slice), slice.arg(ARG)) else { continue };
            let spanned = is_spanned(slice, core, kernel.text().unwrap(), &trace);
            assert!(spanned, "{}: no launch around {}", case.name, slice.line());
            commands += 1;
        }
    }
    assert!(commands > 500, "only {commands} commands of kernels");
}

#[test]
fn a_kernel_that_runs_on_ports_and_cores_is_shown_on_both() {
    let trace = analyzed(&case("aksv-mode2-cdma").dump(), &["--perfetto"]).trace();
    let kernel = "c2c_all_reduce";
    for port in 0..3 {
        let launches = trace.slices_on(&format!("CDMA/CDMA port{port}/CDMA port{port} {ARG}"));
        assert!(launches.iter().any(|launch| launch.name == kernel), "port {port}");
    }
    let tag = Value::Text(kernel.to_owned());
    let cores: Vec<&str> =
        trace.slices.iter().filter(|s| s.arg(ARG) == Some(&tag)).filter_map(core).collect();
    assert!(!cores.is_empty());
    for core in cores {
        let launches = trace.slices_on(&format!("{core}/{ARG}"));
        assert!(launches.iter().any(|launch| launch.name == kernel), "{core}");
    }
}
