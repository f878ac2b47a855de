//! The runtime's own work around a static model, as a table.

use std::collections::BTreeMap;

use bigtpu_output::Table;
use bigtpu_timeline::Profile;

/// Copies and barriers by engine; `None` where there were none.
#[must_use]
pub(crate) fn runtime_table(profile: &Profile<'_>) -> Option<Table> {
    let mut sums: BTreeMap<_, (u64, u64, i64, i64, i64)> = BTreeMap::new();
    for event in &profile.runtime {
        let key = (event.engine_id, event.kind.name());
        let sum = sums.entry(key).or_insert((0, 0, 0, event.start, event.end));
        sum.0 += 1;
        sum.1 += event.bytes;
        sum.2 += event.duration();
        sum.3 = sum.3.min(event.start);
        sum.4 = sum.4.max(event.end);
    }
    let header =
        ["Engine", "What", "Count", "Bytes", "Time(ns)", "First start(ns)", "Last end(ns)"];
    let rows = sums.iter().map(|((place, what), (count, bytes, time, start, end))| {
        let direction = if *bytes > 0 { " (DDR->DDR)" } else { "" };
        vec![
            place.to_string(),
            format!("{what}{direction}"),
            count.to_string(),
            bytes.to_string(),
            time.to_string(),
            start.to_string(),
            end.to_string(),
        ]
    });
    let title = "Runtime (its copies and barriers, which are not commands of the model)";
    (!sums.is_empty()).then(|| Table::new(title, header, rows))
}
