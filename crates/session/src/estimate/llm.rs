//! Language models, by their description.

use bigtpu_messages::error_message;
use std::path::{Path, PathBuf};

use bigtpu_answers::{Bound, Roofline};
use bigtpu_emit_predict::estimate::llm::{LlmComparison, json, page};
use bigtpu_format::{MOST_SETTINGS, read_given_text};
use bigtpu_machine::{DataType, Machine};
use bigtpu_model::llm::{Architecture, LlmError, LlmLoad, Split, Types, parameters};
use bigtpu_output::{Untrusted, Written};
use bigtpu_predict::Links;
use bigtpu_predict::estimate::llm::{
    Draft, Efficiencies, LlmEstimate, LlmJob, MeasuredKernel, Offload,
};

use super::error::EstimateFailure;
use super::language_rows;
use super::targets::machines;
use super::write;
use crate::Unreadable;
use crate::dumps::open_only;
use crate::note::Say;
use crate::settings::Session;
use crate::unused::Unused;

/// Which language model, where, and how it is divided.
#[derive(Debug, Clone, Default)]
pub struct LlmRequest {
    /// Its `config.json`, or the directory with it.
    pub file: PathBuf,
    /// Machines: names, or files.
    pub on: Vec<String>,
    /// Type of elements.
    pub data_type: Option<DataType>,
    /// Sequences at a time.
    pub batch: u32,
    /// Tokens of a prompt.
    pub context: u32,
    /// Tokens of an answer; `None`: 128 of a model that generates.
    pub output_tokens: Option<u32>,
    /// Devices that share each matrix, one after the other.
    pub tensor_parallel: Vec<u32>,
    /// Stages of consecutive layers.
    pub pipeline_parallel: Vec<u32>,
    /// Groups of devices among which experts are divided.
    pub expert_parallel: Vec<u32>,
    /// Types of the matrices.
    pub weight_types: Vec<DataType>,
    /// Type of stored keys and values.
    pub kv_type: Option<DataType>,
    /// Type of the last product's matrix; `None` is what the file says, else that of activations.
    pub head_type: Option<DataType>,
    /// Bandwidth of a link, in GB/s.
    pub link_gbps: Option<f64>,
    /// Latency of a link, in ns.
    pub link_latency: Option<f64>,
    /// Memory of a device, in bytes.
    pub memory: Option<u64>,
    /// `config.json` of a smaller model that proposes tokens, or the directory with it.
    pub draft: Option<PathBuf>,
    /// Tokens that it proposes in a step.
    pub draft_tokens: u32,
    /// Probability that one of them is accepted, 0 to 1.
    pub acceptance: Option<f64>,
    /// What the host keeps.
    pub offload: Offload,
    /// List of measured rows, or a dump whose kernels say which shares of the roofs are reached.
    pub calibrate: Option<PathBuf>,
    /// Directory for page and JSON.
    pub out: Option<PathBuf>,
}

/// What was estimated of a language model.
#[derive(Debug)]
pub struct LlmEstimated {
    name: String,
    model: Architecture,
    parameters: f64,
    found: Vec<LlmEstimate>,
    /// The result as JSON.
    pub json: String,
    /// Its files.
    pub written: Vec<Written>,
}

impl LlmEstimated {
    /// The targets and settings side by side.
    #[must_use]
    pub fn comparison(&self) -> LlmComparison<'_> {
        LlmComparison {
            model: Untrusted::from(&self.name),
            family: Untrusted::from(&self.model.model_type),
            parameters: self.parameters,
            notes: &self.model.notes,
            found: &self.found,
        }
    }
}

/// Reads the model, estimates it on all targets in all settings, writes.
///
/// # Errors
/// [`EstimateFailure`] when the model can't be read or divided so, a machine is not known, or a file can't be written.
pub fn estimate_llm(request: &LlmRequest, say: Say<'_>) -> Result<LlmEstimated, EstimateFailure> {
    let (file, model) = read(&request.file)?;
    let types = types(&file, &model, request)?;
    let machines = machines(&request.on)?;
    let splits = splits(&model, request)
        .map_err(|source| EstimateFailure::Llm { path: file.clone(), source })?;
    let offload = request.offload;
    Unused::refuse(
        &error_message!("problem-no-offload"),
        &[("--host-gbps", offload.gbps.is_some() && !offload.is_used())],
    )?;
    Unused::refuse(
        &error_message!("problem-encoder-cache"),
        &[("--offload-cache", offload.cache > 0.0 && !model.generates())],
    )?;
    let output_tokens = output_tokens(&file, &model, request)?;
    let draft = request.draft.as_deref().map(read).transpose()?;
    let calibrate = request.calibrate.as_deref();
    let is_rows =
        |path: &&Path| path.is_file() && path.extension().is_some_and(|end| end == "json");
    let own = calibrate.filter(is_rows).map(language_rows::calibrate).transpose()?;
    let dump = calibrate.filter(|_| own.is_none());
    let efficiencies = dump.map(|path| efficiencies(path, say)).transpose()?;
    let mut found = Vec::new();
    for machine in &machines {
        for &split in &splits {
            for &types in &types {
                let job = LlmJob {
                    model: &model,
                    request: LlmLoad {
                        batch: request.batch,
                        context: request.context,
                        output_tokens,
                    },
                    split,
                    types,
                    machine,
                    links: links(request, machine)?,
                    memory_bytes: request.memory,
                    efficiencies: efficiencies.as_ref(),
                    own: own.as_ref(),
                    draft: draft.as_ref().map(|(_, own)| Draft {
                        model: own,
                        types: Types { weights: own.weight_type.unwrap_or(types.weights), ..types },
                        tokens: request.draft_tokens,
                        acceptance: request.acceptance.unwrap_or(0.0),
                    }),
                    offload,
                };
                check(&job)
                    .map_err(|source| EstimateFailure::Llm { path: file.clone(), source })?;
                let weights = types.weights;
                let target = if request.weight_types.len() > 1 {
                    format!("{}, {weights}", machine.name)
                } else {
                    machine.name.clone()
                };
                found.push(job.run(&target)?);
            }
        }
    }
    let parameters = types.first().map_or(0.0, |types| parameters(&model, *types));
    let name = file.display().to_string();
    let (json, written) = (String::new(), Vec::new());
    let mut own = LlmEstimated { name, model, parameters, found, json, written };
    own.json = json_of(&own.comparison())?;
    own.written = write(request.out.as_deref(), "llm", || page(&own.comparison()), &own.json)?;
    Ok(own)
}

