//! `bigtpuprofile costs`.

mod host;
mod show;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use bigtpu_costs::{Costs, Executions, measure};
use bigtpu_emit::{OutDir, Written};
use bigtpu_hardware::{Hardware, Machine};
use bigtpu_session::{Run, Session};

use crate::args::costs::Args;
use crate::console::ignore_broken_pipe;
use crate::multi_dump::open_only;
use crate::whatif::machine;

/// Name of the file in a directory.
const FILE: &str = "costs.json";

/// Measures, shows and writes.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut dumps = Vec::with_capacity(args.dumps.len());
    let mut hardware: Option<Machine> = None;
    for path in &args.dumps {
        let (executions, own) = of_dump(path, args)?;
        if let Some(file) = args.hw.as_ref().filter(|_| hardware.is_none()) {
            hardware = Some(machine(file, &own)?);
        }
        dumps.push(executions);
    }
    let (costs, dropped) = Costs::of(&dumps, args.drop_warmup, hardware.as_ref());
    if costs.parts.is_empty() {
        return Err(anyhow!(
            "--drop-warmup {} leaves out all executions of all parts; use a smaller number",
            args.drop_warmup
        ));
    }
    let text = serde_json::to_string_pretty(&costs)? + "\n";
    let written = args.out.as_deref().map(|path| write(path, &text)).transpose()?;
    for name in dropped {
        eprintln!("note: {name} ran at most {} times and is left out", args.drop_warmup);
    }
    if hardware.is_some() && costs.parts.iter().all(|part| part.energy_pj.is_none()) {
        eprintln!("note: the machine of --hw has no energy values, so energies are unknown");
    }
    ignore_broken_pipe(show::show(args, &costs, &text, written.as_ref()))
}

fn of_dump(path: &Path, args: &Args) -> Result<(Executions, Hardware)> {
    let name = path.display().to_string();
    let session = Session::default();
    let dump = open_only(path, &session)?;
    let Run { profile, analysis, layers, .. } = session.analyze(&dump);
    for note in layers.iter().flat_map(|layers| &layers.notes) {
        eprintln!("note: {name}: {note}");
    }
    let host = args.trace_file.as_ref().map(|file| host::events(file, &profile)).transpose()?;
    let marker = args.phase_marker.as_ref().map(|marker| (marker, host.as_deref().unwrap_or(&[])));
    let executions = measure(&name, &profile, &analysis, layers.as_deref(), &args.scope, marker)
        .map_err(|error| anyhow!("{name}: {error}"))?;
    Ok((executions, analysis.chip_hardware(&profile)))
}

fn write(path: &Path, text: &str) -> Result<Written> {
    let path: PathBuf = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("{}: is not a file name", path.display()))?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let out = OutDir::create(parent.unwrap_or(Path::new(".")))?;
    let mut file = out.file(name)?;
    file.append(text.as_bytes())?;
    let written = file.commit()?;
    out.publish()?;
    Ok(written)
}
