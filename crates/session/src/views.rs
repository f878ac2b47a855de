//! The views that a run can write: the registry of emitters, and the one place that picks from it.

use std::sync::Arc;

use bigtpu_compat::Edition;
use bigtpu_emit::report::JsonReport;
use bigtpu_emit::{Emitter, Registry};
use bigtpu_emit_events::{
    CommandLines, Context as EventContext, CsvEvents, LayerTables, MlirTables, ParquetEvents,
    Partition,
};
use bigtpu_emit_perfetto::{ChromeTrace, Perfetto, TraceDetail};
use bigtpu_emit_text::{Brief, RegisterTexts, SummaryText};
use bigtpu_emit_web::WebPage;
use bigtpu_emit_xlsx::{Workbook, WorkbookName};
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_measure::layers::Layers;
use bigtpu_messages::Language;
use bigtpu_scene::Cut;

/// Register texts.
pub const TEXT: &str = "text";
/// `summary.txt`.
pub const SUMMARY: &str = "summary";
/// `report.json`.
pub const REPORT: &str = "report";
/// `report.md`.
pub const BRIEF: &str = "brief";
/// `events.parquet`, or the dump's file of a data set.
pub const EVENTS: &str = "events";
/// `events.csv`.
pub const CSV: &str = "csv";
/// `layers.csv`, `instructions.csv` and `operations.csv` of a static model.
pub const LAYERS: &str = "layers";
/// The workbook.
pub const WORKBOOK: &str = "workbook";
/// The page.
pub const PAGE: &str = "page";
/// Where the page is in the output directory.
pub use bigtpu_emit_web::PAGE_FILE;
/// `perfetto.pftrace`.
pub const TRACE: &str = "trace";
/// `trace.json`: the trace in Chrome's JSON.
pub const JSON: &str = "json";

/// `layer.csv`, `instruction.csv`, `summary.csv` and `mac_util.csv`, as tpu-mlir names them.
pub const MLIR_TABLES: &str = "mlir-tables";
/// The page as `result.html`.
pub const FLAT_PAGE: &str = "flat-page";
/// `profile_data.js` with a line for each command.
pub const COMMAND_LINES: &str = "command-lines";

/// What emitters are configured with.
pub(crate) struct Config {
    pub(crate) host: Option<Arc<HostTrace>>,
    pub(crate) host_align: HostAlign,
    /// The language in which the page opens; `None`: the one that was asked for of the process, if any.
    pub(crate) page_language: Option<Language>,
    pub(crate) compress_trace: bool,
    /// How much the trace tells of each command; by their number where this is `None`.
    pub(crate) trace_detail: Option<TraceDetail>,
    /// What the workbook's file is named after.
    pub(crate) workbook_name: WorkbookName,
    /// Whose names the values of register texts and workbook have.
    pub(crate) edition: Edition,
    /// What the trace is cut to.
    pub(crate) cut: Option<Cut>,
    /// Name of the dump.
    pub(crate) source: String,
    /// Layers of a static model, where the dump folder describes them.
    pub(crate) layers: Option<Arc<Layers>>,
    /// Where the events go in a data set of many dumps.
    pub(crate) partition: Option<Partition>,
}

/// All emitters.
fn registry() -> Registry<Config> {
    Registry::default()
        .with(TEXT, |config: &Config| Box::new(RegisterTexts { edition: config.edition }))
        .with(SUMMARY, |_| Box::new(SummaryText))
        .with(REPORT, |_| Box::new(JsonReport))
        .with(BRIEF, |config: &Config| Box::new(Brief { source: config.source.clone() }))
        .with(EVENTS, |config: &Config| {
            let context = event_context(config);
            Box::new(ParquetEvents { context, partition: config.partition.clone() })
        })
        .with(CSV, |config| Box::new(CsvEvents { context: event_context(config) }))
        .with(LAYERS, |config| Box::new(LayerTables { context: event_context(config) }))
        .with(WORKBOOK, |config: &Config| {
            Box::new(Workbook {
                layers: config.layers.clone(),
                name: config.workbook_name,
                edition: config.edition,
                ..Workbook::default()
            })
        })
        .with(PAGE, |config| Box::new(page(config)))
        .with(TRACE, |config| Box::new(trace(config)))
        .with(JSON, |config| Box::new(ChromeTrace { trace: trace(config) }))
}

/// Emitters of files that only the names of other programs ask for.
fn foreign_registry() -> Registry<Config> {
    Registry::default()
        .with(MLIR_TABLES, |config| Box::new(MlirTables { context: event_context(config) }))
        .with(FLAT_PAGE, |config| Box::new(WebPage { is_flat: true, ..page(config) }))
        .with(COMMAND_LINES, |config| Box::new(CommandLines { context: event_context(config) }))
}

pub(crate) fn event_context(config: &Config) -> EventContext {
    EventContext { source: config.source.clone(), layers: config.layers.clone() }
}

fn trace(config: &Config) -> Perfetto {
    Perfetto {
        host: config.host.clone(),
        align: config.host_align,
        layers: config.layers.clone(),
        compress: config.compress_trace,
        cut: config.cut.clone(),
        detail: config.trace_detail,
    }
}

/// The page.
pub(crate) fn page(config: &Config) -> WebPage {
    WebPage {
        source: config.source.clone(),
        host: config.host.clone(),
        align: config.host_align,
        layers: config.layers.clone(),
        is_flat: false,
        opens_in: config.page_language,
    }
}

/// Names that `--emit` takes.
#[must_use]
pub fn names() -> Vec<&'static str> {
    registry().names().collect()
}

/// The emitters of these names.
pub(crate) fn pick(names: &[&str], config: &Config) -> Vec<Box<dyn Emitter>> {
    let mut emitters = registry().make(names, config);
    emitters.extend(foreign_registry().make(names, config));
    emitters
}
