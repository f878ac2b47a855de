//! Reads a model, whatever its form.

use std::path::Path;

use bigtpu_format::{MOST_MODEL, read_given};
use bigtpu_model::costs::MeasuredRun;
use bigtpu_model::graph::{Graph, read_ff, read_onnx};
use bigtpu_model::{Model, graph_operators, read_op_list, read_torch_trace};
use bigtpu_simulate::compiled::is_bmodel;

use super::EstimateRequest;
use super::error::{EstimateFailure, ModelFileError};
use super::options::{Kind, check};
use crate::Unreadable;
use crate::gzip::unpacked;

/// What a file holds.
pub(crate) enum Input {
    /// A model.
    Model(Box<Model>, Kind),
    /// Measured parts, as text.
    Costs(String),
}

/// The model or the measured parts of a file.
pub(crate) fn read(request: &EstimateRequest) -> Result<Input, EstimateFailure> {
    let path = request.model.as_path();
    let file = || path.to_owned();
    let bytes = read_given(path, MOST_MODEL).map_err(Unreadable::from_io(path, None))?;
    let bytes = unpacked(bytes).map_err(|source| EstimateFailure::Gzip { path: file(), source })?;
    let extension = extension(path);
    let wrong = |source| EstimateFailure::Model { path: file(), source: Box::new(source) };
    match extension.as_str() {
        "onnx" => {
            check(request, Kind::Onnx)?;
            Ok(Input::new(of_onnx(bytes, request).map_err(wrong)?, Kind::Onnx))
        }
        "ff" => {
            check(request, Kind::Ff)?;
            Ok(Input::new(of_ff(&bytes, request).map_err(wrong)?, Kind::Ff))
        }
        _ => {
            let read = of_json(&bytes).map_err(wrong)?;
            if let Input::Model(_, kind) = &read {
                check(request, *kind)?;
            }
            Ok(read)
        }
    }
}

/// Ending of a file, of a packed one that of what is in it.
fn extension(path: &Path) -> String {
    let of =
        |path: &Path| path.extension().and_then(|text| text.to_str()).unwrap_or("").to_lowercase();
    match of(path).as_str() {
        "gz" => of(&path.with_extension("")),
        other => other.to_owned(),
    }
}

impl Input {
    fn new(model: Model, kind: Kind) -> Self {
        Self::Model(Box::new(model), kind)
    }
}

fn of_json(bytes: &[u8]) -> Result<Input, ModelFileError> {
    if is_bmodel(bytes) {
        return Err(ModelFileError::Compiled);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| ModelFileError::NoText)?;
    if text.contains("\"traceEvents\"") {
        return Ok(Input::new(read_torch_trace(text)?, Kind::Recorded));
    }
    // The rule by which all commands know measured parts.
    if text.contains("\"parts\"") {
        let value = serde_json::from_str(text).map_err(ModelFileError::NoJson)?;
        if MeasuredRun::is_one(&value) {
            return Ok(Input::Costs(text.to_owned()));
        }
    }
    Ok(Input::new(read_op_list(text)?, Kind::Recorded))
}

fn of_onnx(bytes: Vec<u8>, request: &EstimateRequest) -> Result<Model, ModelFileError> {
    let dimensions = request.sizes.dimensions(request.batch)?;
    Ok(of_graph(&read_onnx(bytes, &dimensions)?))
}

fn of_ff(bytes: &[u8], request: &EstimateRequest) -> Result<Model, ModelFileError> {
    let text = std::str::from_utf8(bytes).map_err(|_| ModelFileError::NoFf)?;
    Ok(of_graph(&read_ff(text, &request.sizes.shapes()?)?))
}

fn of_graph(graph: &Graph) -> Model {
    Model { operators: graph_operators(graph), notes: graph.notes.clone(), ..Model::default() }
}
