//! The answer on the console.

use anyhow::Result;
use bigtpu_answers::counted;
use bigtpu_command_cost::Mark;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::Language;
use bigtpu_output::{Table, amount, put};
use bigtpu_simulate::PartShares;

use crate::args::simulate::Args;
use crate::console::render_bare;
use crate::written::show_written;
use bigtpu_session::simulate::{Answer, Core, Simulated};

/// Operations without a rule that are named.
const FEW_OPERATIONS: usize = 6;

/// Parts of the predicted cycles below this share are not shown.
const LEAST_PART: f64 = 0.0005;

pub(super) fn show(args: &Args, simulated: &Simulated) -> Result<()> {
    let answer = &simulated.answer;
    if args.json {
        return Ok(standard::json(&answer.json()?)?);
    }
    let mut out = standard::out();
    let chip = simulated.chip.name;
    let beside = match answer.measured_ns {
        Some(measured) => {
            format!(
                ", measured {} ({})",
                time(measured),
                signed(error(answer.predicted_ns, measured))
            )
        }
        None => String::new(),
    };
    let warning = answer
        .known
        .warning()
        .map_or(String::new(), |warning| format!("; {}", warning.text(Language::English)));
    put!(out, "{}, simulated: {}{}{}\n", chip, time(answer.predicted_ns), beside, warning)?;
    if answer.cores.len() > 1 {
        put!(out, "{}\n", render_bare(&cores(answer)))?;
    }
    let commands = counted(usize::try_from(answer.tiu.commands).unwrap_or(0), "TIU command");
    let transfers = counted(usize::try_from(answer.dma.commands).unwrap_or(0), "transfer");
    match (answer.tiu.exact, answer.tiu.error) {
        (Some(exact), Some(error)) => put!(
            out,
            "{}: {} exact to the cycle, their sum {}; {}: median error {}, p90 {}, their sum {}\n",
            commands,
            exact,
            signed(error),
            transfers,
            percent(answer.dma.median_error.unwrap_or(0.0)),
            percent(answer.dma.p90_error.unwrap_or(0.0)),
            signed(answer.dma.error.unwrap_or(0.0))
        )?,
        _ => put!(out, "{}, {}; nothing was measured\n", commands, transfers)?,
    }
    let shares =
        Mark::ALL.map(|mark| format!("{} {}", percent(answer.known.share(mark)), mark.name()));
    put!(out, "Share of the commands' time: {}\n", shares.join(", "))?;
    for (name, parts) in [("TIU cycles", &answer.tiu.parts), ("Transfers", &answer.dma.parts)] {
        if !parts.is_empty() {
            put!(out, "{}: {}\n", name, consist(parts))?;
        }
    }
    if let Some(issue) = &answer.dispatch {
        let commands = counted(usize::try_from(issue.commands).unwrap_or(0), "command");
        put!(
            out,
            "Dispatch: {} are issued word by word, {:.3} us each ({}): {} us on the core with most of them\n",
            commands,
            issue.each_ns / 1000.0,
            issue.mark,
            us(issue.longest_ns)
        )?;
    }
    if !answer.not_validated.is_empty() {
        let few: Vec<_> = answer.not_validated.iter().take(FEW_OPERATIONS).copied().collect();
        let more = answer.not_validated.len() - few.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        put!(out, "Not validated (lower bounds): {}{}\n", few.join(", "), more)?;
    }
    if simulated.ignored_dependences > 0 {
        let count = simulated.ignored_dependences;
        put!(
            out,
            "note: {} dependences and waits are for commands that the dump lacks: they are left out\n",
            count
        )?;
    }
    for note in &simulated.notes {
        put!(out, "note: {}\n", note)?;
    }
    Ok(show_written(&mut out, &simulated.written, args.lang.language())?)
}

fn cores(answer: &Answer) -> Table {
    let row = |core: &Core| {
        let measured = core.measured_ns.map_or("-".to_owned(), us);
        let error =
            core.measured_ns.map_or("-".to_owned(), |ns| signed(error(core.predicted_ns, ns)));
        vec![core.core.to_string(), us(core.predicted_ns), measured, error]
    };
    let header = ["Core", "Simulated(us)", "Measured(us)", "Error"];
    Table::new("Cores, each from its first command", header, answer.cores.iter().map(row))
}

/// What the predicted cycles consist of, in words.
fn consist(parts: &PartShares) -> String {
    let great = parts.iter().filter(|(_, share)| share.abs() >= LEAST_PART);
    let parts = great.map(|(part, share)| format!("{} {}", percent(*share), part.name()));
    parts.collect::<Vec<_>>().join(", ")
}

/// A time of the run, with the digits that the page has.
fn time(ns: f64) -> String {
    amount::duration(ns.round(), amount::Micro::Letter)
}

/// The model's error, of times in whole ns as the page has them.
fn error(predicted_ns: f64, measured_ns: f64) -> f64 {
    predicted_ns.round() / measured_ns.round() - 1.0
}

fn us(ns: f64) -> String {
    format!("{:.3}", ns / 1000.0)
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

pub(super) fn signed(share: f64) -> String {
    // No error is not a small negative one.
    let percent = (share * 10_000.0).round() / 100.0 + 0.0;
    format!("{percent:+.2} %")
}
