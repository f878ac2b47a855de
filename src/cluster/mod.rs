//! `bigtpuprofile cluster`: many devices as one run.

mod identity;
mod show;
mod tables;
mod views;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, anyhow, bail};
use bigtpu_cluster::report::Cluster;
use bigtpu_cluster::{Identity, JoinOptions, Joined, Part, Rank, join};
use bigtpu_output::{ByLibrary, Lines, Text, text};
use bigtpu_session::{Session, output_directory, write_file};
use rayon::prelude::*;

use crate::args::cluster::{Args, Command, JoinArgs, PartArgs};
use crate::batch::dumps;
use crate::console::ignore_broken_pipe;
use crate::exit;
use crate::standard;
use crate::threads::{self, Caller};
use identity::identities;
use tables::Numbers;
pub(crate) use views::REPORT_FILE;
use views::Views;

/// Analyzes dumps, takes a part, or joins parts.
pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Some(Command::Part(args)) => part(args).map(|()| ExitCode::SUCCESS),
        Some(Command::Join { paths, join }) => {
            threads::start(join.jobs, Caller::Works)?;
            let (parts, out) = split(paths)?;
            let (parts, mut notes) = read_parts(parts);
            notes.extend(version_notes(&parts));
            report(parts, notes, out, join)
        }
        None => {
            threads::start(args.join.jobs, Caller::Works)?;
            let (runs, out) = split(&args.paths)?;
            let (parts, notes) = of_dumps(runs, out, args.join.call)?;
            report(parts, notes, out, &args.join)
        }
    }
}

/// The inputs and, last, the directory for the results.
fn split(paths: &[PathBuf]) -> Result<(&[PathBuf], &Path)> {
    match paths {
        [inputs @ .., out] if !inputs.is_empty() => Ok((inputs, out)),
        _ => bail!("give the inputs, then the directory for the results"),
    }
}

/// Takes one dump's part.
fn part(args: &PartArgs) -> Result<()> {
    threads::start(args.jobs, Caller::Works)?;
    let identity = match &args.dumps {
        Some(list) => listed(list, args.path.as_deref().unwrap_or(&args.dump))?,
        None => alone(args),
    };
    let part = take(&args.dump, identity)?;
    let bytes = part.encode()?;
    let written = write_file(&args.out, &ByLibrary(&bytes))?;
    if !args.quiet {
        let line = text!(
            "{}: {} bytes, {} events, {} commands of ports\n",
            written.path,
            written.bytes,
            part.events,
            part.command_count()
        );
        ignore_broken_pipe(print(&line))?;
    }
    Ok(())
}

/// The identity of a dump without the others: the host is as given, or the directory above it.
fn alone(args: &PartArgs) -> Identity {
    let full = args.dump.canonicalize().unwrap_or_else(|_| args.dump.clone());
    let above = full.parent().and_then(Path::file_name);
    let above = above.map(|name| name.to_string_lossy().into_owned());
    let identity = identities(std::slice::from_ref(&full)).pop().unwrap_or_default();
    Identity {
        host: args.host.clone().or(above).unwrap_or(identity.host),
        dump: args.dump.display().to_string(),
        ..identity
    }
}

/// The identity of a dump among all that a file lists.
fn listed(list: &Path, dump: &Path) -> Result<Identity> {
    let text = std::fs::read_to_string(list)
        .map_err(|error| anyhow!("{}: cannot be read ({error})", list.display()))?;
    let paths: Vec<PathBuf> =
        text.lines().filter(|line| !line.trim().is_empty()).map(PathBuf::from).collect();
    let number = paths.iter().position(|path| path == dump);
    let identity = number.and_then(|number| identities(&paths).into_iter().nth(number));
    identity.ok_or_else(|| {
        anyhow!(
            "{}: does not list {}; give --path with the dump's path in the list",
            list.display(),
            dump.display()
        )
    })
}

/// The part of a dump.
fn take(dump: &Path, identity: Identity) -> Result<Part> {
    let session = Session::default();
    let opened = session.open(dump, None)?;
    let identity = Identity {
        chip: opened.chip.name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..identity
    };
    Ok(Part::of_dump(identity, &opened, &session.settings().reading))
}

/// The parts of all dumps below the directories, and what is left out.
fn of_dumps(runs: &[PathBuf], out: &Path, call: Option<u32>) -> Result<(Vec<Part>, Vec<String>)> {
    let (mut paths, mut notes) = (Vec::new(), Vec::new());
    for run in runs {
        let found = dumps(run, out, None)?;
        paths.extend(found.dumps.into_iter().map(|member| run.join(member.dump)));
        notes.extend(found.skipped);
    }
    paths.sort();
    paths.dedup();
    let jobs: Vec<(PathBuf, Identity)> = paths.iter().cloned().zip(identities(&paths)).collect();
    let jobs: Vec<_> =
        jobs.into_iter().filter(|(_, id)| call.is_none_or(|call| id.call == call)).collect();
    let taken: Vec<(PathBuf, Result<Part>)> =
        jobs.into_par_iter().map(|(path, id)| (path.clone(), take(&path, id))).collect();
    let mut parts = Vec::new();
    for (path, part) in taken {
        match part {
            Ok(part) => parts.push(part),
            Err(error) => notes.push(format!("{}: left out: {error}", path.display())),
        }
    }
    Ok((parts, notes))
}

