//! An event as a row: the keys of its record in their columns.

use bigtpu_chip::{Chip, Engine};
use bigtpu_compat::{
    Cell, CellField, INDEX, Kinds, OwnValues, RecordLayout, RecordValue, belongs, owner_number,
};
use bigtpu_measure::{TrackCommand, TrackCommands, quotient};
use bigtpu_timeline::Events;

use crate::columns::{Columns, Kind};
use crate::part::EngineBook;
use crate::port_columns;
use bigtpu_measure::layers::Layers;

/// Commands over which the average goes.
const WINDOW: usize = 200;

/// Writes an engine's rows.
pub(crate) struct Rows<'b, 'd> {
    commands: TrackCommands<'b, 'd>,
    engine: Engine,
    columns: &'b Columns,
    kinds: Kinds<OfKind<'b>>,
    owner: Owner<'b>,
    data_type: Option<u16>,
    direction: Option<u16>,
    average: Option<u16>,
    layers: Option<&'b Layers>,
    layer: [Option<u16>; 2],
    /// First of the columns of a port.
    port: Option<u16>,
}

/// What writing a cell gives.
type Written<E> = std::result::Result<(), E>;

/// Where the cells of one event go: a row of a sheet, or a line of the companion table.
pub(crate) trait RowCells {
    /// Why a cell can't be written.
    type Error;
    /// An address or a mask; its text is blank where the command has none.
    fn address(&mut self, col: u16, value: &RecordValue<'_>) -> Written<Self::Error>;
    /// A whole number.
    fn whole(&mut self, col: u16, n: i128) -> Written<Self::Error>;
    /// A bandwidth in GB/s; `None` where nothing was computed.
    fn gbps(&mut self, col: u16, x: Option<f64>) -> Written<Self::Error>;
    /// A text of the record; a ratio such as `12.5%` is one.
    fn value(&mut self, col: u16, text: &str) -> Written<Self::Error>;
    /// A text that is never a number.
    fn text(&mut self, col: u16, text: &str) -> Written<Self::Error>;
}

/// What a row's derived columns need to know of it.
#[derive(Debug, Default)]
struct Seen<'a> {
    task: Option<i128>,
    operand: Option<i128>,
    result: Option<i128>,
    direction: Option<RecordValue<'a>>,
    data_type: Option<RecordValue<'a>>,
}

impl<'b, 'd> Rows<'b, 'd> {
    /// Rows of an engine with the columns of its sheet, or with others.
    pub(crate) fn new(
        layers: Option<&'b Layers>,
        book: &EngineBook<'b, 'd>,
        columns: &'b Columns,
    ) -> Self {
        let find = |kind| columns.find(kind);
        Self {
            commands: book.commands,
            engine: book.engine(),
            columns,
            kinds: Kinds::default(),
            owner: Owner::default(),
            data_type: find(Kind::DataType),
            direction: find(Kind::Direction),
            average: find(Kind::AverageCycle),
            layers,
            layer: [find(Kind::LayerId), find(Kind::LayerName)],
            port: find(Kind::Port),
        }
    }

    /// Gives the cells of event `i`.
    pub(crate) fn write<C: RowCells>(&mut self, cells: &mut C, i: usize) -> Written<C::Error> {
        let Some(command) = self.commands.get(i) else { return Ok(()) };
        self.owner.be_of(&command, self.columns);
        let OfKind { before, after } =
            self.kinds.get_or_make(&command, |layout| OfKind::new(layout, self.columns));
        let (mut seen, mut values) = (Seen::default(), OwnValues::new(&command));
        for field in &*before {
            field.put_cell(cells, &mut values, &mut seen)?;
        }
        if let Some((col, kind)) = self.owner.index {
            put(cells, col, kind, &command.index.into(), &mut seen)?;
        }
        for (col, kind, value) in &self.owner.fields {
            put(cells, *col, *kind, value, &mut seen)?;
        }
        for field in &*after {
            field.put_cell(cells, &mut values, &mut seen)?;
        }
        self.derived(cells, i, &seen)?;
        match self.port {
            Some(first) => port_columns::write(cells, first, &command),
            None => Ok(()),
        }
    }

    fn derived<C: RowCells>(&self, cells: &mut C, i: usize, seen: &Seen<'_>) -> Written<C::Error> {
        self.layer(cells, i)?;
        if self.engine == Engine::Tiu {
            if let Some(col) = self.data_type {
                let text = conversion(self.commands.profile.chip, seen.operand, seen.result);
                cells.text(col, &text)?;
            }
            if let Some(col) = self.average {
                cells.whole(col, average_cycle(&self.commands.track.events, i) as i128)?;
            }
            return Ok(());
        }
        let is_system =
            seen.task == Some(self.commands.profile.chip.system.engine_code(self.engine).into());
        for (col, value, of_system) in
            [(self.direction, &seen.direction, "-"), (self.data_type, &seen.data_type, "None")]
        {
            match (col, value) {
                (Some(col), _) if is_system => cells.text(col, of_system)?,
                (Some(col), Some(value)) => cells.text(col, &value.to_string())?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The layer that the command belongs to, if it is known.
    fn layer<C: RowCells>(&self, cells: &mut C, i: usize) -> Written<C::Error> {
        let found = self.layers.and_then(|layers| layers.of_event(self.commands.track, i));
        let [id, name] = self.layer;
        for (col, is_id) in [(id, true), (name, false)] {
            match (col, found) {
                (Some(col), Some((at, _))) if is_id => cells.whole(col, at as i128)?,
                (Some(col), Some((_, layer))) => cells.text(col, &layer.name)?,
                (Some(col), None) => cells.text(col, "-")?,
                (None, _) => {}
            }
        }
        Ok(())
    }
}

/// A field that has a column.
struct Placed<'a> {
    col: u16,
    kind: Kind,
    cell: Cell<'a>,
}

/// The fields of a kind's records that have columns: before what the command belongs to, and after it.
struct OfKind<'a> {
    before: Vec<Placed<'a>>,
    after: Vec<Placed<'a>>,
}

impl<'a> OfKind<'a> {
    fn new(layout: &RecordLayout<'a>, columns: &Columns) -> Self {
        let placed = |(prefix, fields): (&'static str, &[CellField<'a>])| {
            let placed = fields.iter().filter_map(|(key, cell)| {
                let (col, kind) = columns.column(prefix, key)?;
                Some(Placed { col, kind, cell: cell.clone() })
            });
            placed.collect::<Vec<_>>()
        };
        let [before, registers, rest] = layout.parts().map(placed);
        Self { before, after: registers.into_iter().chain(rest).collect() }
    }
}

