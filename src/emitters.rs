//! Which emitters run: the registry, and the one place that picks from it.

use std::sync::Arc;

use bigtpu_emit::{Emitter, Registry};
use bigtpu_emit_events::{CsvEvents, ParquetEvents};
use bigtpu_emit_perfetto::Perfetto;
use bigtpu_emit_report::JsonReport;
use bigtpu_emit_text::{RegisterTexts, SummaryText};
use bigtpu_emit_web::WebPage;
use bigtpu_emit_xlsx::Workbook;
use bigtpu_host_trace::{HostAlign, HostTrace};
use bigtpu_layers::Layers;

use crate::args::analyze::Args;

/// What emitters are configured with.
pub(crate) struct Config {
    pub(crate) host: Option<Arc<HostTrace>>,
    pub(crate) host_align: HostAlign,
    pub(crate) compress_trace: bool,
    /// Name of the dump.
    pub(crate) source: String,
    /// Layers of a static model, where the dump folder describes them.
    pub(crate) layers: Option<Arc<Layers>>,
}

/// All emitters.
fn registry() -> Registry<Config> {
    Registry::default()
        .with("reginfo", |_| Box::new(RegisterTexts))
        .with("summary", |_| Box::new(SummaryText))
        .with("report", |_| Box::new(JsonReport))
        .with("events", |_| Box::new(ParquetEvents::default()))
        .with("csv", |_| Box::new(CsvEvents))
        .with("workbook", |config: &Config| {
            Box::new(Workbook { layers: config.layers.clone(), ..Workbook::default() })
        })
        .with("web", |config| {
            Box::new(WebPage {
                source: config.source.clone(),
                host: config.host.clone(),
                align: config.host_align,
                layers: config.layers.clone(),
            })
        })
        .with("perfetto", |config| {
            Box::new(Perfetto {
                host: config.host.clone(),
                align: config.host_align,
                compress: config.compress_trace,
            })
        })
}

/// The emitters that the command line asks for.
pub(crate) fn pick(args: &Args, config: &Config) -> Vec<Box<dyn Emitter>> {
    let mut names = vec!["reginfo", "report"];
    if args.perfetto {
        names.push("perfetto");
        if !args.disable_summary {
            names.push("summary");
        }
    }
    if args.events {
        names.push("events");
    }
    if args.csv {
        names.push("csv");
    }
    if args.enable_doc || !args.perfetto && !args.disable_doc {
        names.push("workbook");
    }
    if !args.perfetto && !args.disable_web {
        names.push("web");
    }
    registry().make(&names, config)
}
