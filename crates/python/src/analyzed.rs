//! An analyzed dump, for Python.

use std::ffi::OsString;
use std::path::PathBuf;

use bigtpu_emit::Quiet;
use bigtpu_emit::report::json;
use bigtpu_output::OutDir;
use bigtpu_session::Run;
use bigtpu_timeline::Dump;
use bigtpuprofile::Reading;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyList};
use self_cell::self_cell;

use crate::error::error;
use crate::pool::pool;
use crate::{arrow, rows};

/// A dump, and how it is read.
struct Opened {
    reading: Reading,
    dump: Dump,
}

self_cell!(
    /// A run together with the dump whose bytes it refers to.
    struct Owned {
        owner: Opened,
        #[covariant]
        dependent: Run,
    }
);

/// An analyzed dump. It holds the bytes of the dump, so that its directory can change or go.
#[pyclass(frozen, module = "bigtpuprofile._native")]
pub(crate) struct Analyzed(Owned);

#[pymethods]
impl Analyzed {
    /// Analyzes a dump. `options` are those of the command line.
    #[new]
    fn new(py: Python<'_>, options: Vec<OsString>, input: PathBuf) -> PyResult<Self> {
        let pool = pool()?;
        let analyzed = py.detach(|| {
            pool.install(|| {
                let reading = Reading::new(options, &input)?;
                let dump = reading.open()?;
                let opened = Opened { reading, dump };
                Ok(Owned::new(opened, |opened| opened.reading.analyze(&opened.dump)))
            })
        });
        analyzed.map(Self).map_err(|e: bigtpuprofile::ReadingError| error(e))
    }

    /// `report.json`.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| json(&self.run().report()))
    }

    /// The events as a stream of Arrow batches: what Arrow calls the PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Another schema is a wish, which the interface lets unfulfilled.
        drop(requested_schema);
        let pool = pool()?;
        let stream = py.detach(|| pool.install(|| arrow::stream(self.run())));
        PyCapsule::new_with_value(py, stream.map_err(error)?, c"arrow_array_stream")
    }

    /// The events as dicts by the names of the columns.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let pool = pool()?;
        let batches = py.detach(|| pool.install(|| rows::columns(self.run())));
        rows::dicts(py, batches)
    }

    /// Writes views, by the names that `--emit` has, into a directory.
    fn write(&self, py: Python<'_>, views: Vec<String>, out: PathBuf) -> PyResult<()> {
        let pool = pool()?;
        let written = py.detach(|| {
            pool.install(|| {
                let out = OutDir::create(&out)?;
                let views: Vec<&str> = views.iter().map(String::as_str).collect();
                self.run().write(&views, None, &out, &Quiet)?;
                out.publish()
            })
        });
        written.map(drop).map_err(error)
    }
}

impl Analyzed {
    fn run(&self) -> &Run<'_> {
        self.0.borrow_dependent()
    }
}
