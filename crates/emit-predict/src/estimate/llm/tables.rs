//! A language model's targets and settings side by side.

use bigtpu_messages::{Language, Message, message};
use bigtpu_model::llm::Split;
use bigtpu_output::Table;
use bigtpu_output::amount::Micro;
use bigtpu_predict::estimate::Estimate;
use bigtpu_predict::estimate::llm::{LlmEstimate, TimeByBound};

use crate::estimate::llm::LlmComparison;
use crate::estimate::units::{Column, digits, or_dash, percent};
use crate::words::word;

/// One sentence: what was estimated.
#[must_use]
pub fn headline(comparison: &LlmComparison<'_>) -> Message {
    let model = message!(
        "llm-model",
        model = comparison.model.for_library(),
        family = comparison.family.for_library(),
        billions = digits(comparison.parameters / 1e9)
    );
    let mut weights: Vec<&str> = Vec::new();
    for name in comparison.found.iter().map(|found| found.types.weights.name()) {
        if !weights.contains(&name) {
            weights.push(name);
        }
    }
    let Some(found) = comparison.found.first() else { return model };
    let (request, types) = (found.request, found.types);
    message!(
        "llm-headline",
        model = model,
        kind = types.activations.name(),
        weights = either(&weights),
        cache = types.cache.name(),
        batch = request.batch,
        prompt = request.context,
        output = request.output_tokens
    )
}

/// One of several names.
fn either(names: &[&str]) -> Message {
    let (first, others) = names.split_first().unwrap_or((&"", &[]));
    others.iter().fold(Message::verbatim(*first), |before, name| {
        message!("llm-or", before = before, name = *name)
    })
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

fn bound(times: &TimeByBound, language: Language) -> String {
    times.most().map_or_else(
        || "-".to_owned(),
        |bound| format!("{} {}", bound.word().text(language), percent(times.share(bound))),
    )
}

/// Times, rates and energies.
#[must_use]
pub fn time_table(comparison: &LlmComparison<'_>, language: Language, micro: Micro) -> Table {
    let word = |id| word(id, language);
    let all = comparison.found;
    let times = |of: fn(&LlmEstimate) -> f64| Column::of_times(all.iter().map(of));
    let (first, request) =
        (times(LlmEstimate::first_token_ns), times(|own| own.estimate.time_ns()));
    let tokens = all.iter().filter_map(|own| own.token_ns.map(|token| token.mean));
    let further = Column::of_times(tokens);
    let energies = Column::of_energies(all.iter().filter_map(|own| own.estimate.energy_pj()));
    let ranges = all.iter().any(|own| own.range_ns.iter().any(Option::is_some));
    let column = |column: &Column, id| column.head(&word(id), micro);
    let mut header = ["predict-target", "llm-devices"].map(word).to_vec();
    for (own, name) in [(&first, "llm-first-token"), (&further, "llm-further-token")] {
        header.push(column(own, name));
        header.extend(ranges.then(|| column(own, "predict-range")));
        header.extend([column(own, "predict-bound"), word("llm-bound-by")]);
    }
    header.extend([word("predict-tokens"), column(&request, "llm-request")]);
    header.extend([column(&energies, "predict-energy"), word("predict-token-energy")]);
    let row = |found: &LlmEstimate| {
        let [prompt, generation] = &found.by_bound;
        let estimate = &found.estimate;
        let token = found.token_ns.map_or_else(|| "-".to_owned(), |token| further.cell(token.mean));
        let [first_range, token_range] = found.range_ns;
        let [first_bound, token_bound] = found.bound_ns;
        let range = |column: &Column, range: Option<[f64; 2]>| {
            let text = |ends| column.range(ends, language);
            ranges.then(|| range.map_or_else(|| word("predict-unknown"), text))
        };
        let mut row = vec![estimate.target.clone(), division(found)];
        row.push(first.cell(found.first_token_ns()));
        row.extend(range(&first, first_range));
        row.extend([first.cell(first_bound), bound(prompt, language), token]);
        row.extend(range(&further, token_range));
        let token_bound =
            found.token_ns.map_or_else(|| "-".to_owned(), |_| further.cell(token_bound));
        row.extend([token_bound, bound(generation, language)]);
        row.extend([or_dash(estimate.tokens_per_s()), request.cell(estimate.time_ns())]);
        row.push(energies.known(estimate.energy_pj(), language));
        row.push(or_dash(estimate.mj_per_token()));
        row
    };
    Table::new(word("llm-time-and-energy"), header, all.iter().map(row))
}

/// Bytes of the fullest device.
#[must_use]
pub fn memory_table(comparison: &LlmComparison<'_>, language: Language) -> Table {
    let word = |id| word(id, language);
    let header = [
        "predict-target",
        "llm-devices",
        "llm-weights",
        "llm-cache",
        "llm-activations",
        "llm-sum",
        "llm-memory",
        "llm-fits",
    ]
    .map(word);
    let row = |found: &LlmEstimate| {
        let stored = found.stored;
        let fits = match found.fits() {
            Some(true) => word("llm-yes"),
            Some(false) => word("llm-no"),
            None => word("predict-unknown"),
        };
        [
            found.estimate.target.clone(),
            division(found),
            gigabytes(stored.weights),
            gigabytes(stored.cache),
            gigabytes(stored.activations),
            gigabytes(stored.total()),
            found
                .device_bytes
                .map_or_else(|| word("predict-unknown"), |size| gigabytes(size as f64)),
            fits,
        ]
    };
    Table::new(word("llm-memory-of-device"), header, comparison.found.iter().map(row))
}

/// 1e9 bytes.
fn gigabytes(bytes: f64) -> String {
    format!("{:.2}", bytes / 1e9)
}