/// Tokens of an answer when nothing else is asked for.
const USUAL_OUTPUT_TOKENS: u32 = 128;

/// Tokens of an answer; none of a model that only reads.
fn output_tokens(
    file: &Path,
    model: &Architecture,
    request: &LlmRequest,
) -> Result<u32, EstimateFailure> {
    match (model.generates(), request.output_tokens) {
        (true, tokens) => Ok(tokens.unwrap_or(USUAL_OUTPUT_TOKENS)),
        (false, None) => Ok(0),
        (false, Some(value)) => {
            let option = "--output-tokens";
            let source =
                LlmError::Split { option, value, what: error_message!("problem-llm-no-tokens") };
            Err(EstimateFailure::Llm { path: file.to_owned(), source })
        }
    }
}

/// Whether the models work together in this split, and load from the host in it.
fn check(job: &LlmJob<'_>) -> Result<(), LlmError> {
    if let Some(draft) = &job.draft {
        draft.check(job.model, job.split)?;
    }
    job.offload.check(job.split)
}

fn json_of(comparison: &LlmComparison<'_>) -> Result<String, serde_json::Error> {
    Ok(json(comparison)? + "\n")
}

/// The file, which may be in the directory that is given.
pub(super) fn read(path: &Path) -> Result<(PathBuf, Architecture), EstimateFailure> {
    let file = if path.is_dir() { path.join("config.json") } else { path.to_owned() };
    let at = || file.clone();
    let advice = error_message!("problem-give-config");
    let text = read_given_text(&file, MOST_SETTINGS).map_err(Unreadable::from_io(&file, advice))?;
    let model =
        Architecture::parse(&text).map_err(|source| EstimateFailure::Llm { path: at(), source })?;
    Ok((file, model))
}

/// Types of elements, one for each of `--weight-dtype`.
fn types(
    file: &Path,
    model: &Architecture,
    request: &LlmRequest,
) -> Result<Vec<Types>, EstimateFailure> {
    let activations = request.data_type.or(model.data_type);
    let activations = activations.ok_or_else(|| EstimateFailure::NoType(file.to_owned()))?;
    let cache = request.kv_type.unwrap_or(activations);
    let own: Vec<DataType> = if request.weight_types.is_empty() {
        vec![model.weight_type.unwrap_or(activations)]
    } else {
        request.weight_types.clone()
    };
    let head = |weights| {
        let said = if model.quantizes_head { weights } else { activations };
        request.head_type.unwrap_or(said)
    };
    let types = |weights| Types { activations, weights, head: head(weights), cache };
    Ok(own.into_iter().map(types).collect())
}

/// All combinations of degrees of parallelism.
fn splits(model: &Architecture, request: &LlmRequest) -> Result<Vec<Split>, LlmError> {
    let mut splits = Vec::new();
    for &tensor in &request.tensor_parallel {
        for &pipeline in &request.pipeline_parallel {
            for &experts in &request.expert_parallel {
                let split = Split { tensor, pipeline, experts };
                split.check(model)?;
                splits.push(split);
            }
        }
    }
    Ok(splits)
}

/// Links that were given, in bandwidth or latency; the other is that of the machine.
fn links(request: &LlmRequest, machine: &Machine) -> Result<Option<Links>, EstimateFailure> {
    if request.link_gbps.or(request.link_latency).is_none() {
        return Ok(None);
    }
    let own = machine.chip_to_chip;
    Ok(Links::from_options(request.link_gbps, request.link_latency, (own.gbps, own.latency_ns))?)
}

/// What the kernels of a dump, or the layers of a static model, reached of the roofs.
fn efficiencies(path: &Path, say: Say<'_>) -> Result<Efficiencies, EstimateFailure> {
    let session = Session::default();
    let dump = open_only(path, &session, say)?;
    let run = session.analyze(&dump);
    let rooflines = &run.report().roofline;
    let is_layers = rooflines.kernels.is_empty();
    let rows = if is_layers { &rooflines.layers } else { &rooflines.kernels };
    // A layer without operations only moves what others compute with.
    let counts = |row: &&Roofline| !is_layers || row.ops.is_some_and(|ops| ops > 0);
    let counted = rows.iter().filter(|row| row.known > 0.0 && row.bound != Bound::Implausible);
    let counted = counted.filter(counts);
    let kernels: Vec<MeasuredKernel> = counted
        .filter_map(|row| {
            Some(MeasuredKernel {
                name: row.kernel.clone(),
                ns: row.ns as f64,
                compute_ns: row.ideal_compute_ns? as f64,
                memory_ns: row.ideal_ddr_ns? as f64,
            })
        })
        .collect();
    let found = Efficiencies::from_kernels(dump.chip.name, &kernels);
    if found.is_empty() {
        return Err(EstimateFailure::NothingMeasured(path.to_owned()));
    }
    Ok(found)
}
