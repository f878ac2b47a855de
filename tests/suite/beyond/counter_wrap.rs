//! The PMU's counters have 32 bits. Where they start must not matter: a wrap in the middle of a session
//! is neither a lapped ring nor a jump in time.

use bigtpu_timeline::{BuildOptions, Dump, Profile};

use crate::support::case::case;
use crate::support::dump::{DumpCopy, blocks, record_bytes};
use crate::support::register_text::records;
use crate::support::run::Finished;
use crate::support::summary::{ledger, table};

const CASE: &str = "beyond-counter-wrap";
const FILES: [&str; 2] = ["cdmlib0_0.profile", "cdmlib0_1.profile"];

/// Start and end of each record, by monitor.
fn times(dump: &DumpCopy) -> Vec<Vec<[u32; 2]>> {
    let blocks = FILES.into_iter().flat_map(|name| blocks(&dump.read(name)));
    let time =
        |record: &[u8], at: usize| u32::from_le_bytes(record[at..at + 4].try_into().unwrap());
    blocks
        .filter_map(|block| {
            let records = block.content.chunks_exact(record_bytes(block.kind)?);
            Some(records.map(|record| [time(record, 0), time(record, 4)]).collect())
        })
        .collect()
}

/// Moments of the session, after every engine's first record, at which the counters may wrap: at a
/// record's start, inside it, and at its end.
fn moments() -> Vec<u32> {
    let monitors = times(&DumpCopy::copy(CASE));
    let begun = monitors.iter().map(|records| records[0][1]).max().unwrap();
    let mut moments: Vec<u32> =
        monitors.iter().flatten().flat_map(|&[start, end]| [start, start + 1, end]).collect();
    moments.sort_unstable();
    moments.dedup();
    moments.into_iter().filter(|&moment| moment > begun).step_by(11).collect()
}

/// The dump with its counters moved so that they are 0 at `moment`.
fn wrapped_at(moment: u32) -> DumpCopy {
    let dump = DumpCopy::copy(CASE);
    dump.shift_counters(moment.wrapping_neg());
    dump
}

fn texts(run: &Finished) -> Vec<(String, Vec<u8>)> {
    run.files().into_iter().filter(|(name, _)| name.contains("RegInfo_")).collect()
}

/// Times of an engine's records grow in the order of dispatch.
fn times_grow(run: &Finished) {
    for (name, text) in texts(run) {
        let records = records(&String::from_utf8(text).unwrap());
        for pair in records.windows(2).filter(|p| p[0].get("Engine Id") == p[1].get("Engine Id")) {
            let [before, after] = [0, 1].map(|i| pair[i].number("Start Time(ns)"));
            assert!(before < after, "{name}: {after} follows {before}");
        }
    }
}

fn nothing_is_rotated_or_lost(run: &Finished) {
    let summary = run.text("summary.txt");
    for (place, line) in ledger(&summary) {
        for title in ["rotated", "unmatched", "trimmed", "lost"] {
            assert_eq!(line[title], 0, "{place}: {title}");
        }
    }
    let us: f64 = table(&summary, "Summary")["Overall"]["totalTime(us)"].parse().unwrap();
    // A wrap taken for a pause would add 4.29 s.
    assert!(us < 1e6, "{us} us");
}

#[test]
fn a_session_at_the_top_of_the_counters_is_whole() {
    let run = DumpCopy::copy(CASE).analyze(&["--emit", "text,report,trace,summary", "--strict"]);
    assert_eq!(run.said.code, Some(0), "{}", run.said.stderr);
    nothing_is_rotated_or_lost(&run);
    times_grow(&run);
}

#[test]
fn a_wrap_anywhere_in_the_session_changes_nothing() {
    let args = ["--emit", "text,report,trace,summary", "--strict"];
    let plain = DumpCopy::copy(CASE).analyze(&args);
    let slices = |run: &Finished| run.trace().slices.iter().map(|s| s.line()).collect::<Vec<_>>();
    let (plain_texts, plain_slices) = (texts(&plain), slices(&plain));
    let moments = moments();
    assert!(moments.len() >= 20, "too few moments to try: {}", moments.len());
    for moment in moments {
        let run = wrapped_at(moment).analyze(&args);
        assert_eq!(run.said.code, Some(0), "wrap at {moment}: {}", run.said.stderr);
        nothing_is_rotated_or_lost(&run);
        times_grow(&run);
        assert!(texts(&run) == plain_texts, "a wrap at {moment} changes the register texts");
        assert!(slices(&run) == plain_slices, "a wrap at {moment} changes the trace");
    }
}

#[test]
fn the_ledger_counts_a_wrap() {
    for moment in moments().into_iter().step_by(5) {
        let copy = wrapped_at(moment);
        let dump = Dump::open(&copy.path()).unwrap();
        let profile = Profile::build(&dump, &BuildOptions::default());
        let wrapped: u64 = profile.ledger.lines.iter().map(|line| line.counts.wrapped).sum();
        // Only monitors that continue past the moment can wrap.
        let crossed = |records: &&Vec<[u32; 2]>| {
            let ends: Vec<u32> = records.iter().map(|r| r[1]).collect();
            records.iter().any(|r| r[0] > r[1]) || ends.windows(2).any(|e| e[0] > e[1])
        };
        let expected = times(&copy).iter().filter(crossed).count() as u64;
        assert!(expected > 0, "no monitor wraps at {moment}");
        assert_eq!(wrapped, expected, "wraps at {moment}");
        assert!(!profile.ledger.has_loss());
    }
}

#[test]
fn the_fixture_has_a_counter_wrap() {
    // The counters come within a few microseconds of the wrap.
    let latest = times(&DumpCopy::copy(CASE)).into_iter().flatten().flatten().max().unwrap();
    assert!(latest > u32::MAX - 100_000);
    assert!(case(CASE).dump().join("cdmlib0_1.profile").is_file());
}
