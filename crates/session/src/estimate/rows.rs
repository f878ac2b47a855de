//! Measured rows of networks: a JSON list, as `fixtures/measured/networks.json` is one.
//!
//! ```json
//! [{"id": "r1", "chip": "BM1684X", "cores": 1, "model_file": "resnet50.onnx", "dtype": "fp16", "batch": 1, "ms": 1.4}]
//! ```
//!
//! `family` (networks that are alike; that of the file's name without it), `mixed` (some layers ran in another type) and
//! `distrust` (a text: the row is left out) may be there; other fields are not looked at. A model lies beside the list.

use bigtpu_messages::{ForeignReason as _, Message, error_message};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use bigtpu_format::{MOST_MODEL, MOST_SETTINGS, read_given, read_given_text};
use bigtpu_machine::{DataType, Machine, PresetSet, resolve_one};
use bigtpu_model::graph::{Dimensions, read_onnx};
use bigtpu_model::{Operator, graph_operators};
use bigtpu_predict::estimate::expected::{
    Coefficients, Demand, FitSample, MeasuredEvidence, StudyRow, fit_rows, left_out, own_evidence,
};
use serde::Deserialize;
use serde_json::Value;

use super::error::{EstimateFailure, ModelFileError};
use crate::Unreadable;
use crate::gzip::unpacked;

/// Why a list of measured rows can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// The file is no such list.
    #[error("{}", error_message!("error-estimate-rows-no-list", reason = .0.reason()))]
    NoList(serde_json::Error),
    /// The file is no such list of language models.
    #[error("{}", error_message!("error-estimate-rows-no-language-list", reason = .0.reason()))]
    NoLanguageList(serde_json::Error),
    /// A row can't be used.
    #[error("{}", error_message!("error-estimate-rows-row", row, what))]
    Row {
        /// Its `id`, or its number.
        row: String,
        /// What is wrong, and what to do.
        what: Message,
    },
    /// Too few rows can be used.
    #[error("{}", error_message!("error-estimate-rows-few", value = .0))]
    Few(usize),
}

/// A row as it is written.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    id: Option<Value>,
    chip: String,
    #[serde(default)]
    cores: Option<u32>,
    #[serde(default)]
    model_file: Option<String>,
    #[serde(default)]
    batch: Option<u32>,
    dtype: String,
    ms: f64,
    #[serde(default)]
    mixed: bool,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    distrust: Option<Value>,
}

/// A row that can be used, with its name.
#[derive(Debug, Clone)]
pub struct MeasuredRow {
    /// `id`, or the number in the list.
    pub id: String,
    /// The row.
    pub row: StudyRow,
    /// The machine that it was measured on.
    pub machine: Machine,
}

/// What a list gave.
#[derive(Debug, Clone)]
pub struct MeasuredRows {
    /// Rows that can be used.
    pub rows: Vec<MeasuredRow>,
    /// Rows without a model, or with a doubt.
    pub left_out: usize,
}

/// Reads a list of measured rows, and the models that it names.
///
/// # Errors
/// [`EstimateFailure`] when the list or a model can't be read, or a row names no chip, type or time.
pub fn measured_rows(path: &Path) -> Result<MeasuredRows, EstimateFailure> {
    let wrong = |source| EstimateFailure::Rows { path: path.to_owned(), source };
    let text = read_given_text(path, MOST_SETTINGS).map_err(Unreadable::from_io(path, None))?;
    let list: Vec<Written> =
        serde_json::from_str(&text).map_err(|source| wrong(RowsError::NoList(source)))?;
    let mut models: BTreeMap<PathBuf, Vec<Operator>> = BTreeMap::new();
    let mut found = MeasuredRows { rows: Vec::new(), left_out: 0 };
    for (number, written) in list.into_iter().enumerate() {
        let doubted = written.distrust.as_ref().is_some_and(|doubt| !doubt.is_null());
        let Some(file) = written.model_file.as_deref().filter(|_| !doubted) else {
            found.left_out += 1;
            continue;
        };
        let id = row_id(written.id.as_ref(), number);
        let at_row = |what: Message| wrong(RowsError::Row { row: id.clone(), what });
        let file = path.parent().unwrap_or(Path::new("")).join(file);
        let operators = match models.entry(file.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(operators(&file, written.batch)?),
        };
        let (row, machine) = row(&written, &file, operators).map_err(at_row)?;
        found.rows.push(MeasuredRow { id, row, machine });
    }
    Ok(found)
}

