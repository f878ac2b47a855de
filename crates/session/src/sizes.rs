//! What an operator graph leaves open: shapes of inputs, sizes of dimensions, numbers that decide.

use bigtpu_messages::error_message;
use bigtpu_model::graph::Dimensions;

/// What a graph leaves open, as texts.
#[derive(Debug, Clone, Default)]
pub struct Sizes {
    /// Shapes of inputs: `1,3,224,224` in the order of a .ff file, `NAME=1,3,224,224` for ONNX.
    pub input_shapes: Vec<String>,
    /// Sizes of dimensions: `NAME=SIZE`.
    pub dimensions: Vec<String>,
    /// Numbers of inputs: `NAME=NUMBER,...`.
    pub input_values: Vec<String>,
    /// Unknown operators count as one operation per element.
    pub unknown_as_memory: bool,
}

/// A text that says no size.
#[derive(Debug, Clone, thiserror::Error)]
pub enum SizeError {
    /// The text gives no size of a dimension.
    #[error("{}", error_message!("error-sizes-dimension", value = .0))]
    Dimension(String),
    /// The text does not name an input of an ONNX model.
    #[error("{}", error_message!("error-sizes-no-name", value = .0))]
    NoName(String),
    /// The text gives no shape of an input.
    #[error("{}", error_message!("error-sizes-shape", value = .0))]
    Shape(String),
    /// The text gives no numbers of an input.
    #[error("{}", error_message!("error-sizes-value", value = .0))]
    Value(String),
}

impl Sizes {
    /// Shapes of the inputs of a .ff file, in its order.
    ///
    /// # Errors
    /// [`SizeError`] when a text is no shape.
    pub fn shapes(&self) -> Result<Vec<Vec<u64>>, SizeError> {
        self.input_shapes.iter().map(|text| shape(text)).collect()
    }

    /// What an ONNX model leaves open. `batch`: the first size of its inputs.
    ///
    /// # Errors
    /// [`SizeError`] when a text is not as the option wants it.
    pub fn dimensions(&self, batch: Option<u32>) -> Result<Dimensions, SizeError> {
        let unknown_as_memory = self.unknown_as_memory;
        let batch = batch.map(u64::from);
        let mut dimensions = Dimensions { batch, unknown_as_memory, ..Dimensions::default() };
        for text in &self.dimensions {
            let parts =
                text.split_once('=').and_then(|(name, size)| Some((name, size.parse().ok()?)));
            let (name, size) = parts.ok_or_else(|| SizeError::Dimension(text.clone()))?;
            dimensions.named.insert(name.to_owned(), size);
        }
        for text in &self.input_shapes {
            let (name, sizes) =
                text.split_once('=').ok_or_else(|| SizeError::NoName(text.clone()))?;
            dimensions.inputs.insert(name.to_owned(), shape(sizes)?);
        }
        for text in &self.input_values {
            let parts = text.split_once('=').and_then(|(name, list)| Some((name, numbers(list)?)));
            let (name, numbers) = parts.ok_or_else(|| SizeError::Value(text.clone()))?;
            dimensions.values.insert(name.to_owned(), numbers);
        }
        Ok(dimensions)
    }
}

/// A shape such as `1,3,224,224`; none for an input without dimensions.
fn shape(text: &str) -> Result<Vec<u64>, SizeError> {
    let list = text.trim_matches(['[', ']']);
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let sizes = list.split(',').map(|size| size.trim().parse::<u64>());
    sizes.collect::<Result<_, _>>().map_err(|_| SizeError::Shape(text.to_owned()))
}

fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|number| number.trim().parse().ok()).collect()
}
