//! Records as the dicts of bigTpuProfile's parser.
//!
//! An event's dicts begin as copies of those of the event before of the same kind, each one block of memory; then the values
//! that differ are put in. Keys and texts are made once.

use std::collections::HashMap;
use std::rc::Rc;

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, Value, record};
use bigtpu_measure::{Kind, TrackCommand, TrackCommands};
use foldhash::fast::RandomState;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyString};

/// Different texts that are kept: numbers that are shown as texts may be different in each event.
const MOST_TEXTS: usize = 1 << 16;

/// The events of an engine.
pub(crate) fn events<'py>(
    py: Python<'py>,
    commands: TrackCommands<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let mut objects = Objects::of(py);
    let mut last: HashMap<usize, Event<'_, '_>, RandomState> = HashMap::default();
    let list = PyList::empty(py);
    for command in commands.iter() {
        // Kinds are of one table, so that each is known by its place.
        let kind = std::ptr::from_ref::<Kind>(command.kind) as usize;
        let event = objects.event(&command, last.get(&kind))?;
        let extra = event.extra.as_ref().map(|part| &part.dict);
        list.append((&event.info.dict, extra, &event.meta.dict))?;
        last.insert(kind, event);
    }
    Ok(list)
}

/// An event: what was measured, the registers of the TIU, where it belongs.
struct Event<'a, 'py> {
    info: Part<'a, 'py>,
    extra: Option<Part<'a, 'py>>,
    meta: Part<'a, 'py>,
}

/// A dict, and the fields that it is made of. The first `prefixed` names have the prefix of full bits.
struct Part<'a, 'py> {
    fields: Vec<Field<'a>>,
    prefixed: usize,
    /// The dict's keys, in the order of the fields.
    keys: Rc<[Bound<'py, PyString>]>,
    dict: Bound<'py, PyDict>,
}

impl Part<'_, '_> {
    /// Whether its keys are those of other fields.
    fn has_keys(&self, fields: &[Field<'_>], prefixed: usize) -> bool {
        // Names are constants, and equal ones are mostly one: then their bytes need no look.
        let same = |((a, _), (b, _)): (&Field<'_>, &Field<'_>)| std::ptr::eq(*a, *b) || a == b;
        self.prefixed == prefixed
            && self.fields.len() == fields.len()
            && self.fields.iter().zip(fields).all(same)
    }
}

/// Texts that exist already.
struct Objects<'py> {
    py: Python<'py>,
    texts: HashMap<String, Bound<'py, PyString>, RandomState>,
}

impl<'py> Objects<'py> {
    fn of(py: Python<'py>) -> Self {
        Self { py, texts: HashMap::default() }
    }

    /// `last`: an event of the same kind.
    fn event<'a>(
        &mut self,
        command: &TrackCommand<'a, '_>,
        last: Option<&Event<'a, 'py>>,
    ) -> PyResult<Event<'a, 'py>> {
        let record = record(command);
        let mut meta = record.meta;
        if command.kind.engine == Engine::Cdma {
            meta.insert(0, ("Port", command.all.track.engine_id.index.into()));
        }
        let extra = (command.kind.engine == Engine::Tiu).then(|| {
            let mut fields = record.registers;
            let prefixed = if record.prefixed { fields.len() } else { 0 };
            fields.extend(record.after);
            (fields, prefixed)
        });
        let extra = extra.map(|(fields, prefixed)| {
            self.part(fields, prefixed, last.and_then(|last| last.extra.as_ref()))
        });
        Ok(Event {
            info: self.part(record.info, 0, last.map(|last| &last.info))?,
            extra: extra.transpose()?,
            meta: self.part(meta, 0, last.map(|last| &last.meta))?,
        })
    }

    fn part<'a>(
        &mut self,
        fields: Vec<Field<'a>>,
        prefixed: usize,
        last: Option<&Part<'a, 'py>>,
    ) -> PyResult<Part<'a, 'py>> {
        let (keys, dict) = match last.filter(|last| last.has_keys(&fields, prefixed)) {
            Some(last) => {
                let dict = last.dict.copy()?;
                let pairs = fields.iter().zip(&last.fields);
                for (key, ((_, value), (_, old))) in last.keys.iter().zip(pairs) {
                    if value != old {
                        self.put(&dict, key, value)?;
                    }
                }
                (Rc::clone(&last.keys), dict)
            }
            None => {
                let names = fields.iter().enumerate();
                let key = |(at, (name, _)): (usize, &Field<'_>)| match at < prefixed {
                    true => PyString::intern(self.py, &format!("des_{name}")),
                    false => PyString::intern(self.py, name),
                };
                let keys: Rc<[_]> = names.map(key).collect();
                let dict = PyDict::new(self.py);
                for (key, (_, value)) in keys.iter().zip(&fields) {
                    self.put(&dict, key, value)?;
                }
                (keys, dict)
            }
        };
        Ok(Part { fields, prefixed, keys, dict })
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
