//! What tells families of models apart.

use crate::llm::architecture::Norm;
use crate::llm::error::LlmError;
use crate::llm::fields::Fields;

/// A property that a family has, or that a field of the file switches.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Never,
    Always,
    /// Where this field says so.
    If(&'static str),
    /// Where this field says so or is absent.
    Unless(&'static str),
}

impl Rule {
    /// # Errors
    /// The field is neither true nor false.
    pub(super) fn holds(self, fields: &Fields<'_>) -> Result<bool, LlmError> {
        match self {
            Self::Never => Ok(false),
            Self::Always => Ok(true),
            Self::If(field) => fields.flag(field, false),
            Self::Unless(field) => fields.flag(field, true),
        }
    }
}

/// Which products have a bias.
#[derive(Clone, Copy)]
pub(super) struct Biases {
    /// Queries, keys and values.
    pub(super) inputs: Rule,
    /// What follows the values.
    pub(super) output: Rule,
    /// The feed-forward.
    pub(super) feed_forward: Rule,
}

impl Biases {
    /// All products of attention, and the feed-forward.
    pub(super) const fn attention(attention: Rule, feed_forward: Rule) -> Self {
        Self { inputs: attention, output: attention, feed_forward }
    }
}

/// Which layers have a sliding window, where the file has no `layer_types`.
#[derive(Clone, Copy)]
pub(super) enum Windows {
    /// None.
    Never,
    /// All, if `sliding_window` is there.
    All,
    /// With `use_sliding_window`, those from `max_window_layers` on.
    Last,
    /// Every second one, the first included.
    Alternate,
    /// All but each `sliding_window_pattern`-th.
    Pattern,
    /// Layers with positions (three of four without `no_rope_layers`) see rows of their piece of
    /// `attention_chunk_size`.
    Chunks,
}

/// The fields that describe a mixture of experts.
#[derive(Clone, Copy)]
pub(super) struct Mixture {
    pub(super) count: &'static str,
    pub(super) per_token: &'static str,
    /// Inner width of an expert.
    pub(super) inner: &'static str,
    pub(super) shared: Shared,
    /// Layers before the one of this number are dense.
    pub(super) first: Option<&'static str>,
    /// Each so manieth layer has experts.
    pub(super) every: &'static str,
    /// The last layer of these so many has them, not the first.
    pub(super) is_last: bool,
    /// Without the number of experts, all layers are dense.
    pub(super) is_optional: bool,
    /// Experts and router have a bias.
    pub(super) bias: bool,
}

/// What all tokens go through, beside the experts.
#[derive(Clone, Copy)]
pub(super) enum Shared {
    Nothing,
    /// As wide as this field says, with a gate of its own.
    Gated(&'static str),
    /// As wide as so many experts.
    Experts(&'static str),
    /// As wide as an expert.
    One,
}

/// What models of a `model_type` have in common.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) tied: bool,
    pub(super) biases: Biases,
    /// Queries and keys are normalized.
    pub(super) normalized: Rule,
    /// Normalizations of a layer.
    pub(super) norms: u64,
    /// Attention and feed-forward read the same normalized rows.
    pub(super) parallel: Rule,
    pub(super) windows: Windows,
    pub(super) mixture: Option<Mixture>,
    /// `head_dim` is not `hidden_size / num_attention_heads`.
    pub(super) own_head_dim: bool,
    /// Without `num_key_value_heads`, each head has its own keys and values.
    pub(super) multi_head: bool,
    pub(super) keys: Keys,
    pub(super) norm: Norm,
    pub(super) positions: Table,
    /// Whether the feed-forward has a gate.
    pub(super) gated: bool,
    /// Inner width of a dense feed-forward.
    pub(super) inner: &'static str,
    /// Without it, the feed-forward is four times as wide as the stream.
    pub(super) four_times: bool,
    /// All queries share one head of keys and values, unless `multi_query` says something else.
    pub(super) multi_query: bool,
    pub(super) form: Form,
    /// Sizes of the class that reads the file. A model inside another one is written as its differences from these.
    pub(super) usual: &'static [(&'static str, u64)],
}

/// What is stored of keys and values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Keys and values of each head.
    Heads,
    /// One latent row for all heads.
    Latent,
    /// One latent row for all heads; without `v_head_dim`, a head's value has as many columns as its part of the
    /// stream.
    LatentWithValuesOfStream,
}

/// Which stacks of layers a family has.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// One that generates.
    Decoder,
    /// One that reads.
    Encoder {
        /// Types of tokens without `type_vocab_size`.
        token_types: u64,
        /// Whether a product follows for the first row of each sequence.
        pooler: bool,
    },
    /// One that reads, and one that generates from what it read. `feed_forward_proj` says whether the feed-forward has a
    /// gate.
    EncoderDecoder,
}

/// Where positions come from.
#[derive(Clone, Copy)]
pub(super) enum Table {
    Rotary,
    /// Rotary, or distances where `alibi` says so.
    RotaryOrDistances,
    Distances,
    /// `max_position_embeddings` rows of a table, and so many more.
    Learned(u64),
    /// `max_position_embeddings` rows of a table, or so many rows where the field is absent.
    LearnedOr(u64),
    /// A number for each head, by the distance in `relative_attention_num_buckets` (32) steps.
    Relative,
}
