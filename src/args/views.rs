//! What is written of a dump, and how it is read: the same for one dump and for many.

use clap::builder::PossibleValuesParser;

use crate::emitters;

/// What is written of a dump, and how it is read.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Views {
    /// Write perfetto.pftrace and the summary
    #[arg(long)]
    pub(crate) perfetto: bool,

    /// Do not write or show the summary
    #[arg(long = "disable_summary", alias = "disable-summary")]
    pub(crate) disable_summary: bool,

    /// Do not write the page
    #[arg(long = "disable_web", alias = "disable-web")]
    pub(crate) disable_web: bool,

    /// Do not write the workbook
    #[arg(long = "disable_doc", alias = "disable-doc", conflicts_with = "enable_doc")]
    pub(crate) disable_doc: bool,

    /// Write the workbook also with --perfetto
    #[arg(long = "enable_doc", alias = "enable-doc")]
    pub(crate) enable_doc: bool,

    /// Write exactly these, as trace,summary; instead of the options above
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(emitters::names()),
        conflicts_with_all = ["perfetto", "disable_summary", "disable_web", "disable_doc", "enable_doc", "events", "csv"]
    )]
    pub(crate) emit: Vec<String>,

    /// Write events.parquet: a row for each event, for queries
    #[arg(long)]
    pub(crate) events: bool,

    /// Write events.csv: the same rows as text
    #[arg(long)]
    pub(crate) csv: bool,

    /// TIU clock in MHz; else that of global.profile, else the chip's own
    #[arg(long = "tiu_freq", alias = "tiu-freq", value_name = "MHZ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tiu_freq: Option<u64>,

    /// Of libsophon's bmprofile_data*, read iteration N only; else all, side by side
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<u32>,

    /// Report cores 0..N-1 only
    #[arg(long = "num_core", alias = "num-core", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_core: Option<u32>,

    /// Deflate the packets inside the trace: a quarter of the size, opened by current viewers
    #[arg(long = "compress_trace", alias = "compress-trace")]
    pub(crate) compress_trace: bool,
}

impl Views {
    /// Names of the emitters that are asked for.
    pub(crate) fn emitters(&self) -> Vec<&str> {
        if !self.emit.is_empty() {
            return self.emit.iter().map(String::as_str).collect();
        }
        let mut names = vec![emitters::TEXT, emitters::REPORT];
        if self.perfetto {
            names.push(emitters::TRACE);
            if !self.disable_summary {
                names.push(emitters::SUMMARY);
            }
        }
        if self.enable_doc || !self.perfetto && !self.disable_doc {
            names.push(emitters::WORKBOOK);
        }
        if self.events {
            names.push(emitters::EVENTS);
        }
        if self.csv {
            names.push(emitters::CSV);
        }
        if !self.perfetto && !self.disable_web {
            names.push(emitters::PAGE);
        }
        names
    }

    /// How dumps are read.
    pub(crate) fn options(&self) -> bigtpu_timeline::Options {
        bigtpu_timeline::Options { tiu_mhz: self.tiu_freq, num_cores: self.num_core }
    }
}
