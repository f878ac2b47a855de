//! A language model, as far as its cost depends on it.

use bigtpu_machine::DataType;
use bigtpu_messages::Message;

/// A language model: embedding, layers of attention and feed-forward, and the product with the vocabulary.
#[derive(Debug, Clone, PartialEq)]
pub struct Architecture {
    /// `model_type` of the file.
    pub model_type: String,
    /// Width of the stream between layers.
    pub hidden: u64,
    /// Entries of the vocabulary.
    pub vocabulary: u64,
    /// Whether the last product uses the embedding's table, which is then stored once.
    pub tied: bool,
    /// Normalizations of a layer: before attention and feed-forward, and in some families after each, too; one where both
    /// read the same rows.
    pub norms: u64,
    /// What each normalization computes.
    pub norm: Norm,
    /// How a row's position is known.
    pub positions: Positions,
    /// How attention divides its width.
    pub heads: Heads,
    /// The layers, in order; where an encoder stands before them, those of the decoder.
    pub layers: Vec<LlmLayer>,
    /// Which stacks of layers there are.
    pub stacks: Stacks,
    /// Type of activations, and of weights that are not quantized; `None` where the file does not say.
    pub data_type: Option<DataType>,
    /// Type of the quantized weights, where the file names one.
    pub weight_type: Option<DataType>,
    /// Whether the last product with the vocabulary is quantized, too.
    pub quantizes_head: bool,
    /// What the reader assumed or left out.
    pub notes: Vec<Message>,
}

impl Architecture {
    /// Whether the model generates tokens.
    #[must_use]
    pub fn generates(&self) -> bool {
        !matches!(self.stacks, Stacks::Encoder { .. })
    }

    /// Layers of all stacks.
    #[must_use]
    pub fn all_layers(&self) -> usize {
        let encoder = match &self.stacks {
            Stacks::EncoderDecoder { encoder } => encoder.len(),
            Stacks::Decoder | Stacks::Encoder { .. } => 0,
        };
        self.layers.len() + encoder
    }

    /// Rows of a sequence in the cache of the layers that generate, after a prompt of so many tokens: a decoder behind an
    /// encoder starts with one of its own.
    #[must_use]
    pub fn rows_after_prompt(&self, context: u64) -> u64 {
        match self.stacks {
            Stacks::Decoder => context,
            Stacks::Encoder { .. } => 0,
            Stacks::EncoderDecoder { .. } => 1,
        }
    }
}

/// A kind of normalization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Norm {
    /// Divides by the root mean square, with a factor for each column.
    Rms,
    /// Subtracts the mean and divides by the deviation, with a factor and an offset for each column.
    Layer,
}

/// How the position of a row is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Positions {
    /// Queries and keys are turned.
    Rotary,
    /// A row of a table with so many rows is added.
    Table(u64),
    /// Scores are shifted by the distance (ALiBi).
    Distances,
    /// Scores are shifted by a number for each head and distance, of which there are so many steps (T5).
    Relative(u64),
}

/// Stacks of layers of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stacks {
    /// A row sees those before it, and the last one gives the next token.
    Decoder,
    /// All rows see each other. One pass reads the prompt, and no token is generated.
    Encoder {
        /// Rows of the table of token types; 0 without one.
        token_types: u64,
        /// Whether a product follows for the first row of each sequence.
        pooler: bool,
    },
    /// An encoder of these layers reads the prompt; the layers of the decoder see its rows as well.
    EncoderDecoder {
        /// Layers of the encoder.
        encoder: Vec<LlmLayer>,
    },
}

/// Heads of attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heads {
    /// Queries share keys and values in groups.
    Grouped(Grouped),
    /// Keys and values of all heads are made from one latent row.
    Latent(Latent),
}

impl Heads {
    /// Heads that store their keys and values; `None` of latent ones.
    #[must_use]
    pub const fn grouped(&self) -> Option<Grouped> {
        match self {
            Self::Grouped(heads) => Some(*heads),
            Self::Latent(_) => None,
        }
    }
}

/// Heads whose queries share keys and values in groups: as many groups as heads (multi-head), fewer (grouped-query), one
/// (multi-query).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grouped {
    /// Heads of queries.
    pub queries: u64,
    /// Heads of keys and values.
    pub stored: u64,
    /// Columns of a head.
    pub columns: u64,
    /// Whether queries, keys and values have a bias.
    pub input_bias: bool,
    /// Whether the output has one.
    pub output_bias: bool,
    /// Whether queries and keys are normalized.
    pub normalized: bool,
}

impl Grouped {
    /// Heads that one of several devices holds. With more devices than heads of keys, several devices hold the same
    /// one.
    pub(super) fn on_one_of(self, devices: u64) -> Self {
        let stored = (self.stored / devices).max(1);
        Self { queries: self.queries / devices, stored, ..self }
    }
}

/// Heads whose keys and values are made from one latent row, which alone is stored (DeepSeek's multi-head latent
/// attention).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Latent {
    /// Heads of queries.
    pub queries: u64,
    /// Columns of the latent row of queries; `None`: they are made from the stream directly.
    pub query_rank: Option<u64>,
    /// Columns of the latent row of keys and values.
    pub rank: u64,
    /// Columns of a head's query and key without a position.
    pub plain: u64,
    /// Columns with a rotary position, which all heads' keys share.
    pub rotary: u64,
    /// Columns of a head's value.
    pub value: u64,
}

impl Latent {
    /// Heads that one of several devices holds; each device holds the latent rows.
    pub(super) fn on_one_of(self, devices: u64) -> Self {
        Self { queries: self.queries / devices, ..self }
    }
}

/// A layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LlmLayer {
    /// Rows that a query attends to at most (sliding window).
    pub window: Option<u64>,
    /// What follows attention.
    pub feed_forward: FeedForward,
}

/// The second half of a layer: gate and up, an activation, down; or up, an activation, down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedForward {
    /// One for all tokens.
    Dense {
        /// Inner width.
        inner: u64,
        /// Whether its products have a bias.
        bias: bool,
        /// Whether there is a gate.
        gated: bool,
    },
    /// Each token goes through some of many.
    Experts(Experts),
}

/// A mixture of experts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Experts {
    /// Experts.
    pub count: u64,
    /// Experts that a token goes through.
    pub per_token: u64,
    /// Inner width of an expert.
    pub inner: u64,
    /// Whether the router and the products of an expert have a bias.
    pub bias: bool,
    /// Inner width of what all tokens go through as well; 0 where there is none.
    pub shared_inner: u64,
    /// Whether the shared part has a gate of its own.
    pub shared_gate: bool,
}
