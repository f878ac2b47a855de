//! What an operator graph leaves open: shapes of inputs, sizes of dimensions, numbers that decide.

use anyhow::{Result, anyhow};
use bigtpu_model::graph::Dimensions;

/// What a graph leaves open, as texts.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct Sizes {
    /// Shape of an input, '1,3,224,224', in the order of a .ff file; for ONNX 'NAME=1,3,224,224'
    #[arg(long, alias = "input_shape", value_name = "SHAPE")]
    input_shape: Vec<String>,

    /// Size of a dimension that an ONNX model leaves open: 'NAME=SIZE'
    #[arg(long, value_name = "NAME=SIZE")]
    dim: Vec<String>,

    /// Whole numbers of an input of an ONNX model that decides which branch runs, or how often a loop does:
    /// 'NAME=NUMBER' or 'NAME=NUMBER,NUMBER'
    #[arg(long, alias = "input_value", value_name = "NAME=N")]
    input_value: Vec<String>,

    /// Count unknown operators of an ONNX model as one operation per element, by the shapes that the file shows
    #[arg(long = "unknown-as-memory", alias = "unknown_as_memory")]
    unknown_as_memory: bool,
}

impl Sizes {
    /// Shapes of the inputs of a .ff file, in its order.
    ///
    /// # Errors
    /// When a text is no shape.
    pub(crate) fn shapes(&self) -> Result<Vec<Vec<u64>>> {
        self.input_shape.iter().map(|text| shape(text)).collect()
    }

    /// What an ONNX model leaves open. `batch`: the first size of its inputs.
    ///
    /// # Errors
    /// When a text is not as the option wants it.
    pub(crate) fn dimensions(&self, batch: Option<u32>) -> Result<Dimensions> {
        let unknown_as_memory = self.unknown_as_memory;
        let batch = batch.map(u64::from);
        let mut dimensions = Dimensions { batch, unknown_as_memory, ..Dimensions::default() };
        for text in &self.dim {
            let parts =
                text.split_once('=').and_then(|(name, size)| Some((name, size.parse().ok()?)));
            let (name, size) =
                parts.ok_or_else(|| anyhow!("--dim {text}: write NAME=SIZE, such as seq=128"))?;
            dimensions.named.insert(name.to_owned(), size);
        }
        for text in &self.input_shape {
            let (name, sizes) = text.split_once('=').ok_or_else(|| {
                anyhow!(
                    "--input-shape {text}: an ONNX model's inputs have names; write NAME=1,3,224,224"
                )
            })?;
            dimensions.inputs.insert(name.to_owned(), shape(sizes)?);
        }
        for text in &self.input_value {
            let parts = text.split_once('=').and_then(|(name, list)| Some((name, numbers(list)?)));
            let (name, numbers) = parts.ok_or_else(|| {
                anyhow!(
                    "--input-value {text}: write NAME=NUMBER, such as sr=16000, or NAME=1,2 for several numbers"
                )
            })?;
            dimensions.values.insert(name.to_owned(), numbers);
        }
        Ok(dimensions)
    }
}

/// A shape such as `1,3,224,224`; none for an input without dimensions.
fn shape(text: &str) -> Result<Vec<u64>> {
    let list = text.trim_matches(['[', ']']);
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let sizes = list.split(',').map(|size| size.trim().parse::<u64>());
    sizes.collect::<Result<_, _>>().map_err(|_| {
        anyhow!("--input-shape {text}: write sizes with commas between them, such as 1,3,224,224")
    })
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}
