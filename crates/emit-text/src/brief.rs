//! `report.md`: the run in a page of Markdown, for people, tickets and assistants; the verdict first.

use bigtpu_answers::{Depth, Report, RunVerdict, clock_source};
use bigtpu_emit::{Emitter, EmitterInput};
use bigtpu_messages::{Language, Message, message};
use bigtpu_output::{Markdown, OutputError, Table, Text, Written, put};
use bigtpu_timeline::{Clocks, Profile};

use crate::answers::{
    advice_brief, advice_together, host_text, intervals_text, kernels_table, layers_table,
    path_table, steps_text, us,
};
use crate::ledger::{completeness_line, notes};

/// Name of the file.
pub const BRIEF_FILE: &str = "report.md";

/// Rows of each table.
const FEW: usize = 5;

/// The run in a page of Markdown.
#[derive(Debug, Clone, Default)]
pub struct Brief {
    /// Name of the dump.
    pub source: String,
}

impl Emitter for Brief {
    fn name(&self) -> &'static str {
        "brief"
    }

    fn depth(&self) -> Depth {
        Depth::Answers
    }

    fn emit(&self, input: &EmitterInput<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let text = markdown(
            &self.source,
            input.profile,
            input.analysis.report(input.profile),
            input.language,
        );
        Ok(vec![input.out.write(BRIEF_FILE, &text)?])
    }
}

/// What was measured, in a line: chip, cores, events, clocks.
#[must_use]
pub fn heading(profile: &Profile<'_>, language: Language) -> String {
    let (cores, ports, events) =
        (profile.shown_cores().count(), profile.ports.len(), profile.event_count());
    let (chip, clocks) = (profile.chip.title(), clocks(&profile.clocks));
    let heading = match profile.is_static {
        true => message!(
            "report-static",
            chip = chip,
            cores = cores,
            ports = ports,
            events = events,
            clocks = clocks,
        ),
        false => message!(
            "report-dynamic",
            chip = chip,
            cores = cores,
            ports = ports,
            events = events,
            clocks = clocks,
        ),
    };
    heading.text(language)
}

/// The clocks that all times are computed with, and who says how fast they are.
#[must_use]
pub fn clocks(clocks: &Clocks) -> Message {
    let (tiu, dma) = (clocks.tiu_mhz.to_string(), clocks.dma_mhz.to_string());
    let [tiu_source, dma_source] = [clocks.tiu_source, clocks.dma_source].map(clock_source);
    match clocks.tiu_source == clocks.dma_source {
        true => message!("report-clocks", tiu = tiu, dma = dma, source = tiu_source),
        false => message!(
            "report-clocks-apart",
            tiu = tiu,
            tiu_source = tiu_source,
            dma = dma,
            dma_source = dma_source,
        ),
    }
}

/// What stands before the verdict.
#[must_use]
pub fn verdict_label(verdict: &RunVerdict, language: Language) -> String {
    let label = match &verdict.rule {
        Some(rule) => message!("report-verdict-of-rule", rule = rule),
        None => Message::new("report-verdict"),
    };
    label.text(language)
}

fn markdown(
    source: &str,
    profile: &Profile<'_>,
    report: &Report,
    language: Language,
) -> Text<Markdown> {
    let word = |id| Message::new(id).text(language);
    let mut text = Text::new();
    put!(text, "# {}\n\n", source);
    if profile.event_count() == 0 {
        put!(text, "{}\n\n", word("report-no-events"));
    } else {
        let verdict = &report.verdict;
        let label = verdict_label(verdict, language) + language.choose(":", "：");
        put!(text, "**{}** {}\n\n", label, verdict.said(language));
    }
    let facts = intervals_text(report, language).into_iter().chain(steps_text(report, language));
    let lines = [heading(profile, language), completeness_line(profile, language)];
    for line in lines.into_iter().chain(facts).chain(host_text(report, language)) {
        put!(text, "- {}\n", line.trim());
    }
    for table in [path_table, kernels_table, layers_table].map(|of| of(report, FEW, language)) {
        section(&mut text, &table);
    }
    let advice = advice_brief(report, FEW, language);
    if !advice.is_empty() {
        let title = match advice_together(report, language) {
            Some(all) => message!("report-what-else-together", together = all).text(language),
            None => word("report-what-else"),
        };
        put!(text, "\n## {}\n\n", title);
        for (number, advice) in (1_usize..).zip(&advice) {
            text.int(number);
            put!(text, ". {}\n", advice);
        }
    }
    let notes = notes(profile, |_| true, language);
    if !notes.is_empty() {
        put!(text, "\n## {}\n\n", word("report-lost"));
        for note in notes.iter().take(FEW) {
            put!(text, "- {}\n", note);
        }
        if notes.len() > FEW {
            let more = message!("report-more-notes", more = notes.len() - FEW).text(language);
            put!(text, "- {}", more);
            text.own(": `bigtpuprofile DUMP --verbose`\n");
        }
    }
    let wall_ns = report.intervals.overall.wall_ns;
    if wall_ns > 0 {
        put!(text, "\n{}\n", message!("report-units", wall = us(wall_ns)).text(language));
    }
    text
}

fn section(text: &mut Text<Markdown>, table: &Table) {
    if !table.is_empty() {
        put!(text, "\n## {}\n\n{}", table.title(), table.markdown());
    }
}
