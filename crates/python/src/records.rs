//! Records as the dicts of bigTpuProfile's parser.
//!
//! An event's dicts begin as copies of those of the event before of the same kind, each one block of memory; then the values
//! that differ are put in. Keys and texts are made once.

use std::collections::HashMap;

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, Records, Value};
use bigtpu_measure::{TrackCommand, TrackCommands};
use foldhash::fast::RandomState;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

/// Different texts that are kept: numbers that are shown as texts may be different in each event.
const MOST_TEXTS: usize = 1 << 16;

/// The events of an engine: tuples of what was measured, the registers of the TIU, and where the event belongs.
pub(crate) fn events<'py>(
    py: Python<'py>,
    commands: TrackCommands<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let mut objects = Objects { py, texts: HashMap::default() };
    let mut records = Records::default();
    let list = PyList::empty(py);
    for command in commands.iter() {
        list.append(objects.event(&command, &mut records)?)?;
    }
    Ok(list)
}

/// Info, registers, and where the event belongs.
type Event<'py> = (Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, Bound<'py, PyDict>);

/// The last event of a kind.
#[derive(Default)]
struct Last<'a, 'py> {
    info: Part<'a, 'py>,
    registers: Part<'a, 'py>,
    meta: Part<'a, 'py>,
}

/// A dict of an event, and what it was made of; empty before the first event.
#[derive(Default)]
struct Part<'a, 'py> {
    fields: Vec<Field<'a>>,
    keys: Vec<Bound<'py, PyString>>,
    /// Places of the first fields that events of the kind do not share; `None` where any may differ.
    own: Option<Vec<usize>>,
    dict: Option<Bound<'py, PyDict>>,
}

impl<'a, 'py> Part<'a, 'py> {
    /// A copy of the dict, where its keys are those of these fields.
    fn copy(
        &self,
        first: &[Field<'a>],
        rest: &[Field<'a>],
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        // Names are constants, and equal ones are mostly one: then their bytes need no look.
        let same = |((a, _), (b, _)): (&Field<'_>, &Field<'_>)| std::ptr::eq(*a, *b) || a == b;
        let has_keys = self.fields.len() == first.len() + rest.len()
            && (self.own.is_some() || self.fields.iter().zip(first.iter().chain(rest)).all(same));
        match &self.dict {
            Some(dict) if has_keys => dict.copy().map(Some),
            _ => Ok(None),
        }
    }
}

/// Texts that exist already.
struct Objects<'py> {
    py: Python<'py>,
    texts: HashMap<String, Bound<'py, PyString>, RandomState>,
}

impl<'py> Objects<'py> {
    fn event<'a>(
        &mut self,
        command: &TrackCommand<'a, '_>,
        records: &mut Records<'a, Last<'a, 'py>>,
    ) -> PyResult<Event<'py>> {
        let known = records.of(command);
        let engine = command.kind.engine;
        if known.kept.info.dict.is_none() {
            let own = known.shared().enumerate().filter(|(_, shared)| !shared);
            let own = Some(own.map(|(place, _)| place).collect());
            let last = &mut known.kept;
            let part = if engine == Engine::Tiu { &mut last.registers } else { &mut last.info };
            part.own = own;
        }
        let (record, last) = (&known.record, &mut known.kept);
        let port: [Field<'_>; 1] = [("Port", command.all.track.engine_id.index.into())];
        let port = if engine == Engine::Cdma { &port[..] } else { &[] };
        let info = self.dict(&mut last.info, &record.info, &[], "")?;
        let meta = self.dict(&mut last.meta, port, &record.meta, "")?;
        let prefix = if record.prefixed { "des_" } else { "" };
        let registers = (engine == Engine::Tiu)
            .then(|| self.dict(&mut last.registers, &record.registers, &record.after, prefix));
        Ok((info, registers.transpose()?, meta))
    }

    /// The dict of a part of an event. `prefix`: of the names of its first fields.
    fn dict<'a>(
        &mut self,
        part: &mut Part<'a, 'py>,
        first: &[Field<'a>],
        rest: &[Field<'a>],
        prefix: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = match part.copy(first, rest)? {
            Some(dict) => {
                let Part { fields, keys, own, .. } = part;
                let mut change = |place: usize, field: &Field<'a>| match fields.get_mut(place) {
                    Some(old) if old.1 != field.1 => {
                        old.1.clone_from(&field.1);
                        keys.get(place).map_or(Ok(()), |key| self.put(&dict, key, &field.1))
                    }
                    _ => Ok(()),
                };
                match own {
                    Some(own) => own
                        .iter()
                        .filter_map(|place| Some((*place, first.get(*place)?)))
                        .try_for_each(|(place, field)| change(place, field))?,
                    None => first
                        .iter()
                        .enumerate()
                        .try_for_each(|(place, field)| change(place, field))?,
                }
                let rest = rest.iter().enumerate();
                for (place, field) in rest {
                    change(first.len() + place, field)?;
                }
                dict
            }
            None => {
                let names = first.iter().map(|(name, _)| format!("{prefix}{name}"));
                let names = names.chain(rest.iter().map(|(name, _)| (*name).to_owned()));
                part.keys = names.map(|name| PyString::intern(self.py, &name)).collect();
                part.fields = first.iter().chain(rest).cloned().collect();
                let dict = PyDict::new(self.py);
                for (key, (_, value)) in part.keys.iter().zip(&part.fields) {
                    self.put(&dict, key, value)?;
                }
                dict
            }
        };
        part.dict = Some(dict.clone());
        Ok(dict)
    }

    fn put(
        &mut self,
        dict: &Bound<'py, PyDict>,
        key: &Bound<'py, PyString>,
        value: &Value<'_>,
    ) -> PyResult<()> {
        match value {
            // Some sums are wider than 64 bits.
            Value::Int(n) => match i64::try_from(*n) {
                Ok(n) => dict.set_item(key, PyInt::new(self.py, n)),
                Err(_) => dict.set_item(key, n),
            },
            Value::Float(x) => dict.set_item(key, PyFloat::new(self.py, *x)),
            Value::Text(text) if text == "None" => dict.set_item(key, self.py.None()),
            Value::Text(text) => dict.set_item(key, self.text(text)),
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
