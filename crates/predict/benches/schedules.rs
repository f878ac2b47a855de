//! Schedules of 64 stages, 1024 microbatches and 2 chunks: `cargo bench -p bigtpu-predict --bench schedules`.
#![allow(missing_docs, clippy::unwrap_used, reason = "benches")]

use bigtpu_predict::pipeline::{Cost, Plan, Schedule};

fn main() {
    divan::main();
}

#[divan::bench(args = Schedule::ALL, sample_count = 5)]
fn simulate(bencher: divan::Bencher<'_, '_>, schedule: Schedule) {
    let chunks = if schedule.takes_chunks() { 2 } else { schedule.usual_chunks() };
    let plan = Plan {
        chunks: Some(chunks),
        ..Plan::uniform(schedule, 64, 1024, Cost::new(1315, 2733, 2650))
    };
    bencher.bench(|| plan.simulate().unwrap());
}
