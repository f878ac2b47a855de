//! The answers on every dump of `fixtures/`, checked against sums over the command table.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bigtpu_answers::{Analysis, Depth, Report};
use bigtpu_machine::Hardware;
use bigtpu_measure::{Bandwidth, CommandTable};
use bigtpu_timeline::{BuildOptions, Dump, Profile};

/// The dump folders of all fixtures, by name.
fn dumps() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let entries = std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path().join("dump"));
    let mut dumps: Vec<PathBuf> = entries.filter(|p| p.join("global.profile").exists()).collect();
    dumps.sort();
    assert!(dumps.len() > 30, "{}", dumps.len());
    dumps
}

fn with_each(check: impl Fn(&str, &Profile<'_>, &Report)) {
    for path in dumps() {
        let dump = Dump::open(&path).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let analysis = Analysis::of_device(&profile);
        check(&path.display().to_string(), &profile, analysis.report(&profile));
    }
}

/// Number, duration and bytes of all commands that are no system commands.
fn work(profile: &Profile<'_>) -> (u64, i64, u64) {
    let mut sums = (0, 0, 0);
    let table = CommandTable::decode(profile);
    for command in table.all_commands(profile).flat_map(|commands| commands.iter()) {
        if command.kind.activity.is_work() {
            sums.0 += 1;
            sums.1 += command.end() - command.start();
            sums.2 += command.bytes();
        }
    }
    sums
}

#[test]
fn phases_fill_the_wall_time_that_the_summary_shows() {
    with_each(|name, profile, report| {
        // The summary counts a port whose clock nothing binds to the cores; the wall time does not.
        if profile.ports.iter().any(|port| !port.is_placed) {
            return;
        }
        let wall = Analysis::of_device(profile).summary(profile).total_ns.unwrap_or(0);
        let all = &report.intervals;
        assert_eq!(all.cores.len(), profile.cores.len(), "{name}");
        for i in all.cores.iter().chain([&all.overall]) {
            let phases =
                [i.compute_only_ns, i.transfer_only_ns, i.overlapped_ns, i.sync_ns, i.idle_ns];
            assert!(phases.iter().all(|ns| *ns >= 0), "{name}: {i:?}");
            assert_eq!(phases.iter().sum::<i64>(), wall, "{name}: {i:?}");
        }
    });
}

/// Where the next launch prefetches, scopes interleave: each is one launch still.
#[test]
fn a_launch_is_all_events_of_a_scope_on_a_core() {
    with_each(|name, profile, report| {
        for (core, launches) in profile.cores.iter().zip(&report.launches) {
            let mut scopes: BTreeMap<u32, (i64, i64)> = BTreeMap::new();
            for track in &core.tracks {
                for (i, (&start, &end)) in
                    track.events.start.iter().zip(&track.events.end).enumerate()
                {
                    let tag = profile.tag(track, i);
                    let Some(scope) = tag.scope.filter(|_| tag.kernel.is_some()) else { continue };
                    let span = scopes.entry(scope).or_insert((start, end));
                    *span = (span.0.min(start), span.1.max(end));
                }
            }
            if !scopes.is_empty() {
                assert_eq!(launches.launches, scopes.len() as u64, "{name} core {}", launches.core);
            }
        }
    });
    // Interleaved scopes; slices of consecutive events would be 8 and 13.
    for (name, kernel, launches) in [("bm1688-mode1", "matmul", 4), ("cv84x6-rvt", "", 6)] {
        let path = dumps().into_iter().find(|path| path.parent().unwrap().ends_with(name)).unwrap();
        let dump = Dump::open(&path).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let analysis = Analysis::of_device(&profile);
        let kernels = &analysis.report(&profile).kernels;
        println!(
            "{name} {:?}",
            kernels.iter().map(|k| (&k.kernel, k.launches)).collect::<Vec<_>>()
        );
        let found: u64 =
            kernels.iter().filter(|k| k.kernel.contains(kernel)).map(|k| k.launches).sum();
        assert_eq!(found, launches, "{name}");
    }
}

#[test]
fn groupings_hold_all_work() {
    with_each(|name, profile, report| {
        let expected = work(profile);
        for grouping in &report.groupings {
            let groups = || grouping.groups.iter();
            let found = (
                groups().map(|g| g.count).sum::<u64>(),
                groups().map(|g| g.total_ns).sum::<i64>(),
                groups().map(|g| g.bytes).sum::<u64>(),
            );
            assert_eq!(found, expected, "{name}: by {}", grouping.by.name());
        }
    });
}

#[test]
fn bubbles_and_busy_time_fill_the_window_of_every_engine() {
    with_each(|name, _, report| {
        let overall = &report.intervals.overall;
        for engine in &overall.engines {
            let own = |g: &&bigtpu_answers::CauseCost| {
                (&g.engine, g.index) == (&engine.engine, engine.index)
            };
            let bubbles: i64 = report.gaps.causes.iter().filter(own).map(|g| g.total_ns).sum();
            let of_engine = report
                .gaps
                .engines
                .iter()
                .find(|of| (&of.engine, of.index) == (&engine.engine, engine.index));
            let Some(of) = of_engine else {
                // It worked from the first to the last moment, or is not on the common time line.
                assert!(bubbles == 0, "{name}: {engine:?}");
                continue;
            };
            assert_eq!(bubbles + engine.busy_ns, overall.wall_ns, "{name}: {engine:?}");
            assert_eq!((of.busy_ns, of.total_ns), (engine.busy_ns, bubbles), "{name}: {engine:?}");
            let listed: i64 = of.gaps.iter().map(|gap| gap.ns()).sum();
            assert_eq!(listed + of.rest_ns, of.total_ns, "{name}: {engine:?}");
            assert_eq!(of.gaps.len() as u64 + of.rest_count, of.count, "{name}: {engine:?}");
        }
        let between = report.gaps.engines.iter().flat_map(|of| &of.gaps);
        let between = between.filter(|gap| gap.before.is_some() && gap.after.is_some()).count();
        // What one list has no other denies.
        assert!(between == 0 || !report.gaps.longest.is_empty(), "{name}");
        for gap in report.gaps.engines.iter().flat_map(|of| &of.gaps) {
            let Some(end) = gap.ended_by() else { continue };
            assert!(end.lag_ns <= gap.ns() + 200, "{name}: {gap:?}");
        }
        for gap in &report.gaps.longest {
            let parts = gap.sync_ns + gap.other_engine_ns + gap.idle_ns;
            assert_eq!(parts, gap.ns(), "{name}: {gap:?}");
        }
    });
}

/// What is asked for first and last, alone and together with what is deeper, is the same.
#[test]
fn each_depth_has_what_deeper_ones_have() {
    with_each(|name, profile, report| {
        let whole = Analysis::of_device(profile);
        whole.deepen(profile, Depth::Answers);
        for depth in [Depth::Commands, Depth::Causes, Depth::Drawn] {
            let own = Analysis::of_device(profile);
            own.deepen(profile, depth);
            assert_eq!(own.depth(), depth, "{name}");
            assert_eq!(own.steps(profile), whole.steps(profile), "{name}");
            assert_eq!(own.wall_ns(profile), report.intervals.overall.wall_ns, "{name}");
            assert_eq!(own.depth(), depth, "{name}");
            assert_eq!(own.event_causes(profile), whole.event_causes(profile), "{name}");
            assert_eq!(own.critical_path(profile), whole.critical_path(profile), "{name}");
            assert!(own.depth() <= Depth::Causes.max(depth), "{name}");
            assert_eq!(own.gaps(profile), whole.gaps(profile), "{name}");
            assert_eq!(own.units(profile), whole.units(profile), "{name}");
            assert_eq!(own.report(profile), report, "{name}");
            assert_eq!(own.depth(), Depth::Answers, "{name}");
        }
    });
}

#[test]
fn a_report_is_the_same_for_any_number_of_threads_and_survives_json() {
    with_each(|name, profile, report| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let single = Analysis::of_device(profile);
        let single = pool.install(|| single.report(profile));
        let text = serde_json::to_string(report).unwrap();
        assert_eq!(serde_json::to_string(single).unwrap(), text, "{name}");
        let back: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(&back, report, "{name}");
    });
}

