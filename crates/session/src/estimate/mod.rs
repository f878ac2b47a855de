//! The time of a model, or of a measured run, on other machines.

mod error;
mod known;
mod language_rows;
mod llm;
mod measured;
mod model;
mod options;
mod rows;
mod targets;

use std::path::{Path, PathBuf};

use bigtpu_emit_predict::estimate::{ModelEstimates, json, page};
use bigtpu_machine::DataType;
use bigtpu_messages::{Arg, Message, error_message, message};
use bigtpu_model::{Model, Operator, Semantics};
use bigtpu_output::{Json, Markup, Text, Untrusted, Written};
use bigtpu_predict::estimate::expected::{Coefficients, MeasuredEvidence};
use bigtpu_predict::estimate::{
    Estimate, EstimateError, Job, Workload, context_names, mapping_names, unmatched,
};
use rayon::prelude::*;

use crate::note::Say;
use crate::outputs::output_directory;
use crate::sizes::Sizes;
use model::Input;
use options::Kind;
use targets::Target;

pub use error::{EstimateFailure, MeasuredRunError, ModelFileError};
pub use known::known_machines;
pub use llm::{LlmEstimated, LlmRequest, estimate_llm};
pub use rows::{MeasuredRow, MeasuredRows, RowsError, measured_rows};

/// What is estimated, and where.
#[derive(Debug, Clone, Default)]
pub struct EstimateRequest {
    /// Op list, torch trace, .onnx, .ff, dump or file of costs.
    pub model: PathBuf,
    /// Machines: names, or files.
    pub on: Vec<String>,
    /// What runs on which of them: `CONTEXT:MACHINE`.
    pub map: Vec<String>,
    /// Type of elements.
    pub data_type: Option<DataType>,
    /// Batch size.
    pub batch: Option<u32>,
    /// Last layer of a pass.
    pub last_layer: Option<String>,
    /// Heads of keys and values.
    pub kv_heads: Option<u32>,
    /// Rows of keys and values that a query attends to.
    pub sliding_window: Option<u32>,
    /// What a graph leaves open.
    pub sizes: Sizes,
    /// Kind of parts of a measured run.
    pub parts: Option<String>,
    /// Phase of a measured run.
    pub phase: Option<String>,
    /// Measured rows that the coefficients follow.
    pub calibrate: Option<PathBuf>,
    /// Whose formulas.
    pub semantics: Semantics,
    /// Directory for page and JSON.
    pub out: Option<PathBuf>,
}

/// What was estimated.
#[derive(Debug)]
pub struct Estimated {
    name: String,
    setting: Message,
    operators: Vec<Operator>,
    estimates: Vec<Estimate>,
    /// What is to be said of the model.
    pub notes: Vec<Message>,
    /// The result as JSON.
    pub json: String,
    /// Its files.
    pub written: Vec<Written>,
}

impl Estimated {
    /// The targets side by side.
    #[must_use]
    pub fn comparison(&self) -> ModelEstimates<'_> {
        ModelEstimates {
            model: Untrusted::from(&self.name),
            setting: self.setting.clone(),
            operators: &self.operators,
            estimates: &self.estimates,
        }
    }

    /// Makes the JSON, and writes.
    fn finish(
        request: &EstimateRequest,
        setting: Message,
        operators: Vec<Operator>,
        estimates: Vec<Estimate>,
        notes: Vec<Message>,
    ) -> Result<Self, EstimateFailure> {
        let name = request.model.display().to_string();
        let (json, written) = (String::new(), Vec::new());
        let mut own = Self { name, setting, operators, estimates, notes, json, written };
        own.json = json_of(&own.comparison())?;
        let page = || page(&own.comparison());
        own.written = write(request.out.as_deref(), "estimate", page, &own.json)?;
        Ok(own)
    }
}

fn json_of(comparison: &ModelEstimates<'_>) -> Result<String, serde_json::Error> {
    Ok(json(comparison)? + "\n")
}

/// Reads model and machines, estimates, writes.
///
/// # Errors
/// [`EstimateFailure`] when the model can't be read, a machine is not known, or a file can't be written.
pub fn estimate(request: &EstimateRequest, say: Say<'_>) -> Result<Estimated, EstimateFailure> {
    if request.model.is_dir() {
        return measured::dump(request, say);
    }
    let (mut model, read) = match model::read(request)? {
        Input::Model(model, kind) => (*model, kind),
        Input::Costs(text) => return measured::costs(&text, request),
    };
    settle(&mut model, request);
    let targets = targets::targets(&model, request)?;
    check_names(&model, request)?;
    let mut workload = Workload::new(&model.operators, &model.settings)?;
    let own = calibration(request)?;
    if let Some((coefficients, evidence)) = &own {
        workload = workload.calibrated(*coefficients, evidence);
    }
    let estimates: Vec<Result<Estimate, EstimateError>> =
        targets.par_iter().map(|target| of_target(&workload, target)).collect();
    let mut estimates = estimates.into_iter().collect::<Result<Vec<Estimate>, EstimateError>>()?;
    if model.settings.semantics == Semantics::Own {
        for estimate in &mut estimates {
            let note = evidence(estimate);
            estimate.notes.extend(note);
        }
    }
    let setting = setting(&model, read == Kind::Recorded || request.batch.is_some());
    let own = [unknown_classes(&model), unused_names(&model, request)];
    let notes = model.notes.iter().cloned().chain(own.into_iter().flatten()).collect();
    Estimated::finish(request, setting, model.operators, estimates, notes)
}

