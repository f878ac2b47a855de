//! `--calibrate`: constants from the records of dumps.

use anyhow::Result;
use bigtpu_answers::counted;
use bigtpu_emit_text::console::standard;
use bigtpu_messages::Language;
use bigtpu_output::{Written, put};
use bigtpu_session::simulate::calibrate;
use bigtpu_simulate::{Accuracy, Calibration};

use super::show::{percent, signed};
use crate::args::simulate::Args;
use crate::console::ignore_broken_pipe;
use crate::console::note;
use crate::written::show_written;

pub(super) fn run(args: &Args) -> Result<()> {
    let Some(done) = calibrate(&args.calibration(), &note)? else { return Ok(()) };
    let language = args.lang.language();
    ignore_broken_pipe(show(&done.chip.title(), &done.found, done.written.as_slice(), language))
}

fn show(chip: &str, found: &Calibration, written: &[Written], language: Language) -> Result<()> {
    let mut out = standard::stdout();
    put!(out, "{}: every second command predicted with constants from the others\n", chip)?;
    let count = |of: &Accuracy| usize::try_from(of.commands).unwrap_or(0);
    let (tiu, dma) = (&found.held_out_tiu, &found.held_out_dma);
    if tiu.commands > 0 {
        let commands = counted(count(tiu), "TIU command");
        put!(
            out,
            "{}: {} exact to the cycle, their sum {}\n",
            commands,
            tiu.exact,
            signed(tiu.of_sum)
        )?;
    }
    if dma.commands > 0 {
        put!(
            out,
            "{}: median error {}, p90 {}, their sum {}\n",
            counted(count(dma), "transfer"),
            percent(dma.median),
            percent(dma.p90),
            signed(dma.of_sum)
        )?;
    }
    let lists = [
        ("New constants of transfers", found.kinds.join(", ")),
        ("Better known than before", found.upgraded.join(", ")),
        ("Contradicted by these records", found.downgraded.join(", ")),
    ];
    for (what, list) in lists.iter().filter(|(_, list)| !list.is_empty()) {
        put!(out, "{}: {}\n", what, list)?;
    }
    Ok(show_written(&mut out, written, language)?)
}
