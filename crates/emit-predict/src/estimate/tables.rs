//! Estimates as tables: targets side by side, and the operators that take longest.

use bigtpu_output::amount::Micro;
use std::collections::HashMap;

use bigtpu_messages::{Language, Message, message};
use bigtpu_model::{LlmPhase, Operator};
use bigtpu_output::Table;
use bigtpu_predict::estimate::{Estimate, MEASURED_TARGET};

use crate::estimate::ModelEstimates;
use crate::estimate::units::{Column, or_dash, percent};
use crate::words::word;

/// One sentence: what was estimated.
#[must_use]
pub fn headline(comparison: &ModelEstimates<'_>) -> Message {
    message!(
        "predict-headline",
        model = comparison.model.for_library(),
        count = comparison.operators.len(),
        setting = comparison.setting.clone()
    )
}

/// Targets side by side. Columns that no target has are left out; each column has one unit.
#[must_use]
pub fn target_table(comparison: &ModelEstimates<'_>, language: Language, micro: Micro) -> Table {
    let word = |id| word(id, language);
    let all = comparison.estimates;
    // A target whose link is unknown would win by transfers that count no time.
    let comparable = all.iter().all(|estimate| estimate.transfers_known);
    let compared = if comparable { Estimate::time_ns } else { Estimate::device_ns };
    let fastest = all.iter().map(compared).fold(f64::INFINITY, f64::min);
    let generates = all.iter().any(|estimate| estimate.gen_tokens > 0);
    let against = match comparable {
        true => word("predict-relative"),
        false => word("predict-relative-no-transfers"),
    };
    let ranges = all.iter().any(|estimate| estimate.range_ns.is_some());
    let times = |of: fn(&Estimate) -> f64| Column::of_times(all.iter().map(of));
    let (whole, compute, memory) = (times(Estimate::time_ns), times(compute_ns), times(memory_ns));
    let (prompt, generation) =
        (times(|own| own.phases[0].time_ns), times(|own| own.phases[1].time_ns));
    let sent = times(sent_ns);
    let energies = Column::of_energies(all.iter().filter_map(Estimate::energy_pj));
    let bounds = all.iter().any(|estimate| estimate.bound_ns.is_some());
    let mut header = vec![word("predict-target"), whole.head(&word("predict-time"), micro)];
    if ranges {
        header.push(whole.head(&word("predict-range"), micro));
    }
    if bounds {
        header.push(whole.head(&word("predict-bound"), micro));
    }
    header.push(against);
    header.push(compute.head(&word("predict-compute"), micro));
    header.push(memory.head(&word("predict-memory"), micro));
    if generates {
        header.push(prompt.head(&word("predict-prompt"), micro));
        header.push(generation.head(&word("predict-generation"), micro));
        header.extend(["predict-tokens", "predict-token-energy"].map(word));
    }
    header.push(sent.head(&word("predict-transfers"), micro));
    header.push(energies.head(&word("predict-energy"), micro));
    header.push(word("predict-power"));
    let row = |estimate: &Estimate| {
        let mut row = vec![target_name(estimate).text(language), whole.cell(estimate.time_ns())];
        if ranges {
            row.push(match (estimate.range_ns, estimate.bound_ns) {
                (Some(ends), _) => whole.range(ends, language),
                (None, Some(_)) => word("predict-unknown"),
                (None, None) => word("predict-measured"),
            });
        }
        if bounds {
            row.push(estimate.bound_ns.map_or_else(|| "-".to_owned(), |ns| whole.cell(ns)));
        }
        row.extend([
            format!("{:.2} x", if fastest > 0.0 { compared(estimate) / fastest } else { 1.0 }),
            compute.cell(compute_ns(estimate)),
            memory.cell(memory_ns(estimate)),
        ]);
        if generates {
            let [sum, gen_phase] = &estimate.phases;
            row.extend([prompt.cell(sum.time_ns), generation.cell(gen_phase.time_ns)]);
            row.extend([or_dash(estimate.tokens_per_s()), or_dash(estimate.mj_per_token())]);
        }
        let sent_ns = estimate.transfers_known.then(|| sent_ns(estimate));
        row.push(sent.known(sent_ns, language));
        row.push(energies.known(estimate.energy_pj(), language));
        row.push(or_dash(estimate.power_w()));
        row
    };
    Table::new(word("predict-targets"), header, all.iter().map(row))
}

