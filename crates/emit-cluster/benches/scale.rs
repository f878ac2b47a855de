//! Time, memory and bytes of a join of many parts with its views:
//! `cargo bench -p bigtpu-emit-cluster --bench scale -- RANKS COMMANDS EVENTS DIR`.
//!
//! A ring of `RANKS` devices, with `COMMANDS` commands of ports on each and one launch for each 64 commands; `EVENTS` are
//! those of a dump (its stretches of states are one for each 50 events). If DIR has no parts, they are written there, and
//! that is all; else they are read and joined, and report, page and tables are written to `DIR.out`: the greatest
//! memory (Linux) is that of the join alone. Wrong links and fewer links than ranks end it with an error.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a bench")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use bigtpu_cluster::{
    CoreState, CoreStretch, DataCommand, DumpPart, Identity, JoinOptions, Launch, Rank,
    ThreadCommands, join,
};
use bigtpu_emit_cluster::{write_page, write_tables};
use bigtpu_output::{ByLibrary, OutDir};
use rayon::prelude::*;

/// A small generator of random numbers (splitmix64): seeds that differ little give numbers that have nothing in common.
struct Random(u64);

impl Random {
    fn next_below(&mut self, most: u64) -> i64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % most) as i64
    }
}

/// True time of a transfer of a link: its start, and when its data moved. All links of a step move together; the ranks'
/// own work between steps makes the moments of each step different.
struct Step {
    start: i64,
    section: u32,
}

fn steps(commands: usize) -> Vec<Step> {
    let mut random = Random(17);
    let mut now = 1_000_000;
    let per_operation = 64;
    let one = |at: usize| {
        now += if at.is_multiple_of(per_operation) {
            400_000 + random.next_below(40_000)
        } else {
            6_500
        };
        now += random.next_below(400);
        Step { start: now, section: (at / per_operation) as u32 }
    };
    (0..commands).map(one).collect()
}

/// ns; when the data of a step begin to move on the link that begins at a rank.
fn first(step: &Step, number: usize, rank: usize) -> i64 {
    let mut random = Random((number as u64) << 20 | rank as u64);
    let seed = random.next_below(1 << 40);
    random = Random(seed as u64);
    step.start + 500 + random.next_below(700)
}

fn part(rank: usize, ranks: usize, steps: &[Step], events: usize) -> DumpPart {
    let mut random = Random(rank as u64 * 7919 + 3);
    let offset = random.next_below(5_000_000);
    let drift = (random.next_below(80) - 40) as f64 * 1e-6;
    let own = |t: i64| ((t - offset) as f64 * (1.0 + drift)).round() as i64;
    let before = (rank + ranks - 1) % ranks;
    let thread = |receives: bool, random: &mut Random| {
        let commands = steps.iter().enumerate().map(|(number, step)| {
            let moved = first(step, number, if receives { before } else { rank });
            let late = if receives { 300 + random.next_below(40) } else { 0 };
            DataCommand {
                start: own(step.start + random.next_below(200)),
                first: own(moved + late),
                last: own(moved + late + 5_851),
                end: own(moved + late + 5_851 + if receives { 30 } else { 630 }),
                bytes: 65_536,
                kernel: 2,
                scope: step.section + 1,
                section: step.section,
                ..DataCommand::default()
            }
        });
        ThreadCommands {
            port: u32::from(receives),
            receives,
            is_anchored: true,
            has_moments: true,
            commands: commands.collect(),
            ..ThreadCommands::default()
        }
    };
    let threads = vec![thread(false, &mut random), thread(true, &mut random)];
    let window = (own(steps[0].start) - 900_000, own(steps[steps.len() - 1].start) + 100_000);
    let count = (events / 50).max(4);
    let length = (window.1 - window.0) / count as i64;
    let mut ends: Vec<i64> =
        (1..count as i64).map(|at| at * length - random.next_below(length as u64 / 2)).collect();
    ends.push(window.1 - window.0);
    let mut from = 0;
    let runs = ends.iter().enumerate().map(|(at, end)| {
        let ns = (end - std::mem::replace(&mut from, *end)) as u64;
        CoreStretch { state: CoreState::ALL[at % 5], ns }
    });
    let launches = steps.iter().step_by(64).map(|step| Launch {
        kernel: 0,
        start: own(step.start - 390_000),
        end: own(step.start - 1_000),
    });
    DumpPart {
        identity: Identity {
            host: format!("host{}", rank / 8),
            device: (rank % 8) as u32,
            chip: "AKS".to_owned(),
            ..Identity::default()
        },
        window,
        events: events as u64,
        kernels: vec!["matmul".to_owned(), "sg_api_c2c_all_gather".to_owned()],
        threads,
        runs: runs.collect(),
        launches: launches.collect(),
        has_commands: true,
        ..DumpPart::default()
    }
}

