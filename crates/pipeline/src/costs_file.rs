//! `costs.json`: what one execution of each part of a model costs, as `bigtpuprofile costs` writes it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::chain::Part;
use crate::cost::Cost;

/// Why a costs file can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CostsError {
    /// No list of parts.
    #[error("it has no list 'parts'; give a file that `bigtpuprofile costs` wrote")]
    NoParts,
    /// A layout that this program does not read.
    #[error(
        "its layout has version {0}, and this program reads version 1; write it again with `bigtpuprofile costs`"
    )]
    Version(String),
    /// No part of the kind that was asked for.
    #[error("it has no parts of kind '{0}'")]
    NoKind(String),
    /// No part of the phase that was asked for.
    #[error("it has no parts of phase '{0}'")]
    NoPhase(String),
    /// Parts of which only one sort can be a chain.
    #[error("it has parts of several {what} ({found}); {advice}")]
    Mixed {
        /// What differs.
        what: &'static str,
        /// Its values.
        found: String,
        /// What to do.
        advice: &'static str,
    },
    /// A part without a usable time.
    #[error("part {number} ('{name}') has no {what} that is a number of at least 0")]
    Part {
        /// Number of the part, from 0.
        number: usize,
        /// Its name.
        name: String,
        /// The key.
        what: &'static str,
    },
}

/// A measured part.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuredPart {
    /// Its name.
    pub name: String,
    /// `kernel`, `layer` or `scope`; empty where the file does not show.
    pub kind: String,
    /// Executions that were measured.
    pub executions: u64,
    /// Phase of the run; empty where the file does not split it.
    pub phase: String,
    /// Chip and number of cores.
    pub device: String,
    /// Mean time in ns by which an execution moves the end of the run; where the file does not show, its wall time.
    pub ns: f64,
    /// Bytes of its weights, where the file shows.
    pub weight_bytes: Option<u64>,
    /// Bytes of the activations that it hands on, where the file shows.
    pub activation_bytes: Option<u64>,
}

/// Which parts of a file are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartChoice<'a> {
    /// `kernel`, `layer` or `scope`; by default layers, else scopes, else kernels.
    pub kind: Option<&'a str>,
    /// `prefill` or `decode`; needed where the file has both.
    pub phase: Option<&'a str>,
}

/// Reads the chosen parts in the order of the file.
///
/// # Errors
/// A file without such parts, with parts of several phases or chips, or a part without a time.
pub fn measured_parts(
    file: &Value,
    choice: PartChoice<'_>,
) -> Result<Vec<MeasuredPart>, CostsError> {
    if let Some(version) = file.get("schema_version").filter(|version| version.as_u64() != Some(1))
    {
        return Err(CostsError::Version(version.to_string()));
    }
    let list = file.get("parts").and_then(Value::as_array).ok_or(CostsError::NoParts)?;
    let parts = list.iter().enumerate().map(|(number, value)| part(number, value));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let has = |kind: &str| parts.iter().any(|part| part.kind == kind);
    let kind = match choice.kind {
        Some(kind) if !has(kind) => return Err(CostsError::NoKind(kind.to_owned())),
        Some(kind) => Some(kind),
        None => ["layer", "scope", "kernel"].into_iter().find(|kind| has(kind)),
    };
    let mut chosen: Vec<_> =
        parts.into_iter().filter(|part| kind.is_none_or(|kind| part.kind == kind)).collect();
    if let Some(phase) = choice.phase {
        chosen.retain(|part| part.phase == phase);
        if chosen.is_empty() {
            return Err(CostsError::NoPhase(phase.to_owned()));
        }
    }
    one(&chosen, "phases", |part| &part.phase, "choose one with --phase")?;
    one(
        &chosen,
        "chips or numbers of cores",
        |part| &part.device,
        "measure each in a file of its own",
    )?;
    if chosen.is_empty() { Err(CostsError::NoParts) } else { Ok(chosen) }
}

/// All parts have to have one value in common.
fn one(
    parts: &[MeasuredPart],
    what: &'static str,
    value: impl Fn(&MeasuredPart) -> &String,
    advice: &'static str,
) -> Result<(), CostsError> {
    let found: BTreeSet<&str> = parts.iter().map(|part| value(part).as_str()).collect();
    if found.len() < 2 {
        return Ok(());
    }
    let found = found.into_iter().collect::<Vec<_>>().join(", ");
    Err(CostsError::Mixed { what, found, advice })
}

