//! Estimates of a model on several targets: JSON ([`json`]), tables ([`target_table`],
//! [`operator_table`]) and a page with a chart ([`page`]). [`llm`] has those of language models.

mod chart;
mod json;
pub mod llm;
mod page;
mod tables;
mod units;

use bigtpu_messages::Message;
use bigtpu_model::Operator;
use bigtpu_output::Untrusted;
use bigtpu_predict::estimate::Estimate;

pub use json::json;
pub use page::page;
pub use tables::{headline, operator_table, target_table};

/// A model and its estimates, one a target.
#[derive(Debug, Clone)]
pub struct ModelEstimates<'a> {
    /// Name of the model: its file.
    pub model: Untrusted<'a>,
    /// Data type and semantics, in words.
    pub setting: Message,
    /// Operators in execution order.
    pub operators: &'a [Operator],
    /// One a target, each with a step an operator.
    pub estimates: &'a [Estimate],
}
