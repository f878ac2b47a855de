//! An event as a row: the keys of its record in their columns.

use bigtpu_chip::{Chip, Engine};
use bigtpu_compat::{Field, Value, record};
use bigtpu_measure::{TrackCommands, quotient};
use bigtpu_timeline::Events;

use crate::columns::{Columns, Finder, Kind};
use crate::number::{bandwidth, of_text, whole};
use crate::part::EngineBook;
use crate::port_columns;
use crate::sheet::{Result, Sheet};
use bigtpu_measure::layers::Layers;
use rust_xlsxwriter::XlsxError;

/// Commands over which the average goes.
const WINDOW: usize = 200;

/// Writes an engine's rows.
#[derive(Debug)]
pub(crate) struct Rows<'b, 'd> {
    commands: TrackCommands<'b, 'd>,
    engine: Engine,
    finder: Finder<'b>,
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
    fn address(&mut self, col: u16, value: &Value<'_>) -> Written<Self::Error>;
    /// A whole number.
    fn whole(&mut self, col: u16, n: i128) -> Written<Self::Error>;
    /// A bandwidth in GB/s; `None` where nothing was computed.
    fn gbps(&mut self, col: u16, x: Option<f64>) -> Written<Self::Error>;
    /// A text of the record; a ratio such as `12.5%` is one.
    fn value(&mut self, col: u16, text: &str) -> Written<Self::Error>;
    /// A text that is never a number.
    fn text(&mut self, col: u16, text: &str) -> Written<Self::Error>;
}

/// A row of a sheet.
pub(crate) struct SheetRow<'s, 'a> {
    pub(crate) sheet: &'s mut Sheet<'a>,
    /// Its number, from 0.
    pub(crate) row: u32,
}

impl RowCells for SheetRow<'_, '_> {
    type Error = XlsxError;

    fn address(&mut self, col: u16, value: &Value<'_>) -> Result {
        match value {
            Value::Int(n) => self.sheet.text(self.row, col, &format!("{n:#x}")),
            _ => Ok(()),
        }
    }

    fn whole(&mut self, col: u16, n: i128) -> Result {
        self.sheet.number(self.row, col, whole(n))
    }

    fn gbps(&mut self, col: u16, x: Option<f64>) -> Result {
        self.sheet.number(self.row, col, bandwidth(x))
    }

    fn value(&mut self, col: u16, text: &str) -> Result {
        match of_text(text).filter(|_| text.ends_with('%')) {
            Some(number) => self.sheet.number(self.row, col, number),
            None => self.sheet.text(self.row, col, text),
        }
    }

    fn text(&mut self, col: u16, text: &str) -> Result {
        self.sheet.text(self.row, col, text)
    }
}

/// What a row's derived columns need to know of it.
#[derive(Debug, Default)]
struct Seen<'a> {
    task: Option<i128>,
    operand: Option<i128>,
    result: Option<i128>,
    direction: Option<Value<'a>>,
    data_type: Option<Value<'a>>,
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
            finder: Finder::new(columns),
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
        let record = record(&command);
        let mut seen = Seen::default();
        let info = record.info.into_iter().map(|f| (f, false));
        let meta = record.meta.into_iter().map(|f| (f, false));
        let registers = record.registers.into_iter().map(|f| (f, record.prefixed));
        let after = record.after.into_iter().map(|f| (f, false));
        for (place, (field, prefixed)) in info.chain(meta).chain(registers).chain(after).enumerate()
        {
            self.field(cells, place, field, prefixed, &mut seen)?;
        }
        self.derived(cells, i, &seen)?;
        match self.port {
            Some(first) => port_columns::write(cells, first, &command),
            None => Ok(()),
        }
    }

    fn field<'a, C: RowCells>(
        &mut self,
        cells: &mut C,
        place: usize,
        (key, value): Field<'a>,
        prefixed: bool,
        seen: &mut Seen<'a>,
    ) -> Written<C::Error> {
        let Some((col, kind)) = self.finder.find(place, key, prefixed) else { return Ok(()) };
        match (kind, &value) {
            (Kind::Direction, _) => seen.direction = Some(value),
            (Kind::DataType, _) => seen.data_type = Some(value),
            (Kind::Hex, value) => cells.address(col, value)?,
            (Kind::Bandwidth, Value::Int(_)) => cells.gbps(col, None)?,
            (_, Value::Int(n)) => {
                match kind {
                    Kind::Task => seen.task = Some(*n),
                    Kind::Operand => seen.operand = Some(*n),
                    Kind::Result => seen.result = Some(*n),
                    _ => {}
                }
                cells.whole(col, *n)?;
            }
            (_, Value::Float(x)) => cells.gbps(col, Some(*x))?,
            (_, Value::Text(text)) => cells.value(col, text)?,
        }
        Ok(())
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
        let is_system = seen.task == Some(self.commands.profile.chip.system.of(self.engine).into());
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
