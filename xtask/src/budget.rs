//! Instructions that each stage of a run takes for an event, counted by valgrind, and a limit for them.
//!
//! The program of the tests is counted, on one thread: two small dumps, a synthetic one and one of real hardware, and runs of
//! connected devices, few and many. It is not optimized, so that the numbers are far from those of `docs/proof/performance.md`; but what makes a stage do more work
//! makes them grow by the same share, and counting takes seconds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::callgrind::inclusive;

/// The numbers that a run is compared with.
const BUDGET: &str = "benches/budget.tsv";
/// A stage may take this many times its budget.
const MOST: f64 = 1.05;

/// Stages of a run of one dump, and the function that is each. Second buffers and dependences are looked for beside the last part of the findings, and count
/// for them, too.
const STAGES: [(&str, &str); 17] = [
    ("profile", "bigtpu_timeline::build::<impl bigtpu_timeline::profile::Profile>::build"),
    ("command table", "bigtpu_measure::table::CommandTable::decode"),
    ("launches", "bigtpu_measure::kernels::Launches::collect"),
    ("dependences", "bigtpu_replay::replay::EventDependences::find"),
    ("task graph", "bigtpu_replay::replay::EventDependences::replay"),
    ("findings", "bigtpu_answers::findings::Findings::collect"),
    ("report", "bigtpu_answers::report::Report::new"),
    ("gains", "bigtpu_answers::gains::replay_gains"),
    ("trace", "<bigtpu_emit_perfetto::Perfetto as bigtpu_emit::emitter::Emitter>::emit"),
    (
        "summary",
        "<bigtpu_emit_text::summary_text::SummaryText as bigtpu_emit::emitter::Emitter>::emit",
    ),
    (
        "texts",
        "<bigtpu_emit_text::register_text::RegisterTexts as bigtpu_emit::emitter::Emitter>::emit",
    ),
    ("page", "<bigtpu_emit_web::WebPage as bigtpu_emit::emitter::Emitter>::emit"),
    ("workbook", "<bigtpu_emit_xlsx::workbook::Workbook as bigtpu_emit::emitter::Emitter>::emit"),
    ("events", "<bigtpu_emit_events::ParquetEvents as bigtpu_emit::emitter::Emitter>::emit"),
    ("csv", "<bigtpu_emit_events::CsvEvents as bigtpu_emit::emitter::Emitter>::emit"),
    ("report.json", "<bigtpu_emit::report::JsonReport as bigtpu_emit::emitter::Emitter>::emit"),
    ("all", "bigtpuprofile::main"),
];

/// Stages of a run of many devices, and the function that is each.
pub(crate) const CLUSTER_STAGES: [(&str, &str); 9] = [
    ("read", "bigtpu_session::cluster::ClusterParts::of_dumps"),
    ("pairing", "bigtpu_cluster::pairing::pair"),
    ("clocks", "bigtpu_cluster::clocks::clocks"),
    ("replays", "bigtpu_cluster::gains::gains"),
    ("join", "bigtpu_cluster::join::join"),
    ("tables", "bigtpu_emit_cluster::tables::write_tables"),
    ("page", "bigtpu_emit_cluster::page::write_page"),
    ("trace", "bigtpu_emit_cluster::trace::write_trace"),
    ("all", "bigtpuprofile::main"),
];
/// Their numbers of devices; the last run takes some minutes under valgrind.
pub(crate) const RANKS: [&str; 3] = ["8", "64", "256"];
/// The runs of one dump, and of the fewest devices: they take seconds.
const SMALL_RUNS: usize = 3;
/// What they run: a pipeline, in which each device does as much, however many there are.
const CLUSTER: [&str; 6] = ["--topology", "pipeline", "--operations", "3", "--cores", "1"];

/// What a run of one dump writes.
const VIEWS: [&str; 2] = ["--emit", "text,summary,report,events,csv,workbook,page,trace"];

/// The synthetic dump.
const SYNTH: [&str; 6] = ["--launches", "4", "--cores", "2", "--repeat", "4"];
/// The real one.
const REAL: &str = "fixtures/real/cdm_profile_data_dev0_bm1690";

/// What Perfetto's viewer has to read of a trace: the time until it shows the run grows with both.
const READ: [&str; 2] = ["trace bytes", "trace packets"];

