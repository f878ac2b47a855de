//! What goes wrong, as Python's exceptions.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyException;

create_exception!(
    bigtpuprofile,
    ProfileError,
    PyException,
    "A dump could not be analyzed; the text is the program's own sentence."
);

/// A sentence as the package's exception.
pub(crate) fn error(sentence: impl Display) -> PyErr {
    ProfileError::new_err(sentence.to_string())
}