impl<'a> Placed<'a> {
    fn put_cell<C: RowCells>(
        &self,
        cells: &mut C,
        values: &mut OwnValues<'_, '_, '_>,
        seen: &mut Seen<'a>,
    ) -> Written<C::Error> {
        let Self { col, kind, cell } = self;
        match cell {
            Cell::Shared(value) => put(cells, *col, *kind, value, seen),
            Cell::Varies(varying) => put(cells, *col, *kind, &values.get(*varying), seen),
        }
    }
}

/// What a command belongs to, as fields that have columns. Commands that follow one another mostly belong to the same.
#[derive(Default)]
struct Owner<'a> {
    number: Option<u32>,
    index: Option<(u16, Kind)>,
    fields: Vec<(u16, Kind, RecordValue<'a>)>,
}

impl<'a> Owner<'a> {
    fn be_of(&mut self, command: &TrackCommand<'a, '_>, columns: &Columns) {
        let number = owner_number(command);
        if number.is_some() && number == self.number {
            return;
        }
        self.number = number;
        self.index = columns.column("", INDEX);
        let fields = belongs(command).into_iter().filter_map(|(key, value)| {
            let (col, kind) = columns.column("", key)?;
            Some((col, kind, value))
        });
        self.fields = fields.collect();
    }
}

/// Gives a value its cell, and takes note of what the derived columns need.
fn put<'a, C: RowCells>(
    cells: &mut C,
    col: u16,
    kind: Kind,
    value: &RecordValue<'a>,
    seen: &mut Seen<'a>,
) -> Written<C::Error> {
    match (kind, value) {
        (Kind::Direction, _) => seen.direction = Some(value.clone()),
        (Kind::DataType, _) => seen.data_type = Some(value.clone()),
        (Kind::Hex, value) => cells.address(col, value)?,
        (Kind::Bandwidth, RecordValue::Int(_)) => cells.gbps(col, None)?,
        (_, RecordValue::Int(n)) => {
            match kind {
                Kind::Task => seen.task = Some(*n),
                Kind::Operand => seen.operand = Some(*n),
                Kind::Result => seen.result = Some(*n),
                _ => {}
            }
            cells.whole(col, *n)?;
        }
        (_, RecordValue::Float(x)) => cells.gbps(col, Some(*x))?,
        (_, RecordValue::Text(text)) => cells.value(col, text)?,
    }
    Ok(())
}

/// `Data Type` of a TIU command, from the precision codes of its first operand and its result.
fn conversion(chip: &Chip, operand: Option<i128>, result: Option<i128>) -> String {
    let name = |code: i128| {
        u64::try_from(code).ok().and_then(|code| chip.data_type(code)).unwrap_or("UNKNOWN")
    };
    let result = result.map_or("None", name);
    format!("{} -> {result}", operand.map_or(result, name))
}

/// `Avg Cycle Last 200`: the time per command, in ns, up to the event's end; over all commands at first,
/// then over the last 200.
fn average_cycle(events: &Events, i: usize) -> f64 {
    let at = |column: &[i64], i: usize| column.get(i).copied().unwrap_or(0);
    let end = at(&events.end, i);
    let (span, commands) = match (i + 1).checked_sub(WINDOW) {
        None => (end, events.id.get(i).unwrap_or(0) + 1),
        Some(first) => (end - at(&events.start, first), WINDOW as i64),
    };
    quotient(span.into(), commands.into()).round_ties_even()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_fall_back_to_the_result() {
        let chip = Chip::find("AKS").unwrap();
        assert_eq!(conversion(chip, Some(1), Some(2)), "FP16 -> FP32");
        assert_eq!(conversion(chip, None, Some(2)), "FP32 -> FP32");
        assert_eq!(conversion(chip, None, None), "None -> None");
        assert_eq!(conversion(chip, Some(99), Some(0)), "UNKNOWN -> INT8");
    }

    #[test]
    fn the_average_is_over_200_commands_at_most() {
        let n = 400i64;
        let events = Events {
            start: (0..n).map(|i| i * 10).collect(),
            end: (0..n).map(|i| i * 10 + 8).collect(),
            id: (0..n).collect(),
            ..Events::default()
        };
        assert_eq!(average_cycle(&events, 0), 8.0);
        assert_eq!(average_cycle(&events, 198), 10.0);
        assert_eq!(average_cycle(&events, 399), 10.0);
        assert_eq!(average_cycle(&events, 999), 0.0);
    }
}
