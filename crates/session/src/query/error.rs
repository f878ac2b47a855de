//! Why a query has no answer.

use bigtpu_messages::{Language, Message, message};
use bigtpu_query::Problem;

use crate::dumps::DumpsError;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// Parts of it have no meaning for the run.
    #[error("{}", sentences(.0, Language::English).join("; "))]
    Problems(Vec<Problem>),
    /// The field is a test of several values.
    #[error("{}", no_value(option, field).text(Language::English))]
    NoValue {
        /// The option that names it.
        option: String,
        /// The field.
        field: String,
    },
    /// Groups have no such value.
    #[error("{}", no_group_order(.0).text(Language::English))]
    NoGroupOrder(String),
    /// The dump can't be opened.
    #[error(transparent)]
    Dumps(#[from] DumpsError),
}

impl QueryError {
    /// What is wrong, in sentences; `None` of errors that have only one language.
    #[must_use]
    pub fn sentences(&self, language: Language) -> Option<Vec<String>> {
        match self {
            Self::Problems(problems) => Some(sentences(problems, language)),
            Self::NoValue { option, field } => Some(vec![no_value(option, field).text(language)]),
            Self::NoGroupOrder(name) => Some(vec![no_group_order(name).text(language)]),
            Self::Dumps(_) => None,
        }
    }
}

fn sentences(problems: &[Problem], language: Language) -> Vec<String> {
    problems.iter().map(|problem| problem.message().text(language)).collect()
}

fn no_value(option: &str, field: &str) -> Message {
    message!("query-tests-several", option = option, field = field)
}

fn no_group_order(name: &str) -> Message {
    message!("query-no-group-order", name = name)
}
