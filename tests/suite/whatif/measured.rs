//! Without a change the replay gives the measured times again: `whatif` refuses a dump for which it does not.

use super::{ns, synth, whatif};
use crate::support::case;
use crate::support::run::{finish, tool};
use crate::support::trace::Trace;

#[test]
fn every_fixture_replays_as_measured() {
    let mut replayed = 0;
    for case in case::all() {
        let answer = whatif(&case.dump(), &["--scale", "sync=1"]);
        assert_eq!(answer["measured_ns"], answer["predicted_ns"], "{}", case.name);
        let path = answer["critical_path"].as_array().unwrap();
        let sum: i64 = path.iter().map(|piece| ns(piece, "ns")).sum();
        assert_eq!(sum, ns(&answer, "measured_ns"), "{}", case.name);
        for kernel in answer["by_kernel"].as_array().unwrap() {
            assert_eq!(kernel["measured_ns"], kernel["predicted_ns"], "{} {kernel}", case.name);
        }
        replayed += usize::from(ns(&answer, "measured_ns") > 0);
    }
    assert!(replayed > 30, "{replayed}");
}

#[test]
fn every_synthetic_dump_replays_as_measured() {
    let keep = tempfile::tempdir().unwrap();
    for chip in ["aks", "aksv", "bm1688", "cv84x6"] {
        for (style, mode) in [
            ("op", "0"),
            ("op", "1"),
            ("op", "2"),
            ("graph", "2"),
            ("bmodel", "2"),
            ("bmodel", "0"),
        ] {
            for more in [&["--seed", "3"][..], &["--loss", "0.05", "--disorder", "0.1"]] {
                let dump = keep.path().join(format!("{chip}-{style}-{mode}-{}", more.len()));
                let base = ["--chip", chip, "--style", style, "--mode", mode];
                synth(&dump, &[&base[..], &["--launches", "7", "--repeat", "3"], more].concat());
                let answer = whatif(&dump, &["--scale", "sync=1"]);
                assert_eq!(answer["measured_ns"], answer["predicted_ns"], "{dump:?}");
            }
        }
    }
}

/// Without the core that submits to them, ports in mode 0 are bound to nothing and count from origins of their own: they have no
/// part in the run, and move nothing of it.
#[test]
fn ports_without_a_place_move_no_other_engine() {
    let keep = tempfile::tempdir().unwrap();
    let (dump, out) = (keep.path().join("dump"), keep.path().join("out"));
    synth(&dump, &["--mode", "0", "--cdma", "2", "--launches", "11", "--seed", "1"]);
    std::fs::remove_file(dump.join("cdmlib0_7.profile")).unwrap();
    let mut whatif = tool();
    let said = finish(whatif.arg("whatif").arg(&dump).args(["--scale", "sync=1", "-o"]).arg(&out));
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let trace = Trace::open(&out.join("whatif.pftrace"));
    let times = |run: &str, track: &str| -> Vec<(i64, i64)> {
        let slices = trace.slices_on(&format!("{run}/{track}"));
        slices.iter().map(|slice| (slice.ts, slice.dur)).collect()
    };
    let port = times("Measured", "CDMA/CDMA port1")[0].0;
    for track in ["Core 0/GDMA", "Core 3/TIU", "CDMA/CDMA port1"] {
        let measured = times("Measured", track);
        assert!(measured[0].0 >= port, "the port began before the run");
        assert_eq!(times("Predicted", track), measured, "{track}");
    }
}