/// The parts of the files, and what is left out.
fn read_parts(paths: &[PathBuf]) -> (Vec<Part>, Vec<String>) {
    let read: Vec<Result<Part, String>> = paths
        .par_iter()
        .map(|path| {
            let bytes = std::fs::read(path).map_err(|error| {
                format!("{}: left out: cannot be read ({error})", path.display())
            })?;
            Part::decode(&bytes).map_err(|error| format!("{}: left out: {error}", path.display()))
        })
        .collect();
    let (mut parts, mut notes) = (Vec::new(), Vec::new());
    for part in read {
        match part {
            Ok(part) => parts.push(part),
            Err(note) => notes.push(note),
        }
    }
    (parts, notes)
}

fn version_notes(parts: &[Part]) -> Option<String> {
    let own = env!("CARGO_PKG_VERSION");
    let other = parts.iter().find(|part| part.identity.version != own)?;
    Some(format!(
        "{}: its part is of version {}, this program is {own}: make the parts again to compare like with like",
        other.identity.dump, other.identity.version
    ))
}

/// Joins the parts of each call and writes the reports.
fn report(parts: Vec<Part>, notes: Vec<String>, out: &Path, args: &JoinArgs) -> Result<ExitCode> {
    let mut of_call: BTreeMap<u32, Vec<Part>> = BTreeMap::new();
    for part in parts.into_iter().filter(|p| args.call.is_none_or(|call| p.identity.call == call)) {
        of_call.entry(part.identity.call).or_default().push(part);
    }
    let several = of_call.len() > 1;
    if of_call.is_empty() {
        let first = notes.first().map_or_else(String::new, |note| format!("; {note}"));
        bail!("there is no dump to join{first}");
    }
    let mut is_whole = true;
    let target = output_directory(out)?;
    let mut shown = Vec::new();
    for (call, parts) in of_call {
        let joined = match join_parts(parts, notes.clone(), args) {
            // One call of several may be of a single device.
            Err(error) if several => {
                standard::note(&text!("note: call {}: {}", call, error.to_string()));
                continue;
            }
            joined => joined?,
        };
        is_whole &= is_complete(&joined.cluster);
        let place = if several { target.below(&format!("call-{call}")) } else { target.clone() };
        let views = views::write(&joined, &args.emit, &[], &place)?;
        shown.push((several.then_some(call), joined.cluster, views));
    }
    if shown.is_empty() {
        bail!("no call has the dumps of two devices; analyze one with `bigtpuprofile DUMP OUT`");
    }
    target.publish()?;
    for (call, cluster, Views { report, written, notes }) in &shown {
        if args.json {
            ignore_broken_pipe(standard::json(report).map_err(Into::into))?;
        } else if !args.quiet {
            ignore_broken_pipe(print(&show::text(*call, cluster, written, notes)))?;
        }
    }
    Ok(if args.strict && !is_whole { ExitCode::from(exit::LOSS) } else { ExitCode::SUCCESS })
}

fn join_parts(parts: Vec<Part>, mut notes: Vec<String>, args: &JoinArgs) -> Result<Joined> {
    refuse_doubles(&parts)?;
    let identities: Vec<&Identity> = parts.iter().map(|part| &part.identity).collect();
    let numbers = Numbers::of(&identities, args, &mut notes)?;
    let ranks: Vec<Rank> = parts
        .into_iter()
        .zip(&numbers.of_part)
        .filter_map(|(part, number)| Some(Rank { number: (*number)?, part }))
        .collect();
    let given = args.topology.as_deref().map(|file| tables::topology(file, &ranks)).transpose()?;
    let groups = args.groups.as_deref().map(tables::groups).transpose()?;
    let options = JoinOptions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        missing: numbers.missing,
        are_devices: numbers.are_devices,
        given: given.unwrap_or_default(),
        groups: groups.unwrap_or_default(),
        scales: args.scale.clone(),
        notes,
    };
    join(ranks, &options).map_err(|error| anyhow!("{error}"))
}

/// Two dumps of one device and call are refused.
fn refuse_doubles(parts: &[Part]) -> Result<()> {
    let mut known: BTreeMap<(&str, u32, u32), &str> = BTreeMap::new();
    for part in parts {
        let Identity { host, device, call, dump, .. } = &part.identity;
        if let Some(other) = known.insert((host, *device, *call), dump) {
            bail!(
                "{other} and {dump} are both of host {host}, device {device}, call {call}: leave one out, or put the \
                 dumps of each host into a directory of its own"
            );
        }
    }
    Ok(())
}

/// Whether nothing is missing: what `--strict` asks for.
fn is_complete(cluster: &Cluster) -> bool {
    cluster.islands.len() == 1
        && cluster.ledger.lost_records == 0
        && cluster.ranks.iter().all(|rank| !rank.missing)
}

fn print(text: &Text<Lines>) -> Result<()> {
    Ok(standard::lines(text)?)
}
