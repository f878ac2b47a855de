//! Nodes, operators, tensors.

use bigtpu_messages::Message;

/// Sizes of a tensor's dimensions.
pub type Shape = Vec<u64>;

/// An output of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Source {
    /// Node, an index into [`Graph::nodes`].
    pub node: usize,
    /// Which of its outputs.
    pub output: usize,
}

/// A function of each element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activation {
    /// max(x, 0), and its bounded forms.
    Relu,
    /// 1 / (1 + exp(-x)).
    Sigmoid,
    /// Hyperbolic tangent.
    Tanh,
    /// Exponential linear unit.
    Elu,
    /// Gaussian error linear unit.
    Gelu,
    /// x sigmoid(x).
    Silu,
    /// x tanh(softplus(x)).
    Mish,
    /// A sigmoid of straight lines.
    HardSigmoid,
    /// x times that.
    HardSwish,
}

/// A kind of normalization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Norm {
    /// Over the batch.
    Batch,
    /// Over the last dimensions.
    Layer,
    /// Over groups of channels.
    Group,
    /// Root mean square normalization (RMSNorm).
    Rms,
}

/// A window that slides over height and width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    /// Height and width.
    pub kernel: [u64; 2],
    /// Steps.
    pub stride: [u64; 2],
    /// Rows and columns added before and after, both sides together.
    pub padding: [u64; 2],
    /// Distance of the window's elements.
    pub dilation: [u64; 2],
}

/// What a node computes. Weights are in [`Node::weights`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operator {
    /// A tensor that the caller gives.
    Input,
    /// A result.
    Output,
    /// Rows times a weight matrix `[in, out]`.
    Linear {
        /// Output features.
        out: u64,
        /// Fused activation.
        activation: Option<Activation>,
        /// Whether a bias is added.
        bias: bool,
    },
    /// Convolution with weights `[out, in / groups, height, width]`.
    Conv2d {
        /// Window.
        window: Window,
        /// Groups of channels.
        groups: u64,
        /// Fused activation.
        activation: Option<Activation>,
        /// Whether a bias is added.
        bias: bool,
    },
    /// The reverse of a convolution, with weights `[in, out / groups, height, width]`.
    ConvTranspose2d {
        /// Window.
        window: Window,
        /// Groups of channels.
        groups: u64,
    },
    /// Sums of products over an index that two tensors share: einsum, recurrent layers, products of integers.
    Contraction {
        /// Products.
        batch: u64,
        /// Rows of the result.
        rows: u64,
        /// Products whose sum is an element of the result.
        inner: u64,
        /// Columns of the result.
        columns: u64,
    },
    /// Attention: scores of queries and keys, softmax, and their product with the values.
    Attention {
        /// Batch, heads, rows, columns.
        query: [u64; 4],
        /// Batch, heads, rows and columns of keys, and of values.
        key: [u64; 4],
        /// Each query sees the keys up to its own row.
        causal: bool,
    },
    /// Greatest or mean element of a window.
    Pool2d {
        /// Window.
        window: Window,
        /// Mean instead of maximum.
        average: bool,
    },
    /// Rows of a table `[entries, columns]`.
    Embedding,
    /// Product of two tensors, over their last two dimensions.
    MatMul,
    /// Softmax.
    Softmax,
    /// Normalization.
    Norm(Norm),
    /// A function of each element.
    Activation(Activation),
    /// A simple function of one or two tensors' elements, by the file's name.
    Elementwise(String),
    /// Tensors one after the other.
    Concat {
        /// Dimension.
        axis: usize,
    },
    /// Pieces of a tensor.
    Split {
        /// Dimension.
        axis: usize,
    },
    /// A part of a tensor, or one of several outputs.
    Select,
    /// Unchanged elements in another shape: view, reshape, flatten, squeeze.
    Reshape,
    /// Unchanged elements in another order.
    Permute,
    /// Repeated elements.
    Expand,
    /// Sum, mean or maximum over dimensions.
    Reduce,
    /// Nothing, when a model runs: dropout, identity, contiguous, casts.
    Identity,
    /// An operator that only the file's own shapes describe, by its name.
    Other(String),
}

/// One operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Name.
    pub name: String,
    /// What it computes.
    pub operator: Operator,
    /// Activations that it reads.
    pub inputs: Vec<Source>,
    /// Shapes of its weights.
    pub weights: Vec<Shape>,
    /// Shapes of its outputs.
    pub outputs: Vec<Shape>,
}

/// Operators in topological order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Graph {
    /// Nodes: inputs of a node are before it.
    pub nodes: Vec<Node>,
    /// What the reader assumed.
    pub notes: Vec<Message>,
}

impl Graph {
    /// Shape of a node's output.
    #[must_use]
    pub fn shape(&self, source: Source) -> Option<&Shape> {
        self.nodes.get(source.node)?.outputs.get(source.output)
    }

    /// Shapes of a node's inputs.
    #[must_use]
    pub fn input_shapes(&self, node: &Node) -> Vec<Shape> {
        node.inputs.iter().filter_map(|source| self.shape(*source).cloned()).collect()
    }
}
