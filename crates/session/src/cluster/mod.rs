//! Many devices as one run: parts of dumps, and what they are together.

mod cores;
mod error;
mod host;
mod identity;
mod tables;
mod views;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use bigtpu_answers::StepSpans;
use bigtpu_cluster::report::Cluster;
use bigtpu_cluster::{DumpPart, Identity, JoinOptions, Joined, Rank, Scale, join};
use bigtpu_format::{MOST_MODEL, MOST_SETTINGS, read_given, read_given_text};
use bigtpu_measure::{CommandTable, DumpModel, Flows, Launches, Reuse};
use bigtpu_messages::{Arg, ForeignReason as _, Message, message};
use bigtpu_output::{ByLibrary, OutDir, OutputError, Written, plain_line};
use bigtpu_timeline::Profile;
use rayon::prelude::*;

use crate::Unreadable;
use crate::batch;
use crate::note::{Say, remark};
use crate::outputs::{file_or_in_directory, output_directory, write_file};
use crate::settings::Session;
use identity::host_alone;
pub(crate) use identity::identities;
use tables::Numbers;
use views::Views;

pub use crate::outputs::CLUSTER_REPORT as REPORT_FILE;
pub use error::ClusterError;
pub use views::{TraceScope, View};

/// The dump that a part is taken from, and where the part goes.
#[derive(Debug, Clone)]
pub struct PartRequest {
    /// The dump.
    pub dump: PathBuf,
    /// The part's file.
    pub out: PathBuf,
    /// A file with the paths of all dumps of the cluster, one a line.
    pub list: Option<PathBuf>,
    /// The dump's path in that list, where it is another.
    pub path: Option<PathBuf>,
    /// Name of the host.
    pub host: Option<String>,
    /// The trace of the rank's host, which becomes a part of the part.
    pub host_trace: Option<PathBuf>,
}

/// How parts are joined, and what is written of them.
#[derive(Debug, Clone, Default)]
pub struct JoinRequest {
    /// Rank table of the runtime.
    pub rank_table: Option<PathBuf>,
    /// Device of each rank.
    pub chip_map: Vec<u32>,
    /// File of links that are known.
    pub topology: Option<PathBuf>,
    /// File of names of groups of ranks.
    pub groups: Option<PathBuf>,
    /// Only the dumps of this call.
    pub call: Option<u32>,
    /// Changes that are predicted.
    pub scales: Vec<Scale>,
    /// Views; without any, all that are of use.
    pub views: Vec<View>,
    /// Cores and engines in the trace.
    pub trace: TraceScope,
    /// Pattern of the files with the traces of the ranks' hosts.
    pub host_trace: Option<String>,
    /// ns; how well the clocks of the hosts agree.
    pub host_sync_ns: Option<f64>,
}

/// Parts that are to be joined.
#[derive(Debug, Default)]
pub struct ClusterParts {
    parts: Vec<DumpPart>,
    /// How many could not be read.
    left_out: usize,
    notes: Vec<Message>,
    dumps: Dumps,
}

/// The dumps of the parts: the trace reads their cores.
#[derive(Debug, Default)]
pub(crate) struct Dumps {
    session: Session,
    /// This run has read them, at the paths that the parts name.
    are_read: bool,
}

/// A call of a cluster.
#[derive(Debug)]
pub struct Call {
    /// Its number, where there are several.
    pub number: Option<u32>,
    /// What is known of it.
    pub cluster: Cluster,
    /// `cluster` as JSON.
    pub report: String,
    /// Its files.
    pub written: Vec<Written>,
    /// What was not written, and why.
    pub notes: Vec<Message>,
}

impl Call {
    /// Whether nothing is missing.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        is_complete(&self.cluster)
    }
}

/// Takes one dump's part.
///
/// # Errors
/// [`ClusterError`] when the dump can't be read, or the part not written.
pub fn write_part(request: &PartRequest) -> Result<(DumpPart, Written), ClusterError> {
    let dump = &request.dump;
    let identity = match &request.list {
        Some(list) => listed(list, request.path.as_deref().unwrap_or(dump))?,
        None => alone(request),
    };
    let mut part = take(dump, identity, &Session::default())?;
    if let Some(file) = &request.host_trace {
        part.host = Some(host::side_of(&host::open(file)?, &part));
    }
    let name = dump.file_name().unwrap_or(OsStr::new("dump")).to_string_lossy();
    let out = file_or_in_directory(&request.out, &format!("{name}.part"));
    let written = write_file(&out, &ByLibrary(&part.encode()?))?;
    Ok((part, written))
}

/// The identity of a dump without the others: the host is as given, or by the directories above it.
fn alone(request: &PartRequest) -> Identity {
    let full = request.dump.canonicalize().unwrap_or_else(|_| request.dump.clone());
    let identity = identities(std::slice::from_ref(&full)).pop().unwrap_or_default();
    let given = request.host.as_deref().map(|host| plain_line(host).into_owned());
    Identity {
        host: given.or_else(|| host_alone(&full)).unwrap_or(identity.host),
        dump: request.dump.display().to_string(),
        ..identity
    }
}

