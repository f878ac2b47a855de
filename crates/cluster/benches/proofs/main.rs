//! The proofs of the cluster analysis against what really happened in generated clusters, as a table.
//!
//! `cargo bench -p bigtpu-cluster --bench proofs -- [RUNS [SEED [NAME...]]]`: RUNS (500) is the number of clusters of the
//! longest row, the others take a share of it. NAME selects rows: links, lost, stated, clocks, operations, faults, states,
//! predictions, gains, mutants.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a bench prints its results")]
#![allow(clippy::print_stderr, clippy::expect_used, reason = "a bench is run by hand")]
#![allow(dead_code, reason = "the support of tests is shared")]

mod clocks;
mod faults;
mod gains;
mod links;
mod mutants;
mod operations;
mod pairs;
mod predictions;
mod random;
mod states;
#[path = "../../tests/support/mod.rs"]
mod support;
mod table;
mod variety;

use table::Table;

/// Proves rows with so many runs from a seed.
type Prove = fn(u64, u64, &mut Table);

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let number = |at: usize, default: u64| {
        args.get(at).map_or(default, |text| text.parse().expect("a number"))
    };
    let (runs, seed) = (number(0, 500), number(1, 1));
    let names = args.get(2..).unwrap_or_default();
    let rows: [(&str, Prove); 10] = [
        ("links", links::prove),
        ("lost", links::lost),
        ("stated", links::stated),
        ("clocks", clocks::prove),
        ("operations", operations::prove),
        ("faults", faults::prove),
        ("states", states::prove),
        ("predictions", predictions::prove),
        ("gains", gains::prove),
        ("mutants", mutants::prove),
    ];
    if let Some(run) = names.first().and_then(|name| name.strip_prefix("run:")) {
        return links::debug(seed, run.parse().expect("a number"));
    }
    if let Some(run) = names.first().and_then(|name| name.strip_prefix("late:")) {
        return faults::debug(seed, run.parse().expect("a number"));
    }
    if let Some(run) = names.first().and_then(|name| name.strip_prefix("lost:")) {
        return links::debug_lost(seed, run.parse().expect("a number"));
    }
    let mut table = Table::default();
    for (name, prove) in rows {
        if names.is_empty() || names.iter().any(|own| own == name) {
            let start = std::time::Instant::now();
            prove(runs, seed, &mut table);
            eprintln!("{name}: {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    table.print();
}
