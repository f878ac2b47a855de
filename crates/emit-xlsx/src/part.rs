//! Which events are on which sheet. An engine with more events than a sheet has rows continues in `TIU_0 (2)`.

use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_compat::{DmaTotals, TiuTotals};
use bigtpu_measure::TrackCommands;

use crate::columns::Columns;
use crate::headers;

/// Totals of an engine.
#[derive(Debug)]
pub(crate) enum Totals {
    Tiu(TiuTotals),
    Dma(DmaTotals),
}

/// An engine with its totals and columns.
#[derive(Debug)]
pub(crate) struct EngineBook<'p, 'd> {
    pub(crate) commands: TrackCommands<'p, 'd>,
    pub(crate) totals: Totals,
    pub(crate) columns: Columns,
}

impl EngineBook<'_, '_> {
    /// Row of the columns on the engine's first sheet, from 0.
    fn header_row(&self) -> u32 {
        match &self.totals {
            Totals::Tiu(totals) => headers::tiu_header_row(totals),
            Totals::Dma(_) => headers::DMA_HEADER_ROW,
        }
    }

    /// Name of the engine's first sheet.
    pub(crate) fn name(&self) -> String {
        let place = self.commands.track.engine_id;
        format!("{}_{}", place.engine.name(), place.index)
    }

    pub(crate) fn engine(&self) -> Engine {
        self.commands.track.engine_id.engine
    }
}

/// One sheet of an engine.
#[derive(Debug)]
pub(crate) struct Part<'b, 'p, 'd> {
    pub(crate) book: &'b EngineBook<'p, 'd>,
    pub(crate) name: String,
    /// Row of the columns, from 0.
    pub(crate) header_row: u32,
    /// The events on it.
    pub(crate) events: Range<usize>,
}

impl Part<'_, '_, '_> {
    /// Whether totals are above the columns.
    pub(crate) fn is_first(&self) -> bool {
        self.events.start == 0
    }

    /// Row of the last event, from 0.
    pub(crate) fn last_row(&self) -> u32 {
        self.header_row + u32::try_from(self.events.len()).unwrap_or(u32::MAX - self.header_row)
    }
}

/// The sheets of an engine, none of more than `rows` rows.
pub(crate) fn parts<'b, 'p, 'd>(book: &'b EngineBook<'p, 'd>, rows: u32) -> Vec<Part<'b, 'p, 'd>> {
    let total = book.commands.len();
    let mut parts = Vec::new();
    let mut from = 0;
    while from < total {
        let header_row = if from == 0 { book.header_row() } else { 0 };
        let room = (rows.saturating_sub(header_row + 1) as usize).max(1);
        let to = total.min(from + room);
        let name = match parts.len() {
            0 => book.name(),
            n => format!("{} ({})", book.name(), n + 1),
        };
        parts.push(Part { book, name, header_row, events: from..to });
        from = to;
    }
    parts
}