/// The identity of a dump among all that a file lists.
fn listed(list: &Path, dump: &Path) -> Result<Identity, ClusterError> {
    let text = read_given_text(list, MOST_SETTINGS).map_err(Unreadable::from_io(list, None))?;
    let paths: Vec<PathBuf> =
        text.lines().filter(|line| !line.trim().is_empty()).map(PathBuf::from).collect();
    let number = paths.iter().position(|path| path == dump);
    let identity = number.and_then(|number| identities(&paths).into_iter().nth(number));
    identity.ok_or_else(|| ClusterError::NotListed { list: list.to_owned(), dump: dump.to_owned() })
}

/// The part of a dump.
fn take(dump: &Path, identity: Identity, session: &Session) -> Result<DumpPart, ClusterError> {
    let opened = session.open(dump, None)?;
    let identity = Identity {
        chip: opened.chip.name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        ..identity
    };
    let profile = Profile::build(&opened, &session.settings().reading);
    let (table, launches) = (CommandTable::decode(&profile), Launches::collect(&profile));
    let mut part = DumpPart::from_profile(identity, &profile, &table, &launches);
    let flows = Flows::default();
    let model = DumpModel::new(&profile, &table, &launches, Reuse::default(), &flows);
    let steps = StepSpans::repeated(&model);
    part.steps = steps.iter().flat_map(StepSpans::bounds).collect();
    Ok(part)
}

impl ClusterParts {
    /// The parts of all dumps below the directories, and what is left out.
    ///
    /// # Errors
    /// [`ClusterError`] when a directory holds none.
    pub fn of_dumps(runs: &[PathBuf], out: &Path, call: Option<u32>) -> Result<Self, ClusterError> {
        let (mut paths, mut notes, mut left_out) = (Vec::new(), Vec::new(), 0);
        for run in runs {
            let found = batch::dumps(run, out, None)?;
            // A dump itself is its only member, without a name.
            let place = |member: &Path| match member.as_os_str().is_empty() {
                true => run.clone(),
                false => run.join(member),
            };
            paths.extend(found.dumps.iter().map(|member| place(&member.dump)));
            left_out += found.skipped.iter().filter(|skipped| skipped.may_be_dump).count();
            notes.extend(found.skipped.into_iter().map(|skipped| skipped.text));
        }
        paths.sort();
        paths.dedup();
        let taken = Self::of_paths(&paths, call, Session::default());
        notes.extend(taken.notes);
        Ok(Self { left_out: left_out + taken.left_out, notes, ..taken })
    }

    /// The parts of the dumps at these paths, as the session reads them, and what is left out.
    pub(crate) fn of_paths(paths: &[PathBuf], call: Option<u32>, session: Session) -> Self {
        let jobs: Vec<(PathBuf, Identity)> = paths.iter().cloned().zip(identities(paths)).collect();
        let jobs: Vec<_> =
            jobs.into_iter().filter(|(_, id)| call.is_none_or(|call| id.call == call)).collect();
        let taken: Vec<(PathBuf, Result<DumpPart, ClusterError>)> = jobs
            .into_par_iter()
            .map(|(path, id)| (path.clone(), take(&path, id, &session)))
            .collect();
        let (mut parts, mut notes, mut left_out) = (Vec::new(), Vec::new(), 0);
        for (path, part) in taken {
            match part {
                Ok(part) => parts.push(part),
                Err(error) => {
                    notes.push(left_out_note(&path, &error));
                    left_out += 1;
                }
            }
        }
        Self { parts, left_out, notes, dumps: Dumps { session, are_read: true } }
    }

    /// Renames the dumps in results and notes. Dumps with new names can't be read again.
    #[must_use]
    pub fn named(mut self, name: impl Fn(&str) -> String) -> Self {
        for part in &mut self.parts {
            let dump = name(&part.identity.dump);
            self.dumps.are_read &= dump == part.identity.dump;
            part.identity.dump = dump;
        }
        let notes = std::mem::take(&mut self.notes).into_iter();
        self.notes = notes.map(|note| note.renamed(&name)).collect();
        self
    }

    /// The parts of the files, and what is left out.
    #[must_use]
    pub fn read(paths: &[PathBuf]) -> Self {
        let read: Vec<Result<DumpPart, Message>> = paths
            .par_iter()
            .map(|path| {
                let bytes = read_given(path, MOST_MODEL).map_err(|error| {
                    let path = path.display().to_string();
                    message!("cluster-unread-file", path = path, why = error.reason())
                })?;
                DumpPart::decode(&bytes).map_err(|error| left_out_note(path, &error))
            })
            .collect();
        let (mut parts, mut notes) = (Vec::new(), Vec::new());
        for part in read {
            match part {
                Ok(part) => parts.push(part),
                Err(note) => notes.push(note),
            }
        }
        let left_out = notes.len();
        notes.extend(version_notes(&parts));
        Self { parts, left_out, notes, dumps: Dumps::default() }
    }
}

