//! What tells the families of models apart, as a table.

use crate::llm::architecture::Norm;

/// Whether the products of attention have a bias.
#[derive(Clone, Copy)]
pub(super) enum Bias {
    /// Queries, keys and values.
    Inputs,
    /// All four, where `attention_bias` says so.
    AsSaid,
    /// Queries, keys and values, where `attention_bias` says so.
    InputsAsSaid,
    /// All four, where this field says so or is absent.
    Unless(&'static str),
    /// All four, where this field says so.
    If(&'static str),
    /// All four.
    All,
    /// None.
    Never,
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
}

/// Where experts are described.
#[derive(Clone, Copy)]
pub(super) enum Mixture {
    None,
    Mixtral,
    Qwen,
    DeepSeek,
}

/// What models of a `model_type` have in common.
pub(super) struct Family {
    pub(super) name: &'static str,
    pub(super) tied: bool,
    pub(super) bias: Bias,
    /// Queries and keys are normalized.
    pub(super) normalized: bool,
    /// Normalizations of a layer.
    pub(super) norms: u64,
    pub(super) windows: Windows,
    pub(super) mixture: Mixture,
    /// `head_dim` is not `hidden_size / num_attention_heads`.
    pub(super) own_head_dim: bool,
    /// Without `num_key_value_heads`, each head has its own keys and values.
    pub(super) multi_head: bool,
    pub(super) latent: bool,
    pub(super) norm: Norm,
    pub(super) positions: Table,
    /// Whether the feed-forward has a gate.
    pub(super) gated: bool,
    /// Without `intermediate_size`, the feed-forward is four times as wide as the stream.
    pub(super) four_times: bool,
    /// All queries share one head of keys and values, unless `multi_query` says something else.
    pub(super) multi_query: bool,
    pub(super) form: Form,
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
    /// `max_position_embeddings` rows of a table, and so many more.
    Learned(u64),
    /// The same, with so many rows where the field is absent.
    LearnedOr(u64),
    /// A number for each head, by the distance in `relative_attention_num_buckets` (32) steps.
    Relative,
}

const LLAMA: Family = Family {
    name: "llama",
    tied: false,
    bias: Bias::AsSaid,
    normalized: false,
    norms: 2,
    windows: Windows::Never,
    mixture: Mixture::None,
    own_head_dim: false,
    multi_head: true,
    latent: false,
    norm: Norm::Rms,
    positions: Table::Rotary,
    gated: true,
    four_times: false,
    multi_query: false,
    form: Form::Decoder,
};
const GPT2: Family = Family {
    name: "gpt2",
    tied: true,
    bias: Bias::Unless("use_bias"),
    norm: Norm::Layer,
    positions: Table::Learned(0),
    gated: false,
    four_times: true,
    ..LLAMA
};
const FALCON: Family = Family {
    name: "falcon",
    bias: Bias::If("bias"),
    positions: Table::RotaryOrDistances,
    multi_query: true,
    ..GPT2
};
const BERT: Family = Family {
    name: "bert",
    bias: Bias::All,
    positions: Table::LearnedOr(512),
    four_times: false,
    form: Form::Encoder { token_types: 2, pooler: true },
    ..GPT2
};
const T5: Family = Family {
    name: "t5",
    tied: true,
    bias: Bias::Never,
    own_head_dim: true,
    positions: Table::Relative,
    gated: false,
    form: Form::EncoderDecoder,
    ..LLAMA
};
const GLM: Family = Family {
    name: "glm",
    bias: Bias::InputsAsSaid,
    own_head_dim: false,
    multi_head: false,
    ..LLAMA
};
const MISTRAL: Family = Family {
    name: "mistral",
    bias: Bias::Never,
    windows: Windows::All,
    multi_head: false,
    ..LLAMA
};
const QWEN2: Family = Family {
    name: "qwen2",
    bias: Bias::Inputs,
    windows: Windows::Last,
    multi_head: false,
    ..LLAMA
};
const QWEN3: Family =
    Family { name: "qwen3", bias: Bias::AsSaid, normalized: true, own_head_dim: true, ..QWEN2 };
const GEMMA: Family =
    Family { name: "gemma", tied: true, own_head_dim: true, multi_head: false, ..LLAMA };
const GEMMA2: Family = Family { name: "gemma2", norms: 4, windows: Windows::Alternate, ..GEMMA };
const GEMMA3: Family =
    Family { name: "gemma3_text", normalized: true, windows: Windows::Pattern, ..GEMMA2 };
const DEEPSEEK: Family = Family { name: "deepseek", mixture: Mixture::DeepSeek, ..LLAMA };
const DEEPSEEK2: Family = Family { name: "deepseek_v2", latent: true, ..DEEPSEEK };

pub(super) const FAMILIES: [Family; 25] = [
    LLAMA,
    MISTRAL,
    Family { name: "mixtral", mixture: Mixture::Mixtral, ..MISTRAL },
    QWEN2,
    Family { name: "qwen2_moe", mixture: Mixture::Qwen, ..QWEN2 },
    QWEN3,
    Family { name: "qwen3_moe", mixture: Mixture::Qwen, ..QWEN3 },
    GEMMA,
    GEMMA2,
    GEMMA3,
    DEEPSEEK,
    DEEPSEEK2,
    Family { name: "deepseek_v3", ..DEEPSEEK2 },
    GPT2,
    // Positions 0 and 1 are those of padding.
    Family { name: "opt", bias: Bias::Unless("enable_bias"), positions: Table::Learned(2), ..GPT2 },
    Family { name: "gpt_bigcode", multi_query: true, ..GPT2 },
    Family { name: "starcoder2", positions: Table::Rotary, windows: Windows::All, ..GPT2 },
    FALCON,
    Family { name: "phi3", bias: Bias::Never, windows: Windows::All, ..LLAMA },
    GLM,
    Family { name: "glm4", norms: 4, ..GLM },
    BERT,
    Family { name: "distilbert", form: Form::Encoder { token_types: 0, pooler: false }, ..BERT },
    T5,
    Family { name: "mt5", tied: false, gated: true, ..T5 },
];
