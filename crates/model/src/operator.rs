//! An operator with the shapes that it works on.

use bigtpu_machine::DataType;

use crate::flow::OperatorPlace;

/// What an operator computes, as far as its cost depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Input rows times a weight matrix `[in, out]`, or each row times one of several, `[matrices, in, out]`.
    Linear,
    /// Product of two activations.
    MatMul,
    /// Scaled dot product attention; the recorded input is the key `[batch, heads, rows, columns]`.
    Attention,
    /// Two-dimensional convolution.
    Conv2d,
    /// Rows of a table.
    Embedding,
    /// Rotary position embedding.
    Rotary,
    /// Softmax.
    Softmax,
    /// Layer, batch or group normalization.
    LayerNorm,
    /// Root mean square normalization.
    RmsNorm,
    /// SiLU, also called swish.
    Silu,
    /// GELU.
    Gelu,
    /// Sliding windows: pooling.
    Pool,
    /// One operation an element: addition, ReLU and the like.
    Elementwise,
    /// Data that moves and does not change: concatenation, copies.
    Move,
    /// No work at all: views, outputs.
    Free,
}

/// Name parts, each with the kind that it shows. The first that fits wins.
const PARTS: [(&str, Kind); 33] = [
    ("scaled_dot_product", Kind::Attention),
    ("rotary", Kind::Rotary),
    ("rmsnorm", Kind::RmsNorm),
    ("rms_norm", Kind::RmsNorm),
    ("layernorm", Kind::LayerNorm),
    ("layer_norm", Kind::LayerNorm),
    ("batchnorm", Kind::LayerNorm),
    ("batch_norm", Kind::LayerNorm),
    ("groupnorm", Kind::LayerNorm),
    ("group_norm", Kind::LayerNorm),
    ("softmax", Kind::Softmax),
    ("silu", Kind::Silu),
    ("swish", Kind::Silu),
    ("gelu", Kind::Gelu),
    ("conv", Kind::Conv2d),
    ("embedding", Kind::Embedding),
    ("linear", Kind::Linear),
    ("addmm", Kind::Linear),
    ("matmul", Kind::MatMul),
    ("bmm", Kind::MatMul),
    ("pool", Kind::Pool),
    ("relu", Kind::Elementwise),
    ("add", Kind::Elementwise),
    ("sub", Kind::Elementwise),
    ("mul", Kind::Elementwise),
    ("div", Kind::Elementwise),
    ("tanh", Kind::Elementwise),
    ("sigmoid", Kind::Elementwise),
    ("dropout", Kind::Free),
    ("reshape", Kind::Free),
    ("view", Kind::Free),
    ("concat", Kind::Move),
    ("transpose", Kind::Move),
];

impl Kind {
    /// What a class or function of that name computes, if the name shows.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let lower = name.to_ascii_lowercase();
        if lower.trim_start_matches("aten::") == "mm" {
            return Some(Self::Linear);
        }
        PARTS.iter().find(|(part, _)| lower.contains(part)).map(|(_, kind)| *kind)
    }

    /// Operations of one element, where an operator's work grows with its elements. The usual
    /// counts: an exponential or a root counts as one operation.
    #[must_use]
    pub fn operations_per_element(self) -> f64 {
        match self {
            Self::Softmax | Self::Silu | Self::RmsNorm => 5.0,
            Self::LayerNorm | Self::Gelu => 8.0,
            Self::Rotary => 6.0,
            Self::Elementwise => 1.0,
            Self::Linear
            | Self::MatMul
            | Self::Attention
            | Self::Conv2d
            | Self::Embedding
            | Self::Pool
            | Self::Move
            | Self::Free => 0.0,
        }
    }
}

/// Part of a run of a language model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LlmPhase {
    /// The prompt: the first pass.
    Summarization,
    /// Token by token: all later passes.
    Generation,
}

impl LlmPhase {
    /// Both, in the order in which they run.
    pub const BOTH: [Self; 2] = [Self::Summarization, Self::Generation];

