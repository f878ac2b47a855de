//! Records as the dicts of bigTpuProfile's parser.
//!
//! An event's dicts begin as copies of what all events of its kind share, each one block of memory; then the values that vary
//! are put in.

use bigtpu_chip::Engine;
use bigtpu_compat::{
    Cell, CellField, INDEX, Kinds, OwnValues, RecordLayout, RecordValue, Varying, belongs,
    owner_number,
};
use bigtpu_measure::{TrackCommand, TrackCommands};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::objects::Objects;

/// The events of an engine: tuples of what was measured, the registers of the TIU, and where the event belongs.
pub(crate) fn events<'py>(
    py: Python<'py>,
    commands: TrackCommands<'_, '_>,
) -> PyResult<Bound<'py, PyList>> {
    let mut objects = Objects::new(py);
    let mut kinds: Kinds<Option<Templates<'py>>> = Kinds::default();
    let mut owner = Owner::new(py);
    let list = PyList::empty(py);
    for command in commands.iter() {
        let mut made = Ok(());
        let templates =
            kinds.get_or_make(&command, |layout| match Templates::new(&mut objects, layout) {
                Ok(templates) => Some(templates),
                Err(error) => {
                    made = Err(error);
                    None
                }
            });
        made?;
        if let Some(templates) = templates {
            list.append(event(&mut objects, &command, templates, &mut owner)?)?;
        }
    }
    Ok(list)
}

/// Info, registers, and where the event belongs.
type Event<'py> = (Bound<'py, PyDict>, Option<Bound<'py, PyDict>>, Bound<'py, PyDict>);

fn event<'py>(
    objects: &mut Objects<'py>,
    command: &TrackCommand<'_, '_>,
    templates: &Templates<'py>,
    owner: &mut Owner<'py>,
) -> PyResult<Event<'py>> {
    let mut values = OwnValues::new(command);
    let is_tiu = command.kind.engine == Engine::Tiu;
    let info = templates.info.event(objects, &mut values)?;
    let registers = is_tiu.then(|| templates.registers.event(objects, &mut values)).transpose()?;
    Ok((info, registers, owner.event(objects, command)?))
}

/// The dicts that events of a kind begin as.
struct Templates<'py> {
    info: Template<'py>,
    registers: Template<'py>,
}

/// A dict with what all events of a kind share, and the rest, which each event puts in.
struct Template<'py> {
    dict: Bound<'py, PyDict>,
    /// What the dict has for them is overwritten.
    varying: Vec<(Bound<'py, PyString>, Varying)>,
}

impl<'py> Templates<'py> {
    fn new(objects: &mut Objects<'py>, layout: &RecordLayout<'_>) -> PyResult<Self> {
        let [info, registers, after] = layout.parts();
        Ok(Self {
            info: Template::new(objects, &[info])?,
            registers: Template::new(objects, &[registers, after])?,
        })
    }
}

impl<'py> Template<'py> {
    /// Template of fields, with the prefix of their keys.
    fn new(objects: &mut Objects<'py>, parts: &[(&str, &[CellField<'_>])]) -> PyResult<Self> {
        let mut template = Self { dict: PyDict::new(objects.py), varying: Vec::new() };
        let fields =
            parts.iter().flat_map(|(prefix, fields)| fields.iter().map(move |of| (prefix, of)));
        for (prefix, (name, cell)) in fields {
            let key = PyString::intern(objects.py, &format!("{prefix}{name}"));
            match cell {
                Cell::Shared(value) => objects.put(&template.dict, &key, value)?,
                Cell::Varies(varying) => {
                    // Its place among the keys.
                    template.dict.set_item(&key, objects.py.None())?;
                    template.varying.push((key, *varying));
                }
            }
        }
        Ok(template)
    }

    /// The dict of an event.
    fn event(
        &self,
        objects: &mut Objects<'py>,
        values: &mut OwnValues<'_, '_, '_>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = self.dict.copy()?;
        for (key, varying) in &self.varying {
            objects.put(&dict, key, &values.get(*varying))?;
        }
        Ok(dict)
    }
}

/// The dict that says where events belong. Events that follow one another mostly belong to the same.
struct Owner<'py> {
    number: Option<u32>,
    index: Bound<'py, PyString>,
    dict: Bound<'py, PyDict>,
}

impl<'py> Owner<'py> {
    /// Owner without any event yet.
    fn new(py: Python<'py>) -> Self {
        Self { number: None, index: PyString::intern(py, INDEX), dict: PyDict::new(py) }
    }

    /// The dict of an event.
    fn event(
        &mut self,
        objects: &mut Objects<'py>,
        command: &TrackCommand<'_, '_>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let number = owner_number(command);
        if number.is_none() || number != self.number {
            self.number = number;
            self.dict = PyDict::new(objects.py);
            if command.kind.engine == Engine::Cdma {
                self.dict.set_item("Port", command.all.track.engine_id.index)?;
            }
            self.dict.set_item(&self.index, 0)?;
            for (name, value) in belongs(command) {
                let key = PyString::intern(objects.py, name);
                objects.put(&self.dict, &key, &value)?;
            }
        }
        let dict = self.dict.copy()?;
        objects.put(&dict, &self.index, &RecordValue::from(command.index))?;
        Ok(dict)
    }
}
