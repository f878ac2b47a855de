//! Damage of no particular kind: whatever the bytes, there is no panic, and the trace is sound.

use std::fs;

use crate::support::dump::DumpCopy;
use crate::support::run::TRACE;

const CASES: [&str; 6] = [
    "aks-graph-mixed",
    "aksv-mode2-cdma",
    "aksv-rvt",
    "bm1688-bmodel",
    "bm1688-mode1",
    "cv84x6-mode2-every-command",
];

/// Rounds of damage for each case.
const ROUNDS: u64 = 12;

/// Random numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next_below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn damage(file: &mut Vec<u8>, numbers: &mut Numbers) {
    let at = numbers.next_below(file.len());
    match numbers.next_below(4) {
        0 => file.truncate(at),
        1 => {
            for _ in 0..=numbers.next_below(20) {
                let at = numbers.next_below(file.len());
                file[at] = numbers.next_below(256) as u8;
            }
        }
        // Lengths and counts are where large numbers hurt.
        2 => file[at & !3..].iter_mut().take(4).for_each(|byte| *byte = 0xff),
        _ => {
            let gone = at..file.len().min(at + numbers.next_below(64));
            file.drain(gone);
        }
    }
}

#[test]
fn no_bytes_cause_a_panic_or_an_invalid_trace() {
    for (number, case) in (1..).zip(CASES) {
        for round in 0..ROUNDS {
            let dump = DumpCopy::copy(case);
            let mut numbers = Numbers(number * 1000 + round);
            let mut names: Vec<String> = fs::read_dir(dump.path())
                .unwrap()
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .filter(|name| name != "global.profile")
                .collect();
            names.sort();
            for name in names {
                let mut file = dump.read(&name);
                damage(&mut file, &mut numbers);
                dump.write(&name, file);
            }
            let run = dump.analyze(&["--emit", "text,report,trace,summary"]);
            assert_eq!(run.said.code, Some(0), "{case}, round {round}: {}", run.said.stderr);
            assert!(run.names().contains(&TRACE.to_owned()), "{case}, round {round}");
            run.trace();
        }
    }
}
