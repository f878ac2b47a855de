//! Why a query has no answer.

use bigtpu_messages::{Message, message};
use bigtpu_query::Problem;

use crate::dumps::DumpsError;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// Parts of it have no meaning for the run.
    #[error("{}", Message::clauses(.0.iter().map(Problem::message)))]
    Problems(Vec<Problem>),
    /// The field is a test of several values.
    #[error("{}", no_value(option, field))]
    NoValue {
        /// The option that names it.
        option: String,
        /// The field.
        field: String,
    },
    /// Groups have no such value.
    #[error("{}", no_group_order(.0))]
    NoGroupOrder(String),
    /// The dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
}

impl QueryError {
    /// What is wrong, a sentence each.
    #[must_use]
    pub fn sentences(&self) -> Vec<Message> {
        match self {
            Self::Problems(problems) => problems.iter().map(Problem::message).collect(),
            other => vec![Message::displayed(other)],
        }
    }
}

fn no_value(option: &str, field: &str) -> Message {
    message!("query-tests-several", option = option, field = field)
}

fn no_group_order(name: &str) -> Message {
    message!("query-no-group-order", name = name)
}
