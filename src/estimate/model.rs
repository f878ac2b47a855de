//! Reads a model, whatever its form.

use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use bigtpu_model::costs::MeasuredRun;
use bigtpu_model::graph::{Graph, read_ff, read_onnx};
use bigtpu_model::{Model, graph_operators, read_op_list, read_torch_trace};
use flate2::read::MultiGzDecoder;

use crate::args::estimate::Args;

/// First bytes of a gzipped file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// What a file holds.
pub(crate) enum Input {
    /// A model.
    Model(Box<Model>),
    /// Measured parts, as text.
    Costs(String),
}

/// The model or the measured parts of a file.
pub(crate) fn read(path: &Path, args: &Args) -> Result<Input> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| anyhow!("{name}: cannot be read ({error})"))?;
    let bytes =
        unpacked(bytes).map_err(|error| anyhow!("{name}: its gzip data is invalid ({error})"))?;
    let extension = path.extension().and_then(|text| text.to_str()).unwrap_or("").to_lowercase();
    let read = match extension.as_str() {
        "onnx" => args
            .sizes
            .dimensions(args.batch)
            .and_then(|dimensions| Ok(of_graph(&read_onnx(bytes, &dimensions)?)))
            .map(Input::of),
        "ff" => of_ff(&bytes, args).map(Input::of),
        _ => of_json(&bytes),
    };
    read.map_err(|error| anyhow!("{name}: {error}"))
}

fn unpacked(bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut plain)?;
    Ok(plain)
}

impl Input {
    fn of(model: Model) -> Self {
        Self::Model(Box::new(model))
    }
}

fn of_json(bytes: &[u8]) -> Result<Input> {
    let text = std::str::from_utf8(bytes)
        .context("it is not a text; known are op lists and torch traces (JSON), .onnx and .ff")?;
    if text.contains("\"traceEvents\"") {
        return Ok(Input::of(read_torch_trace(text)?));
    }
    // The rule by which all commands know measured parts.
    if text.contains("\"parts\"") {
        let value =
            serde_json::from_str(text).map_err(|error| anyhow!("it is not JSON ({error})"))?;
        if MeasuredRun::is_one(&value) {
            return Ok(Input::Costs(text.to_owned()));
        }
    }
    Ok(Input::of(read_op_list(text)?))
}

fn of_ff(bytes: &[u8], args: &Args) -> Result<Model> {
    let text = std::str::from_utf8(bytes).context("it is not a text file")?;
    Ok(of_graph(&read_ff(text, &args.sizes.shapes()?)?))
}

fn of_graph(graph: &Graph) -> Model {
    Model { operators: graph_operators(graph), notes: graph.notes.clone(), ..Model::default() }
}
