//! Events as Python's dicts.

use bigtpu_emit_events::{Values, column_types};
use bigtpu_session::Run;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

/// Rows that are held as columns at a time.
const BATCH: usize = 1 << 17;

/// A column that owns its texts.
pub(crate) enum Column {
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Bool(Vec<Option<bool>>),
}

/// The events as columns, batch by batch.
pub(crate) fn columns(run: &Run<'_>) -> Vec<Vec<Column>> {
    run.event_columns(BATCH, |values| match values {
        Values::Int(values) => Column::Int(values),
        Values::Float(values) => Column::Float(values),
        Values::Text(texts) => {
            Column::Text(texts.into_iter().map(|text| text.map(str::to_owned)).collect())
        }
        Values::Bool(values) => Column::Bool(values),
    })
}

/// A dict for each row.
pub(crate) fn dicts(py: Python<'_>, batches: Vec<Vec<Column>>) -> PyResult<Bound<'_, PyList>> {
    let names: Vec<_> = column_types().map(|(name, _)| PyString::intern(py, name)).collect();
    let rows = PyList::empty(py);
    for batch in batches {
        let count = batch.first().map_or(0, Column::len);
        for row in 0..count {
            let dict = PyDict::new(py);
            for (name, column) in names.iter().zip(&batch) {
                dict.set_item(name, column.value(py, row)?)?;
            }
            rows.append(dict)?;
        }
    }
    Ok(rows)
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Int(values) => values.len(),
            Self::Float(values) => values.len(),
            Self::Text(values) => values.len(),
            Self::Bool(values) => values.len(),
        }
    }

    fn value<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Int(values) => values.get(row).copied().flatten().into_bound_py_any(py),
            Self::Float(values) => values.get(row).copied().flatten().into_bound_py_any(py),
            Self::Text(values) => values.get(row).and_then(Option::as_deref).into_bound_py_any(py),
            Self::Bool(values) => values.get(row).copied().flatten().into_bound_py_any(py),
        }
    }
}
