//! Records as the dicts of bigTpuProfile's parser.
//!
//! An event's dicts begin as copies of those of the event before of the same kind, each one block of memory; then the values
//! that differ are put in.

use bigtpu_chip::Engine;
use bigtpu_compat::{Field, KindRecord, Records};
use bigtpu_measure::{TrackCommand, TrackCommands};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::objects::Objects;

/// The events of an engine: tuples of what was measured, the registers of the TIU, and where the event belongs.
pub(crate) fn events<'py>(
    py: Python<'py>,
    commands: TrackCommands<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let mut objects = Objects::of(py);
    let mut records = Records::default();
    let list = PyList::empty(py);
    for command in commands.iter() {
        list.append(event(&mut objects, &command, records.of(&command))?)?;
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
    dict: Option<Bound<'py, PyDict>>,
    /// Whether all events of the kind have the same keys.
    has_keys: bool,
    /// Places of the first fields that events of the kind do not share; `None` where any may differ.
    own: Option<Vec<usize>>,
}

fn event<'a, 'py>(
    objects: &mut Objects<'py>,
    command: &TrackCommand<'a, '_>,
    known: &mut KindRecord<'a, Last<'a, 'py>>,
) -> PyResult<Event<'py>> {
    let engine = command.kind.engine;
    if known.kept.info.dict.is_none() {
        let own: Option<Vec<usize>> = known.own().map(Iterator::collect);
        let Last { info, registers, .. } = &mut known.kept;
        (info.has_keys, registers.has_keys) = (own.is_some(), own.is_some());
        let part = if engine == Engine::Tiu { registers } else { info };
        part.own = own;
    }
    let (record, last) = (&known.record, &mut known.kept);
    let port: [Field<'_>; 1] = [("Port", command.all.track.engine_id.index.into())];
    let port = if engine == Engine::Cdma { &port[..] } else { &[] };
    let info = last.info.next(objects, &record.info, &[], "")?;
    let meta = last.meta.next(objects, port, &record.meta, "")?;
    let prefix = if record.prefixed { "des_" } else { "" };
    let registers = (engine == Engine::Tiu)
        .then(|| last.registers.next(objects, &record.registers, &record.after, prefix));
    Ok((info, registers.transpose()?, meta))
}

impl<'a, 'py> Part<'a, 'py> {
    /// The dict of the next event. `prefix`: of the names of
    /// the first fields.
    fn next(
        &mut self,
        objects: &mut Objects<'py>,
        first: &[Field<'a>],
        rest: &[Field<'a>],
        prefix: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = match self.copy(first, rest)? {
            Some(dict) => {
                let behind = first.len();
                let changed = |(old, new): (&Field<'_>, &Field<'_>)| old.1 != new.1;
                let Self { fields, keys, own, .. } = self;
                let mut put = |place: usize, new: &Field<'a>| -> PyResult<()> {
                    let (Some(old), Some(key)) = (fields.get_mut(place), keys.get(place)) else {
                        return Ok(());
                    };
                    if changed((old, new)) {
                        old.1.clone_from(&new.1);
                        objects.put(&dict, key, &old.1)?;
                    }
                    Ok(())
                };
                match own {
                    Some(own) => {
                        for place in own {
                            first.get(*place).map_or(Ok(()), |field| put(*place, field))?;
                        }
                    }
                    None => {
                        for (place, field) in first.iter().enumerate() {
                            put(place, field)?;
                        }
                    }
                }
                for (place, field) in rest.iter().enumerate() {
                    put(behind + place, field)?;
                }
                dict
            }
            None => self.make(objects, first, rest, prefix)?,
        };
        self.dict = Some(dict.clone());
        Ok(dict)
    }

    /// A copy of the dict, where its keys are those of these fields.
    fn copy(
        &self,
        first: &[Field<'a>],
        rest: &[Field<'a>],
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        // Names are constants, and equal ones are mostly one: then their bytes need no look.
        let same = |((a, _), (b, _)): (&Field<'_>, &Field<'_>)| std::ptr::eq(*a, *b) || a == b;
        let has_keys = self.fields.len() == first.len() + rest.len()
            && (self.has_keys || self.fields.iter().zip(first.iter().chain(rest)).all(same));
        match &self.dict {
            Some(dict) if has_keys => dict.copy().map(Some),
            _ => Ok(None),
        }
    }

    /// A dict of all fields.
    fn make(
        &mut self,
        objects: &mut Objects<'py>,
        first: &[Field<'a>],
        rest: &[Field<'a>],
        prefix: &str,
    ) -> PyResult<Bound<'py, PyDict>> {
        let names = first.iter().map(|(name, _)| format!("{prefix}{name}"));
        let names = names.chain(rest.iter().map(|(name, _)| (*name).to_owned()));
        self.keys = names.map(|name| PyString::intern(objects.py, &name)).collect();
        self.fields = first.iter().chain(rest).cloned().collect();
        let dict = PyDict::new(objects.py);
        for (key, (_, value)) in self.keys.iter().zip(&self.fields) {
            objects.put(&dict, key, value)?;
        }
        Ok(dict)
    }
}
