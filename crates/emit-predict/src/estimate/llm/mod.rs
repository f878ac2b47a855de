//! Estimates of a language model on several targets and in several settings: JSON ([`json`]), tables ([`time_table`],
//! [`memory_table`]) and a page ([`page`]).

mod json;
mod page;
mod tables;

use bigtpu_messages::Message;
use bigtpu_output::Untrusted;
use bigtpu_predict::estimate::llm::LlmEstimate;

use crate::estimate::ModelEstimates;

pub use json::json;
pub use page::page;
pub use tables::{headline, memory_table, time_table};

/// A language model and its estimates, one for each target and setting.
#[derive(Debug, Clone)]
pub struct LlmComparison<'a> {
    /// Its file.
    pub model: Untrusted<'a>,
    /// `model_type` of the file.
    pub family: Untrusted<'a>,
    /// Parameters of the whole model.
    pub parameters: f64,
    /// What the reader of the file assumed.
    pub notes: &'a [Message],
    /// One for each target and setting.
    pub found: &'a [LlmEstimate],
}

impl LlmComparison<'_> {
    /// What was assumed, of the model and on any target, each once.
    pub fn assumptions(&self) -> Vec<Message> {
        let of_targets = self.found.iter().flat_map(|found| &found.estimate.notes);
        let mut all: Vec<Message> = Vec::new();
        for note in self.notes.iter().chain(of_targets) {
            if !all.contains(note) {
                all.push(note.clone());
            }
        }
        all
    }

    /// The operators of the estimates that divide the model like the first one, as those of any model.
    pub fn with_operators<T>(&self, show: impl FnOnce(&ModelEstimates<'_>) -> T) -> Option<T> {
        let first = self.found.first()?;
        let alike = self.found.iter().filter(|found| found.split == first.split);
        let estimates: Vec<_> = alike.map(tables::named).collect();
        let setting = tables::division(first);
        Some(show(&ModelEstimates {
            model: self.model.clone(),
            setting: Message::verbatim(setting),
            operators: &first.operators,
            estimates: &estimates,
        }))
    }
}