/// What was counted: instructions an event, by dump and stage; and for [`READ`] hundredths of an event.
pub(crate) type Counted = BTreeMap<(String, &'static str), u64>;

/// Counts and writes the budget anew.
pub(crate) fn write() -> Result<(), String> {
    let Some(counted) = count()? else { return Ok(()) };
    fs::write(BUDGET, text(&counted)?).map_err(|e| format!("{BUDGET}: {e}"))
}

/// Counts, prints every stage with its budget, and fails where one takes more than its limit.
pub(crate) fn check() -> Result<(), String> {
    let known = fs::read_to_string(BUDGET).map_err(|e| format!("{BUDGET}: {e}"))?;
    let compiler = compiler()?;
    if known.lines().next() != Some(&*format!("# {compiler}")) {
        let of = known.lines().next().unwrap_or_default().trim_start_matches("# ");
        println!("SKIPPED: the budget is of {of}, and this is {compiler}");
        return Ok(());
    }
    let Some(counted) = count()? else { return Ok(()) };
    let mut over = Vec::new();
    println!("{:10} {:14} {:>9} {:>9}  instructions an event", "dump", "stage", "budget", "now");
    for line in known.lines().filter(|line| !line.starts_with('#')) {
        let [dump, stage, budget] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("{BUDGET}: a line has not three columns: {line}"));
        };
        let budget: u64 = budget.parse().map_err(|e| format!("{BUDGET}: {budget}: {e}"))?;
        let now = counted.iter().find(|((d, s), _)| (d.as_str(), *s) == (dump, stage));
        let Some((_, &now)) = now else {
            return Err(format!("{BUDGET}: {dump} {stage} was not counted; write the budget anew"));
        };
        let is_over = now as f64 > budget as f64 * MOST;
        println!(
            "{dump:10} {stage:14} {budget:>9} {now:>9}  {}",
            if is_over { "FAILED" } else { "ok" }
        );
        if is_over {
            over.push(format!("{dump} {stage}"));
        }
    }
    over.extend(crate::device_growth::grown(&counted));
    if over.is_empty() {
        return Ok(());
    }
    Err(format!(
        "more than 5 % over the budget: {}. Make it faster, or, if the change is worth it, run: cargo run -p xtask -- budget",
        over.join(", ")
    ))
}

fn text(counted: &Counted) -> Result<String, String> {
    let mut text = format!(
        "# {}\n# Instructions an event, by dump and stage, and hundredths of bytes and packets of the trace an event; written by: cargo run -p xtask -- budget\n",
        compiler()?
    );
    for ((dump, stage), instructions) in counted {
        let _ = writeln!(text, "{dump}\t{stage}\t{instructions}");
    }
    Ok(text)
}

/// What compiled the program: another version makes other instructions.
fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").output();
    let output = output.map_err(|e| format!("rustc --version: {e}"))?;
    let version =
        format!("{} on {}", String::from_utf8_lossy(&output.stdout).trim(), std::env::consts::ARCH);
    Ok(version)
}

/// Says that nothing is counted; in CI, where valgrind can be had, that is a failure.
pub(crate) fn without_valgrind() -> Result<(), String> {
    let text = "instructions are counted by valgrind, which is not installed";
    if std::env::var("CI").is_ok_and(|ci| ci == "true") {
        return Err(text.to_owned());
    }
    println!("SKIPPED: {text}");
    Ok(())
}

/// Counts all runs side by side. `None`: valgrind is not installed.
fn count() -> Result<Option<Counted>, String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return without_valgrind().map(|()| None);
    }
    let program = program()?;
    let work = std::env::temp_dir().join(format!("bigtpuprofile-budget-{}", std::process::id()));
    fs::create_dir_all(&work).map_err(|e| format!("{}: {e}", work.display()))?;
    let result = count_in(&program, &work);
    let _ = fs::remove_dir_all(&work);
    result.map(Some)
}

/// The program that the tests built, next to this one.
pub(crate) fn program() -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
    let program = own.with_file_name("bigtpuprofile");
    if program.is_file() {
        return Ok(program);
    }
    Err(format!("{} is missing: run cargo build first", program.display()))
}

fn count_in(program: &Path, work: &Path) -> Result<Counted, String> {
    let synth = |name: &str, options: &[&str]| {
        let dump = work.join(name);
        let made = Command::new(program).arg("synth").arg(&dump).arg("-q").args(options).status();
        let made = made.is_ok_and(|status| status.success()).then_some(dump);
        made.ok_or_else(|| format!("{name}: no synthetic dump could be written"))
    };
    let synthetic = synth("synthetic", &SYNTH)?;
    let mut runs = vec![
        Run { name: "synthetic".to_owned(), dump: synthetic, stages: &STAGES, options: &VIEWS },
        Run { name: "real".to_owned(), dump: REAL.into(), stages: &STAGES, options: &VIEWS },
    ];
    for ranks in RANKS {
        let name = format!("cluster {ranks}");
        let dump = synth(&name, &[&["--cluster", ranks], &CLUSTER[..]].concat())?;
        runs.push(Run { name, dump, stages: &CLUSTER_STAGES, options: &[] });
    }
    // A name that has changed is told before the large runs.
    let (small, large) = runs.split_at(SMALL_RUNS);
    let mut all = count_beside(small, program, work)?;
    all.extend(count_beside(large, program, work)?);
    Ok(all)
}

