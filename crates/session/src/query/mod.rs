//! The commands or gaps of a run that a query finds, their sums, and their groups.

mod answer;
mod command;
mod error;
mod filter;
mod gap;
mod groups;
mod item;
mod json;
mod order;
mod registers;
mod scripts;
mod totals;
mod vocabulary;

use std::path::PathBuf;

use bigtpu_answers::{Analysis, AnalysisInputs};
use bigtpu_chip::Chip;
use bigtpu_emit_events::{CommandRows, Context};
use bigtpu_output::plain_line;
use bigtpu_query::{NamedField, Query};

use crate::dump_name::source_name;
use crate::dumps::open_only;
use crate::note::Say;
use crate::settings::{Session, Settings};
use item::{Items, RunTexts};
use vocabulary::Names;

pub use answer::{Answer, Missed};
pub use bigtpu_query::QueryField;
pub use error::QueryError;
pub use groups::QueryGroup;
pub use totals::Totals;

/// What is asked.
#[derive(Debug, Clone, Default)]
pub struct QueryRequest {
    /// The dump.
    pub dump: PathBuf,
    /// Chip of dumps that name none.
    pub chip: Option<&'static Chip>,
    /// The query.
    pub text: String,
    /// The field whose values make groups.
    pub by: Option<String>,
    /// The field that gives the order, or of groups a sum.
    pub sort: Option<String>,
    /// Whether all columns of the events are shown, also those that only an analysis of the run tells.
    pub all_columns: bool,
}

/// Finds, and calls `show` with what was found.
///
/// # Errors
/// [`QueryError`] when the dump can't be read, or the query can't be understood.
pub fn query<R>(
    request: &QueryRequest,
    say: Say<'_>,
    show: impl FnOnce(&Answer<'_>) -> R,
) -> Result<R, QueryError> {
    let session = Session::from(Settings { chip: request.chip, ..Settings::default() });
    let dump = open_only(&request.dump, &session, say)?;
    let (profile, layers) = session.read(&dump);
    let inputs = AnalysisInputs { layers: layers.clone(), ..AnalysisInputs::default() };
    let analysis = Analysis::new(&profile, inputs);
    let table = &analysis.table;
    let source = plain_line(&source_name(&dump.root)).into_owned();
    let context = Context { source, layers };
    let names = Names::new(&profile, table, context.layers.as_deref());
    let asked = Asked::read(request, &names)?;
    let derived = asked.needs_analysis.then_some(&analysis);
    let rows = CommandRows::new(&context, &profile, table, derived);
    let texts = RunTexts::new(&profile);
    let of_run = (derived, asked.query.asks_for_gaps());
    let items = Items::new(&profile, rows, of_run, context.layers.as_deref(), &texts);
    Ok(show(&Answer::find(&asked, &names, &items)))
}

/// What is asked, of fields that the run has.
struct Asked {
    query: Query,
    by: Option<NamedField>,
    sort: Option<order::Order>,
    needs_analysis: bool,
}

impl Asked {
    fn read(request: &QueryRequest, names: &Names<'_>) -> Result<Self, QueryError> {
        let query = Query::read(&request.text, names).map_err(QueryError::Problems)?;
        let field = |name: &str, option: &str| {
            let found = NamedField::named(name, &format!("{option} {name}"), names);
            match found {
                Ok(NamedField::Field(field)) if !field.is_value() => {
                    Err(QueryError::NoValue { option: option.to_owned(), field: name.to_owned() })
                }
                found => found.map_err(|problem| QueryError::Problems(vec![problem])),
            }
        };
        let by = request.by.as_deref().map(|name| field(name, "--by")).transpose()?;
        let sort = match request.sort.as_deref() {
            None => None,
            Some(name) if by.is_some() => match order::Order::of_groups(name) {
                Some(order) => Some(order),
                None => {
                    let found = field(name, "--sort")?;
                    if Some(found) != by {
                        return Err(QueryError::NoGroupOrder(name.to_owned()));
                    }
                    Some(order::Order::Value(found))
                }
            },
            Some(name) => Some(order::Order::Value(field(name, "--sort")?)),
        };
        let is_replayed = |found: Option<NamedField>| matches!(found, Some(NamedField::Field(field)) if field.needs_analysis());
        let sorted = match sort {
            Some(order::Order::Value(found)) => Some(found),
            _ => None,
        };
        let needs_analysis = query.needs_analysis()
            || request.all_columns && by.is_none()
            || is_replayed(by)
            || is_replayed(sorted);
        Ok(Self { query, by, sort, needs_analysis })
    }
}
