//! Measured rows of language models: a JSON list, as `fixtures/measured/language_models.json` is one.
//!
//! ```json
//! [{"id": "r1", "chip": "BM1684X", "hf": "config.json", "weight_dtype": "int4", "seq_length": 512,
//!   "first_token_s": 0.7, "tokens_per_s": 9.4}]
//! ```
//!
//! `cores`, `dtype` (activations; fp16 without it), `devices` (rows of several are left out), `vision` and `dynamic` (the
//! first token is left out) and `distrust` (`ftl`: of the first token; another text: the row is left out) may be there;
//! other fields are not looked at. The description of a model lies beside the list.

use std::path::Path;

use bigtpu_format::{MOST_SETTINGS, read_given_text};
use bigtpu_machine::Machine;
use bigtpu_messages::{Message, error_message};
use bigtpu_model::llm::{LlmLoad, Split, Types};
use bigtpu_predict::estimate::llm::{LlmEstimate, LlmJob, Offload, OwnPhase, OwnPhases, OwnRow};
use serde::Deserialize;
use serde_json::Value;

use super::error::EstimateFailure;
use super::llm::read;
use super::rows::{RowsError, above_zero, data_type_of, machine_of, row_id};
use crate::Unreadable;

/// A row as it is written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    id: Option<Value>,
    chip: String,
    #[serde(default)]
    cores: Option<u32>,
    #[serde(default)]
    devices: Option<u32>,
    #[serde(default)]
    hf: Option<String>,
    #[serde(default)]
    dtype: Option<String>,
    #[serde(default)]
    weight_dtype: Option<String>,
    #[serde(default)]
    head_dtype: Option<String>,
    #[serde(default)]
    seq_length: Option<u32>,
    #[serde(default)]
    first_token_s: Option<f64>,
    #[serde(default)]
    tokens_per_s: Option<f64>,
    #[serde(default)]
    vision: bool,
    #[serde(default)]
    dynamic: bool,
    #[serde(default)]
    distrust: Option<String>,
}

impl Written {
    /// Measured ns of the first token and of a further one, as far as they count.
    fn measured(&self) -> Result<[Option<f64>; 2], Message> {
        let has_prompt = !self.vision && !self.dynamic && self.distrust.is_none();
        let positive =
            |what: &str, value: Option<f64>| value.map(|value| above_zero(what, value)).transpose();
        let first = positive("first_token_s", self.first_token_s)?.filter(|_| has_prompt);
        let rate = positive("tokens_per_s", self.tokens_per_s)?;
        Ok([first.map(|s| s * 1e9), rate.map(|rate| 1e9 / rate)])
    }

    fn machine(&self) -> Result<Machine, Message> {
        let machine = machine_of(&self.chip, self.cores)?;
        match machine.array {
            Some(_) => Ok(machine),
            None => Err(error_message!("problem-rows-units", machine = machine.name)),
        }
    }

    fn types(&self) -> Result<Types, Message> {
        let activations = data_type_of("dtype", self.dtype.as_deref().unwrap_or("fp16"))?;
        let own = |field: &'static str, name: &Option<String>| {
            name.as_deref().map_or(Ok(activations), |name| data_type_of(field, name))
        };
        let weights = own("weight_dtype", &self.weight_dtype)?;
        let head = own("head_dtype", &self.head_dtype)?;
        Ok(Types { activations, weights, head, cache: activations })
    }
}

/// What the rows of a list say of the times of language models.
///
/// # Errors
/// The list or a model can't be read, a row names no chip, type or time, or fewer than three rows say something of a phase.
pub(super) fn calibrate(path: &Path) -> Result<OwnPhases, EstimateFailure> {
    let wrong = |source| EstimateFailure::Rows { path: path.to_owned(), source };
    let text = read_given_text(path, MOST_SETTINGS).map_err(Unreadable::from_io(path, None))?;
    let list: Vec<Written> =
        serde_json::from_str(&text).map_err(|source| wrong(RowsError::NoLanguageList(source)))?;
    let mut rows: [Vec<OwnRow>; 2] = [Vec::new(), Vec::new()];
    for (number, written) in list.iter().enumerate() {
        let doubted = written.distrust.as_deref().is_some_and(|doubt| doubt != "ftl");
        let (Some(file), Some(context)) = (written.hf.as_deref(), written.seq_length) else {
            continue;
        };
        if doubted || written.devices.is_some_and(|devices| devices != 1) {
            continue;
        }
        let id = row_id(written.id.as_ref(), number);
        let at_row = |what: Message| wrong(RowsError::Row { row: id.clone(), what });
        let measured = written.measured().map_err(at_row)?;
        let (_, model) = read(&path.parent().unwrap_or(Path::new("")).join(file))?;
        let machine = written.machine().map_err(at_row)?;
        let job = LlmJob {
            model: &model,
            // The shortest answer with a further token.
            request: LlmLoad { batch: 1, context, output_tokens: 2 },
            split: Split::default(),
            types: written.types().map_err(at_row)?,
            machine: &machine,
            links: None,
            memory_bytes: None,
            efficiencies: None,
            own: None,
            draft: None,
            offload: Offload::default(),
        };
        let expected = times(&job.run(&machine.name)?);
        for ((rows, measured), expected) in rows.iter_mut().zip(measured).zip(expected) {
            let ratio = measured.zip(expected).map(|(measured, expected)| measured / expected);
            rows.extend(ratio.map(|ratio| OwnRow { model: file.to_owned(), ratio }));
        }
    }
    let phases = rows.each_ref().map(|rows| OwnPhase::from_rows(rows));
    if phases.iter().all(Option::is_none) {
        let most = rows.iter().map(Vec::len).max().unwrap_or(0);
        return Err(wrong(RowsError::Few(most)));
    }
    Ok(OwnPhases { phases })
}

/// Expected ns of the first token and of a further one.
fn times(own: &LlmEstimate) -> [Option<f64>; 2] {
    let positive = |ns: f64| (ns > 0.0).then_some(ns);
    [positive(own.first_token_ns()), own.token_ns.and_then(|token| positive(token.mean))]
}