/// Counts some runs, side by side.
fn count_beside(runs: &[Run], program: &Path, work: &Path) -> Result<Counted, String> {
    std::thread::scope(|scope| {
        let counts: Vec<_> = runs
            .iter()
            .map(|run| {
                scope.spawn(move || run.count(program, &work.join(format!("{}.out", run.name))))
            })
            .collect();
        let mut all = Counted::new();
        for count in counts {
            all.extend(count.join().map_err(|_| "a thread failed".to_owned())??);
        }
        Ok(all)
    })
}

/// A run that is counted.
struct Run {
    name: String,
    dump: PathBuf,
    stages: &'static [(&'static str, &'static str)],
    /// Beside the dump and the directory for the results; a run of one device has some.
    options: &'static [&'static str],
}

impl Run {
    fn count(&self, program: &Path, out: &Path) -> Result<Counted, String> {
        let Self { name, dump, stages, options } = self;
        let is_cluster = options.is_empty();
        let profile = out.with_extension("callgrind");
        let run = Command::new("valgrind")
            .args(["--tool=callgrind", "--quiet"])
            .arg(format!("--callgrind-out-file={}", profile.display()))
            .arg(program)
            .args(is_cluster.then_some("cluster"))
            .args([dump.as_path(), out])
            .args(["-q", "-j1"])
            .args(*options)
            .output()
            .map_err(|e| format!("valgrind: {e}"))?;
        if !run.status.success() {
            return Err(format!("{name}: {}", String::from_utf8_lossy(&run.stderr)));
        }
        let file = if is_cluster { "cluster.json" } else { "report.json" };
        let report = fs::read_to_string(out.join(file)).map_err(|e| format!("{file}: {e}"))?;
        let report: serde_json::Value = serde_json::from_str(&report).map_err(|e| e.to_string())?;
        let events = match report["ranks"].as_array().filter(|_| is_cluster) {
            Some(ranks) => ranks.iter().filter_map(|rank| rank["events"].as_u64()).sum(),
            None => report["dump"]["events"].as_u64().unwrap_or(0),
        };
        let profile = fs::read_to_string(&profile).map_err(|e| format!("callgrind's file: {e}"))?;
        let costs = inclusive(&profile)?;
        let mut counted = Counted::new();
        if !is_cluster {
            let trace =
                fs::read(out.join("perfetto.pftrace")).map_err(|e| format!("trace: {e}"))?;
            let packets = packets(&trace).ok_or("the trace is no list of packets")?;
            for (what, count) in READ.into_iter().zip([trace.len() as u64, packets]) {
                counted.insert((name.clone(), what), 100 * count / events.max(1));
            }
        }
        let of_stage = |(stage, function): &(&'static str, &str)| match costs.get(*function) {
            Some(cost) => Ok(((name.clone(), *stage), cost / events.max(1))),
            None => {
                Err(format!("{name}: {function} was not called: name the function of {stage} anew"))
            }
        };
        for stage in stages.iter().map(of_stage) {
            let (stage, cost) = stage?;
            counted.insert(stage, cost);
        }
        Ok(counted)
    }
}

/// Packets of a trace: fields with number 1 and a length each.
fn packets(mut trace: &[u8]) -> Option<u64> {
    let mut count = 0;
    while let Some((&tag, rest)) = trace.split_first() {
        let bytes = rest.iter().position(|byte| byte & 0x80 == 0)? + 1;
        let length =
            rest.get(..bytes)?.iter().rev().fold(0, |n, byte| n << 7 | usize::from(byte & 0x7f));
        trace = rest.get(bytes + length..).filter(|_| tag == 10)?;
        count += 1;
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_of_a_trace_are_counted() {
        let mut trace = vec![10, 2, 8, 1, 10, 0x80, 1];
        trace.extend([0; 128]);
        assert_eq!(packets(&trace), Some(2));
        assert_eq!(packets(&trace[..20]), None);
        assert_eq!(packets(&[8, 1]), None);
    }
}