    /// As JSON and tables show it.
    #[must_use]
    pub fn short_name(self) -> &'static str {
        match self {
            Self::Summarization => "sum",
            Self::Generation => "gen",
        }
    }
}

/// Sizes of a tensor's dimensions.
pub type Shape = Vec<u64>;

/// What attention does that its shapes do not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Scores {
    /// A query sees the keys up to its own row only: half of them in a prompt.
    pub causal: bool,
    /// Keys that a query sees at most (sliding window).
    pub window: Option<u64>,
    /// Elements of a stored row, keys and values of all heads together; `None`: twice the heads' columns.
    pub row: Option<u64>,
    /// Type of stored keys and values; `None`: that of the other elements.
    pub stored: Option<DataType>,
}

/// One executed operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// Number that the source gives it.
    pub id: u64,
    /// Class or function.
    pub name: String,
    /// Variable or layer that it belongs to.
    pub context: String,
    /// What it computes.
    pub kind: Kind,
    /// Part of the run, where the source shows.
    pub phase: Option<LlmPhase>,
    /// Shape of its input.
    pub input: Shape,
    /// Shape of its weights, or of the second factor.
    pub weights: Shape,
    /// Shape of its output.
    pub output: Shape,
    /// Steps of a window, height and width.
    pub stride: [u64; 2],
    /// Rows and columns added on each side.
    pub padding: [u64; 2],
    /// Groups of a convolution's channels.
    pub groups: u64,
    /// Type of the elements, where the source shows.
    pub data_type: Option<DataType>,
    /// Type of its weights, where it differs.
    pub weight_type: Option<DataType>,
    /// Properties of attention that the shapes do not show.
    pub scores: Scores,
    /// How it lies in its model; of a list of operators without their graph, what such lists show.
    pub flow: OperatorPlace,
}

impl Operator {
    /// A plain operator; the caller fills in what else is known.
    #[must_use]
    pub fn new(name: &str, context: &str, kind: Kind, shapes: [Shape; 3]) -> Self {
        let [input, weights, output] = shapes;
        Self {
            id: 0,
            name: name.to_owned(),
            context: context.to_owned(),
            kind,
            phase: None,
            input,
            weights,
            output,
            stride: [1, 1],
            padding: [0, 0],
            groups: 1,
            data_type: None,
            weight_type: None,
            scores: Scores::default(),
            flow: OperatorPlace::default(),
        }
    }

    /// Name in errors and tables: `linear1 (UPM_Linear)`.
    #[must_use]
    pub fn label(&self) -> String {
        if self.context.is_empty() || self.context == self.name {
            return self.name.clone();
        }
        format!("{} ({})", self.context, self.name)
    }
}

/// Elements of a shape.
#[must_use]
pub fn elements(shape: &[u64]) -> f64 {
    shape.iter().map(|&size| size as f64).product()
}

/// Size of a dimension, counted from the last one; 1 where there is none.
#[must_use]
pub fn from_last(shape: &[u64], back: usize) -> f64 {
    shape.iter().rev().nth(back).map_or(1.0, |&size| size as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_by_name() {
        let kinds = [
            ("UPM_Linear", Kind::Linear),
            ("UPM_LlamaRMSNorm", Kind::RmsNorm),
            ("UPM_LlamaRotaryEmbedding", Kind::Rotary),
            ("UPM_SiLUActivation", Kind::Silu),
            ("UPM_LayerNorm", Kind::LayerNorm),
            ("aten::mm", Kind::Linear),
            ("aten::addmm", Kind::Linear),
            ("aten::add", Kind::Elementwise),
            ("aten::bmm", Kind::MatMul),
            ("scaled_dot_product_attention", Kind::Attention),
        ];
        for (name, kind) in kinds {
            assert_eq!(Kind::of_name(name), Some(kind), "{name}");
        }
        assert_eq!(Kind::of_name("UPM_Mystery"), None);
    }

    #[test]
    fn sizes() {
        assert_eq!(elements(&[2, 3, 4]), 24.0);
        assert_eq!(from_last(&[2, 3, 4], 0), 4.0);
        assert_eq!(from_last(&[4], 1), 1.0);
    }
}
