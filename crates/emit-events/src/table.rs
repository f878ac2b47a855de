//! Events as columns in memory, for programs that take them from there.

use bigtpu_answers::Analysis;
use bigtpu_timeline::Profile;
use rayon::prelude::*;

use crate::cell::{EventCell, Type};
use crate::columns::COLUMNS;
use crate::content::{Content, shared_cells};
use crate::rows::groups;
use crate::runtime::RuntimeKinds;
use crate::{Context, source};

/// The values of a column, `None` where one is not known.
#[derive(Debug, Clone, PartialEq)]
pub enum Values<'a> {
    /// Whole numbers.
    Int(Vec<Option<i64>>),
    /// Doubles.
    Float(Vec<Option<f64>>),
    /// Texts.
    Text(Vec<Option<&'a str>>),
    /// Yes or no.
    Bool(Vec<Option<bool>>),
}

/// The columns of [`each_column`], in order: names and types of `docs/events.md`.
pub fn column_types() -> impl Iterator<Item = (&'static str, Type)> {
    COLUMNS.iter().map(|column| (column.name, column.kind))
}

/// Makes something of each column, in batches of at most `rows` rows; the columns of a batch are made side by side.
pub fn each_column<R: Send>(
    context: &Context,
    profile: &Profile<'_>,
    analysis: &Analysis,
    rows: usize,
    make: impl Fn(Values<'_>) -> R + Sync,
) -> Vec<Vec<R>> {
    let runtime = RuntimeKinds::collect(profile);
    let source = source(context, profile, analysis, &runtime);
    let shared: Vec<Vec<EventCell<'_>>> =
        COLUMNS.par_iter().map(|column| shared_cells(column, source)).collect();
    let batch = |group: Vec<_>| {
        let columns = COLUMNS.par_iter().zip(&shared);
        let values = columns.map(|(column, shared)| {
            make(values(column.kind, &Content::collect(column, shared, &group)))
        });
        values.collect()
    };
    groups(source.parts(), rows).into_iter().map(batch).collect()
}

fn values<'a>(kind: Type, content: &Content<'_, 'a>) -> Values<'a> {
    match kind {
        Type::Int => Values::Int(content.each(EventCell::as_int)),
        Type::Float => Values::Float(content.each(EventCell::as_float)),
        Type::Text => Values::Text(content.each(EventCell::as_text)),
        Type::Bool => Values::Bool(content.each(EventCell::as_bool)),
    }
}
