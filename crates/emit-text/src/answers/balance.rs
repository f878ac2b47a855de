//! How evenly the cores share the work.

use bigtpu_answers::Report;
use bigtpu_measure::percent;
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::Table;

use super::{first_of, short, table, us};

/// Kernels, or layers of a static model, that ran on several cores.
pub(super) fn imbalance_table(report: &Report, most: usize, language: Language) -> Table {
    // A static model has layers instead of kernels.
    let balance = &report.balance;
    let (what, all) = match balance.kernels.is_empty() {
        true if !balance.layers.is_empty() => ("Layer", &balance.layers),
        _ => ("Kernel", &balance.kernels),
    };
    let rows = all.iter().take(most).map(|k| {
        vec![
            short(&k.kernel),
            k.cores.to_string(),
            k.slowest.to_string(),
            us(k.slowest_ns),
            format!("{:.3}", k.mean_ns / 1000.0),
            percent(k.imbalance, 1),
            us(k.lost_ns),
            us(k.start_skew_ns),
            us(k.end_skew_ns),
        ]
    });
    let header = [
        what,
        "Cores",
        "Slowest",
        "Slowest(us)",
        "Mean(us)",
        "Imbalance",
        "Lost(us)",
        "StartSkew(us)",
        "EndSkew(us)",
    ];
    let incomplete = report.kernels.iter().any(|kernel| kernel.incomplete_launches > 0);
    let title = Message::new(match incomplete {
        true => "report-table-balance-incomplete",
        false => "report-table-balance",
    });
    table(first_of(title, most, all.len()).text(language), &header, rows.collect())
}

/// A line on barriers; `None` without any.
#[must_use]
pub fn barriers_text(report: &Report, language: Language) -> Option<String> {
    let barriers = &report.balance.barriers;
    if barriers.count == 0 {
        return None;
    }
    let last = barriers.last.iter().map(|(core, times)| {
        let core = Arg::Number((*core).into());
        message!("report-core-times", core = core, times = *times).text(language)
    });
    let last = last.collect::<Vec<_>>().join(language.choose(", ", "，"));
    let text = message!(
        "report-barriers",
        barriers = barriers.count,
        skew = Arg::Value(barriers.mean_skew_ns / 1000.0, 3),
        waited = us(barriers.waited_ns),
        last = last,
    );
    Some(text.text(language))
}