fn part(number: usize, value: &Value) -> Result<MeasuredPart, CostsError> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let name = text("name").unwrap_or_else(|| format!("part {number}"));
    let what = |what| CostsError::Part { number, name: name.clone(), what };
    let time = ["step_ns", "wall_ns"].iter().find_map(|key| value.get(key));
    let time = time.and_then(|time| time.as_f64().or_else(|| time.get("mean")?.as_f64()));
    let ns = time.filter(|ns| ns.is_finite() && *ns >= 0.0).ok_or_else(|| what("wall_ns"))?;
    let executions = match value.get("executions") {
        None => 1,
        Some(count) => count.as_u64().filter(|&n| n > 0).ok_or_else(|| what("executions"))?,
    };
    let memory = value.get("memory");
    let bytes = |key: &str, within: &str| {
        let inner = memory.and_then(|memory| memory.get(within));
        value.get(key).or(inner).and_then(Value::as_u64)
    };
    Ok(MeasuredPart {
        kind: text("kind").unwrap_or_default(),
        phase: text("phase").unwrap_or_default(),
        device: match (text("chip"), value.get("cores").and_then(Value::as_u64)) {
            (Some(chip), Some(cores)) => format!("{chip} with {cores} cores"),
            (chip, _) => chip.unwrap_or_default(),
        },
        executions,
        ns,
        weight_bytes: bytes("weight_bytes", "weights"),
        activation_bytes: bytes("activation_bytes", "activations"),
        name,
    })
}

/// Costs of training that a forward-only measurement lacks, by the role of a part: parts with weights (matrix products,
/// convolutions, embeddings) take as long as their forward for each of the two gradients, others have one gradient.
#[must_use]
pub fn role_cost(name: &str, forward: u64) -> Cost {
    const WITH_WEIGHTS: [&str; 9] =
        ["matmul", "gemm", "linear", "conv", "fc", "embed", "mlp", "proj", "dense"];
    let name = name.to_ascii_lowercase();
    let has_weights = WITH_WEIGHTS.iter().any(|role| name.contains(role));
    Cost { fwd: forward, bwd: forward, wgt: if has_weights { forward } else { 0 } }
}

/// The chain that the parts form: a part that ran k times as often as the rarest one counts k times.
#[must_use]
pub fn chain(parts: &[MeasuredPart], training: bool) -> Vec<Part> {
    let passes = parts.iter().map(|part| part.executions).min().unwrap_or(1).max(1);
    let forward = |part: &MeasuredPart| {
        let times = part.executions as f64 / passes as f64;
        (part.ns * times).round().min(u64::MAX as f64 / 4.0) as u64
    };
    let cost = |part: &MeasuredPart| {
        let forward = forward(part);
        if training { role_cost(&part.name, forward) } else { Cost::new(forward, 0, 0) }
    };
    parts.iter().map(|part| Part { name: part.name.clone(), cost: cost(part) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn layers_go_before_kernels() {
        let file = json!({"parts": [
            {"name": "k", "kind": "kernel", "executions": 4, "wall_ns": {"mean": 10.0}},
            {"name": "conv1", "kind": "layer", "executions": 2, "wall_ns": {"mean": 100.4, "p50": 90.0}},
            {"name": "relu", "kind": "layer", "executions": 4, "wall_ns": 7},
        ]});
        let parts = measured_parts(&file, PartChoice::default()).unwrap();
        let chain = chain(&parts, true);
        assert_eq!(chain[0].cost, Cost::new(100, 100, 100));
        assert_eq!(chain[1].cost, Cost::new(14, 14, 0));
        let of_kind = |kind| measured_parts(&file, PartChoice { kind: Some(kind), phase: None });
        assert_eq!(of_kind("kernel").unwrap().len(), 1);
        assert_eq!(of_kind("scope"), Err(CostsError::NoKind("scope".into())));
    }

    #[test]
    fn phases_have_to_be_chosen() {
        let file = json!({"parts": [
            {"name": "k", "kind": "kernel", "phase": "prefill", "wall_ns": 10, "step_ns": {"mean": 4.0}},
            {"name": "k", "kind": "kernel", "phase": "decode", "wall_ns": 7},
        ]});
        let error = measured_parts(&file, PartChoice::default()).unwrap_err().to_string();
        assert!(error.contains("decode, prefill") && error.contains("--phase"), "{error}");
        let of = |phase| measured_parts(&file, PartChoice { kind: None, phase: Some(phase) });
        assert_eq!(of("prefill").unwrap()[0].ns, 4.0);
        assert_eq!(of("decode").unwrap()[0].ns, 7.0);
        assert_eq!(of("train"), Err(CostsError::NoPhase("train".into())));
    }

    #[test]
    fn a_part_without_time_is_named() {
        let file = json!({"parts": [{"name": "conv1", "wall_ns": -1}]});
        let error = measured_parts(&file, PartChoice::default()).unwrap_err().to_string();
        assert!(error.contains("conv1"), "{error}");
    }
}
