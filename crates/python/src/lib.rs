//! `bigtpuprofile._native`: what the Python package does in Python's own process. See `docs/python.md`.

mod analyzed;
mod arrow;
mod commands;
mod error;
mod objects;
mod pool;
mod records;
mod rows;

/// The extension module.
#[pyo3::pymodule]
mod _native {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analyzed::Analyzed;
    #[pymodule_export]
    use crate::commands::Commands;
    #[pymodule_export]
    use crate::error::ProfileError;

    /// The command line, its first argument the program's name; ends the process.
    #[pyfunction]
    fn main(arguments: Vec<OsString>) {
        std::process::exit(bigtpuprofile::run(arguments).into())
    }

    /// JSON of the same meaning, in which characters that can't be seen are escapes.
    #[pyfunction]
    fn plain_json(json: &str) -> String {
        bigtpu_output::plain_json(json).into_owned()
    }

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const version: &str = env!("CARGO_PKG_VERSION");
}
