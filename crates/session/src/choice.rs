//! Which views of a dump are written.

use bigtpu_messages::{Message, message};

use crate::views;

/// Above this many events, the workbook and the register texts are written only when they are asked for: they
/// take about 1 kB an event, and most of the time of a run.
pub const MANY_EVENTS: usize = 500_000;

/// What is written of a dump, before single views are added or left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputExtent {
    /// All views but the tables of events.
    #[default]
    All,
    /// Trace, summary and report.
    Fast,
    /// Trace and summary: those of bigTpuProfile 0.3.7.
    Latest,
}

/// Whether the workbook and the register texts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Documents {
    /// As the extent says, up to [`MANY_EVENTS`].
    #[default]
    Usual,
    /// Always.
    Always,
    /// No workbook, and no register texts where there is no page either.
    Never,
}

/// What is to be written of a dump.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// Only these views, and the tables of events; all, as the other fields say, where this is empty.
    pub only: Vec<String>,
    /// What is written without further wishes.
    pub extent: OutputExtent,
    /// The summary is left out.
    pub without_summary: bool,
    /// The page is left out.
    pub without_page: bool,
    /// Workbook and register texts.
    pub documents: Documents,
    /// Also `events.parquet`.
    pub events: bool,
    /// Also `events.csv`, and the tables of layers.
    pub csv: bool,
}

/// What is written of one dump.
#[derive(Debug, PartialEq, Eq)]
pub struct Selection<'a> {
    /// Names of the views.
    pub views: Vec<&'a str>,
    /// The workbook or the register texts are left out because there are too many events.
    pub is_reduced: bool,
    events: usize,
}

impl Choice {
    /// What is written of a dump with that many events.
    #[must_use]
    pub fn of_events(&self, events: usize) -> Selection<'_> {
        if !self.only.is_empty() {
            let mut chosen: Vec<&str> = self.only.iter().map(String::as_str).collect();
            for (view, is_asked) in
                [(views::EVENTS, self.events), (views::CSV, self.csv), (views::LAYERS, self.csv)]
            {
                if is_asked && !chosen.contains(&view) {
                    chosen.push(view);
                }
            }
            return Selection { views: chosen, is_reduced: false, events };
        }
        let has_all = self.extent == OutputExtent::All;
        let (always, never) =
            (self.documents == Documents::Always, self.documents == Documents::Never);
        let has_workbook = always || has_all && !never;
        let has_texts = always || has_all && !(never && self.without_page);
        let is_reduced = events > MANY_EVENTS && !always && (has_workbook || has_texts);
        let choices = [
            (views::TEXT, has_texts && !is_reduced),
            (views::REPORT, self.extent != OutputExtent::Latest),
            (views::TRACE, true),
            (views::SUMMARY, !self.without_summary),
            (views::WORKBOOK, has_workbook && !is_reduced),
            (views::EVENTS, self.events),
            (views::CSV, self.csv),
            (views::LAYERS, self.csv),
            (views::PAGE, has_all && !self.without_page),
        ];
        let asked = choices.into_iter().filter(|(_, is_asked)| *is_asked);
        Selection { views: asked.map(|(name, _)| name).collect(), is_reduced, events }
    }

    /// Whether that view is asked for, whatever the number of events.
    #[must_use]
    pub fn writes(&self, view: &str) -> bool {
        self.of_events(0).views.contains(&view)
    }
}

impl Selection<'_> {
    /// What a run says when it leaves out views because the dump is large.
    #[must_use]
    pub fn note(&self) -> Option<Message> {
        let events = self.events;
        self.is_reduced
            .then(|| message!("report-views-left-out", events = events, most = MANY_EVENTS))
    }
}
