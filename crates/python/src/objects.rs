//! Values as Python's objects. Numbers and texts of events are mostly among those of the events before: then they are the same
//! objects, which need no memory of their own.

use std::collections::HashMap;

use bigtpu_compat::RecordValue;
use foldhash::fast::RandomState;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyString};

/// Different texts that are kept: numbers that are shown as texts may be different in each event.
const MOST_TEXTS: usize = 1 << 16;
/// Numbers that are kept, as a power of two.
const KEPT_NUMBERS: u32 = 12;

/// Objects that exist already.
pub(crate) struct Objects<'py> {
    pub(crate) py: Python<'py>,
    texts: HashMap<String, Bound<'py, PyString>, RandomState>,
    ints: Kept<'py, PyInt>,
    floats: Kept<'py, PyFloat>,
}

/// Numbers by their bits, each in the one place that its bits give: a later one of the place replaces it.
struct Kept<'py, T>(Vec<Option<(u64, Bound<'py, T>)>>);

impl<'py, T> Kept<'py, T> {
    fn new() -> Self {
        Self((0..1 << KEPT_NUMBERS).map(|_| None).collect())
    }

    /// Calls `put` with the number's object.
    fn with<R>(
        &mut self,
        bits: u64,
        make: impl FnOnce() -> Bound<'py, T>,
        put: impl FnOnce(&Bound<'py, T>) -> R,
    ) -> R {
        // The upper bits of a product with a large odd number depend on all bits.
        let place = bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - KEPT_NUMBERS);
        match self.0.get_mut(place as usize) {
            Some(Some((of, known))) if *of == bits => put(known),
            Some(slot) => put(&slot.insert((bits, make())).1),
            None => put(&make()),
        }
    }
}

impl<'py> Objects<'py> {
    pub(crate) fn new(py: Python<'py>) -> Self {
        Self { py, texts: HashMap::default(), ints: Kept::new(), floats: Kept::new() }
    }

    /// Puts a value into a dict.
    pub(crate) fn put(
        &mut self,
        dict: &Bound<'py, PyDict>,
        key: &Bound<'py, PyString>,
        value: &RecordValue<'_>,
    ) -> PyResult<()> {
        let py = self.py;
        match value {
            RecordValue::Int(n) => match i64::try_from(*n) {
                Ok(n) => self.ints.with(
                    n as u64,
                    || PyInt::new(py, n),
                    |object| dict.set_item(key, object),
                ),
                // Some sums are wider than 64 bits.
                Err(_) => dict.set_item(key, n),
            },
            RecordValue::Float(x) => self.floats.with(
                x.to_bits(),
                || PyFloat::new(py, *x),
                |object| dict.set_item(key, object),
            ),
            RecordValue::Text(text) if text == "None" => dict.set_item(key, py.None()),
            RecordValue::Text(text) => dict.set_item(key, self.text(text)),
        }
    }

    fn text(&mut self, text: &str) -> Bound<'py, PyString> {
        if let Some(known) = self.texts.get(text) {
            return known.clone();
        }
        let new = PyString::new(self.py, text);
        if self.texts.len() < MOST_TEXTS {
            self.texts.insert(text.to_owned(), new.clone());
        }
        new
    }
}