/// MiB; the most memory that the process had, on Linux.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib / 1024)
}

/// Writes the parts of all ranks.
fn generate(dir: &Path, [ranks, commands, events]: [usize; 3]) {
    std::fs::create_dir_all(dir).unwrap();
    let steps = steps(commands / 2);
    let write = |rank: usize| {
        let bytes = part(rank, ranks, &steps, events).encode().unwrap();
        std::fs::write(dir.join(format!("{rank:05}.part")), &bytes).unwrap();
        bytes.len()
    };
    let largest = (0..ranks).into_par_iter().map(write).max().unwrap_or(0);
    println!("{ranks} parts of {commands} commands, {events} events: at most {largest} bytes each");
    println!("  100 bytes a command and 1 byte a event allow {}", 100 * commands + events);
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let numbers: [usize; 3] = numbers.as_slice().try_into().unwrap_or([64, 1000, 100_000]);
    let [ranks, ..] = numbers;
    let named =
        std::env::args().skip(1).find(|arg| !arg.starts_with('-') && arg.parse::<u32>().is_err());
    let temporary = tempfile::tempdir().unwrap();
    let dir = named.as_ref().map_or_else(|| temporary.path().join("parts"), PathBuf::from);
    if !dir.is_dir() {
        generate(&dir, numbers);
        if named.is_some() {
            return;
        }
    }
    let begun = Instant::now();
    let told = |what: &str| {
        println!("{what}: {:.1} s, {:?} MiB", begun.elapsed().as_secs_f64(), peak());
    };
    let read = |rank: usize| {
        let bytes = std::fs::read(dir.join(format!("{rank:05}.part"))).unwrap();
        Rank { number: rank as u32, part: DumpPart::decode(&bytes).unwrap() }
    };
    let all: Vec<Rank> = (0..ranks).into_par_iter().map(read).collect();
    told("read");
    let joined = join(all, &JoinOptions::default()).unwrap();
    told("joined");
    let out = OutDir::create(&dir.with_extension("out")).unwrap();
    let report = serde_json::to_vec_pretty(&joined.cluster).unwrap();
    let mut written = vec![out.write("cluster.json", &ByLibrary(&report)).unwrap()];
    drop(report);
    told("report");
    written.push(write_page(&joined, &[], &out).unwrap());
    told("page");
    written.extend(write_tables(&joined, false, &out).unwrap());
    told("tables of operations and links");
    written.extend(write_tables(&joined, true, &out).unwrap());
    told("all tables");
    out.publish().unwrap();
    for file in written {
        println!("  {} bytes: {}", file.bytes, file.path.display());
    }
    let cluster = &joined.cluster;
    let wrong =
        cluster.links.iter().filter(|l| l.to.rank as usize != (l.from.rank as usize + 1) % ranks);
    println!(
        "{} links, {} wrong; {} operations; {} of {} orders violated; {:?}",
        cluster.links.len(),
        wrong.clone().count(),
        cluster.operations.len(),
        cluster.ledger.violations,
        cluster.ledger.orders,
        cluster.ledger.notes.english().first()
    );
    assert_eq!((wrong.count(), cluster.links.len()), (0, ranks));
}
