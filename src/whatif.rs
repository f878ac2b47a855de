//! `bigtpuprofile whatif`: a measured run, predicted with changes.

use anyhow::Result;
use bigtpu_output::{Table, Written, put};

use crate::args::whatif::Args;
use crate::console::{ignore_broken_pipe, render, render_bare};
use crate::standard;
use crate::written::written_lines;
use bigtpu_session::whatif::{Answer, whatif};

/// Pieces of the critical path shown.
const PIECES: usize = 5;
/// Kernels shown.
const KERNELS: usize = 10;

/// Predicts, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let (answer, written) = whatif(&args.request(), &standard::note)?;
    ignore_broken_pipe(show(args, &answer, &written))
}

fn show(args: &Args, answer: &Answer, written: &[Written]) -> Result<()> {
    if args.json {
        return Ok(standard::json(&answer.json()?)?);
    }
    let mut out = standard::out();
    if answer.changes.is_empty() {
        put!(out, "Measured: {} us\n", us(answer.measured_ns))?;
    } else {
        put!(
            out,
            "With {}: {} us instead of {} us: {}\n",
            answer.changes.join(", "),
            us(answer.predicted_ns),
            us(answer.measured_ns),
            saved(answer.measured_ns, answer.predicted_ns)
        )?;
        if let Some(line) = range(answer) {
            put!(out, "{}\n", line)?;
        }
        if let Some([least, most]) = answer.machine_range_ns {
            put!(
                out,
                "Likely range: {} to {} us, by the errors of twelve predictions between four measured chips\n",
                us(least),
                us(most)
            )?;
        }
        let kernels = kernels(answer);
        if !kernels.is_empty() {
            put!(out, "{}\n{}\n", kernels.title(), render_bare(&kernels))?;
        }
    }
    if answer.changes.is_empty() && !answer.critical_path.is_empty() {
        let table = path(answer);
        put!(out, "{}\n{}\n", table.title(), render_bare(&table))?;
    }
    if !answer.sensitivity.is_empty() {
        let table = sensitivity(answer);
        put!(out, "{}\n{}\n", table.title(), render(&table))?;
    }
    if let Some(bounds) = &answer.bounds {
        put!(
            out,
            "Lower bounds: {} us if transfers took no time, {} us if no work took any time\n",
            us(bounds.transfers_hidden_ns),
            us(bounds.engines_ideal_ns)
        )?;
    }
    for line in confidence(answer) {
        put!(out, "{}\n", line)?;
    }
    for line in written_lines(written, true) {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}

fn us(ns: i64) -> String {
    format!("{:.3}", ns as f64 / 1000.0)
}

/// What is saved in words: `28.95 % less time (1.41x)`.
fn saved(before: i64, after: i64) -> String {
    if before == after || before <= 0 || after <= 0 {
        return "the same time".to_owned();
    }
    let (before, after) = (before as f64, after as f64);
    let share = (after - before).abs() * 100.0 / before;
    match after < before {
        true => format!("{share:.2} % less time ({:.2}x)", before / after),
        false => format!("{share:.2} % more time ({:.2}x slower)", after / before),
    }
}

/// A change in percent: `-12.3 %`.
fn gain(before: i64, after: i64) -> String {
    format!("{:+.1} %", (after - before) as f64 * 100.0 / before.max(1) as f64)
}

/// The range of the prediction, if idle time without a known cause matters.
fn range(answer: &Answer) -> Option<String> {
    let (least, most) = answer.predicted_range_ns;
    (least < most).then(|| {
        format!(
            "Range: {} to {} us. The prediction keeps idle time whose cause is not known; the range is for idle time that changes \
             with what is changed.",
            us(least),
            us(most)
        )
    })
}

fn kernels(answer: &Answer) -> Table {
    let row = |k: &bigtpu_replay::KernelTime| {
        vec![
            k.kernel.clone(),
            k.launches.to_string(),
            us(k.measured_ns),
            us(k.predicted_ns),
            gain(k.measured_ns, k.predicted_ns),
        ]
    };
    Table::new(
        "Kernels (time summed over cores)",
        ["Kernel", "Launches", "Measured(us)", "Predicted(us)", "Change"],
        answer.by_kernel.iter().take(KERNELS).map(row),
    )
}

fn path(answer: &Answer) -> Table {
    let row = |p: &bigtpu_replay::Piece| {
        let share = format!("{:.1} %", p.share * 100.0);
        let owner = p.owner().to_owned();
        vec![p.reason.name().to_owned(), p.engine.clone(), owner, us(p.ns), share]
    };
    Table::new(
        "Critical path: its longest parts",
        ["Reason", "Engine", "Kernel or layer", "Path(us)", "Share"],
        answer.critical_path.iter().take(PIECES).map(row),
    )
}

fn sensitivity(answer: &Answer) -> Table {
    let base = answer.measured_ns;
    let row = |r: &bigtpu_replay::SensitivityRow| {
        let cell = |ns: i64| format!("{} ({})", us(ns), gain(base, ns));
        vec![r.what.clone(), cell(r.faster_1_1_ns), cell(r.faster_2_ns), cell(r.infinite_ns)]
    };
    Table::new(
        "Sensitivity: predicted time with one part faster",
        ["Part", "1.1x(us)", "2x(us)", "infinite(us)"],
        answer.sensitivity.iter().map(row),
    )
}

fn confidence(answer: &Answer) -> Vec<String> {
    let confidence = &answer.confidence;
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let fit = confidence
        .dma_fit_error
        .map_or("no fit".to_owned(), |error| format!("median error {}", percent(error)));
    let mut lines = Vec::new();
    if let Some(rules) = &answer.rules {
        lines.push(format!(
            "Time of the single commands there: {} exact, {} fitted, {} estimated, {} not validated; {} have no full bits and keep their time",
            percent(rules.exact),
            percent(rules.fitted),
            percent(rules.estimated),
            percent(rules.not_validated),
            percent(rules.without_bits)
        ));
    }
    if let Some(cache) = &answer.cache {
        let mib = |bytes: u64| format!("{:.2} MiB", bytes as f64 / (1 << 20) as f64);
        lines.push(format!(
            "Cache of {} at {} GB/s: it serves {} of {} loads from DDR ({} of {}); {} constants take {}",
            mib(cache.bytes),
            cache.gbps,
            cache.hits,
            cache.loads,
            mib(cache.hit_bytes),
            mib(cache.load_bytes),
            cache.constants,
            mib(cache.constant_bytes)
        ));
    }
    lines.push(format!(
        "Based on dependences: {} certain, {} checked, {} inferred; transfers: {fit}; unexplained idle: {} of the wall \
         time",
        percent(confidence.certain),
        percent(confidence.checked),
        percent(confidence.inferred),
        percent(confidence.unexplained)
    ));
    lines.extend(confidence.notes.iter().map(|note| format!("note: {note}")));
    lines
}
