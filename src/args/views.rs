//! What is written of a dump, and how it is read: the same for one dump and for many.

use std::fmt;

use bigtpu_chip::{Chip, NoSuchChip};
use bigtpu_session::{
    Choice, Documents, Edition, OutputExtent, Settings, TraceDetail, WorkbookName, views,
};
use bigtpu_timeline::CoreSet;
use clap::builder::PossibleValuesParser;

use crate::incumbent::Defaults;

/// Values of `--detail`.
const DETAILS: [TraceDetail; 3] = [TraceDetail::Light, TraceDetail::Full, TraceDetail::Compat];

/// What is written of a dump, and how it is read.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Views {
    /// Write the trace, the summary and report.json only: the fast choice for CI
    #[arg(long)]
    pub(crate) perfetto: bool,

    /// Accepted for scripts of bigTpuProfile 0.2: the trace is written anyway
    #[arg(long = "enable_perfetto", alias = "enable-perfetto", hide = true)]
    pub(crate) enable_perfetto: bool,

    /// Do not write or show the summary
    #[arg(long = "disable_summary", alias = "disable-summary")]
    pub(crate) disable_summary: bool,

    /// Do not write the page
    #[arg(long = "disable_web", alias = "disable-web")]
    pub(crate) disable_web: bool,

    /// Do not write the workbook; with --disable_web as well, do not write the register texts either
    #[arg(long = "disable_doc", alias = "disable-doc", conflicts_with = "enable_doc")]
    pub(crate) disable_doc: bool,

    /// Write the workbook and the register texts also with --perfetto and for more than 500000 events
    #[arg(long = "enable_doc", alias = "enable-doc")]
    pub(crate) enable_doc: bool,

    /// Write only these views, such as trace,summary; instead of the options above, and with --events and --csv
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(views::names()),
        conflicts_with_all = ["perfetto", "enable_perfetto", "disable_summary", "disable_web", "disable_doc", "enable_doc"]
    )]
    pub(crate) emit: Vec<String>,

    /// Write events.parquet: one row per event, for queries
    #[arg(long)]
    pub(crate) events: bool,

    /// Write events.csv: the same rows as text; of a static model also layers.csv, instructions.csv and operations.csv
    #[arg(long)]
    pub(crate) csv: bool,

    /// Chip, for dumps that do not name it: a name such as BM1690, or a number of the runtime such as 8800
    #[arg(long, value_name = "CHIP", value_parser = chip)]
    pub(crate) arch: Option<Arch>,

    /// TIU clock in MHz (default: from global.profile, else the chip's)
    #[arg(long = "tiu_freq", alias = "tiu-freq", value_name = "MHZ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tiu_freq: Option<u64>,

    /// For libsophon's bmprofile_data*: read only iteration N (default: all, side by side)
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<u32>,

    /// Report these cores only: numbers and ranges, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    pub(crate) cores: Option<CoreSet>,

    /// Report cores 0..N-1 only; under the name bigTpuProfile N is the number of processes, and changes nothing
    #[arg(long = "num_core", alias = "num-core", value_name = "N", conflicts_with = "cores", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) num_core: Option<u32>,

    /// Compress the packets of the trace: a quarter of the size; current viewers open it
    #[arg(long = "compress_trace", alias = "compress-trace")]
    pub(crate) compress_trace: bool,

    /// What the trace tells of each command: light is without addresses and shapes, with means of counters; compat also
    /// repeats name, category and rate as arguments, as bigTpuProfile 0.3.7 does (default: full up to 200000 events, then light)
    #[arg(long = "detail", value_name = "DETAIL", value_parser = PossibleValuesParser::new(DETAILS.map(TraceDetail::name)))]
    pub(crate) trace_detail: Option<String>,

    /// Take the calls of that version of bigTpuProfile and write its files (under the name bigTpuProfile: those of 0.3.7)
    #[arg(long, value_name = "VERSION", value_parser = PossibleValuesParser::new(Edition::ALL.map(Edition::version)))]
    pub(crate) compat: Option<String>,

    /// Whose defaults apply; from the name of the program, or from --compat.
    #[arg(skip)]
    pub(crate) defaults: Defaults,
}

