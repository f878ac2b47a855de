//! Pipeline schedules as pictures: SVG, an HTML page with a comparison, a Perfetto trace.

mod html;
mod memory_panel;
mod number;
mod svg;
mod table;
mod trace;

use bigtpu_messages::{Message, message};
use bigtpu_output::{ByLibrary, OutDir, OutputError, Untrusted, Written};
use bigtpu_predict::pipeline::PipelineReport;

pub use html::page;
pub use number::{grouped, percent};
pub use svg::{Drawing, svg};
pub use table::comparison;
pub use trace::trace;

/// What is common to all pictures of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Unit of time: `ns`, or nothing where the costs have none.
    pub unit: Untrusted<'static>,
    /// Names of the stages' parts, or nothing.
    pub stages: Vec<Untrusted<'static>>,
    /// Names of the stages' rows; `Device 0` and so on where there are none.
    pub rows: Vec<Message>,
}

impl Labels {
    /// The name of a stage's row.
    pub(crate) fn row(&self, stage: usize) -> Message {
        match self.rows.get(stage) {
            Some(name) => name.clone(),
            None => message!("pipeline-device", device = stage.to_string()),
        }
    }
}

/// A simulated or measured pipeline with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Titled {
    /// What it is: the schedule, or that it was measured.
    pub title: Message,
    /// The pipeline.
    pub report: PipelineReport,
}

/// Writes `pipeline.svg` (the first of them), `pipeline.html` and `pipeline.pftrace` (all of them).
///
/// # Errors
/// [`OutputError`] when a file can't be written; none is then left half-written.
pub fn write(shown: &[Titled], labels: &Labels, out: &OutDir) -> Result<Vec<Written>, OutputError> {
    let first = shown.first().map(|first| svg(first, labels)).unwrap_or_default();
    Ok(vec![
        out.write("pipeline.svg", &first)?,
        out.write("pipeline.html", &page(shown, labels))?,
        out.write("pipeline.pftrace", &ByLibrary(&trace(shown, labels)))?,
    ])
}
