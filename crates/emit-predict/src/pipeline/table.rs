//! Schedules side by side.

use bigtpu_messages::{Language, message};
use bigtpu_output::{Table, Untrusted};
use bigtpu_predict::pipeline::PipelineReport;

use crate::pipeline::number::{bytes, grouped, percent};
use crate::pipeline::{Labels, Titled};
use crate::words::word;

/// More stages than this are shown by their least and greatest number.
const FEW_STAGES: usize = 8;

/// A row for each pipeline: its sizes, makespan, bubble, and what its stages hold at most.
#[must_use]
pub fn comparison(shown: &[Titled], labels: &Labels, language: Language) -> Table {
    let word = |id| word(id, language);
    let unit = match labels.unit.for_library() {
        "" => String::new(),
        unit => format!(" ({unit})"),
    };
    let mut header: Vec<String> = ["pipeline-schedule", "pipeline-stages"].map(word).to_vec();
    header.extend(["pipeline-microbatches", "pipeline-chunks"].map(word));
    header.push(word("pipeline-makespan") + &unit);
    header.push(word("pipeline-time-per-microbatch") + &unit);
    header.extend(["pipeline-bubble", "pipeline-peak-activations"].map(word));
    let has_memory = shown.iter().any(|titled| !titled.report.peak_memory.is_empty());
    if has_memory {
        header.push(word("pipeline-peak-memory"));
    }
    let row = |titled: &Titled| {
        let report: &PipelineReport = &titled.report;
        let peaks: Vec<String> = report.peak_activations.iter().map(u32::to_string).collect();
        let mut row: Vec<Untrusted<'static>> = vec![titled.title.text(language).into()];
        let numbers = [
            report.stages.to_string(),
            report.microbatches.to_string(),
            report.chunks.to_string(),
            grouped(report.makespan),
            grouped(report.makespan / u64::from(report.microbatches.max(1))),
            percent(report.bubble_ratio),
            few(&peaks, &report.peak_activations, language),
        ];
        row.extend(numbers.map(Untrusted::from));
        if has_memory {
            let most = report.peak_memory.iter().max();
            row.push(most.map(|&most| bytes(most)).unwrap_or_default().into());
        }
        row
    };
    Table::new(word("pipeline-schedules"), header, shown.iter().map(row))
}

fn few(texts: &[String], numbers: &[u32], language: Language) -> String {
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) if texts.len() > FEW_STAGES && least == most => {
            message!("pipeline-each", count = most.to_string()).text(language)
        }
        (Some(least), Some(most)) if texts.len() > FEW_STAGES => {
            let [least, most] = [least, most].map(u32::to_string);
            message!("predict-from-to", least = least, most = most).text(language)
        }
        _ => texts.join(","),
    }
}
