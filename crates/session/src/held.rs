//! The analysis of files in memory: named bytes go in, named bytes come out. For callers without a file system, such as the page
//! that analyzes a dump in a browser; what is analyzed and written, and each byte of it, is as by the command line.

use bigtpu_messages::{ForeignReason as _, error_message};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bigtpu_emit::Progress;
use bigtpu_emit_cluster::PAGE_FILE as CLUSTER_PAGE;
use bigtpu_emit_text::DUMPS_PAGE;
use bigtpu_emit_web::PAGE_FILE;
use bigtpu_format::{Files, GLOBAL_PROFILE, HeldFiles, find_dumps_in};
use bigtpu_host_trace::{HostAlign, TraceError};
use bigtpu_output::{OutDir, OutputError};
use bigtpu_timeline::{OpenError, is_summary_only};

use crate::archive::{ArchiveError, Packed, unpack_held};
use crate::choice::Choice;
use crate::cluster::{ClusterError, ClusterParts, JoinRequest, identities, report_in};
use crate::detail;
use crate::diff::{DiffError, difference_of_dumps};
use crate::dumps::{Named, Several, find};
use crate::host::Host;
use crate::note::remark;
use crate::run::Run;
use crate::settings::{Session, Settings};

/// The directory of files that were given without one.
const LOOSE: &str = "dump";

/// The directory of the cluster that the dumps are of.
const CLUSTER: &str = "cluster";

/// The directory of the comparison of two dumps.
const COMPARISON: &str = "diff";

