//! Time and memory of a run's graph, its first replay and further ones: `BENCH_LAUNCHES=12500 cargo bench -p bigtpu-replay`
//! for 5 million events. `BENCH_LAUNCHES` sets the launches on each of 8 cores; a launch is about 400 events on all of them.
//!
//! Memory is that of the process (Linux); `MALLOC_MMAP_THRESHOLD_=65536` makes the C library give freed memory back at once, else
//! what it keeps counts too. It is of the whole process, so this is a program of its own: what one part leaves behind is not the next
//! one's.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches")]

use std::time::Instant;

use bigtpu_measure::{CommandTable, CommandWaits, sync_flows};
use bigtpu_replay::{Predictor, Replay, Resource, ResourceChange};
use bigtpu_synth::{Options, Style, write};
use bigtpu_timeline::{Dump, Profile};

fn main() {
    let launches = std::env::var("BENCH_LAUNCHES").ok().and_then(|n| n.parse().ok());
    let mut options = Options::of_chip("aks").unwrap();
    (options.mode, options.launches, options.style) = (2, launches.unwrap_or(500), Style::Op);
    let dir = tempfile::tempdir().unwrap();
    write(&options, dir.path()).unwrap();
    let dump = Dump::open(dir.path()).unwrap();
    let profile = Profile::build(&dump, &bigtpu_timeline::BuildOptions::default());
    let table = CommandTable::decode(&profile);
    let flows = sync_flows(&profile, &table);
    let waits = CommandWaits::find(&profile, &table);
    let events = profile.event_count() as f64;
    println!("{events} events");

    let before = resident("VmRSS:");
    // The peak from here on.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let replay = measured("graph and first replay", events, || {
        Replay::build(&profile, &table, &flows, waits).unwrap()
    });
    let peak = resident("VmHWM:") - before;
    println!(
        "memory: {:.0} bytes an event while it is built, {:.0} afterwards",
        peak / events,
        (resident("VmRSS:") - before) / events
    );
    let predictor =
        measured("fit of the transfers", events, || Predictor::fit(replay, &profile, &table));
    let change = [ResourceChange::faster(Resource::Ddr, 2.0)];
    for _ in 0..5 {
        measured("prediction with DDR x2", events, || predictor.predict(&change).unwrap());
    }
    measured("sensitivity table", events, || predictor.sensitivity());
}

/// Calls `work`, and prints how long it took.
fn measured<T>(name: &str, events: f64, work: impl FnOnce() -> T) -> T {
    let (begin, cpu) = (Instant::now(), cpu_seconds());
    let result = work();
    let (wall, cpu) = (begin.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    println!(
        "{name}: {wall:.3} s, {cpu:.3} s of processor time, {:.1} ns an event",
        wall / events * 1e9
    );
    result
}

/// A line of the process's status, in bytes; 0 where there is none.
fn resident(name: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0)
        * 1024.0
}

/// Time of all threads, in ticks of 10 ms; it does not count what other programs take.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: f64 = fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    ticks / 100.0
}
