//! A measured run: the parts of `costs.json` that are one chain.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::costs::{Costs, CostsError, MeasuredPart, PathTimes};

/// What `costs.json` says of a run: one pass of the model, part by part.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasuredRun {
    /// Chip, where the file shows.
    pub chip: Option<String>,
    /// Cores that ran anything, where the file shows.
    pub cores: Option<u32>,
    /// TIU clock in MHz, where the file shows.
    pub tiu_mhz: Option<f64>,
    /// Passes that were measured.
    pub passes: u64,
    /// Parts in the order of their first execution.
    pub parts: Vec<MeasuredPart>,
    /// Paths of each dump that are critical on machines of some speeds; empty where the file does not show them for
    /// each dump.
    pub paths: Vec<Vec<PathTimes>>,
}

/// Which parts of a file are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PartChoice<'a> {
    /// `kernel`, `layer` or `scope`; by default layers, else scopes, else kernels.
    pub kind: Option<&'a str>,
    /// `prefill` or `decode`; both where it is not said.
    pub phase: Option<&'a str>,
}

impl MeasuredRun {
    /// Whether a JSON value is a list of measured parts.
    #[must_use]
    pub fn is_one(file: &Value) -> bool {
        file.get("parts").is_some_and(Value::is_array) && file.get("ops").is_none()
    }

    /// Reads the chosen parts of a file's text.
    ///
    /// # Errors
    /// As [`MeasuredRun::read`], and text that is no JSON.
    pub fn parse(text: &str, choice: PartChoice<'_>) -> Result<Self, CostsError> {
        let file = serde_json::from_str(text).map_err(|e| CostsError::Json(e.to_string()))?;
        Self::read(&file, choice)
    }

    /// What was measured just now.
    ///
    /// # Errors
    /// As [`MeasuredRun::read`].
    pub fn from_costs(costs: &Costs, choice: PartChoice<'_>) -> Result<Self, CostsError> {
        let file = serde_json::to_value(costs).map_err(|e| CostsError::Json(e.to_string()))?;
        Self::read(&file, choice)
    }

