//! What an operator graph leaves open: shapes of inputs, sizes of dimensions, numbers that decide.

use bigtpu_session::Sizes as Texts;

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

impl From<&Sizes> for Texts {
    fn from(sizes: &Sizes) -> Self {
        Self {
            input_shapes: sizes.input_shape.clone(),
            dimensions: sizes.dim.clone(),
            input_values: sizes.input_value.clone(),
            unknown_as_memory: sizes.unknown_as_memory,
        }
    }
}