/// The bandwidth of a core of real hardware never stands above the roof of a core that has the DDR for itself, which is the one
/// that the page draws its curve under. Steps of a few ns are the rounding of short commands.
#[test]
fn no_bandwidth_of_real_hardware_is_above_its_roof() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/real");
    let mut shared = false;
    for name in [
        "cdm_profile_data_dev0_bm1690",
        "bmprofile_data-1_bm1688",
        "bmprofile_data_bm1688_2core",
        "bmprofile_data-1_bm1684x",
        "bmprofile_data-1_cv184x",
    ] {
        let dump = Dump::open(&root.join(name)).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let table = CommandTable::decode(&profile);
        let hardware = Hardware::of_chip(profile.chip, profile.clocks.tiu_mhz as f64);
        let roof = hardware.ddr_gbps_both_ways(1).unwrap();
        let mut most = 0.0_f64;
        for core in &profile.cores {
            let steps: Vec<_> = Bandwidth::compute(&profile, &table, core).collect();
            let long = steps.windows(2).filter(|two| two[1].time - two[0].time >= 200);
            most = long.map(|two| two[0].ddr_gbps).fold(most, f64::max);
        }
        assert!(most > 0.0 && most <= 1.02 * roof, "{name}: {most} GB/s under {roof}");
        // Above the share of a core while all cores use the DDR: one of them was alone.
        shared |= most > 1.3 * hardware.ddr_gbps.unwrap();
    }
    assert!(shared);
}
