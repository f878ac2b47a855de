//! The columns of a row: the one place that names them.

use bigtpu_chip::Engine;
use bigtpu_measure::{CommandKind, whole};
use bigtpu_timeline::{EngineId, Tag};

use crate::cell::{EventCell, Type};
use crate::row::Row;
use crate::rows::{Part, Source};

/// A column.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Type,
    pub(crate) of: Of,
}

/// What a column's values depend on. Most of them depend on less than the event, so that they are found once for all
/// events that share it.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// The engine.
    Engine(for<'a> fn(&Source<'a>, EngineId) -> EventCell<'a>),
    /// The kind of command.
    Kind(for<'a> fn(&'a CommandKind) -> EventCell<'a>),
    /// What the command belongs to.
    Tag(for<'a> fn(&Source<'a>, Tag) -> EventCell<'a>),
    /// The event.
    Event {
        cell: for<'a> fn(&Row<'a>) -> EventCell<'a>,
        /// The cells of many rows, without a call for each.
        cells: for<'a> fn(&Part<'a>, &mut Vec<EventCell<'a>>),
    },
}

impl Column {
    /// The column's value in a row.
    pub(crate) fn cell<'a>(&self, row: &Row<'a>) -> EventCell<'a> {
        match self.of {
            Of::Engine(cell) => cell(&row.source, row.engine_id()),
            Of::Kind(cell) => cell(row.kind),
            Of::Tag(cell) => cell(&row.source, row.tag()),
            Of::Event { cell, .. } => cell(row),
        }
    }
}

macro_rules! of {
    (engine |$source:tt, $id:tt| $cell:expr) => {{
        fn cell<'a>($source: &Source<'a>, $id: EngineId) -> EventCell<'a> {
            $cell
        }
        Of::Engine(cell)
    }};
    (kind |$kind:tt| $cell:expr) => {{
        fn cell<'a>($kind: &'a CommandKind) -> EventCell<'a> {
            $cell
        }
        Of::Kind(cell)
    }};
    (tag |$source:tt, $tag:tt| $cell:expr) => {{
        fn cell<'a>($source: &Source<'a>, $tag: Tag) -> EventCell<'a> {
            $cell
        }
        Of::Tag(cell)
    }};
    (event |$row:tt| $cell:expr) => {{
        #[inline]
        fn cell<'a>($row: &Row<'a>) -> EventCell<'a> {
            $cell
        }
        fn cells<'a>(part: &Part<'a>, cells: &mut Vec<EventCell<'a>>) {
            part.each(|row| cells.push(cell(row)));
        }
        Of::Event { cell, cells }
    }};
}

macro_rules! columns {
    ($($name:ident: $kind:ident of $of:ident |$($argument:tt),*| $cell:expr;)*) => {
        /// The columns, in order. `docs/events.md` says what they mean.
        pub(crate) const COLUMNS: &[Column] = &[$(Column {
            name: stringify!($name),
            kind: Type::$kind,
            of: of!($of |$($argument),*| $cell),
        }),*];
    };
}

/// TIU work whose full bits are known.
fn counted(kind: &CommandKind, value: impl Fn() -> EventCell<'static>) -> EventCell<'static> {
    if kind.counts_operations() { value() } else { EventCell::Null }
}

/// DMA work.
#[inline]
fn moved(row: &Row<'_>, value: impl Fn() -> EventCell<'static>) -> EventCell<'static> {
    let is_moved = row.kind.engine != Engine::Tiu && row.kind.activity.is_work();
    if is_moved { value() } else { EventCell::Null }
}

columns! {
    engine: Text of engine |_, id| EventCell::Text(id.engine.name());
    core: Int of event |row| EventCell::int(row.core());
    port: Int of engine |_, id| EventCell::int((id.engine == Engine::Cdma).then_some(id.index));
    event: Int of event |row| row.index().map_or(EventCell::Null, |index| EventCell::Int(index as i64));
    cmd_id: Int of event |row| EventCell::Int(row.command_id());
    start_ns: Int of event |row| EventCell::Int(row.start());
    end_ns: Int of event |row| EventCell::Int(row.end());
    duration_ns: Int of event |row| EventCell::Int(row.end() - row.start());
    cycles: Int of event |row| EventCell::Int(row.cycles());
    activity: Text of kind |kind| EventCell::Text(kind.activity.name());
    function_type: Text of kind |kind| EventCell::text(kind.function_type);
    function_name: Text of kind |kind| EventCell::text(&kind.function_name);
    data_type: Text of kind |kind| EventCell::text(&kind.data_type);
    shape: Text of kind |kind| EventCell::text(&kind.shape);
    direction: Text of kind |kind| kind.direction().map_or(EventCell::Null, |d| EventCell::Text(d.text()));
    kernel: Text of tag |source, tag| source.profile.kernel(tag).map_or(EventCell::Null, EventCell::text);
    scope: Int of tag |_, tag| EventCell::int(tag.scope);
    batch: Int of tag |_, tag| EventCell::int(tag.batch);
    mode: Text of tag |_, tag| tag.mode.map_or(EventCell::Null, |mode| EventCell::Text(mode.name()));
    is_full: Bool of kind |kind| EventCell::Bool(kind.is_full());
    ops: Int of kind |kind| counted(kind, || EventCell::count(whole(kind.cost.alg_ops)));
    uarch_ops: Int of kind |kind| counted(kind, || EventCell::count(whole(kind.cost.uarch_ops)));
    ideal_cycles: Int of kind |kind| kind.ideal_cycles().map_or(EventCell::Null, |n| EventCell::count(whole(n)));
    bytes: Int of event |row| moved(row, || EventCell::count(row.bytes()));
    gbps: Float of event |row| {
        moved(row, || EventCell::Float(bigtpu_measure::gbps(row.bytes(), row.end() - row.start())))
    };
    stall_cycles: Int of event |row| EventCell::count(row.stall_cycles());
    slack_ns: Int of event |row| row.slack_ns().map_or(EventCell::Null, EventCell::Int);
    on_critical_path: Bool of event |row| row.is_on_path().map_or(EventCell::Null, EventCell::Bool);
    expected_ns: Int of event |row| row.expected_ns().map_or(EventCell::Null, EventCell::Int);
    expected_mark: Text of kind |kind| {
        kind.expected.as_ref().map_or(EventCell::Null, |cost| EventCell::Text(cost.mark.name()))
    };
    chip: Text of engine |source, _| EventCell::Text(source.profile.chip.name);
    dump: Text of engine |source, _| EventCell::text(source.name);
    layer_id: Int of event |row| row.layer().map_or(EventCell::Null, |(id, _)| EventCell::Int(id as i64));
    layer: Text of event |row| row.layer().map_or(EventCell::Null, |(_, name)| EventCell::text(name));
    quality: Text of event |row| EventCell::Text(row.quality().name());
    block: Text of event |row| row.block().map_or(EventCell::Null, EventCell::text);
    step: Int of event |row| row.step().map_or(EventCell::Null, EventCell::count);
}