/// The operators of a model beside the list.
fn operators(file: &Path, batch: Option<u32>) -> Result<Vec<Operator>, EstimateFailure> {
    let at = || file.to_owned();
    let bytes = read_given(file, MOST_MODEL).map_err(Unreadable::from_io(file, None))?;
    let bytes = unpacked(bytes).map_err(|source| EstimateFailure::Gzip { path: at(), source })?;
    let dimensions = Dimensions { batch: batch.map(u64::from), ..Dimensions::default() };
    // A batch is refused where the file leaves none open.
    let read =
        read_onnx(bytes.clone(), &Dimensions::default()).or_else(|_| read_onnx(bytes, &dimensions));
    let graph = read.map_err(|source| EstimateFailure::Model {
        path: at(),
        source: Box::new(ModelFileError::Graph(source)),
    })?;
    Ok(graph_operators(&graph))
}

fn row(
    written: &Written,
    file: &Path,
    operators: &[Operator],
) -> Result<(StudyRow, Machine), Message> {
    let machine = machine_of(&written.chip, written.cores)?;
    let (Some(array), Some(gbps)) = (machine.array, machine.memory.gbps) else {
        return Err(error_message!("problem-rows-units", machine = machine.name));
    };
    let data_type = data_type_of("dtype", &written.dtype)?;
    let ms = above_zero("ms", written.ms)?;
    let mut demand = Demand::default();
    operators.iter().for_each(|own| demand.add_all(&Demand::from_operator(own, &array, data_type)));
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let family = written.family.clone().or(stem).unwrap_or_default();
    let cores = machine.cores;
    let ns = ms * 1e6;
    let sample = FitSample { demand, array, cores, gbps, data_type, ns, weight: 1.0 };
    Ok((StudyRow { sample, family, mixed: written.mixed }, machine))
}

/// A row's `id`, or its number in the list.
pub(super) fn row_id(id: Option<&Value>, at: usize) -> String {
    match id {
        Some(Value::String(id)) => id.clone(),
        Some(other) if !other.is_null() => other.to_string(),
        _ => (at + 1).to_string(),
    }
}

/// The machine that a row was measured on.
pub(super) fn machine_of(chip: &str, cores: Option<u32>) -> Result<Machine, Message> {
    let name = match cores {
        Some(cores) if cores_matter(chip) => format!("{chip}:{cores}"),
        _ => chip.to_owned(),
    };
    resolve_one(&name, PresetSet::All).map_err(|error| Message::displayed(&error))
}

/// The data type that a field names.
pub(super) fn data_type_of(what: &str, name: &str) -> Result<DataType, Message> {
    name.parse().map_err(|error| {
        let error = Message::displayed(&error);
        error_message!("problem-rows-field", what, error)
    })
}

/// A measured value.
pub(super) fn above_zero(what: &str, value: f64) -> Result<f64, Message> {
    if value.is_finite() && value > 0.0 {
        Ok(value)
    } else {
        Err(error_message!("problem-rows-positive", what, value))
    }
}

/// Chips whose name does not say the cores.
fn cores_matter(chip: &str) -> bool {
    bigtpu_chip::Chip::find(chip).is_ok_and(|chip| chip.core_num > 1)
}

/// How far coefficients of one's own may go from those of the public rows, as a multiple of how far those may go from
/// their guesses: a few rows of another clock or SDK must be able to move them all.
const OWN_FREEDOM: f64 = 3.0;

/// Coefficients that follow one's own rows, with how far these rows were off when their families were left out.
///
/// # Errors
/// As [`measured_rows`], or too few rows can be used.
pub(super) fn calibrate(path: &Path) -> Result<(Coefficients, MeasuredEvidence), EstimateFailure> {
    let found = measured_rows(path)?;
    if found.rows.len() < 3 {
        let source = RowsError::Few(found.rows.len());
        return Err(EstimateFailure::Rows { path: path.to_owned(), source });
    }
    let rows: Vec<StudyRow> = found.rows.into_iter().map(|own| own.row).collect();
    let from = Coefficients::fitted();
    let errors = left_out(&rows, |row| row.family.clone(), &from, OWN_FREEDOM);
    Ok((fit_rows(&rows, &from, OWN_FREEDOM), own_evidence(&rows, &errors)))
}