impl Views {
    /// Sets whose defaults apply: those of a version that is asked for, else those of the program's name.
    pub(crate) fn set_defaults(&mut self, of_name: Defaults) {
        let asked = self.compat.as_deref();
        let asked = Edition::ALL.into_iter().find(|edition| Some(edition.version()) == asked);
        self.defaults = asked.map_or(of_name, Defaults::BigTpuProfile);
    }

    /// What is written of a dump.
    pub(crate) fn choice(&self) -> Choice {
        if self.defaults == Defaults::BigTpuProfile(Edition::V030) && self.emit.is_empty() {
            return Choice {
                only: self.views_of_0_3_0(),
                events: self.events,
                csv: self.csv,
                ..Choice::default()
            };
        }
        let is_own = self.defaults != Defaults::BigTpuProfile(Edition::V037);
        let extent = match (is_own, self.perfetto) {
            (true, true) => OutputExtent::Fast,
            // Under the incumbent's name, --perfetto is that of 0.3.0: it adds the trace and takes nothing away.
            (true, false) => OutputExtent::All,
            (false, _) if self.has_older_options() => OutputExtent::All,
            (false, _) => OutputExtent::Latest,
        };
        let documents = match (self.enable_doc, self.disable_doc) {
            (true, _) => Documents::Always,
            (false, true) => Documents::Never,
            (false, false) => Documents::Usual,
        };
        Choice {
            only: self.emit.clone(),
            extent,
            without_summary: self.disable_summary,
            without_page: self.disable_web,
            documents,
            events: self.events,
            csv: self.csv,
        }
    }

    /// What 0.3.0 writes: page, workbook and register texts, unless they are switched off; with --perfetto also trace and
    /// summary. Where it writes nothing, the summary is.
    fn views_of_0_3_0(&self) -> Vec<String> {
        let has_texts = !(self.disable_doc && self.disable_web);
        let views = [
            (views::TEXT, has_texts),
            (views::WORKBOOK, !self.disable_doc),
            (views::PAGE, !self.disable_web),
            (views::TRACE, self.perfetto),
            (
                views::SUMMARY,
                self.perfetto && !self.disable_summary || !has_texts && !self.perfetto,
            ),
        ];
        let asked = views.into_iter().filter(|(_, is_asked)| *is_asked);
        asked.map(|(view, _)| view.to_owned()).collect()
    }

    /// What is written of a dump of this chip.
    pub(crate) fn choice_of(&self, chip: &Chip) -> Choice {
        match self.defaults {
            Defaults::TpuProfile(format) => {
                Choice { only: format.views(chip), ..Choice::default() }
            }
            _ => self.choice(),
        }
    }

    /// Whether that view is asked for, whatever the number of events.
    pub(crate) fn writes(&self, view: &str) -> bool {
        self.choice().writes(view)
    }

    /// Whether the call is for bigTpuProfile 0.3.0 or older: it has an option that 0.3.7 does not have.
    pub(crate) fn has_older_options(&self) -> bool {
        let flags = [self.perfetto, self.enable_perfetto, self.disable_web, self.disable_doc];
        flags.contains(&true) || self.arch.is_some() || self.num_core.is_some()
    }

    /// How much the trace tells of each command: under the incumbent's name all that it tells.
    fn trace_detail(&self) -> Option<TraceDetail> {
        let asked = self.trace_detail.as_deref();
        let asked = DETAILS.into_iter().find(|detail| Some(detail.name()) == asked);
        asked.or(self.defaults.is_big_tpu_profile().then_some(TraceDetail::Compat))
    }

    /// What the workbook is named after: versions before 0.3.0 had one name for all.
    fn workbook_name(&self) -> WorkbookName {
        match self.defaults {
            Defaults::BigTpuProfile(Edition::V030) => WorkbookName::Directory,
            Defaults::BigTpuProfile(Edition::V037) if !self.has_older_options() => {
                WorkbookName::Directory
            }
            _ => WorkbookName::Fixed,
        }
    }

