//! `bigtpuprofile query`: commands by their values.

use anyhow::Result;
use bigtpu_emit_text::console::{Screen, standard};
use bigtpu_messages::{Arg, Language, message};
use bigtpu_output::put;
use bigtpu_session::query::{Answer, QueryError, query};

use crate::args::query::Args;
use crate::console::ignore_broken_pipe;
use crate::console::note;
use crate::exit::Sentences;

/// Rows of a table without `--limit`.
const SHOWN: usize = 20;

/// Columns of the table, the most important first.
const RANKS: [&str; 6] = ["Duration(us)", "Function", "Engine", "Core", "Global Idx", "Bytes"];

/// Finds and shows.
pub(crate) fn run(args: &Args) -> Result<()> {
    let language = args.lang.language();
    let shown = query(&args.request(), &note, |answer| show(args, answer, language));
    let shown = shown.map_err(|error: QueryError| Sentences(error.sentences()))?;
    ignore_broken_pipe(shown)
}

fn show(args: &Args, answer: &Answer<'_>, language: Language) -> Result<()> {
    if args.csv {
        return Ok(answer.csv(args.most(), &mut |text| standard::csv(text))?);
    }
    if args.json {
        return Ok(answer.json(args.most(), &mut |text| standard::json(text))?);
    }
    table(args.most().unwrap_or(SHOWN), answer, language)
}

fn table(most: usize, answer: &Answer<'_>, language: Language) -> Result<()> {
    let (mut out, screen) = (standard::stdout(), Screen::stdout());
    if answer.totals.count == 0 {
        let nothing = match &answer.missed {
            Some(missed) if answer.has_gaps() => {
                message!("query-nothing-gaps", left = missed.left, part = &missed.part)
            }
            Some(missed) => {
                message!("query-nothing", left = missed.left, part = &missed.part)
            }
            None => message!("query-nothing-all"),
        };
        put!(out, "{}\n", screen.text(&nothing.text(language)))?;
        return Ok(());
    }
    let groups = answer.groups();
    let (table, all) = match answer.has_groups() {
        true => (answer.group_table(&groups, most), groups.len()),
        false => (answer.table(most), answer.totals.count as usize),
    };
    put!(out, "{}\n", screen.most_bare(&table, &RANKS, "--csv"))?;
    let totals = answer.totals;
    let (count, time) = (totals.count, Arg::TimeNs(totals.ns));
    let sum = match totals.bytes {
        Some(bytes) => {
            message!("query-sum-bytes", count = count, time = time, bytes = Arg::Bytes(bytes))
        }
        None if answer.has_gaps() => message!("query-sum-gaps", count = count, time = time),
        None => message!("query-sum", count = count, time = time),
    };
    put!(out, "{}\n", screen.text(&sum.text(language)))?;
    if table.len() < all {
        let part = message!("query-part", part = table.len(), all = all);
        put!(out, "{}\n", screen.text(&part.text(language)))?;
    }
    Ok(())
}