/// Why files in memory are not analyzed.
#[derive(Debug, thiserror::Error)]
pub enum HeldError {
    /// A path is there twice, or leads elsewhere.
    #[error("{}", error_message!("error-held-path", path = path.display(), reason = source.reason()))]
    Path {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        source: std::io::Error,
    },
    /// An archive can't be unpacked.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// No file of a dump is among them.
    #[error("{}", error_message!("error-held-no-dump"))]
    NoDump,
    /// More records than are analyzed here.
    #[error("{}", error_message!("error-held-too-large", records, most, input = input.display()))]
    TooLarge {
        /// The dump, or the first of them.
        input: PathBuf,
        /// Records of all dumps.
        records: usize,
        /// How many are analyzed at most.
        most: usize,
    },
    /// A dump can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The trace of the host can't be read.
    #[error(transparent)]
    Host(#[from] TraceError),
    /// Two dumps can't be compared.
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// A file can't be written: there is not enough memory.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Files that are to be analyzed.
#[derive(Debug, Default)]
pub struct HeldInputs {
    files: HeldFiles,
    /// Dumps, or directories of them, in the order in which they were given.
    inputs: Vec<PathBuf>,
    hosts: Vec<PathBuf>,
}

/// How files in memory are analyzed.
#[derive(Debug, Default)]
pub struct HeldRequest {
    /// What all dumps have in common; files and the trace of the host are those that were given.
    pub settings: Settings,
    /// What is written of a dump.
    pub choice: Choice,
    /// Dumps are also related to each other: two are compared, the one that was given first as the run before the change (`diff/`);
    /// ranks of several hosts that links join are put on one clock (`cluster/`; of one host, they are so anyway).
    pub relates: bool,
    /// More records than this are refused, if it is given.
    pub most_records: Option<usize>,
}

/// What was made of files in memory.
#[derive(Debug)]
pub struct HeldResults {
    /// What the run is called: the name of its only dump.
    pub name: String,
    /// The dumps' directories among the results; only one without a name if there is one dump.
    pub dumps: Vec<PathBuf>,
    /// The page that answers first what these dumps were given for: of ranks that links join the cluster, of two runs of one device
    /// their comparison, else the dumps beside each other, or the only one's. Its file may not be there, if the choice has no pages.
    pub first_page: PathBuf,
    /// The files, by their names in an output directory.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// What is to be said of the run, as the console shows it.
    pub notes: Vec<String>,
    /// Some data was lost; the notes say what.
    pub has_loss: bool,
}

impl HeldInputs {
    /// Adds a file. `path`: its name, after those of the directories that it was given with. Of a file without a directory, an
    /// archive is unpacked, a text in JSON is a trace of the host, and anything else is a file of a dump.
    ///
    /// # Errors
    /// [`HeldError`] when the path is taken, or the archive can't be used.
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), HeldError> {
        let name = path.to_string_lossy();
        let is_alone = path.parent().is_none_or(|parent| parent.as_os_str().is_empty());
        if !is_alone {
            let top = path.iter().next().map(PathBuf::from).unwrap_or_default();
            return self.add_file(path, top, bytes);
        }
        let is_text = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
        match (Packed::detect(&bytes), is_text) {
            (Packed::Archive, _) => {
                let root = unpack_held(&name, &bytes, &mut self.files)?;
                self.add_input(root);
            }
            (Packed::Text, _) | (Packed::No, Some(b'{' | b'[')) => {
                let added = self.files.add(path, bytes);
                added.map_err(|source| HeldError::Path { path: path.to_owned(), source })?;
                self.hosts.push(path.to_owned());
            }
            (Packed::No, _) => {
                return self.add_file(&Path::new(LOOSE).join(path), LOOSE.into(), bytes);
            }
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path, input: PathBuf, bytes: Vec<u8>) -> Result<(), HeldError> {
        let added = self.files.add(path, bytes);
        added.map_err(|source| HeldError::Path { path: path.to_owned(), source })?;
        self.add_input(input);
        Ok(())
    }

    fn add_input(&mut self, input: PathBuf) {
        if !self.inputs.contains(&input) {
            self.inputs.push(input);
        }
    }

    /// Analyzes the dumps among the files.
    ///
    /// # Errors
    /// [`HeldError`] when there is no dump, one can't be opened, or is too large.
    pub fn analyze(
        self,
        request: HeldRequest,
        progress: &dyn Progress,
    ) -> Result<HeldResults, HeldError> {
        let HeldRequest { mut settings, choice, relates, most_records } = request;
        let files = Files::Held(Arc::new(self.files));
        let mut roots: Vec<PathBuf> =
            self.inputs.iter().flat_map(|input| dumps_of(input, &files)).collect();
        roots.dedup();
        let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
        let found = find(&files, &roots, None);
        if found.dumps.is_empty() {
            return Err(HeldError::NoDump);
        }
        settings.files = files.clone();
        let opener = Session::from(settings.clone());
        let several = Several::open(&found.dumps, &opener)?;
        let records = detail::records(several.opened());
        if let (Some(most), Some(first)) = (most_records, found.dumps.first())
            && records > most
        {
            return Err(HeldError::TooLarge { input: first.root.clone(), records, most });
        }
        if !self.hosts.is_empty() {
            settings.host = Some(Host::open_all(&self.hosts, &files, HostAlign::default())?);
        }
        let session = Session::from(settings);
        let out = OutDir::held();
        if let ([before, after], true) = (found.dumps.as_slice(), relates)
            && before.root != after.root
        {
            let comparing = progress.task("comparing", 0);
            difference_of_dumps(
                [&before.root, &after.root],
                &session,
                &out.subdirectory(COMPARISON),
            )?;
            drop(comparing);
        }
        let mut results = match found.dumps.as_slice() {
            [dump] => one(&session, &choice, dump, &out, progress)?,
            dumps => {
                let done = several.run(&session, &choice, (&out, false), progress)?;
                let dumps = dumps.iter().map(|dump| PathBuf::from(&dump.name.directory));
                HeldResults {
                    name: bigtpu_answers::counted(found.dumps.len(), "dump"),
                    dumps: dumps.collect(),
                    first_page: PathBuf::new(),
                    files: BTreeMap::new(),
                    notes: done.notes,
                    has_loss: done.has_loss,
                }
            }
        };
        results.notes.splice(
            0..0,
            found.remarks().iter().map(|remark| remark.text(session.settings().language)),
        );
        results.files = out.take_files();
        if relates {
            let roots = found.dumps.iter().map(|dump| dump.root.clone()).collect();
            let cluster = cluster_of_hosts(roots, session)?.into_iter();
            results
                .files
                .extend(cluster.map(|(name, bytes)| (Path::new(CLUSTER).join(name), bytes)));
        }
        results.first_page = first_page(&found.dumps, &results.files);
        Ok(results)
    }
}

/// The files of the cluster of several hosts that the dumps are of; none if they are of none.
fn cluster_of_hosts(
    mut roots: Vec<PathBuf>,
    session: Session,
) -> Result<BTreeMap<PathBuf, Vec<u8>>, HeldError> {
    roots.sort();
    roots.dedup();
    let hosts: BTreeSet<String> = identities(&roots).into_iter().map(|id| id.host).collect();
    if hosts.len() < 2 {
        return Ok(BTreeMap::new());
    }
    let out = OutDir::held();
    let parts = ClusterParts::of_paths(&roots, None, session);
    match report_in(parts, || Ok(out.clone()), &JoinRequest::default(), &|_| ()) {
        Ok(calls) if calls.iter().any(|call| !call.cluster.links.is_empty()) => {
            Ok(out.take_files())
        }
        Err(ClusterError::Output(error)) => Err(error.into()),
        // They are of no cluster, or of one that only the command's options could join.
        Ok(_) | Err(_) => Ok(BTreeMap::new()),
    }
}

/// See [`HeldResults::first_page`].
fn first_page(dumps: &[Named], files: &BTreeMap<PathBuf, Vec<u8>>) -> PathBuf {
    let [first, others @ ..] = dumps else { return PathBuf::new() };
    if others.is_empty() {
        return PAGE_FILE.into();
    }
    // Of several calls each may have one; that of all hosts has more in it than that of one.
    let is_cluster = |name: &&PathBuf| name.ends_with(CLUSTER_PAGE);
    let of_hosts = files.keys().filter(is_cluster).find(|name| name.starts_with(CLUSTER));
    if let Some(cluster) = of_hosts.or_else(|| files.keys().find(is_cluster)) {
        return cluster.clone();
    }
    let comparison = Path::new(COMPARISON).join(bigtpu_emit_text::diff::HTML_FILE);
    let is_one_device = others.iter().all(|other| other.name.device == first.name.device);
    if is_one_device && files.contains_key(&comparison) {
        return comparison;
    }
    DUMPS_PAGE.into()
}

/// Analyzes the only dump.
fn one(
    session: &Session,
    choice: &Choice,
    named: &Named,
    out: &OutDir,
    progress: &dyn Progress,
) -> Result<HeldResults, HeldError> {
    let dump = session.open(&named.root, named.iteration)?;
    let reading = progress.task("reading", 0);
    let run: Run<'_> = session.analyze(&dump).answered();
    drop(reading);
    let selection = choice.of_events(run.profile.event_count());
    run.write(&selection.views, None, out, progress)?;
    out.publish()?;
    let language = session.settings().language;
    let mut notes = run.notes(language, false);
    notes.extend(run.notes_of_views(&selection).map(|note| remark(note).text(language)));
    let has_loss = run.has_loss();
    Ok(HeldResults {
        name: run.source,
        dumps: vec![PathBuf::new()],
        first_page: PathBuf::new(),
        files: BTreeMap::new(),
        notes,
        has_loss,
    })
}

/// The dumps of an input: itself or those in it, as the command line finds them, else those deeper in it, as in an archive.
fn dumps_of(input: &Path, files: &Files) -> Vec<PathBuf> {
    let is_found =
        files.has_name(&input.join(GLOBAL_PROFILE)) || !find_dumps_in(input, files).is_empty();
    let Files::Held(held) = files else { return vec![input.to_owned()] };
    if is_found {
        return vec![input.to_owned()];
    }
    let heads = held.paths().filter(|path| {
        path.starts_with(input) && path.file_name().is_some_and(|name| name == GLOBAL_PROFILE)
    });
    let dumps = heads.filter_map(|path| path.parent()).map(Path::to_owned);
    let dumps: Vec<PathBuf> = dumps.filter(|dump| !is_summary_only(dump, files)).collect();
    // Opening shows what is wrong with it.
    if dumps.is_empty() { vec![input.to_owned()] } else { dumps }
}