/// Coefficients of one's own, where measured rows are given.
fn calibration(
    request: &EstimateRequest,
) -> Result<Option<(Coefficients, MeasuredEvidence)>, EstimateFailure> {
    let Some(path) = request.calibrate.as_deref() else { return Ok(None) };
    if path.is_dir() || request.semantics != Semantics::Own {
        let wanted = error_message!("problem-calibration-rows");
        return Err(EstimateFailure::Calibration { wanted });
    }
    rows::calibrate(path).map(Some)
}

/// Writes page and JSON.
fn write(
    dir: Option<&Path>,
    name: &str,
    page: impl FnOnce() -> Text<Markup>,
    json: &str,
) -> Result<Vec<Written>, EstimateFailure> {
    let Some(dir) = dir else { return Ok(Vec::new()) };
    let out = output_directory(dir)?;
    let written = vec![
        out.write(&format!("{name}.html"), &page())?,
        out.write(&format!("{name}.json"), &Json::in_file(json))?,
    ];
    out.publish()?;
    Ok(written)
}

/// What is asked for wins over the file.
fn settle(model: &mut Model, request: &EstimateRequest) {
    let settings = &mut model.settings;
    settings.semantics = request.semantics;
    settings.data_type = request.data_type.or(settings.data_type);
    settings.batch = request.batch.unwrap_or(settings.batch);
    settings.attention.kv_heads = request.kv_heads.or(settings.attention.kv_heads);
    settings.attention.window = request.sliding_window.or(settings.attention.window);
    if let Some(layer) = &request.last_layer {
        settings.last_layer.clone_from(layer);
    }
}

/// Refuses names of options that no operator has: they would have no effect. [`unused_names`] tells those of the file.
fn check_names(model: &Model, request: &EstimateRequest) -> Result<(), EstimateFailure> {
    let Model { operators, settings, .. } = model;
    let given = targets::given(&request.map)?;
    if let Some(key) = unmatched(&given, operators, settings.semantics).first() {
        let known = mapping_names(operators, settings.semantics);
        return Err(EstimateFailure::Unmatched { key: (*key).to_owned(), known });
    }
    if let Some(layer) = &request.last_layer
        && !operators.iter().any(|operator| operator.context == *layer)
    {
        let known = context_names(operators);
        return Err(EstimateFailure::NoLayer { layer: layer.clone(), known });
    }
    Ok(())
}

/// What a mapping in the model's file names and no operator has. It is no error: a file may be of a model of which this run
/// executes a part.
fn unused_names(model: &Model, request: &EstimateRequest) -> Option<Message> {
    let Model { operators, settings, .. } = model;
    let names = unmatched(&model.mapping, operators, settings.semantics);
    let known = || mapping_names(operators, settings.semantics);
    (request.on.is_empty() && !names.is_empty())
        .then(|| message!("predict-mapping-unmatched", names = names.join(", "), known = known()))
}

/// How far the time of a model may be from a device.
fn evidence(estimate: &Estimate) -> Option<Message> {
    let own = estimate.evidence.as_ref()?;
    Some(match (own.ratios, own.rows) {
        (None, _) => message!("predict-at-roofs"),
        (Some(_), 0) => message!("predict-chip-not-measured"),
        (Some(_), rows) if own.is_own => message!("predict-own-rows", rows = rows),
        (Some(_), rows) => message!("predict-rows", rows = rows, families = own.families),
    })
}

fn of_target(workload: &Workload<'_>, target: &Target) -> Result<Estimate, EstimateError> {
    let job = Job { workload, machines: &target.machines, mapping: &target.mapping };
    job.run(&target.name)
}

/// UPMEM's formulas have a rule for every class.
fn unknown_classes(model: &Model) -> Option<Message> {
    let classes = &model.unknown_classes;
    let is_own = model.settings.semantics == Semantics::Own;
    (is_own && !classes.is_empty())
        .then(|| message!("predict-unknown-classes", classes = classes.join(", ")))
}

/// `batch`: it is known; sizes of a graph that leave none open say it themselves.
fn setting(model: &Model, batch: bool) -> Message {
    let settings = &model.settings;
    let recorded = model.operators.iter().any(|operator| operator.data_type.is_some());
    let data_type = match settings.data_type {
        Some(data_type) => Message::verbatim(data_type.name()),
        None if recorded => message!("predict-recorded-types"),
        None => Message::verbatim(DataType::Bf16.name()),
    };
    let batch = batch.then(|| message!("predict-batch", batch = settings.batch));
    let is_upmem = settings.semantics == Semantics::Upmem;
    let formulas = is_upmem.then(|| message!("predict-formulas-of-upmem"));
    let parts = [Some(data_type), batch, formulas].into_iter().flatten();
    message!("predict-setting", parts = Arg::Items(parts.collect()))
}
