//! `bigtpuprofile costs`.

mod host;
mod show;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use bigtpu_costs::{Executions, costs_of, measure};
use bigtpu_machine::{Machine, resolve_for};
use bigtpu_output::{ByLibrary, Text, Written, text};
use bigtpu_session::dumps::open_only;
use bigtpu_session::{Run, Session, write_file};
use bigtpu_timeline::Severity;

use crate::args::costs::Args;
use crate::console::ignore_broken_pipe;
use crate::standard;

/// Name of the file in a directory.
const FILE: &str = "costs.json";

/// Measures, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut dumps = Vec::with_capacity(args.dumps.len());
    let mut hardware: Option<Machine> = None;
    for path in &args.dumps {
        let (executions, own) = of_dump(path, args)?;
        if let Some(file) = args.hw.as_ref().filter(|_| hardware.is_none()) {
            hardware = Some(resolve_for(&file.display().to_string(), &own, own.cores)?);
        }
        if let Some(share) = executions.share_without_rule().filter(|share| *share > 0.0) {
            standard::note(&text!(
                "note: {}: {:.1} % of the run match no --scope rule; they are the scope `rest`",
                path,
                share * 100.0
            ));
        }
        dumps.push(executions);
    }
    let (costs, dropped) = costs_of(&dumps, args.passes, args.drop_warmup, hardware.as_ref());
    if costs.parts.is_empty() {
        return Err(anyhow!(
            "--drop-warmup {} leaves out all executions of all parts; use a smaller number",
            args.drop_warmup
        ));
    }
    let text = serde_json::to_string_pretty(&costs)? + "\n";
    let written = args.out.as_deref().map(|path| write(path, &text)).transpose()?;
    for name in dropped {
        let times = args.drop_warmup;
        standard::note(&text!("note: {} ran at most {} times and is left out", name, times));
    }
    if hardware.is_some() && costs.parts.iter().all(|part| part.energy_pj.is_none()) {
        standard::note(&Text::of(
            "note: the machine of --hw has no energy values, so energies are unknown",
        ));
    }
    ignore_broken_pipe(show::show(args, &costs, &text, written.as_ref()))
}

fn of_dump(path: &Path, args: &Args) -> Result<(Executions, bigtpu_machine::Hardware)> {
    let name = path.display().to_string();
    let session = Session::default();
    let dump = open_only(path, &session, &standard::note)?;
    let Run { profile, analysis, layers, .. } = session.analyze(&dump);
    for note in profile.ledger.notes.iter().filter(|note| note.severity > Severity::Note) {
        standard::note(&text!("note: {}: {}", name, note.to_string()));
    }
    let host = args.trace_file.as_ref().map(|file| host::events(file, &profile)).transpose()?;
    let marker = args.phase_marker.as_ref().map(|marker| (marker, host.as_deref().unwrap_or(&[])));
    let executions = measure(&name, &profile, &analysis, layers.as_deref(), &args.scope, marker)
        .map_err(|error| anyhow!("{name}: {error}"))?;
    Ok((executions, analysis.chip_hardware(&profile)))
}

fn write(path: &Path, text: &str) -> Result<Written> {
    let path: PathBuf = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    Ok(write_file(&path, &ByLibrary(text.as_bytes()))?)
}