    /// Reads the chosen parts.
    ///
    /// # Errors
    /// A file of another layout, without such parts, with parts of several chips, or a part without a time.
    pub fn read(file: &Value, choice: PartChoice<'_>) -> Result<Self, CostsError> {
        let version = file.get("schema_version").filter(|version| version.as_u64() != Some(1));
        if let Some(version) = version {
            return Err(CostsError::Version(version.to_string()));
        }
        let list = file.get("parts").and_then(Value::as_array).ok_or(CostsError::NoParts)?;
        let parts = list.iter().enumerate().map(|(n, value)| MeasuredPart::read(n, value));
        let mut parts = chosen(parts.collect::<Result<Vec<_>, _>>()?, choice)?;
        let sources = file.get("sources").and_then(Value::as_array);
        let passes = match (file.get("passes"), sources.map(Vec::len)) {
            (Some(passes), _) => passes
                .as_u64()
                .filter(|&n| n > 0)
                .ok_or_else(|| CostsError::Passes(passes.to_string()))?,
            (None, Some(dumps)) if dumps > 0 => dumps as u64,
            // Written by hand: the rarest part runs once a pass.
            _ => parts.iter().map(|part| part.executions).min().unwrap_or(1),
        };
        parts.iter_mut().for_each(|part| part.times /= passes as f64);
        // The first dump, the file itself, or its first part.
        let first = sources.and_then(|dumps| dumps.first());
        let said = [first, Some(file), list.first()];
        let find = |key: &str| said.iter().flatten().find_map(|value| value.get(key));
        Ok(Self {
            chip: find("chip").and_then(Value::as_str).map(str::to_owned),
            cores: find("cores").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()),
            tiu_mhz: find("tiu_mhz").and_then(Value::as_f64).filter(|mhz| *mhz > 0.0),
            passes,
            parts,
            paths: paths(sources.map_or(&[][..], Vec::as_slice))?,
        })
    }

    /// What the time of the run is multiplied by where that of a path is what `ns` says; `None` where its paths are not known.
    pub fn time_factor(&self, ns: impl Fn(&PathTimes) -> f64) -> Option<f64> {
        let all = |ns: &dyn Fn(&PathTimes) -> f64| -> f64 {
            let longest = |paths: &Vec<PathTimes>| paths.iter().map(ns).fold(0.0, f64::max);
            self.paths.iter().map(longest).sum()
        };
        let measured = all(&|path| path.fixed + path.compute + path.ddr + path.l2m + path.link);
        (measured > 0.0).then(|| all(&ns) / measured)
    }

    /// Time of one pass in ns: that of the measured run, where it was one pass.
    #[must_use]
    pub fn pass_ns(&self) -> f64 {
        self.parts.iter().map(MeasuredPart::pass_ns).sum()
    }

    /// Share of the TIU's operations that were asked for, of those that it did with padding; `None` where the file
    /// does not show.
    #[must_use]
    pub fn fill(&self) -> Option<f64> {
        let sum = |of: fn(&MeasuredPart) -> f64| {
            self.parts.iter().map(|part| of(part) * part.times).sum::<f64>()
        };
        let (asked, done) = (sum(|part| part.operations), sum(|part| part.padded_operations));
        (asked > 0.0 && done >= asked).then_some(asked / done)
    }

    /// What the links between chips moved while they worked, in GB/s; `None` where nothing was moved.
    #[must_use]
    pub fn link_gbps(&self) -> Option<f64> {
        let sum = |of: fn(&MeasuredPart) -> f64| self.parts.iter().map(of).sum::<f64>();
        let (bytes, ns) =
            (sum(|part| part.link.0 * part.times), sum(|part| part.link.1 * part.times));
        (bytes > 0.0 && ns > 0.0).then_some(bytes / ns)
    }
}

/// The paths of all dumps; none unless each has some.
fn paths(sources: &[Value]) -> Result<Vec<Vec<PathTimes>>, CostsError> {
    let of_source = |source: &Value| -> Result<Vec<PathTimes>, CostsError> {
        let Some(paths) = source.get("paths") else { return Ok(Vec::new()) };
        serde_json::from_value(paths.clone()).map_err(|e| CostsError::Paths(e.to_string()))
    };
    let all = sources.iter().map(of_source).collect::<Result<Vec<_>, _>>()?;
    Ok(if all.iter().any(Vec::is_empty) { Vec::new() } else { all })
}

