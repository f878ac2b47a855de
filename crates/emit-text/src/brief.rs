//! `report.md`: the run in a page of Markdown, for people, tickets and assistants; the verdict first.

use bigtpu_answers::Report;
use bigtpu_emit::{Emitter, Input};
use bigtpu_measure::counted;
use bigtpu_output::{Markdown, OutputError, Table, Text, Written, put};
use bigtpu_timeline::Profile;

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

    fn emit(&self, input: &Input<'_, '_>) -> Result<Vec<Written>, OutputError> {
        let text = markdown(&self.source, input.profile, &input.analysis.report);
        Ok(vec![input.out.write(BRIEF_FILE, &text)?])
    }
}

/// What was measured, in a line: chip, cores, events, clocks.
#[must_use]
pub fn heading(profile: &Profile<'_>) -> String {
    let kind = if profile.is_static { "static model" } else { "dynamic run" };
    format!(
        "{}, {kind}: {}, {}, {}; TIU {} MHz, DMA {} MHz",
        profile.chip.name,
        counted(profile.cores.len(), "core"),
        counted(profile.ports.len(), "CDMA port"),
        counted(profile.event_count(), "event"),
        profile.clocks.tiu_mhz,
        profile.clocks.dma_mhz
    )
}

fn markdown(source: &str, profile: &Profile<'_>, report: &Report) -> Text<Markdown> {
    let mut text = Text::new();
    put!(text, "# {}\n\n", source);
    if profile.event_count() == 0 {
        text.own("The dump holds no events: there is nothing to report.\n\n");
    } else {
        let verdict = &report.verdict;
        let rule = verdict.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
        put!(text, "**Verdict{}:** {}\n\n", rule, verdict.text);
    }
    let facts = intervals_text(report).into_iter().chain(steps_text(report));
    let lines = [heading(profile), completeness_line(profile)];
    for line in lines.into_iter().chain(facts).chain(host_text(report)) {
        put!(text, "- {}\n", line.trim());
    }
    for table in [path_table, kernels_table, layers_table].map(|of| of(report, FEW)) {
        section(&mut text, &table);
    }
    let advice = advice_brief(report, FEW);
    if !advice.is_empty() {
        let together = advice_together(report).map_or_else(String::new, |all| format!(" ({all})"));
        put!(text, "\n## What else to change{}\n\n", together);
        for (number, advice) in (1_usize..).zip(&advice) {
            text.int(number);
            put!(text, ". {}\n", advice);
        }
    }
    let notes = notes(profile);
    if !notes.is_empty() {
        text.own("\n## What is lost or doubtful\n\n");
        for note in notes.iter().take(FEW) {
            put!(text, "- {}\n", note);
        }
        if notes.len() > FEW {
            let more = notes.len() - FEW;
            text.own("- ").int(more).own(" more: `bigtpuprofile DUMP --verbose`\n");
        }
    }
    let wall_ns = report.intervals.overall.wall_ns;
    if wall_ns > 0 {
        put!(
            text,
            "\nTimes are in microseconds; the run takes {} us. Kernels and layers are summed over cores, the critical path is not.\n",
            us(wall_ns)
        );
    }
    text
}

fn section(text: &mut Text<Markdown>, table: &Table) {
    if !table.is_empty() {
        put!(text, "\n## {}\n\n{}", table.title(), table.markdown());
    }
}
