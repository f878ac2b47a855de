//! The columns of a row: the one place that names them.

use std::fmt;

use bigtpu_chip::Engine;
use bigtpu_measure::whole;

use crate::rows::Row;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// 64-bit whole number.
    Int,
    /// Double.
    Float,
    /// Text.
    Text,
    /// Yes or no.
    Bool,
}

/// A value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cell<'a> {
    /// Not known, or the event has none.
    Null,
    Int(i64),
    Float(f64),
    Text(&'a str),
    Bool(bool),
}

impl fmt::Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => Ok(()),
            Self::Int(n) => write!(f, "{n}"),
            Self::Float(x) => write!(f, "{x:?}"),
            Self::Text(text) => f.write_str(text),
            Self::Bool(yes) => write!(f, "{yes}"),
        }
    }
}

/// A column.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) cell: for<'a> fn(&Row<'a>) -> Cell<'a>,
}

macro_rules! columns {
    ($($name:ident: $kind:ident = |$row:ident| $cell:expr;)*) => {
        /// The columns, in order. `docs/events.md` says what they mean.
        pub(crate) const COLUMNS: &[Column] = &[$({
            fn cell<'a>($row: &Row<'a>) -> Cell<'a> {
                $cell
            }
            Column { name: stringify!($name), kind: Kind::$kind, cell }
        }),*];
    };
}

/// A count as the column's type holds it.
fn count(n: impl TryInto<i64>) -> Cell<'static> {
    Cell::Int(n.try_into().unwrap_or(i64::MAX))
}

fn int(n: Option<u32>) -> Cell<'static> {
    n.map_or(Cell::Null, |n| Cell::Int(n.into()))
}

/// An empty text is an unknown one.
fn text(text: &str) -> Cell<'_> {
    if text.is_empty() { Cell::Null } else { Cell::Text(text) }
}

/// TIU work whose full bits are known.
fn counted(row: &Row<'_>, value: impl Fn() -> Cell<'static>) -> Cell<'static> {
    let kind = row.kind;
    let is_counted = kind.engine == Engine::Tiu && kind.activity.is_work() && kind.is_full();
    if is_counted { value() } else { Cell::Null }
}

/// DMA work.
fn moved(row: &Row<'_>, value: impl Fn() -> Cell<'static>) -> Cell<'static> {
    let is_moved = row.kind.engine != Engine::Tiu && row.kind.activity.is_work();
    if is_moved { value() } else { Cell::Null }
}

columns! {
    engine: Text = |row| Cell::Text(row.engine_id.engine.name());
    core: Int = |row| int(row.core);
    port: Int = |row| int((row.engine_id.engine == Engine::Cdma).then_some(row.engine_id.index));
    event: Int = |row| row.event.map_or(Cell::Null, |event| Cell::Int(event as i64));
    cmd_id: Int = |row| Cell::Int(row.command);
    start_ns: Int = |row| Cell::Int(row.start);
    end_ns: Int = |row| Cell::Int(row.end);
    duration_ns: Int = |row| Cell::Int(row.end - row.start);
    cycles: Int = |row| Cell::Int(row.cycles);
    activity: Text = |row| Cell::Text(row.kind.activity.name());
    function_type: Text = |row| text(row.kind.function_type);
    function_name: Text = |row| text(&row.kind.function_name);
    data_type: Text = |row| text(&row.kind.data_type);
    shape: Text = |row| text(&row.kind.shape);
    direction: Text = |row| row.kind.direction().map_or(Cell::Null, |d| Cell::Text(d.text()));
    kernel: Text = |row| row.kernel.map_or(Cell::Null, text);
    scope: Int = |row| int(row.tag.scope);
    batch: Int = |row| int(row.tag.batch);
    mode: Text = |row| row.tag.mode.map_or(Cell::Null, |mode| Cell::Text(mode.name()));
    is_full: Bool = |row| Cell::Bool(row.kind.is_full());
    ops: Int = |row| counted(row, || count(whole(row.kind.cost.alg_ops)));
    uarch_ops: Int = |row| counted(row, || count(whole(row.kind.cost.uarch_ops)));
    ideal_cycles: Int = |row| counted(row, || count(whole(row.kind.cost.alg_cycles)));
    bytes: Int = |row| moved(row, || count(row.bytes));
    gbps: Float = |row| moved(row, || Cell::Float(bigtpu_measure::gbps(row.bytes, row.end - row.start)));
    stall_cycles: Int = |row| count(row.stalls);
    slack_ns: Int = |row| row.slack_ns.map_or(Cell::Null, Cell::Int);
    on_critical_path: Bool = |row| row.on_path.map_or(Cell::Null, Cell::Bool);
    chip: Text = |row| Cell::Text(row.source.chip);
    dump: Text = |row| text(row.source.dump);
    layer_id: Int = |row| row.layer.map_or(Cell::Null, |(id, _)| Cell::Int(id as i64));
    layer: Text = |row| row.layer.map_or(Cell::Null, |(_, name)| text(name));
}
