//! Records as the dicts of bigTpuProfile's parser.
//!
//! An event's dicts begin as copies of what all events of its kind share, each one block of memory; then the values that vary
//! are put in.

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

/// The dicts that events of a kind begin as.
#[derive(Default)]
struct Templates<'py> {
    /// The layout of the record that they are made of; 0 before the first event.
    layout: u32,
    info: Template<'py>,
    registers: Template<'py>,
    meta: Template<'py>,
}

/// A dict with what all events of a kind share, and the rest, which each event puts in.
#[derive(Default)]
struct Template<'py> {
    dict: Option<Bound<'py, PyDict>>,
    /// Names of the fields, without the prefix of the first part's.
    names: Vec<&'static str>,
    keys: Vec<Bound<'py, PyString>>,
    /// Places of the fields that vary. What the dict has for them is overwritten.
    varying: Vec<usize>,
    prefix: &'static str,
}

/// The fields of a part, and which of them vary.
type Fields<'r, 'a> = (&'r [Field<'a>], &'r [bool]);

fn event<'py>(
    objects: &mut Objects<'py>,
    command: &TrackCommand<'_, '_>,
    known: &mut KindRecord<'_, Templates<'py>>,
) -> PyResult<Event<'py>> {
    if known.kept.layout != known.layout() {
        let mut templates = std::mem::take(&mut known.kept);
        templates.renew(objects, command, known)?;
        known.kept = templates;
    }
    let (record, templates) = (&known.record, &known.kept);
    let is_tiu = command.kind.engine == Engine::Tiu;
    let info = templates.info.event(objects, &record.info, &[])?;
    let meta = templates.meta.event(objects, &record.meta, &[])?;
    let registers = is_tiu
        .then(|| templates.registers.event(objects, &record.registers, &record.after))
        .transpose()?;
    Ok((info, registers, meta))
}

impl<'py> Templates<'py> {
    /// Makes them those of the record's layout.
    fn renew(
        &mut self,
        objects: &mut Objects<'py>,
        command: &TrackCommand<'_, '_>,
        known: &KindRecord<'_, Self>,
    ) -> PyResult<()> {
        let (record, [of_info, of_meta, of_registers, of_after]) = (&known.record, known.varying());
        let prefix = if record.prefixed { "des_" } else { "" };
        self.layout = known.layout();
        self.info.renew(objects, [(&record.info, of_info), (&[], &[])], "")?;
        let registers = [(&*record.registers, &**of_registers), (&record.after, of_after)];
        self.registers.renew(objects, registers, prefix)?;
        let is_new = self.meta.renew(objects, [(&record.meta, of_meta), (&[], &[])], "")?;
        if let (true, Engine::Cdma, Some(dict)) = (is_new, command.kind.engine, &self.meta.dict) {
            // All events of a track are of one port. It is the first key.
            let port = PyDict::new(objects.py);
            port.set_item("Port", command.all.track.engine_id.index)?;
            port.update(dict.as_mapping())?;
            self.meta.dict = Some(port);
        }
        Ok(())
    }
}

impl<'py> Template<'py> {
    /// Makes it that of these fields; the names of the first get the prefix. Returns whether it has a new dict.
    fn renew(
        &mut self,
        objects: &mut Objects<'py>,
        parts: [Fields<'_, '_>; 2],
        prefix: &'static str,
    ) -> PyResult<bool> {
        let fields = || parts.iter().flat_map(|(fields, _)| fields.iter());
        let varying = parts.iter().flat_map(|(fields, varying)| {
            (0..fields.len()).map(|place| varying.get(place).is_none_or(|varies| *varies))
        });
        self.varying =
            varying.enumerate().filter(|(_, varies)| *varies).map(|(at, _)| at).collect();
        if self.dict.is_some()
            && self.prefix == prefix
            && fields().map(|(name, _)| *name).eq(self.names.iter().copied())
        {
            return Ok(false);
        }
        let dict = PyDict::new(objects.py);
        self.names = fields().map(|(name, _)| *name).collect();
        self.keys.clear();
        for (place, (name, value)) in fields().enumerate() {
            let prefix = if place < parts[0].0.len() { prefix } else { "" };
            let key = PyString::intern(objects.py, &format!("{prefix}{name}"));
            objects.put(&dict, &key, value)?;
            self.keys.push(key);
        }
        (self.dict, self.prefix) = (Some(dict), prefix);
        Ok(true)
    }

    /// The dict of an event; its fields are `first`, then `rest`.
    fn event(
        &self,
        objects: &mut Objects<'py>,
        first: &[Field<'_>],
        rest: &[Field<'_>],
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = match &self.dict {
            Some(shared) => shared.copy()?,
            None => PyDict::new(objects.py),
        };
        for place in &self.varying {
            let field = first.get(*place).or_else(|| rest.get(place - first.len()));
            if let (Some((_, value)), Some(key)) = (field, self.keys.get(*place)) {
                objects.put(&dict, key, value)?;
            }
        }
        Ok(dict)
    }
}
