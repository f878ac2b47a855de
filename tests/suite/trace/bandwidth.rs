//! Each core's DDR and L2M bandwidth over time, GDMA and SDMA together.

use std::collections::BTreeSet;

use crate::support::case::{Case, case, with_reference};
use crate::support::run::analyzed;
use crate::support::trace::{Sample, Slice, Trace};

/// A counter and the argument of slices that it sums up.
const SIDES: [(&str, &str); 2] =
    [("DDR Bandwidth", "DDR Bandwidth(GB/s)"), ("L2M Bandwidth", "L2M Bandwidth(GB/s)")];

fn trace(case: &Case) -> Trace {
    analyzed(&case.dump(), &["--perfetto"]).trace()
}

fn transfers(trace: &Trace, core: usize) -> Vec<&Slice> {
    ["GDMA", "SDMA"].iter().flat_map(|e| trace.slices_on(&format!("Core {core}/{e}"))).collect()
}

fn cores(trace: &Trace) -> usize {
    trace.paths().iter().filter(|path| path.starts_with("Core ") && !path.contains('/')).count()
}

/// Bytes that a counter shows: GB/s over ns.
fn integral(samples: &[&Sample]) -> f64 {
    samples.windows(2).map(|pair| pair[0].value * (pair[1].ts - pair[0].ts) as f64).sum()
}

#[test]
fn every_core_that_moves_data_has_both_counters() {
    for case in with_reference() {
        let trace = trace(&case);
        for core in 0..cores(&trace) {
            let moves = !transfers(&trace, core).is_empty();
            for (name, _) in SIDES {
                let path = format!("Core {core}/{name}");
                let defined = trace.paths().contains(&path.as_str());
                assert_eq!(defined, moves, "{}: {path}", case.name);
                if defined {
                    assert_eq!(trace.track(&path).unit.as_deref(), Some("GB/s"));
                }
            }
        }
    }
}

#[test]
fn bandwidth_is_never_negative_and_ends_at_zero() {
    let mut counters = BTreeSet::new();
    for case in with_reference() {
        let trace = trace(&case);
        for (path, core) in (0..cores(&trace))
            .flat_map(|core| SIDES.map(|(name, _)| (format!("Core {core}/{name}"), core)))
        {
            let samples = trace.samples_on(&path);
            let Some(last) = samples.last() else { continue };
            assert!(samples.iter().all(|s| s.value >= 0.0), "{}: {path}", case.name);
            assert_eq!(last.value, 0.0, "{}: {path}", case.name);
            assert!(samples.windows(2).all(|p| p[0].ts < p[1].ts && p[0].value != p[1].value));
            let latest = transfers(&trace, core).iter().map(|slice| slice.end()).max();
            assert!(Some(last.ts) <= latest, "{}: {path} goes on after the last", case.name);
            counters.insert((case.name.clone(), path));
        }
    }
    assert!(counters.len() > 40, "only {} counters", counters.len());
}

/// On AKS a transfer counts on the one side whose bandwidth is a number with decimals.
#[test]
fn bandwidth_over_time_is_the_bytes_moved() {
    let mut total = 0.0;
    for name in ["aks-mode2-sync", "aks-mode1-batch", "aks-graph-mixed", "aks-mode0-cdma"] {
        let trace = trace(&case(name));
        for (core, (counter, arg)) in
            (0..cores(&trace)).flat_map(|core| SIDES.map(|side| (core, side)))
        {
            let transfers = transfers(&trace, core).into_iter().filter(|slice| slice.dur > 0);
            let counted: Vec<&Slice> = transfers
                .filter(|slice| slice.categories != ["sys"])
                .filter(|slice| {
                    slice.arg(arg).and_then(|gbps| gbps.double()).is_some_and(|gbps| gbps > 0.0)
                })
                .collect();
            let bytes: i128 =
                counted.iter().map(|s| s.arg("DMA data size(B)").unwrap().int().unwrap()).sum();
            // Bandwidths have 4 decimals.
            let rounding: f64 = counted.iter().map(|slice| slice.dur as f64 * 0.000_051).sum();
            let found = integral(&trace.samples_on(&format!("Core {core}/{counter}")));
            let off = (found - bytes as f64).abs();
            assert!(off <= rounding, "{name}, core {core}: {counter} {found}, moved {bytes}");
            total += found;
        }
    }
    assert!(total > 1e6, "hardly anything was moved: {total}");
}
