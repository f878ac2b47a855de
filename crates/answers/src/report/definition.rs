//! What each part of the report means, and of which events it is made.

use serde::{Deserialize, Serialize};

/// Where a part of the report is defined, and its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    /// Key of the part in the report.
    pub part: String,
    /// Section of the docs that defines its numbers.
    pub docs: String,
    /// Condition on the rows of `events.parquet` that selects the events of a row of the part, `{field}` being a field
    /// of the row, or `null` if it has none; of the part as a whole if no field occurs. Absent where its numbers are not
    /// made of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<String>,
}

const OF_KERNEL: &str = "kernel = '{kernel}' and activity = 'work'";
const OF_CHANNEL: &str =
    "engine = '{engine}' and coalesce(port, core) = {index} and activity = 'work'";
const OF_WORK: &str = "engine = '{engine}' and coalesce(port, core) = {index} and coalesce(kernel, '') = '{kernel}' and \
     layer_id is not distinct from {layer_id} and event is not null";

/// Each part with the section of its definition and the condition on its events, if any.
const DEFINITIONS: [(&str, &str, &str); 23] = [
    ("verdict", "docs/analysis.md#verdict", ""),
    ("dump", "docs/format.md#1-directory", ""),
    ("ledger", "docs/format.md#conservation-of-records", ""),
    ("legacy_summary", "docs/format.md#82-summary", ""),
    ("intervals", "docs/analysis.md#intervals", "event is not null"),
    ("kernels", "docs/analysis.md#kernels-and-groups", OF_KERNEL),
    ("layers", "docs/analysis.md#layers", "layer_id = {id} and core = {core}"),
    ("blocks", "docs/analysis.md#layers", ""),
    ("groupings", "docs/analysis.md#kernels-and-groups", "activity = 'work'"),
    (
        "gaps.longest",
        "docs/analysis.md#bubbles",
        "engine = '{engine}' and coalesce(port, core) = {index} and (end_ns = {start_ns} or start_ns = {end_ns})",
    ),
    ("steps.steps", "docs/analysis.md#steps", "start_ns between {start_ns} and {end_ns}"),
    ("launches", "docs/analysis.md#bubbles", "core = {core} and kernel is not null"),
    ("roofline.kernels", "docs/analysis.md#roofline", OF_KERNEL),
    ("balance.kernels", "docs/analysis.md#balance", OF_KERNEL),
    ("communication.channels", "docs/analysis.md#communication", OF_CHANNEL),
    ("ddr_bandwidth", "docs/analysis.md#bandwidth-of-off-chip-memory", ""),
    ("ports", "docs/analysis.md#communication", "port = {port}"),
    ("critical_path", "docs/analysis.md#critical-path", "on_critical_path"),
    ("work", "docs/analysis.md#kernels-and-groups", OF_WORK),
    (
        "expected",
        "docs/prediction/simulate.md#in-the-profile-of-a-measured-run",
        "expected_ns is not null",
    ),
    ("advice", "docs/advice.md", ""),
    ("advice_together", "docs/analysis.md#predicted-and-true-gains", ""),
    ("host", "docs/analysis.md#host-and-device", ""),
];

impl Definition {
    /// The definitions of all parts.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let definition = |(part, docs, events): (&str, &str, &str)| Self {
            part: part.to_owned(),
            docs: docs.to_owned(),
            events: (!events.is_empty()).then(|| events.to_owned()),
        };
        DEFINITIONS.map(definition).into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    /// A heading as Markdown viewers name it in links.
    fn anchor(heading: &str) -> String {
        let kept = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    }

    #[test]
    fn each_part_of_the_report_names_its_section() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let schema = std::fs::read_to_string(root.join("docs/report.schema.json")).unwrap();
        let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
        let parts = schema["properties"].as_object().unwrap().keys().map(String::as_str);
        let about_itself = ["schema_version", "version", "definitions"];
        let parts: BTreeSet<&str> = parts.filter(|part| !about_itself.contains(part)).collect();
        let defined = DEFINITIONS.map(|(part, ..)| part.split('.').next().unwrap());
        assert_eq!(BTreeSet::from(defined), parts);
        for (part, docs, _) in DEFINITIONS {
            let (file, section) = docs.split_once('#').unwrap_or((docs, ""));
            let text = std::fs::read_to_string(root.join(file)).unwrap();
            let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
            assert!(section.is_empty() || headings.any(|own| own == section), "{part}: {docs}");
        }
    }
}
