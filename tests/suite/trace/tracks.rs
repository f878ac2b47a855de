//! The tree of tracks: whole even where it is empty.

use bigtpu_perfetto_protos::prost::Message;
use bigtpu_perfetto_protos::track_descriptor::StaticOrDynamicName;
use bigtpu_perfetto_protos::{Trace as Packets, trace_packet::Data};

use crate::support::case::{case, with_reference};
use crate::support::run::analyzed;
use crate::support::summary::table;
use crate::support::trace::Trace;

fn trace(name: &str) -> Trace {
    analyzed(&case(name).dump(), &["--perfetto"]).trace()
}

/// Tracks that every core has, with their rank among its children and their unit.
const OF_A_CORE: [(&str, i32, Option<&str>); 4] = [
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
        for (side, rank) in [("Kernel Function", 0), ("TX", 1), ("RX", 2)] {
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

/// A viewer unfolds what is alone at the top, and what is folded below shows its own track: all tracks are under one,
/// and the run is on the tracks of the cores themselves, critical path and steps above them.
#[test]
fn the_run_is_on_tracks_that_a_viewer_shows_at_once() {
    for case in with_reference().iter().filter(|case| case.host_trace().is_none()) {
        let run = analyzed(&case.dump(), &case.args());
        let bytes = std::fs::read(run.out_dir().join(crate::support::run::TRACE)).unwrap();
        let packets = Packets::decode(bytes.as_slice()).unwrap().packet;
        let tracks: Vec<_> = packets
            .iter()
            .filter_map(|packet| match &packet.data {
                Some(Data::TrackDescriptor(track)) => Some(track),
                // Viewers show these at the top.
                Some(Data::ClockSnapshot(_)) => panic!("{}: a snapshot of clocks", case.name),
                _ => None,
            })
            .collect();
        let roots: Vec<_> = tracks.iter().filter(|track| track.parent_uuid.is_none()).collect();
        assert_eq!(roots.len(), 1, "{}: {roots:?}", case.name);
        let own: Vec<_> = tracks.iter().filter(|t| t.parent_uuid == roots[0].uuid).collect();
        assert!(own.iter().all(|track| track.sibling_order_rank.is_some()), "{}", case.name);
        let trace = run.trace();
        let busy = |core: &str| {
            let prefix = format!("{core}/");
            trace.slices.iter().any(|slice| slice.track.starts_with(&prefix))
        };
        let cores = trace.tracks.iter().filter(|track| track.parent.is_none());
        for name in cores.map(|track| &track.name).filter(|name| name.starts_with("Core ")) {
            let is_core = StaticOrDynamicName::Name(name.clone());
            let core = own.iter().find(|t| t.static_or_dynamic_name.as_ref() == Some(&is_core));
            let core = core.unwrap_or_else(|| panic!("{}: no {name}", case.name));
            let has_slices = packets.iter().any(|packet| {
                let defaults = packet.trace_packet_defaults.as_ref();
                let defaults = defaults.and_then(|d| d.track_event_defaults.as_ref());
                defaults.is_some_and(|d| d.track_uuid == core.uuid)
            });
            assert_eq!(has_slices, busy(name), "{}: {name}", case.name);
        }
        let rank = |name: &str| trace.tracks.iter().find(|t| t.name == name).map(|t| t.rank);
        let order = ["Critical Path", "Steps", "Core 0", "Core 1", "CDMA"].map(rank);
        let order: Vec<_> = order.into_iter().flatten().collect();
        assert!(order.is_sorted() && order.len() > 1, "{}: {order:?}", case.name);
    }
}
