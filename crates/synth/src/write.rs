//! Dumps in memory and on disk.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Cursor};
use std::path::Path;

use bigtpu_format::GLOBAL_PROFILE;
use rayon::prelude::*;

use crate::container::pack;
use crate::file::FilePlan;
use crate::new_files::NewFiles;
use crate::output::Regions;
use crate::session::{Planned, Session};
use crate::{Error, Options, Result};

/// Size of a written dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrittenDump {
    /// Files.
    pub files: usize,
    /// Bytes of all files.
    pub bytes: u64,
}

/// A dump in memory: file names and their bytes.
///
/// # Errors
/// When no dump can be like that.
pub fn generate(options: &Options) -> Result<BTreeMap<String, Vec<u8>>> {
    let session = Session::new(options)?;
    let planned = session.plan()?;
    in_memory(&planned)
}

fn in_memory(planned: &Planned<'_>) -> Result<BTreeMap<String, Vec<u8>>> {
    let files: Result<Vec<_>> = jobs(planned).into_par_iter().map(|job| job.in_memory()).collect();
    let options = planned.session.options;
    if options.writer.is_container(options.chip) {
        return pack(planned, files?.into_iter().collect());
    }
    Ok(files?.into_iter().chain([planned.global()]).collect())
}

/// Writes a dump to a directory, which is made where it is missing and must be empty otherwise.
///
/// `global.profile` comes last: before it is there, the directory is no dump.
///
/// # Errors
/// When no dump can be like that, when the directory holds anything, and when the system refuses to write.
pub fn write(options: &Options, dir: &Path) -> Result<WrittenDump> {
    let session = Session::new(options)?;
    let failed = |path: &Path, source| Error::Io { path: path.to_owned(), source };
    std::fs::create_dir_all(dir).map_err(|e| failed(dir, e))?;
    let mut entries = std::fs::read_dir(dir).map_err(|e| failed(dir, e))?;
    if entries.next().is_some() {
        return Err(Error::NotEmpty { path: dir.to_owned() });
    }
    let planned = session.plan()?;
    NewFiles::write_all(dir, |files| write_planned(&planned, dir, files))
}

fn write_planned(planned: &Planned<'_>, dir: &Path, new: &NewFiles<'_>) -> Result<WrittenDump> {
    let failed = |path: &Path, source| Error::Io { path: path.to_owned(), source };
    let options = planned.session.options;
    if options.writer.is_container(options.chip) {
        let mut files = in_memory(planned)?;
        let global = files.remove_entry(GLOBAL_PROFILE);
        let count = files.len() + 1;
        let mut bytes = 0;
        for (name, content) in files.into_iter().chain(global) {
            let path = dir.join(name);
            bytes += content.len() as u64;
            new.write(&path, &content).map_err(|e| failed(&path, e))?;
        }
        return Ok(WrittenDump { files: count, bytes });
    }
    let jobs = jobs(planned);
    let files = jobs.len() + 1;
    let bytes: u64 = jobs.iter().map(|job| job.file.bytes).sum();
    jobs.into_par_iter().try_for_each(|job| {
        let path = dir.join(&job.file.name);
        job.on_disk(&path, new).map_err(|e| failed(&path, e))
    })?;
    let (name, text) = planned.global();
    let path = dir.join(name);
    let bytes = bytes + text.len() as u64;
    new.write(&path, text.as_ref()).map_err(|e| failed(&path, e))?;
    Ok(WrittenDump { files, bytes })
}

/// A file to be written.
struct Job<'a> {
    planned: &'a Planned<'a>,
    file: &'a FilePlan,
    owner: Owner,
}

#[derive(Clone, Copy)]
enum Owner {
    Core(u32),
    Port(u8),
}

fn jobs<'a>(planned: &'a Planned<'a>) -> Vec<Job<'a>> {
    let cores = planned.cores.iter().zip(0..).map(|(file, core)| (file, Owner::Core(core)));
    let ports = planned.ports.iter().map(|(port, file)| (file, Owner::Port(*port)));
    cores.chain(ports).map(|(file, owner)| Job { planned, file, owner }).collect()
}

impl Job<'_> {
    fn run(&self, mut regions: Regions<'_>) -> io::Result<()> {
        let plan = &self.planned.plan;
        match self.owner {
            Owner::Core(core) => {
                self.planned.core(core).run(Some(plan), &mut regions);
            }
            Owner::Port(port) => {
                if let Some(port) = self.planned.port(port) {
                    port.run(plan, &mut regions);
                }
            }
        }
        regions.finish()
    }

    fn in_memory(&self) -> Result<(String, Vec<u8>)> {
        let name = self.file.name.clone();
        let too_large = |_| Error::TooLarge { file: name.clone(), bytes: self.file.bytes };
        let mut bytes = vec![0; usize::try_from(self.file.bytes).map_err(too_large)?];
        let mut rest = bytes.as_mut_slice();
        let regions = self.file.regions(|_, length| {
            let (part, after) = std::mem::take(&mut rest).split_at_mut(length as usize);
            rest = after;
            Ok((Cursor::new(part), 0))
        });
        let failed = |source| Error::Io { path: self.file.name.clone().into(), source };
        regions.and_then(|regions| self.run(regions)).map_err(failed)?;
        Ok((self.file.name.clone(), bytes))
    }

    fn on_disk(&self, path: &Path, new: &NewFiles<'_>) -> io::Result<()> {
        let file = new.create(path)?;
        file.set_len(self.file.bytes)?;
        // Each part has a handle and so a position of its own.
        let open = |at, _| Ok((OpenOptions::new().write(true).open(path)?, at));
        self.run(self.file.regions(open)?)
    }
}
