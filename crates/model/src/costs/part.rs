//! A measured part, as predictions use it.

use serde::Deserialize;
use serde_json::Value;

use crate::costs::{BandwidthNs, CostsError};

/// Name of the part that stands for the time before the first part and after the last one.
pub const OUTSIDE: &str = "(outside of parts)";

/// A measured part. Times are those of one execution, in ns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MeasuredPart {
    /// Its name.
    pub name: String,
    /// `kernel`, `layer` or `scope`; empty where the file does not show.
    pub kind: String,
    /// Executions in one pass of the model.
    pub times: f64,
    /// Executions that were measured.
    pub executions: u64,
    /// Phase of the run: `prefill`, `decode`; empty where the file does not split it.
    pub phase: String,
    /// Chip and number of cores.
    pub device: String,
    /// Mean time by which an execution moves the end of the run; where the file does not show, its wall time.
    pub ns: f64,
    /// The arithmetic engine of a core worked, on average.
    pub compute_ns: f64,
    /// The transfer engines of a core worked, on average.
    pub transfer_ns: f64,
    /// The part of `transfer_ns` that depends on a bandwidth; `None` where the file does not show.
    pub bandwidth_ns: Option<BandwidthNs>,
    /// Transfers ran and no arithmetic, a core on average.
    pub exposed_ns: f64,
    /// Whether the file shows what the engines did.
    pub engines_known: bool,
    /// Operations.
    pub operations: f64,
    /// Operations after padding to the unit; 0 where the file does not show.
    pub padded_operations: f64,
    /// Bytes of main memory.
    pub memory_bytes: f64,
    /// Bytes over the links between chips, and ns in which these links worked.
    pub link: (f64, f64),
    /// Bytes of its weights, where the file shows.
    pub weight_bytes: Option<u64>,
    /// Bytes of the activations that it hands on, where the file shows.
    pub activation_bytes: Option<u64>,
}

impl MeasuredPart {
    /// Whether it is the time before the first part and after the last one: it computes nothing and hands nothing on.
    #[must_use]
    pub fn is_outside(&self) -> bool {
        self.name == OUTSIDE
    }

    /// Time in one pass, in ns.
    #[must_use]
    pub fn pass_ns(&self) -> f64 {
        self.ns * self.times
    }

    /// Time of an execution in which nothing worked: gaps and waits, in ns.
    #[must_use]
    pub fn idle_ns(&self) -> f64 {
        let [hidden, exposed] = self.hidden_and_exposed_ns();
        (self.ns - self.compute_ns.max(hidden) - exposed).max(0.0)
    }

    /// Time of the transfers of an execution beside arithmetic, and beside none, in ns.
    #[must_use]
    pub fn hidden_and_exposed_ns(&self) -> [f64; 2] {
        let exposed = self.exposed_ns.min(self.transfer_ns);
        [self.transfer_ns - exposed, exposed]
    }

    /// A part of the file's list; `times` is filled in when the number of passes is known.
    pub(super) fn read(number: usize, value: &Value) -> Result<Self, CostsError> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").unwrap_or_else(|| format!("part {number}"));
        let what = |what| CostsError::Part { number, name: name.clone(), what };
        let amount = |value: Option<&Value>| {
            value.and_then(Value::as_f64).filter(|x| x.is_finite() && *x >= 0.0)
        };
        let time = ["step_ns", "wall_ns"].iter().find_map(|key| value.get(key));
        let mean = time.and_then(|time| amount(Some(time)).or_else(|| amount(time.get("mean"))));
        let ns = mean.ok_or_else(|| what("wall_ns"))?;
        let whole = |key: &'static str, otherwise: u64, least: u64| match value.get(key) {
            None => Ok(otherwise),
            Some(count) => count.as_u64().filter(|&n| n >= least).ok_or_else(|| what(key)),
        };
        let executions = whole("executions", 1, 1)?;
        let warmup = whole("warmup_executions", 0, 0)?;
        let memory = value.get("memory");
        let bytes = |key: &str, within: &str| {
            let inner = memory.and_then(|memory| memory.get(within));
            value.get(key).or(inner).and_then(Value::as_u64)
        };
        let engines = value.get("engines").and_then(Value::as_object);
        let mut sums = Sums::default();
        for (engine, work) in engines.into_iter().flatten() {
            let of = |key: &'static str| match work.get(key) {
                None => Ok(0.0),
                some => amount(some).ok_or_else(|| what("engines")),
            };
            sums.busy += of("busy_ns")?;
            sums.memory += of("ddr_bytes")?;
            match engine.as_str() {
                "TIU" => {
                    sums.compute = of("busy_ns")?;
                    (sums.ops, sums.padded) = (of("ops")?, of("padded_ops")?);
                }
                "CDMA" => sums.link = (of("bytes")?, of("busy_ns")?),
                _ => {}
            }
            if let Some(value) = work.get("bandwidth_ns") {
                let ns = BandwidthNs::deserialize(value).map_err(|_| what("engines"))?;
                let values = [ns.ddr, ns.l2m, ns.link];
                let is_valid = values.iter().all(|ns| ns.is_finite() && *ns >= 0.0);
                let valid = is_valid.then_some(ns).ok_or_else(|| what("engines"))?;
                sums.bandwidth.get_or_insert_default().add(&valid);
            }
        }
        let cores = whole("cores_used", 1, 0)?.max(1) as f64;
        let exposed = value.get("exposed_transfer_ns");
        Ok(Self {
            kind: text("kind").unwrap_or_default(),
            phase: text("phase").unwrap_or_default(),
            device: match (text("chip"), value.get("cores").and_then(Value::as_u64)) {
                (Some(chip), Some(cores)) => format!("{chip} with {cores} cores"),
                (chip, _) => chip.unwrap_or_default(),
            },
            times: (executions + warmup) as f64,
            executions,
            ns,
            compute_ns: sums.compute / cores,
            transfer_ns: (sums.busy - sums.compute) / cores,
            bandwidth_ns: sums.bandwidth.map(|ns| ns.divided_by(cores)),
            exposed_ns: amount(exposed).unwrap_or(0.0),
            engines_known: engines.is_some(),
            operations: sums.ops,
            padded_operations: sums.padded,
            memory_bytes: sums.memory,
            link: sums.link,
            weight_bytes: bytes("weight_bytes", "weights"),
            activation_bytes: bytes("activation_bytes", "activations"),
            name,
        })
    }
}

/// Sums over the engines of a part.
#[derive(Default)]
struct Sums {
    busy: f64,
    compute: f64,
    ops: f64,
    padded: f64,
    memory: f64,
    bandwidth: Option<BandwidthNs>,
    link: (f64, f64),
}
