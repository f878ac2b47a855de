//! Register fields of commands, read only where a query asks for them.

use std::cell::RefCell;

use bigtpu_compat::{Cell, Kinds, OwnValues, RecordValue};
use bigtpu_measure::TrackCommand;
use bigtpu_query::RegisterValue;

/// Whole numbers up to here are doubles, too.
const EXACT: u128 = 1 << 53;

/// Reads some register fields of commands. Of a kind of command, where its values are is found once.
pub(super) struct Registers<'r, 'a> {
    /// Names by place.
    names: &'r [String],
    /// Places that are read.
    places: &'r [usize],
    kinds: RefCell<Kinds<Vec<Option<Cell<'a>>>>>,
}

impl<'r, 'a> Registers<'r, 'a> {
    pub(super) fn new(names: &'r [String], places: &'r [usize]) -> Self {
        Self { names, places, kinds: RefCell::default() }
    }

    /// The value that a command has of the field at a place.
    pub(super) fn read(
        &self,
        command: &TrackCommand<'a, '_>,
        place: usize,
    ) -> Option<RegisterValue> {
        let at = self.places.iter().position(|own| *own == place)?;
        let mut kinds = self.kinds.borrow_mut();
        let cells = kinds.get_or_make(command, |layout| {
            let cell = |place: &usize| {
                let name = self.names.get(*place)?;
                layout
                    .further_fields()
                    .find(|(prefix, (key, _))| name.strip_prefix(prefix) == Some(*key))
                    .map(|(_, (_, cell))| cell.clone())
            };
            self.places.iter().map(cell).collect()
        });
        match cells.get(at)?.as_ref()? {
            Cell::Shared(value) => Some(register(value)),
            Cell::Varies(varying) => Some(register(&OwnValues::new(command).get(*varying))),
        }
    }
}

fn register(value: &RecordValue<'_>) -> RegisterValue {
    match value {
        RecordValue::Int(n) if n.unsigned_abs() < EXACT => RegisterValue::Number(*n as f64),
        RecordValue::Float(x) => RegisterValue::Number(*x),
        RecordValue::Int(_) | RecordValue::Text(_) => RegisterValue::Text(value.to_string()),
    }
}
