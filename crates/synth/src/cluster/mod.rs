//! Many devices: an event-driven simulation of devices, links and collectives with the credit protocol, each device
//! written as an ordinary dump, and `truth.json` beside them.
//!
//! A receive sends a credit to the sender; the send waits for it, reads locally, writes into the peer's memory and
//! ends with the write responses. The commands of a port's thread do not overlap; those of two threads may.

mod changes;
mod commands;
mod devices;
mod dump;
mod host;
mod options;
mod plant;
mod ports;
mod program;
mod simulation;
mod topology;
mod truth;
mod words;

pub use options::{ClusterOptions, ClusterTraffic, Moments, Topology};
pub use plant::{ClusterPlant, NoClusterPlant};

use std::path::Path;

use rayon::prelude::*;

use crate::new_files::NewFiles;
use crate::{Error, Result, WrittenDump};
use devices::Devices;
use simulation::Simulation;

/// Writes the dumps of a cluster, `truth.json` and `rank_table.json` to a directory, which is made where it is missing
/// and must be empty otherwise.
///
/// # Errors
/// When no cluster can be like that, when the directory holds anything, and when the system refuses to write.
pub fn write_cluster(options: &ClusterOptions, dir: &Path) -> Result<WrittenDump> {
    options.check()?;
    let failed = |path: &Path, source| Error::Io { path: path.to_owned(), source };
    std::fs::create_dir_all(dir).map_err(|e| failed(dir, e))?;
    let mut entries = std::fs::read_dir(dir).map_err(|e| failed(dir, e))?;
    if entries.next().is_some() {
        return Err(Error::NotEmpty { path: dir.to_owned() });
    }
    NewFiles::write_all(dir, |files| write_parts(options, dir, files))
}

fn write_parts(options: &ClusterOptions, dir: &Path, new: &NewFiles<'_>) -> Result<WrittenDump> {
    let failed = |path: &Path, source| Error::Io { path: path.to_owned(), source };
    let simulation = Simulation::run(options, &options.plants, changes::Changes::default())?;
    let devices = Devices::new(options, &simulation);
    let sizes: Result<Vec<(usize, u64)>> = (0..options.devices)
        .into_par_iter()
        .filter(|&rank| !options.plants.contains(&ClusterPlant::LostDump { rank }))
        .map(|rank| {
            let root = dir.join(devices.directory(rank));
            std::fs::create_dir_all(&root).map_err(|e| failed(&root, e))?;
            let files = dump::files(options, &simulation, &devices, rank);
            for (name, bytes) in &files {
                let path = root.join(name);
                new.write(&path, bytes).map_err(|e| failed(&path, e))?;
            }
            Ok((files.len(), files.iter().map(|(_, bytes)| bytes.len() as u64).sum()))
        })
        .collect();
    let mut written = WrittenDump { files: 0, bytes: 0 };
    for (files, bytes) in sizes? {
        written = WrittenDump { files: written.files + files, bytes: written.bytes + bytes };
    }
    for rank in (0..options.devices).filter(|_| options.has_host_traces) {
        let path = dir.join(format!("traces/rank{rank}.json"));
        let text = host::text(options, &simulation, &devices, rank);
        std::fs::create_dir_all(dir.join("traces")).map_err(|e| failed(&path, e))?;
        new.write(&path, text.as_bytes()).map_err(|e| failed(&path, e))?;
        written =
            WrittenDump { files: written.files + 1, bytes: written.bytes + text.len() as u64 };
    }
    let texts = [
        ("truth.json", truth::text(options, &simulation, &devices)?),
        ("rank_table.json", truth::rank_table(options, &devices)),
        ("topology.json", truth::topology(options, &simulation)),
    ];
    for (name, text) in texts {
        let path = dir.join(name);
        written =
            WrittenDump { files: written.files + 1, bytes: written.bytes + text.len() as u64 };
        new.write(&path, text.as_bytes()).map_err(|e| failed(&path, e))?;
    }
    Ok(written)
}
