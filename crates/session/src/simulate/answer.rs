//! `simulate.json`: the predicted times, and how well they are known.

use bigtpu_command_cost::Mark;
use bigtpu_simulate::{Accuracy, Dispatch, Marks, PartShares, RecordComparison, Simulation};
use serde::{Serialize, Serializer};

/// Name of the file.
pub(super) const FILE: &str = "simulate.json";

const SCHEMA_VERSION: u32 = 1;

/// The whole answer. Times are ns.
#[derive(Debug, Serialize)]
pub struct Answer {
    schema_version: u32,
    /// Simulated wall time.
    pub predicted_ns: f64,
    /// Measured wall time, of a dump.
    pub measured_ns: Option<f64>,
    /// Each core.
    pub cores: Vec<SimulatedCore>,
    /// Commands of the matrix unit.
    pub tiu: Tiu,
    /// Transfers.
    pub dma: Dma,
    marks: Shares,
    /// Commands that a core issues word by word; absent where all are in streams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dispatch: Option<Issue>,
    /// Operations without a rule, the one with most time first.
    pub not_validated: Vec<&'static str>,
    /// How well the commands' times are known.
    #[serde(skip)]
    pub known: Marks,
}

/// A core. Times are ns from its first command.
#[derive(Debug, Serialize)]
pub struct SimulatedCore {
    /// Its number.
    pub core: u32,
    /// Simulated.
    pub predicted_ns: f64,
    /// Measured, of a dump.
    pub measured_ns: Option<f64>,
}

/// What issuing commands word by word takes.
#[derive(Debug, Serialize)]
pub struct Issue {
    /// How many are issued so.
    pub commands: u64,
    /// ns from one to the next.
    pub each_ns: f64,
    /// ns that the core needs to issue them that has most of them.
    pub longest_ns: f64,
    /// How well this is known.
    pub mark: &'static str,
}

impl From<Dispatch> for Issue {
    fn from(dispatch: Dispatch) -> Self {
        let ns = |ps: i64| rounded(ps as f64 / 1000.0, 3);
        Self {
            commands: dispatch.commands,
            each_ns: ns(dispatch.each),
            longest_ns: ns(dispatch.longest),
            mark: dispatch.mark.name(),
        }
    }
}

/// TIU commands. Without records nothing is exact, and there is no error.
#[derive(Debug, Serialize)]
pub struct Tiu {
    /// How many.
    pub commands: u64,
    /// Commands whose predicted cycles are exact.
    pub exact: Option<u64>,
    /// Relative error of the sum of their cycles.
    pub error: Option<f64>,
    /// What their predicted cycles consist of.
    #[serde(serialize_with = "by_name")]
    pub parts: PartShares,
}

/// Transfers.
#[derive(Debug, Serialize)]
pub struct Dma {
    /// How many.
    pub commands: u64,
    /// Median of the relative errors.
    pub median_error: Option<f64>,
    /// 90th percentile of the relative errors.
    pub p90_error: Option<f64>,
    /// Relative error of the sum of their cycles.
    pub error: Option<f64>,
    /// What their predicted cycles consist of.
    #[serde(serialize_with = "by_name")]
    pub parts: PartShares,
}

fn by_name<S: Serializer>(parts: &PartShares, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(parts.iter().map(|(part, share)| (part.name(), rounded(*share, 6))))
}

/// Shares of the commands' time.
#[derive(Debug, Serialize)]
struct Shares {
    exact: f64,
    fitted: f64,
    estimated: f64,
    not_validated: f64,
}

impl Answer {
    pub(super) fn new(simulation: &Simulation<'_>, comparison: &RecordComparison) -> Self {
        let known = simulation.marks();
        let counts = counts(simulation);
        let (tiu_parts, dma_parts) = simulation.part_shares();
        let is_measured = !comparison.pairs.is_empty();
        let of =
            |value: fn(&Accuracy) -> f64, of: &Accuracy| is_measured.then(|| rounded(value(of), 6));
        let core = |core: &bigtpu_simulate::CoreTimes| SimulatedCore {
            core: core.core,
            predicted_ns: rounded(core.predicted_ns, 3),
            measured_ns: core.measured_ns,
        };
        let share = |mark| rounded(known.share(mark), 6);
        Self {
            schema_version: SCHEMA_VERSION,
            predicted_ns: rounded(comparison.predicted_ns, 3),
            measured_ns: comparison.measured_ns,
            cores: comparison.cores.iter().map(core).collect(),
            tiu: Tiu {
                commands: counts.0,
                exact: is_measured.then_some(comparison.tiu.exact),
                error: of(|a| a.of_sum, &comparison.tiu),
                parts: tiu_parts,
            },
            dma: Dma {
                commands: counts.1,
                median_error: of(|a| a.median, &comparison.dma),
                p90_error: of(|a| a.p90, &comparison.dma),
                error: of(|a| a.of_sum, &comparison.dma),
                parts: dma_parts,
            },
            marks: Shares {
                exact: share(Mark::Exact),
                fitted: share(Mark::Fitted),
                estimated: share(Mark::Estimated),
                not_validated: share(Mark::NotValidated),
            },
            dispatch: simulation.dispatch().map(Issue::from),
            not_validated: known.not_validated.iter().map(|(name, _)| *name).collect(),
            known,
        }
    }

    /// As JSON.
    ///
    /// # Errors
    /// Never for numbers that are some.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// TIU commands and transfers.
fn counts(simulation: &Simulation<'_>) -> (u64, u64) {
    let (mut tiu, mut transfers) = (0, 0);
    for (index, core) in simulation.program.cores.iter().enumerate() {
        for (engine, queue) in core.queues.iter().enumerate() {
            let is_transfer = |place: &usize| {
                simulation
                    .cost_of(index, engine, *place)
                    .is_some_and(|cost| cost.transfer.is_some())
            };
            if engine == 0 {
                tiu += queue.len() as u64;
            } else {
                transfers += (0..queue.len()).filter(is_transfer).count() as u64;
            }
        }
    }
    (tiu, transfers)
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}