fn chosen(
    parts: Vec<MeasuredPart>,
    choice: PartChoice<'_>,
) -> Result<Vec<MeasuredPart>, CostsError> {
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
    let devices: BTreeSet<&str> = chosen.iter().map(|part| part.device.as_str()).collect();
    if devices.len() > 1 {
        return Err(CostsError::Mixed {
            what: "problem-costs-devices",
            found: devices.into_iter().collect::<Vec<_>>().join(", "),
            advice: "problem-costs-apart",
        });
    }
    if chosen.is_empty() { Err(CostsError::NoParts) } else { Ok(chosen) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(
        file: &Value,
        kind: Option<&str>,
        phase: Option<&str>,
    ) -> Result<MeasuredRun, CostsError> {
        MeasuredRun::read(file, PartChoice { kind, phase })
    }

    #[test]
    fn layers_go_before_kernels() {
        let file = json!({"parts": [
            {"name": "k", "kind": "kernel", "executions": 4, "wall_ns": {"mean": 10.0}},
            {"name": "conv1", "kind": "layer", "executions": 2, "wall_ns": {"mean": 100.4, "p50": 90.0}},
            {"name": "relu", "kind": "layer", "executions": 4, "wall_ns": 7},
        ]});
        let run = read(&file, None, None).unwrap();
        assert_eq!((run.parts[0].ns, run.parts[1].ns), (100.4, 7.0));
        // Written by hand: the rarest part runs once a pass.
        assert_eq!((run.passes, run.pass_ns()), (2, 100.4 + 14.0));
        assert_eq!(read(&file, Some("kernel"), None).unwrap().parts.len(), 1);
        assert_eq!(read(&file, Some("scope"), None), Err(CostsError::NoKind("scope".into())));
    }

    #[test]
    fn a_chain_takes_as_long_as_the_measured_runs() {
        let part = |name: &str, executions: u64, ns: f64| {
            json!({"name": name, "kind": "scope",
            "executions": executions, "step_ns": {"mean": ns}})
        };
        let mut file = json!({"sources": [{"chip": "aks", "cores": 1, "tiu_mhz": 1000.0}],
            "parts": [part("matrix", 4, 60.0), part("vector", 4, 42.5)]});
        assert_eq!(read(&file, None, None).unwrap().pass_ns(), 410.0);
        file["passes"] = json!(4);
        assert_eq!(read(&file, None, None).unwrap().pass_ns(), 102.5);
        // What --drop-warmup left out is a part of the run.
        file["parts"][0]["warmup_executions"] = json!(4);
        assert_eq!(read(&file, None, None).unwrap().pass_ns(), 162.5);
        file["passes"] = json!(0);
        assert_eq!(read(&file, None, None), Err(CostsError::Passes("0".into())));
    }

    #[test]
    fn phases_can_be_chosen() {
        let file = json!({"parts": [
            {"name": "k", "kind": "kernel", "phase": "prefill", "wall_ns": 10, "step_ns": {"mean": 4.0}},
            {"name": "k", "kind": "kernel", "phase": "decode", "wall_ns": 7},
        ]});
        assert_eq!(read(&file, None, None).unwrap().parts.len(), 2);
        assert_eq!(read(&file, None, Some("prefill")).unwrap().parts[0].ns, 4.0);
        assert_eq!(read(&file, None, Some("decode")).unwrap().parts[0].ns, 7.0);
        assert_eq!(read(&file, None, Some("train")), Err(CostsError::NoPhase("train".into())));
    }

    #[test]
    fn the_longest_path_is_the_time_of_the_run() {
        let paths = json!([
            {"fixed": 10.0, "compute": 90.0},
            {"fixed": 10.0, "compute": 40.0, "ddr": 30.0},
        ]);
        let part = json!({"name": "k", "kind": "kernel", "wall_ns": 100});
        let mut file = json!({"sources": [{"chip": "aks", "paths": paths}], "parts": [part]});
        let factor = |file: &Value, compute: f64, ddr: f64| {
            let ns = |path: &PathTimes| path.fixed + path.compute * compute + path.ddr * ddr;
            read(file, None, None).unwrap().time_factor(ns)
        };
        assert_eq!(factor(&file, 1.0, 1.0), Some(1.0));
        assert_eq!(factor(&file, 0.5, 1.0), Some(0.6));
        assert_eq!(factor(&file, 0.5, 4.0), Some(1.5));
        // One dump of two has none: the parts scale.
        let dumps = file["sources"].as_array_mut().unwrap();
        dumps.push(json!({"chip": "aks"}));
        assert_eq!(factor(&file, 0.5, 1.0), None);
        file["sources"][1]["paths"] = json!([{"compute": 1.0}]);
        assert!(matches!(read(&file, None, None), Err(CostsError::Paths(_))));
    }

    #[test]
    fn what_can_not_be_used_is_named() {
        let error = |file: Value| read(&file, None, None).unwrap_err().to_string();
        assert!(error(json!({"parts": [{"name": "conv1", "wall_ns": -1}]})).contains("conv1"));
        assert!(error(json!({"schema_version": 99, "parts": []})).contains("version 99"));
        assert!(error(json!({"parts": []})).contains("no list 'parts'"));
    }
}
