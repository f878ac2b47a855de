//! `--calibrate`: constants from the records of dumps.

use anyhow::{Result, bail};
use bigtpu_answers::counted;
use bigtpu_output::{ByLibrary, put};
use bigtpu_session::dumps::open_only;
use bigtpu_session::{Session, write_file};
use bigtpu_simulate::{Accuracy, Calibration, calibrate, samples};
use bigtpu_timeline::{Dump, Profile};

use super::model;
use super::show::{percent, signed};
use crate::args::simulate::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;
use crate::written::written_lines;

pub(super) fn run(args: &Args, session: &Session) -> Result<()> {
    let dumps: Vec<Dump> = args
        .calibrate
        .iter()
        .map(|path| open_only(path, session, &standard::note))
        .collect::<Result<_, _>>()?;
    let Some(first) = dumps.first() else { return Ok(()) };
    if let Some(other) = dumps.iter().find(|dump| dump.chip.name != first.chip.name) {
        bail!(
            "{}: is of {}, but {} is of {}: calibrate one chip at a time",
            other.root.display(),
            other.chip.name,
            first.root.display(),
            first.chip.name
        );
    }
    let profiles: Vec<Profile<'_>> = dumps.iter().map(|dump| session.profile(dump)).collect();
    let all: Vec<_> = profiles.iter().flat_map(samples).collect();
    if all.is_empty() {
        bail!(
            "{}: no command has both full bits and a record: capture with PMU mode 2 (docs/capture.md)",
            first.root.display()
        );
    }
    let found = calibrate(&model(args, first.chip)?, &all);
    let mut written = Vec::new();
    if let Some(file) = &args.to {
        let text = serde_json::to_string_pretty(&found.model.to_json())? + "\n";
        written.push(write_file(file, &ByLibrary(text.as_bytes()))?);
    }
    ignore_broken_pipe(show(first, &found, &written_lines(&written, true)))
}

fn show(dump: &Dump, found: &Calibration, written: &[String]) -> Result<()> {
    let mut out = standard::out();
    put!(
        out,
        "{}: every second command predicted with constants from the others\n",
        dump.chip.name
    )?;
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
    for line in written {
        put!(out, "written: {}\n", line)?;
    }
    Ok(())
}