fn compute_ns(estimate: &Estimate) -> f64 {
    part_ns(estimate, "compute")
}

fn memory_ns(estimate: &Estimate) -> f64 {
    part_ns(estimate, "mem_transfer") + part_ns(estimate, "kv_load")
}

fn sent_ns(estimate: &Estimate) -> f64 {
    part_ns(estimate, "host_to_device") + part_ns(estimate, "device_to_host")
}

/// Sum of a part of the time over both phases, in ns.
pub(crate) fn part_ns(estimate: &Estimate, name: &str) -> f64 {
    let of = |phase: &bigtpu_predict::estimate::Cost| {
        phase.time.named().iter().find(|(part, _)| *part == name).map_or(0.0, |(_, ns)| *ns)
    };
    estimate.phases.iter().map(of).sum()
}

/// What a target is called; the run itself, beside predictions, in words.
pub(crate) fn target_name(estimate: &Estimate) -> Message {
    match estimate.target.as_str() {
        MEASURED_TARGET => Message::new("predict-measured"),
        name => Message::verbatim(name),
    }
}

/// The operators that take longest on the first target, with their times on all. Executions of one
/// operator in one phase are summed.
#[must_use]
pub fn operator_table(
    comparison: &ModelEstimates<'_>,
    rows: usize,
    (language, micro): (Language, Micro),
) -> Table {
    let word = |id| word(id, language);
    let mut groups = groups(comparison);
    groups.sort_by(|one, other| {
        other.times.first().unwrap_or(&0.0).total_cmp(one.times.first().unwrap_or(&0.0))
    });
    groups.truncate(rows);
    // Targets are compared, so that they have one unit.
    let times = Column::of_times(groups.iter().flat_map(|group| &group.times).copied());
    // What generates nothing has one phase.
    let has_phases = groups.iter().any(|group| group.phase == LlmPhase::Generation);
    let mut header = vec![word("predict-operator")];
    header.extend(has_phases.then(|| word("predict-phase")));
    header.push(word("predict-runs"));
    header.extend(
        comparison
            .estimates
            .iter()
            .map(|estimate| times.head(&target_name(estimate).text(language), micro)),
    );
    if let Some(first) = comparison.estimates.first() {
        header.push(message!("predict-share-on", target = target_name(first)).text(language));
    }
    let whole = comparison.estimates.first().map_or(0.0, Estimate::time_ns);
    let row = |group: &Group<'_>| {
        let phase = match group.phase {
            LlmPhase::Summarization => "predict-phase-prompt",
            LlmPhase::Generation => "predict-phase-generation",
        };
        let mut row = vec![group.operator.label()];
        row.extend(has_phases.then(|| word(phase)));
        row.push(group.runs.to_string());
        row.extend(group.times.iter().map(|ns| times.cell(*ns)));
        let longest = group.times.first().copied().unwrap_or(0.0);
        row.push(percent(if whole > 0.0 { longest / whole } else { 0.0 }));
        row
    };
    Table::new(word("predict-operators-by-time"), header, groups.iter().map(row))
}

struct Group<'a> {
    operator: &'a Operator,
    phase: LlmPhase,
    /// Executions.
    runs: u64,
    /// Time on each target, in ns.
    times: Vec<f64>,
}

fn groups<'a>(comparison: &ModelEstimates<'a>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut indices: HashMap<(&str, &str, LlmPhase), usize> = HashMap::new();
    for (number, operator) in comparison.operators.iter().enumerate() {
        let steps =
            || comparison.estimates.iter().filter_map(|estimate| estimate.steps.get(number));
        let Some(phase) = steps().next().map(|step| step.phase) else { continue };
        let key = (operator.name.as_str(), operator.context.as_str(), phase);
        let index = *indices.entry(key).or_insert_with(|| {
            let times = vec![0.0; comparison.estimates.len()];
            groups.push(Group { operator, phase, runs: 0, times });
            groups.len() - 1
        });
        if let Some(group) = groups.get_mut(index) {
            group.runs += steps().next().map_or(1, |step| step.executions);
            group.times.iter_mut().zip(steps()).for_each(|(sum, step)| *sum += step.cost.time_ns);
        }
    }
    groups
}
