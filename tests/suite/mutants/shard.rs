//! Most mutants are analyzed in this process's children, many in each, which is faster than a process for each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::{Command, Stdio};

use bigtpu_fuzz_support::{Views, analyze};

use crate::support::run::ONE_ARENA;

use super::{IN_PROCESS, MOST_KIB, MOST_SECONDS, numbered_mutant, open, sound};

/// Where a child finds the numbers of its mutants.
const RANGE: &str = "MUTANTS";

/// Children at once.
const SHARDS: u64 = 2;

#[test]
fn mutants_end_with_valid_outputs() {
    let length = IN_PROCESS / SHARDS;
    let children: Vec<_> = (0..SHARDS)
        .map(|shard| {
            let mut command = Command::new("sh");
            command.args(["-c", r#"ulimit -v "$1"; shift; exec "$@""#, "sh"]);
            command.arg(MOST_KIB.to_string()).arg(std::env::current_exe().unwrap());
            command.args([
                "suite::mutants::shard::one_shard",
                "--exact",
                "--ignored",
                "--nocapture",
            ]);
            command.env(ONE_ARENA.0, ONE_ARENA.1);
            command.env(RANGE, format!("{}-{}", shard * length, (shard + 1) * length));
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in children {
        let ended = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&ended.stdout), text(&ended.stderr));
        assert!(ended.status.success(), "{:?}\n{out}\n{err}", ended.status);
        assert!(out.contains(&format!("{length} mutants ended well")), "{out}\n{err}");
    }
}

#[test]
#[ignore = "a part of mutants_end_with_valid_outputs, which runs it"]
fn one_shard() {
    let range = std::env::var(RANGE).unwrap_or_else(|_| "0-20".to_owned());
    let (from, to) = range.split_once('-').unwrap();
    let (from, to): (u64, u64) = (from.parse().unwrap(), to.parse().unwrap());
    let sound = sound();
    // On one thread, whose time can be taken.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let mut failed = Vec::new();
    for number in from..to {
        let mutant = numbered_mutant(&sound, number);
        let run = || pool.install(|| one(&mutant.files, number));
        match catch_unwind(AssertUnwindSafe(run)) {
            Ok(seconds) if seconds <= f64::from(MOST_SECONDS) => {}
            Ok(seconds) => failed.push(format!("{number} took {seconds} s: {:?}", mutant.damage)),
            Err(_) => failed.push(format!("{number} panicked: {:?}", mutant.damage)),
        }
    }
    assert!(failed.is_empty(), "{} mutants:\n{}", failed.len(), failed.join("\n"));
    println!("{} mutants ended well", to - from);
}

/// Analyzes a mutant. Returns the seconds that the thread worked.
fn one(files: &bigtpu_fuzz_support::DumpFiles, number: u64) -> f64 {
    let dir = tempfile::tempdir().unwrap();
    let (input, output) = (dir.path().join("dump"), dir.path().join("out"));
    std::fs::create_dir(&input).unwrap();
    files.write(&input);
    let views = Views {
        workbook: number.is_multiple_of(2),
        page: number.is_multiple_of(3),
        compress: number.is_multiple_of(4),
    };
    let before = worked();
    let ended = analyze(&input, &output, views);
    let seconds = worked() - before;
    match ended {
        Ok(_) => open(&output),
        Err(sentence) => {
            assert!(sentence.len() > 20 && !output.exists(), "{sentence}");
        }
    }
    seconds
}

/// Seconds that this thread has worked; 0 where the system doesn't show.
fn worked() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns: u64 = stat.split_whitespace().next().map_or(0, |ns| ns.parse().unwrap());
    ns as f64 / 1e9
}
