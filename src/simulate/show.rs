//! The answer on the console.

use anyhow::Result;
use bigtpu_command_cost::{Mark, TimePart};
use bigtpu_emit_text::console::standard;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_output::{Table, amount, put};
use bigtpu_simulate::PartShares;

use crate::args::simulate::Args;
use crate::console::render_bare;
use crate::written::show_written;
use bigtpu_session::remark;
use bigtpu_session::simulate::{Answer, Simulated, SimulatedCore};

/// Operations without a rule that are named.
const FEW_OPERATIONS: usize = 6;

/// Parts of the predicted cycles below this share are not shown.
const LEAST_PART: f64 = 0.0005;

pub(super) fn show(args: &Args, simulated: &Simulated) -> Result<()> {
    let answer = &simulated.answer;
    if args.json {
        return Ok(standard::json(&answer.json()?)?);
    }
    let mut out = standard::stdout();
    let chip = simulated.chip.title();
    let language = args.lang.language();
    let simulated_time = time(answer.predicted_ns);
    let headline = match answer.measured_ns {
        Some(measured) => message!(
            "simulate-beside",
            chip = chip,
            time = simulated_time,
            measured = time(measured),
            error = signed(error(answer.predicted_ns, measured))
        ),
        None => message!("simulate-alone", chip = chip, time = simulated_time),
    };
    let headline = match answer.known.warning() {
        Some(warning) => message!("simulate-warned", headline = headline, warning = warning),
        None => headline,
    };
    put!(out, "{}\n", headline.text(language))?;
    if answer.cores.len() > 1 {
        put!(out, "{}\n", render_bare(&cores(answer)))?;
    }
    let (tiu, dma) = (answer.tiu.commands, answer.dma.commands);
    let accuracy = match (answer.tiu.exact, answer.tiu.error) {
        (Some(exact), Some(error)) => message!(
            "simulate-accuracy",
            commands = tiu,
            exact = exact,
            error = signed(error),
            transfers = dma,
            median = percent(answer.dma.median_error.unwrap_or(0.0)),
            p90 = percent(answer.dma.p90_error.unwrap_or(0.0)),
            transfers_error = signed(answer.dma.error.unwrap_or(0.0))
        ),
        _ => message!("simulate-nothing-measured", commands = tiu, transfers = dma),
    };
    put!(out, "{}\n", accuracy.text(language))?;
    let marks = Mark::ALL.map(|mark| share(mark_word(mark), answer.known.share(mark)));
    let marks = message!("simulate-marks", marks = Arg::Items(marks.to_vec()));
    put!(out, "{}\n", marks.text(language))?;
    if !answer.tiu.parts.is_empty() {
        let parts = message!("simulate-tiu-parts", parts = consist(&answer.tiu.parts));
        put!(out, "{}\n", parts.text(language))?;
    }
    if !answer.dma.parts.is_empty() {
        let parts = message!("simulate-transfer-parts", parts = consist(&answer.dma.parts));
        put!(out, "{}\n", parts.text(language))?;
    }
    if let Some(issue) = &answer.dispatch {
        let dispatch = message!(
            "simulate-dispatch",
            commands = issue.commands,
            each = us(issue.each_ns),
            mark = Mark::ALL
                .into_iter()
                .find(|mark| mark.name() == issue.mark)
                .map_or_else(|| Message::verbatim(issue.mark), mark_word),
            longest = us(issue.longest_ns)
        );
        put!(out, "{}\n", dispatch.text(language))?;
    }
    if !answer.not_validated.is_empty() {
        let few: Vec<_> = answer.not_validated.iter().take(FEW_OPERATIONS).copied().collect();
        let names = few.join(", ");
        let said = match answer.not_validated.len() - few.len() {
            0 => message!("simulate-not-validated", names = names),
            more => message!("simulate-not-validated-and-more", names = names, more = more),
        };
        put!(out, "{}\n", said.text(language))?;
    }
    if simulated.ignored_dependences > 0 {
        let note = message!("simulate-ignored", count = simulated.ignored_dependences);
        put!(out, "{}\n", remark(note).text(language))?;
    }
    for note in &simulated.notes {
        put!(out, "{}\n", remark(Message::verbatim(note.to(language))).text(language))?;
    }
    Ok(show_written(&mut out, &simulated.written, language)?)
}

fn cores(answer: &Answer) -> Table {
    let row = |core: &SimulatedCore| {
        let measured = core.measured_ns.map_or("-".to_owned(), us);
        let error =
            core.measured_ns.map_or("-".to_owned(), |ns| signed(error(core.predicted_ns, ns)));
        vec![core.core.to_string(), us(core.predicted_ns), measured, error]
    };
    let header = ["Core", "Simulated(us)", "Measured(us)", "Error"];
    Table::new("Cores, each from its first command", header, answer.cores.iter().map(row))
}

/// What the predicted cycles consist of.
fn consist(parts: &PartShares) -> Arg {
    let great = parts.iter().filter(|(_, share)| share.abs() >= LEAST_PART);
    Arg::Items(great.map(|(part, part_share)| share(part_word(*part), *part_share)).collect())
}

fn share(what: Message, share: f64) -> Message {
    message!("simulate-share", what = what, share = percent(share))
}

fn mark_word(mark: Mark) -> Message {
    match mark {
        Mark::Exact => message!("simulate-mark-exact"),
        Mark::Fitted => message!("simulate-mark-fitted"),
        Mark::Estimated => message!("simulate-mark-estimated"),
        Mark::NotValidated => message!("simulate-mark-not-validated"),
    }
}

fn part_word(part: TimePart) -> Message {
    match part {
        TimePart::StartUp => message!("simulate-part-start-up"),
        TimePart::Work => message!("simulate-part-work"),
        TimePart::Channels => message!("simulate-part-unused-channels"),
        TimePart::Positions => message!("simulate-part-unused-positions"),
        TimePart::LineCrossing => message!("simulate-part-line-crossings"),
        TimePart::SecondOperand => message!("simulate-part-second-operand"),
        TimePart::InPlace => message!("simulate-part-in-place"),
        TimePart::Requantize => message!("simulate-part-requantization"),
        TimePart::Latency => message!("simulate-part-latency"),
        TimePart::Bus => message!("simulate-part-bus"),
        TimePart::PartLines => message!("simulate-part-incomplete-bus-lines"),
        TimePart::Runs => message!("simulate-part-short-pieces"),
        TimePart::First => message!("simulate-part-first-transfer"),
    }
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
