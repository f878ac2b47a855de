//! A language model's targets and settings side by side.

use bigtpu_model::llm::Split;
use bigtpu_output::{Table, Untrusted};
use bigtpu_predict::estimate::Estimate;
use bigtpu_predict::estimate::llm::{LlmEstimate, TimeByBound};

use crate::estimate::llm::LlmComparison;
use crate::estimate::units::{Column, digits, or_dash, percent};

/// One sentence: what was estimated.
#[must_use]
pub fn headline(comparison: &LlmComparison<'_>) -> Untrusted<'static> {
    let [model, family] = [&comparison.model, &comparison.family].map(Untrusted::for_library);
    let parameters = digits(comparison.parameters / 1e9);
    let mut weights: Vec<&str> = Vec::new();
    for name in comparison.found.iter().map(|found| found.types.weights.name()) {
        if !weights.contains(&name) {
            weights.push(name);
        }
    }
    let asked = comparison.found.first().map(|found| {
        let (request, types) = (found.request, found.types);
        format!(
            "; {} with {} weights and {} cache; batch {}, prompts of {} tokens, {} generated",
            types.activations,
            weights.join(" or "),
            types.cache,
            request.batch,
            request.context,
            request.output_tokens
        )
    });
    format!("{model}: {family}, {parameters} billion parameters{}", asked.unwrap_or_default())
        .into()
}

/// Degrees of parallelism, in words.
pub(crate) fn division(found: &LlmEstimate) -> String {
    let Split { tensor, pipeline, experts } = found.split;
    let degrees = [("TP", tensor), ("PP", pipeline), ("EP", experts)];
    let shown = degrees.iter().filter(|(_, degree)| *degree > 1);
    let parts: Vec<String> = shown.map(|(name, degree)| format!("{name} {degree}")).collect();
    match found.split.devices() {
        1 => "1".to_owned(),
        devices => format!("{devices} ({})", parts.join(", ")),
    }
}

/// The estimate under a name that has its devices.
pub(crate) fn named(found: &LlmEstimate) -> Estimate {
    let mut estimate = found.estimate.clone();
    if found.split.devices() > 1 {
        estimate.target = format!("{} x {}", estimate.target, division(found));
    }
    estimate
}

fn bound(times: &TimeByBound) -> String {
    times.most().map_or_else(
        || "-".to_owned(),
        |bound| format!("{} {}", bound.name(), percent(times.share(bound))),
    )
}

/// Times, rates and energies.
#[must_use]
pub fn time_table(comparison: &LlmComparison<'_>) -> Table {
    let all = comparison.found;
    let times = |of: fn(&LlmEstimate) -> f64| Column::of_times(all.iter().map(of));
    let (first, request) =
        (times(LlmEstimate::first_token_ns), times(|own| own.estimate.time_ns()));
    let tokens = all.iter().filter_map(|own| own.token_ns.map(|token| token.mean));
    let further = Column::of_times(tokens);
    let energies = Column::of_energies(all.iter().filter_map(|own| own.estimate.energy_pj()));
    let ranges = all.iter().any(|own| own.range_ns.iter().any(Option::is_some));
    let mut header = vec!["Target".to_owned(), "Devices".to_owned(), first.head("First token")];
    header.extend(ranges.then(|| first.head("Range")));
    header.extend([first.head("Lower bound"), "Bound by".to_owned()]);
    header.push(further.head("Further token"));
    header.extend(ranges.then(|| further.head("Range")));
    header.extend([further.head("Lower bound"), "Bound by".to_owned()]);
    header.extend(["Tokens/s".to_owned(), request.head("Request")]);
    header.extend([energies.head("Energy"), "mJ/token".to_owned()]);
    let row = |found: &LlmEstimate| {
        let [prompt, generation] = &found.by_bound;
        let estimate = &found.estimate;
        let token = found.token_ns.map_or_else(|| "-".to_owned(), |token| further.cell(token.mean));
        let [first_range, token_range] = found.range_ns;
        let [first_bound, token_bound] = found.bound_ns;
        let range = |column: &Column, range: Option<[f64; 2]>| {
            let text = |[least, most]: [f64; 2]| {
                format!("{} to {}", column.cell(least), column.cell(most))
            };
            ranges.then(|| range.map_or_else(|| "unknown".to_owned(), text))
        };
        let mut row = vec![estimate.target.clone(), division(found)];
        row.push(first.cell(found.first_token_ns()));
        row.extend(range(&first, first_range));
        row.extend([first.cell(first_bound), bound(prompt), token]);
        row.extend(range(&further, token_range));
        let token_bound =
            found.token_ns.map_or_else(|| "-".to_owned(), |_| further.cell(token_bound));
        row.extend([token_bound, bound(generation)]);
        row.extend([or_dash(estimate.tokens_per_s()), request.cell(estimate.time_ns())]);
        row.extend([energies.known(estimate.energy_pj()), or_dash(estimate.mj_per_token())]);
        row
    };
    Table::new("Time and energy", header, all.iter().map(row))
}

/// Bytes of the fullest device.
#[must_use]
pub fn memory_table(comparison: &LlmComparison<'_>) -> Table {
    let header = [
        "Target",
        "Devices",
        "Weights (GB)",
        "KV cache (GB)",
        "Activations (GB)",
        "Sum (GB)",
        "Memory (GB)",
        "Fits",
    ];
    let row = |found: &LlmEstimate| {
        let stored = found.stored;
        let fits = match found.fits() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "unknown",
        };
        [
            found.estimate.target.clone(),
            division(found),
            gigabytes(stored.weights),
            gigabytes(stored.cache),
            gigabytes(stored.activations),
            gigabytes(stored.total()),
            found.device_bytes.map_or_else(|| "unknown".to_owned(), |size| gigabytes(size as f64)),
            fits.to_owned(),
        ]
    };
    Table::new("Memory of a device", header, comparison.found.iter().map(row))
}

/// 1e9 bytes.
fn gigabytes(bytes: f64) -> String {
    format!("{:.2}", bytes / 1e9)
}
