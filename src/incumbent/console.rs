//! What the console of bigTpuProfile 0.3.7 shows.

use anyhow::Result;
use bigtpu_compat::Summary;
use bigtpu_emit_text::console::standard;
use bigtpu_emit_text::summary_lines;
use bigtpu_output::{Written, put};

/// Columns of a line of the summary that its console shows; `summary.txt` has them all.
const CONSOLE_COLUMNS: usize = 130;

/// Shows what bigTpuProfile 0.3.7 shows of the same run.
pub(crate) fn show(chip: &str, summary: &Summary, written: &[Written]) -> Result<()> {
    let ends_with = |file: &&Written, end: &str| file.path.to_string_lossy().ends_with(end);
    let find = |end: &str| written.iter().find(|file| ends_with(file, end));
    let mut out = standard::stdout();
    put!(out, "Detected chip {}\nParsing...\n", chip)?;
    if summary.total_ns.is_none() || find("summary.txt").is_some() {
        put!(out, "Generating summary...\n")?;
        match summary_lines(summary) {
            Some(text) => {
                for line in text.as_str().lines() {
                    let shown: String = line.chars().take(CONSOLE_COLUMNS).collect();
                    put!(out, "{}\n", shown)?;
                }
            }
            None => put!(out, "No timing data available for summary.\n")?,
        }
    }
    if let Some(trace) = find(".pftrace") {
        let path = &trace.path;
        put!(out, "Generating perfetto pftrace...\n")?;
        put!(out, "the pftrace are generated successfully under: {}\n", path)?;
    }
    if find("RegInfo_0.txt").is_some() {
        put!(out, "Write engine info...\n")?;
    }
    if let Some(workbook) = find(".xlsx") {
        put!(out, "Generate doc...\nGenerating data for {}\n", workbook.path)?;
    }
    if let Some(page) = find(".html") {
        put!(out, "Generate web...\nWritten: {}\n", page.path)?;
    }
    Ok(())
}
