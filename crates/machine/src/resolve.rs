//! What the options `--on`, `--hw` and `--machine` name: a preset, or a file that describes machines.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::path::Path;

use bigtpu_chip::Chip;
use bigtpu_format::{MOST_SETTINGS, read_given_text};

use crate::cores::{CoresError, part};
use crate::machine::Machine;
use crate::presets::{PresetSet, nearest_preset, preset};
use crate::roofs::{Hardware, Overrides};

/// Why a text names no machine. One sentence each.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// The file can't be read.
    #[error("{}", error_message!("error-machine-resolve-unreadable", file, reason))]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        reason: Message,
    },
    /// The file describes no machine.
    #[error("{}", error_message!("error-machine-resolve-file", file, what))]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        what: Message,
    },
    /// Neither a file nor a preset.
    #[error("{}", error_message!("error-machine-resolve-unknown", name, nearest))]
    Unknown {
        /// As written.
        name: String,
        /// The preset that looks most like it.
        nearest: String,
    },
    /// A chip does not have as many cores.
    #[error(transparent)]
    Cores(#[from] CoresError),
    /// One machine is wanted, and the file has several.
    #[error("{}", error_message!("error-machine-resolve-several", file, count, names))]
    Several {
        /// The file.
        file: String,
        /// How many.
        count: usize,
        /// Their names.
        names: String,
    },
}

/// Machines that a text names: all of a file, or the preset.
///
/// # Errors
/// A file that can't be read or describes no machine, or a name that no preset has.
pub fn resolve(text: &str, set: PresetSet) -> Result<Vec<Machine>, ResolveError> {
    if Path::new(text).is_file() || has_file_ending(text) {
        return machines_of_file(text);
    }
    if let Some(Err(error)) = part(text).filter(|_| set == PresetSet::All) {
        return Err(error.into());
    }
    preset(text, set).map(|machine| vec![machine]).ok_or_else(|| unknown(text, set))
}

/// The one machine that a text names.
///
/// # Errors
/// As [`resolve`], or the file describes several.
pub fn resolve_one(text: &str, set: PresetSet) -> Result<Machine, ResolveError> {
    let machines = resolve(text, set)?;
    match machines.as_slice() {
        [machine] => Ok(machine.clone()),
        all => Err(ResolveError::Several {
            file: text.to_owned(),
            count: all.len(),
            names: all.iter().map(|machine| machine.name.as_str()).collect::<Vec<_>>().join(", "),
        }),
    }
}

/// The one machine that a text names for a run of `cores` cores of `own`: of a chip as many cores, of a file with
/// roofs the own chip with these roofs, of anything else the whole machine.
///
/// # Errors
/// As [`resolve_one`].
pub fn resolve_for(text: &str, own: &Hardware, cores: u32) -> Result<Machine, ResolveError> {
    if Path::new(text).is_file() {
        let content = read(text)?;
        if let Ok(roofs) = Overrides::parse(&content) {
            return Ok(with_roofs(own, &roofs, cores));
        }
    } else if let Ok(chip) = Chip::find(text) {
        return Ok(Machine::of_cores(&Hardware::at_own_clock(chip), cores));
    }
    resolve_one(text, PresetSet::All)
}

/// Cores of a chip with other roofs: what they were measured to move grows as the roofs do.
fn with_roofs(own: &Hardware, roofs: &Overrides, cores: u32) -> Machine {
    let other = own.clone().with(roofs);
    let (before, mut machine) = (Machine::of_cores(own, cores), Machine::of_cores(&other, cores));
    let grown = |reached: Option<f64>, old: Option<f64>, new: Option<f64>| match (reached, old) {
        (Some(reached), Some(old)) => new.map(|new| reached * new / old),
        _ => new.map(|new| new * f64::from(before.cores)),
    };
    machine.memory.gbps = grown(before.memory.gbps, own.ddr_gbps, other.ddr_gbps);
    machine.l2.gbps = grown(before.l2.gbps, own.l2m_gbps, other.l2m_gbps);
    machine
}

/// The machines of `--on` for a run of `cores` cores: as [`resolve_for`], and all machines of a file.
///
/// # Errors
/// As [`resolve`].
pub fn resolve_all_for(
    text: &str,
    own: &Hardware,
    cores: u32,
) -> Result<Vec<Machine>, ResolveError> {
    match resolve_for(text, own, cores) {
        Err(ResolveError::Several { .. }) => resolve(text, PresetSet::All),
        one => one.map(|machine| vec![machine]),
    }
}

fn unknown(name: &str, set: PresetSet) -> ResolveError {
    ResolveError::Unknown { name: name.to_owned(), nearest: nearest_preset(name, set) }
}

fn has_file_ending(text: &str) -> bool {
    let end = Path::new(text).extension().and_then(|end| end.to_str()).unwrap_or("");
    ["yaml", "yml", "json"].contains(&end.to_lowercase().as_str())
}

fn read(file: &str) -> Result<String, ResolveError> {
    read_given_text(Path::new(file), MOST_SETTINGS)
        .map_err(|error| ResolveError::Unreadable { file: file.to_owned(), reason: error.reason() })
}

fn machines_of_file(file: &str) -> Result<Vec<Machine>, ResolveError> {
    let content = read(file)?;
    let stem = Path::new(file).file_stem();
    let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    Machine::parse(&content, &stem).map_err(|error| ResolveError::File {
        file: file.to_owned(),
        what: Message::displayed(&error),
    })
}
