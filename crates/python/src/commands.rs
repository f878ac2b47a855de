//! The events of a dump as bigTpuProfile's parser gives them, for `bigtpuprofile.compat`.

use std::ffi::OsString;
use std::path::PathBuf;

use bigtpu_chip::Engine;
use bigtpu_measure::CommandTable;
use bigtpu_timeline::{Dump, EngineEvents, Profile};
use bigtpuprofile::{Reading, ReadingError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use self_cell::self_cell;

use crate::error::error;
use crate::pool::pool;
use crate::records;

/// Events with their commands.
struct Decoded<'d> {
    profile: Profile<'d>,
    table: CommandTable,
}

self_cell!(
    /// Events together with the dump whose bytes they refer to.
    struct Owned {
        owner: Dump,
        #[covariant]
        dependent: Decoded,
    }
);

/// A dump whose commands are decoded, and nothing else: its engines' events become objects when they are asked for.
#[pyclass(frozen, module = "bigtpuprofile._native")]
pub(crate) struct Commands(Owned);

#[pymethods]
impl Commands {
    /// Opens a dump. `options` are those of the command line.
    #[new]
    fn new(py: Python<'_>, options: Vec<OsString>, input: PathBuf) -> PyResult<Self> {
        let pool = pool()?;
        let decoded = py.detach(|| {
            pool.install(|| {
                let reading = Reading::new(options, &input)?;
                Ok(Owned::new(reading.open()?, |dump| {
                    let profile = reading.session().profile(dump);
                    let table = CommandTable::decode(&profile);
                    Decoded { profile, table }
                }))
            })
        });
        decoded.map(Self).map_err(|e: ReadingError| error(e))
    }

    /// Facts of the dump, as in `dump` of `report.json`.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let profile = &self.0.borrow_dependent().profile;
        let facts = PyDict::new(py);
        facts.set_item("chip", profile.chip.name)?;
        facts.set_item("is_static", profile.is_static)?;
        facts.set_item("cores", profile.cores.len())?;
        facts.set_item("ports", profile.ports.len())?;
        facts.set_item("events", profile.event_count())?;
        facts.set_item("tiu_mhz", profile.clocks.tiu_mhz as f64)?;
        facts.set_item("dma_mhz", profile.clocks.dma_mhz)?;
        Ok(facts)
    }

    /// Engine (`tiu`, `gdma`, `sdma`, `cdma`), number of core or port, and number of events, of each that has any.
    fn engines(&self) -> Vec<(&'static str, u32, usize)> {
        let tracks = self.0.borrow_dependent().profile.tracks();
        let engines = tracks.map(|track| {
            (name(track.engine_id.engine), track.engine_id.index, track.events.start.len())
        });
        engines.filter(|(.., events)| *events > 0).collect()
    }

    /// The events of an engine: tuples `(info, extra, meta)` of dicts.
    fn events<'py>(
        &self,
        py: Python<'py>,
        engine: &str,
        index: u32,
    ) -> PyResult<Bound<'py, PyList>> {
        let Decoded { profile, table } = self.0.borrow_dependent();
        let is_it = |track: &&EngineEvents<'_>| {
            name(track.engine_id.engine) == engine && track.engine_id.index == index
        };
        let commands =
            profile.tracks().find(is_it).and_then(|track| table.commands(profile, track));
        match commands {
            Some(commands) => records::events(py, commands),
            None => Ok(PyList::empty(py)),
        }
    }
}

fn name(engine: Engine) -> &'static str {
    match engine {
        Engine::Tiu => "tiu",
        Engine::Gdma => "gdma",
        Engine::Sdma => "sdma",
        Engine::Cdma => "cdma",
    }
}
