//! The values of a command that a query asks for: those of the events' columns, and those that no column has.

use bigtpu_chip::Engine;
use bigtpu_emit_events::{CommandRow, EventCell};
use bigtpu_measure::{Activity, percent_number};
use bigtpu_query::{QueryField, QueryRecord, RegisterValue};

use super::item::RunFacts;
use super::registers::Registers;

/// A command.
pub(super) struct CommandItem<'r, 'a> {
    pub(super) row: CommandRow<'a>,
    pub(super) run: &'r RunFacts<'a>,
    pub(super) registers: &'r Registers<'r, 'a>,
}

/// `role` of commands that neither work nor wait nor send.
pub(super) const SYSTEM: &str = "system";

impl<'a> CommandItem<'_, 'a> {
    fn is_dma_work(&self) -> bool {
        let kind = self.row.command().kind;
        kind.engine != Engine::Tiu && kind.activity.is_work()
    }

    fn ns(&self) -> i64 {
        self.row.command().end() - self.row.command().start()
    }

    /// The value of a column.
    fn of_column(&self, field: QueryField) -> EventCell<'a> {
        self.run.column(field).map_or(EventCell::Null, |column| self.row.value(column))
    }

    fn layer_index(&self) -> Option<usize> {
        let command = self.row.command();
        self.run.layers?.index_of_event(command.all.track, command.index)
    }

    /// Bytes over the command's time, in GB/s.
    fn gbps(&self, bytes: impl Fn() -> Option<u64>) -> Option<f64> {
        self.is_dma_work().then(|| bytes().unwrap_or(0) as f64 / self.ns().max(1) as f64)
    }

    fn uarch_rate(&self) -> Option<f64> {
        let kind = self.row.command().kind;
        let family = self.run.profile.chip.family;
        // To the digit that all outputs show.
        kind.counts_operations()
            .then(|| (percent_number(kind.uarch_rate(family)) * 10.0).round() / 1e3)
    }

    fn expected_ns(&self) -> Option<f64> {
        number(self.of_column(QueryField::Expected))
    }
}

fn number(cell: EventCell<'_>) -> Option<f64> {
    match cell {
        EventCell::Int(n) => Some(n as f64),
        EventCell::Float(x) => Some(x),
        EventCell::Bool(yes) => Some(f64::from(u8::from(yes))),
        EventCell::Null | EventCell::Text(_) => None,
    }
}

impl<'a> QueryRecord<'a> for CommandItem<'_, 'a> {
    #[inline]
    fn number(&self, field: QueryField) -> Option<f64> {
        let command = self.row.command();
        let is_tiu = command.kind.engine == Engine::Tiu;
        let stall = || command.stall_cycles() as f64;
        let of_port = || command.port();
        let of_times =
            |value: fn(&bigtpu_measure::PortTimes) -> i64| Some(value(&of_port()?.1?) as f64);
        match field {
            // Of a port its own number: the column of the events has the core that its command comes from.
            QueryField::Core => Some(command.all.track.engine_id.index.into()),
            QueryField::Start => Some((command.start() - self.run.start) as f64),
            QueryField::End => Some((command.end() - self.run.start) as f64),
            QueryField::Duration => Some(self.ns() as f64),
            // The column of the events has both.
            QueryField::Stall => (!is_tiu).then(stall),
            QueryField::Conflict => is_tiu.then(stall),
            QueryField::DdrBandwidth => self.gbps(|| command.transfer().ddr_bytes),
            QueryField::L2Bandwidth => self.gbps(|| command.transfer().l2_bytes),
            QueryField::Source => command.known_addresses()[0].map(|at| at as f64),
            QueryField::Destination => command.known_addresses()[1].map(|at| at as f64),
            QueryField::UarchRate => self.uarch_rate(),
            QueryField::TimesExpected => {
                self.expected_ns().map(|expected| self.ns() as f64 / expected.max(1.0))
            }
            QueryField::Waiting => of_times(|times| times.waiting_ns),
            QueryField::Moving => of_times(|times| times.transfer_ns),
            QueryField::Completion => of_times(|times| times.completion_ns),
            QueryField::Retries => of_port().map(|(own, _)| f64::from(own.replays)),
            field => number(self.of_column(field)),
        }
    }

    #[inline]
    fn text(&self, field: QueryField) -> Option<&'a str> {
        match field {
            QueryField::Role if self.row.command().kind.activity == Activity::Control => {
                Some(SYSTEM)
            }
            field => self.of_column(field).as_text(),
        }
    }

    fn layer_operation(&self) -> Option<&'a str> {
        Some(self.run.layers?.layers.get(self.layer_index()?)?.name.as_str())
    }

    fn register(&self, place: usize) -> Option<RegisterValue> {
        self.registers.read(self.row.command(), place)
    }

    fn mhz(&self) -> f64 {
        self.run.mhz(self.row.command().all.track.engine_id)
    }
}