    /// How dumps are opened and read, and how their views are written.
    pub(crate) fn settings(&self) -> Settings {
        // There it is the number of processes that work.
        let first = self.num_core.filter(|_| !self.defaults.is_big_tpu_profile());
        let cores = self.cores.clone().or(first.map(CoreSet::First));
        let edition = match self.defaults {
            Defaults::BigTpuProfile(edition) => edition,
            _ => Edition::default(),
        };
        Settings {
            edition,
            chip: self.arch.map(Arch::chip),
            reading: bigtpu_timeline::BuildOptions { tiu_mhz: self.tiu_freq, cores },
            compress_trace: self.compress_trace,
            trace_detail: self.trace_detail(),
            workbook_name: self.workbook_name(),
            ..Settings::default()
        }
    }
}

/// `--arch`.
#[derive(Clone, Copy)]
pub(crate) struct Arch(&'static Chip);

impl Arch {
    /// The chip that it names.
    pub(crate) fn chip(self) -> &'static Chip {
        self.0
    }
}

impl fmt::Debug for Arch {
    /// The name: what a batch remembers of its options.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

pub(crate) fn chip(name: &str) -> Result<Arch, NoSuchChip> {
    Chip::find_target(name).map(Arch)
}

#[cfg(test)]
mod tests {
    use bigtpu_session::{MANY_EVENTS, Selection};
    use clap::Parser;

    use super::*;
    use crate::args::Cli;

    fn written(defaults: Defaults, args: &[&str], events: usize) -> String {
        let args = [&["bigtpuprofile", "dump"], args].concat();
        let mut views = Cli::try_parse_from(args).unwrap().analyze.options.views;
        views.defaults = defaults;
        let choice = views.choice();
        let Selection { views, is_reduced, .. } = choice.of_events(events);
        views.join(" ") + if is_reduced { " (reduced)" } else { "" }
    }

    /// The table of docs/command-line.md.
    #[test]
    fn options_decide_what_is_written() {
        let all = "text report trace summary workbook page";
        let own: [(&[&str], &str); 10] = [
            (&[], all),
            (&["--enable_perfetto", "--num_core", "8", "--arch", "BM1690"], all),
            (&["--disable_doc"], "text report trace summary page"),
            (&["--disable_web"], "text report trace summary workbook"),
            (&["--disable_web", "--disable_doc"], "report trace summary"),
            (&["--disable_summary"], "text report trace workbook page"),
            (&["--perfetto"], "report trace summary"),
            (&["--perfetto", "--disable_summary"], "report trace"),
            (&["--perfetto", "--enable_doc"], "text report trace summary workbook"),
            (&["--emit", "page,csv"], "page csv"),
        ];
        for (args, expected) in own {
            assert_eq!(written(Defaults::Own, args, MANY_EVENTS), expected, "{args:?}");
        }
        let of_0_3_0: [(&[&str], &str); 6] = [
            (&[], "text workbook page"),
            (&["--perfetto"], "text workbook page trace summary"),
            (&["--perfetto", "--disable_summary", "--disable_web"], "text workbook trace"),
            (&["--disable_doc"], "text page"),
            (&["--disable_web", "--disable_doc", "--perfetto"], "trace summary"),
            (&["--num_core", "8"], "text workbook page"),
        ];
        for (args, expected) in of_0_3_0 {
            assert_eq!(
                written(Defaults::BigTpuProfile(Edition::V030), args, MANY_EVENTS + 1),
                expected,
                "{args:?}"
            );
        }
        let incumbent: [(&[&str], &str); 7] = [
            (&[], "trace summary"),
            (&["--disable_summary"], "trace"),
            (&["--enable_doc"], "text trace summary workbook"),
            (&["--disable_doc"], "text report trace summary page"),
            (&["--arch", "BM1690"], all),
            (&["--perfetto"], all),
            (&["--enable_perfetto", "--num_core", "8"], all),
        ];
        for (args, expected) in incumbent {
            let newest = Defaults::BigTpuProfile(Edition::V037);
            assert_eq!(written(newest, args, 0), expected, "{args:?}");
        }
    }

    #[test]
    fn large_dumps_have_workbook_and_texts_only_when_asked_for() {
        let own = |args: &[&str]| written(Defaults::Own, args, MANY_EVENTS + 1);
        assert_eq!(own(&[]), "report trace summary page (reduced)");
        assert_eq!(own(&["--enable_doc"]), "text report trace summary workbook page");
        assert_eq!(own(&["--perfetto"]), "report trace summary");
        assert_eq!(own(&["--emit", "text"]), "text");
    }
}
