//! The tree of tracks: whole even where it is empty.

use crate::support::case::{case, with_reference};
use crate::support::run::analyzed;
use crate::support::summary::table;
use crate::support::trace::Trace;

fn trace(name: &str) -> Trace {
    analyzed(&case(name).dump(), &["--perfetto"]).trace()
}

/// Tracks that every core has, with their rank among its children and their unit.
const OF_A_CORE: [(&str, i32, Option<&str>); 5] = [
    ("Kernel Function", 0, None),
    ("TIU", 2, None),
    ("TIU Utilization", 3, Some("%")),
    ("GDMA", 4, None),
    ("GDMA Bandwidth", 5, Some("GB/s")),
];

#[test]
fn every_core_has_its_tracks_even_if_idle() {
    for case in with_reference() {
        let run = analyzed(&case.dump(), &case.args());
        let trace = run.trace();
        let cores = table(&run.text("summary.txt"), "Summary").len() - 1;
        for core in 0..cores {
            let root = format!("Core {core}");
            assert_eq!(trace.track(&root).parent, None, "{}", case.name);
            for (name, rank, unit) in OF_A_CORE {
                let track = trace.track(&format!("{root}/{name}"));
                assert_eq!(track.parent.as_ref(), Some(&root), "{}: {name}", case.name);
                assert_eq!(
                    (track.rank, track.unit.as_deref()),
                    (Some(rank), unit),
                    "{}",
                    case.name
                );
            }
        }
        assert!(!trace.paths().contains(&format!("Core {cores}").as_str()), "{}", case.name);
    }
}

#[test]
fn idle_cores_are_there_and_empty() {
    // One file, but `core_num` says three.
    let trace = trace("aks-two-monitor-blocks");
    for core in [1, 2] {
        assert!(trace.paths().contains(&format!("Core {core}/TIU").as_str()));
        let prefix = format!("Core {core}/");
        assert!(!trace.slices.iter().any(|slice| slice.track.starts_with(&prefix)));
        assert!(!trace.samples.iter().any(|sample| sample.track.starts_with(&prefix)));
    }
}

#[test]
fn an_idle_sdma_has_no_track() {
    let trace = trace("aksv-mode1");
    assert!(!trace.paths().iter().any(|path| path.contains("SDMA")));
}

#[test]
fn ports_are_below_cdma_with_a_track_for_each_direction() {
    let trace = trace("aksv-mode2-cdma");
    assert_eq!(trace.track("CDMA").parent, None);
    for port in 0..3 {
        let name = format!("CDMA port{port}");
        let of_port = |track: &str| trace.track(&format!("CDMA/{track}")).parent.clone();
        assert_eq!(of_port(&name).as_deref(), Some("CDMA"));
        assert_eq!(of_port(&format!("{name} Kernel Function")).as_deref(), Some("CDMA"));
        for (side, rank) in [("TX", 0), ("RX", 1)] {
            let track = trace.track(&format!("CDMA/{name}/{name} {side}"));
            assert_eq!((track.name.as_str(), track.rank), (&*format!("{name} {side}"), Some(rank)));
        }
        let on = |side: &str| trace.slices_on(&format!("CDMA/{name}/{name} {side}"));
        assert!(!on("TX").is_empty() && !on("RX").is_empty(), "port {port}");
        assert!(on("TX").iter().all(|slice| !slice.name.contains("receive")));
        assert!(on("RX").iter().all(|slice| slice.name != "send"));
    }
    let absent = "CDMA/CDMA port3";
    assert!(!trace.paths().contains(&absent));
}