fn left_out_note(path: &Path, error: &impl Display) -> Message {
    let why = Message::displayed(error);
    message!("cluster-left-out-file", path = path.display().to_string(), why = why)
}

fn version_notes(parts: &[DumpPart]) -> Option<Message> {
    let own = env!("CARGO_PKG_VERSION");
    let other = parts.iter().find(|part| part.identity.version != own)?;
    let Identity { dump, version, .. } = &other.identity;
    Some(message!("cluster-other-version", dump = dump, version = version, own = own))
}

/// Joins the parts of each call and writes the reports.
///
/// # Errors
/// [`ClusterError`] when there is nothing to join, files of the request are wrong, or a file can't be written.
pub fn report(
    parts: ClusterParts,
    out: &Path,
    request: &JoinRequest,
    say: Say<'_>,
) -> Result<Vec<Call>, ClusterError> {
    report_in(parts, || output_directory(out), request, say)
}

/// As [`report`]; `open` gives the directory for the results, when there is something to join.
pub(crate) fn report_in(
    parts: ClusterParts,
    open: impl FnOnce() -> Result<OutDir, OutputError>,
    request: &JoinRequest,
    say: Say<'_>,
) -> Result<Vec<Call>, ClusterError> {
    let ClusterParts { parts, left_out, notes, dumps } = parts;
    let is_asked = |part: &DumpPart| request.call.is_none_or(|call| part.identity.call == call);
    let mut of_call: BTreeMap<u32, Vec<DumpPart>> = BTreeMap::new();
    for part in parts.into_iter().filter(is_asked) {
        of_call.entry(part.identity.call).or_default().push(part);
    }
    let several = of_call.len() > 1;
    if of_call.is_empty() {
        return Err(ClusterError::NothingToJoin(notes.into_iter().next()));
    }
    let target = open()?;
    let mut calls = Vec::new();
    for (call, parts) in of_call {
        let joined = match join_parts(parts, (left_out, notes.clone()), request) {
            // One call of several may be of a single device.
            Err(error) if several => {
                let why = Message::displayed(&error);
                say(remark(message!(
                    "cluster-call-left-out",
                    call = Arg::Number(call.into()),
                    why = why
                )));
                continue;
            }
            joined => joined?,
        };
        let place =
            if several { target.subdirectory(&format!("call-{call}")) } else { target.clone() };
        let Views { report, written, notes } =
            views::write(&joined, &request.views, &request.trace, &dumps, &[], &place)?;
        let number = several.then_some(call);
        calls.push(Call { number, cluster: joined.cluster, report, written, notes });
    }
    if calls.is_empty() {
        return Err(ClusterError::NoCall);
    }
    target.publish()?;
    Ok(calls)
}

fn join_parts(
    parts: Vec<DumpPart>,
    (left_out, mut notes): (usize, Vec<Message>),
    request: &JoinRequest,
) -> Result<Joined, ClusterError> {
    refuse_doubles(&parts)?;
    let identities: Vec<&Identity> = parts.iter().map(|part| &part.identity).collect();
    let numbers = Numbers::assign(&identities, request, &mut notes)?;
    let mut ranks: Vec<Rank> = parts
        .into_iter()
        .zip(&numbers.of_part)
        .filter_map(|(part, number)| Some(Rank { number: (*number)?, part }))
        .collect();
    if let Some(pattern) = &request.host_trace {
        host::add(&mut ranks, pattern, &mut notes)?;
    }
    let given =
        request.topology.as_deref().map(|file| tables::topology(file, &ranks)).transpose()?;
    let groups = request.groups.as_deref().map(tables::groups).transpose()?;
    let options = JoinOptions {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        missing: numbers.missing,
        left_out,
        are_devices: numbers.are_devices,
        given: given.unwrap_or_default(),
        groups: groups.unwrap_or_default(),
        scales: request.scales.clone(),
        notes,
        host_sync_ns: request.host_sync_ns,
    };
    Ok(join(ranks, &options)?)
}

/// Two dumps of one device and call are refused.
fn refuse_doubles(parts: &[DumpPart]) -> Result<(), ClusterError> {
    let mut known: BTreeMap<(&str, u32, u32), &str> = BTreeMap::new();
    for part in parts {
        let Identity { host, device, call, dump, .. } = &part.identity;
        if let Some(other) = known.insert((host, *device, *call), dump) {
            return Err(ClusterError::Double {
                dumps: [other.to_owned(), dump.clone()],
                host: host.clone(),
                device: *device,
                call: *call,
            });
        }
    }
    Ok(())
}

/// Whether nothing is missing.
fn is_complete(cluster: &Cluster) -> bool {
    cluster.islands.len() == 1
        && cluster.ledger.left_out == 0
        && cluster.ranks.iter().all(|rank| !rank.missing && !rank.has_loss)
}
