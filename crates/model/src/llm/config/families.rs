//! The families of models whose operators are known, as a table.

use crate::llm::architecture::Norm;
use crate::llm::config::family::{
    Biases, Family, Form, Keys, Mixture, Rule, Shared, Table, Windows,
};

const AS_SAID: Rule = Rule::If("attention_bias");
/// All products have a bias, or none.
const fn all_if(rule: Rule) -> Biases {
    Biases::attention(rule, rule)
}

const MIXTRAL_EXPERTS: Mixture = Mixture {
    count: "num_local_experts",
    per_token: "num_experts_per_tok",
    inner: "intermediate_size",
    shared: Shared::Nothing,
    first: None,
    every: "moe_layer_freq",
    is_last: false,
    is_optional: false,
    bias: false,
};
const QWEN_EXPERTS: Mixture = Mixture {
    count: "num_experts",
    inner: "moe_intermediate_size",
    shared: Shared::Gated("shared_expert_intermediate_size"),
    every: "decoder_sparse_step",
    is_last: true,
    ..MIXTRAL_EXPERTS
};
const DEEPSEEK_EXPERTS: Mixture = Mixture {
    count: "n_routed_experts",
    inner: "moe_intermediate_size",
    shared: Shared::Experts("n_shared_experts"),
    first: Some("first_k_dense_replace"),
    is_optional: true,
    ..MIXTRAL_EXPERTS
};

const LLAMA: Family = Family {
    name: "llama",
    tied: false,
    biases: Biases::attention(AS_SAID, Rule::If("mlp_bias")),
    normalized: Rule::Never,
    norms: 2,
    parallel: Rule::Never,
    windows: Windows::Never,
    mixture: None,
    own_head_dim: false,
    multi_head: true,
    keys: Keys::Heads,
    norm: Norm::Rms,
    positions: Table::Rotary,
    gated: true,
    inner: "intermediate_size",
    four_times: false,
    multi_query: false,
    form: Form::Decoder,
    usual: &[
        ("hidden_size", 4096),
        ("intermediate_size", 11_008),
        ("num_hidden_layers", 32),
        ("num_attention_heads", 32),
        ("vocab_size", 32_000),
    ],
};
const GPT2: Family = Family {
    name: "gpt2",
    tied: true,
    biases: all_if(Rule::Unless("use_bias")),
    norm: Norm::Layer,
    positions: Table::Learned(0),
    gated: false,
    four_times: true,
    usual: &[],
    ..LLAMA
};
const BLOOM: Family = Family { name: "bloom", positions: Table::Distances, ..GPT2 };
const FALCON: Family = Family {
    name: "falcon",
    biases: all_if(Rule::If("bias")),
    parallel: Rule::Unless("parallel_attn"),
    positions: Table::RotaryOrDistances,
    multi_query: true,
    ..GPT2
};
const GPT_NEOX: Family = Family {
    name: "gpt_neox",
    tied: false,
    biases: Biases::attention(Rule::Unless("attention_bias"), Rule::Always),
    positions: Table::Rotary,
    ..GPT2
};
const PHI: Family = Family {
    name: "phi",
    biases: all_if(Rule::Always),
    normalized: Rule::If("qk_layernorm"),
    norms: 1,
    ..GPT_NEOX
};
const BERT: Family = Family {
    name: "bert",
    biases: all_if(Rule::Always),
    positions: Table::LearnedOr(512),
    four_times: false,
    form: Form::Encoder { token_types: 2, pooler: true },
    ..GPT2
};
const T5: Family = Family {
    name: "t5",
    tied: true,
    biases: all_if(Rule::Never),
    own_head_dim: true,
    positions: Table::Relative,
    gated: false,
    form: Form::EncoderDecoder,
    usual: &[],
    ..LLAMA
};
/// Queries, keys and values have a bias where `attention_bias` says so, what follows has none.
const INPUTS_AS_SAID: Biases =
    Biases { inputs: AS_SAID, output: Rule::Never, feed_forward: Rule::If("mlp_bias") };
const GLM: Family =
    Family { name: "glm", biases: INPUTS_AS_SAID, multi_head: false, usual: &[], ..LLAMA };
const MISTRAL: Family = Family {
    name: "mistral",
    biases: Biases::attention(Rule::Never, Rule::If("mlp_bias")),
    windows: Windows::All,
    multi_head: false,
    usual: &[
        ("hidden_size", 4096),
        ("intermediate_size", 14_336),
        ("num_hidden_layers", 32),
        ("num_attention_heads", 32),
        ("num_key_value_heads", 8),
        ("vocab_size", 32_000),
    ],
    ..LLAMA
};
const MIXTRAL: Family =
    Family { name: "mixtral", mixture: Some(MIXTRAL_EXPERTS), usual: &[], ..MISTRAL };
const QWEN2: Family = Family {
    name: "qwen2",
    biases: Biases {
        inputs: Rule::Always,
        output: Rule::Never,
        feed_forward: Rule::If("mlp_bias"),
    },
    windows: Windows::Last,
    multi_head: false,
    usual: &[
        ("hidden_size", 4096),
        ("intermediate_size", 22_016),
        ("num_hidden_layers", 32),
        ("num_attention_heads", 32),
        ("num_key_value_heads", 32),
        ("vocab_size", 151_936),
    ],
    ..LLAMA
};
const QWEN3: Family = Family {
    name: "qwen3",
    biases: LLAMA.biases,
    normalized: Rule::Always,
    own_head_dim: true,
    ..QWEN2
};
const GEMMA: Family = Family {
    name: "gemma",
    tied: true,
    own_head_dim: true,
    multi_head: false,
    usual: &[
        ("hidden_size", 3072),
        ("intermediate_size", 24_576),
        ("num_hidden_layers", 28),
        ("num_attention_heads", 16),
        ("num_key_value_heads", 16),
        ("head_dim", 256),
        ("vocab_size", 256_000),
    ],
    ..LLAMA
};
const GEMMA2: Family = Family {
    name: "gemma2",
    norms: 4,
    windows: Windows::Alternate,
    usual: &[
        ("hidden_size", 2304),
        ("intermediate_size", 9216),
        ("num_hidden_layers", 26),
        ("num_attention_heads", 8),
        ("num_key_value_heads", 4),
        ("head_dim", 256),
        ("vocab_size", 256_000),
        ("sliding_window", 4096),
    ],
    ..GEMMA
};
const GEMMA3: Family = Family {
    name: "gemma3_text",
    normalized: Rule::Always,
    windows: Windows::Pattern,
    usual: &[
        ("hidden_size", 2304),
        ("intermediate_size", 9216),
        ("num_hidden_layers", 26),
        ("num_attention_heads", 8),
        ("num_key_value_heads", 4),
        ("head_dim", 256),
        ("vocab_size", 262_208),
        ("sliding_window", 4096),
        ("sliding_window_pattern", 6),
    ],
    ..GEMMA2
};
const DEEPSEEK: Family =
    Family { name: "deepseek", mixture: Some(DEEPSEEK_EXPERTS), usual: &[], ..LLAMA };
const DEEPSEEK2: Family = Family { name: "deepseek_v2", keys: Keys::Latent, ..DEEPSEEK };
const COHERE: Family = Family {
    name: "cohere",
    tied: true,
    normalized: Rule::If("use_qk_norm"),
    norms: 1,
    norm: Norm::Layer,
    usual: &[],
    ..LLAMA
};
const OLMO2: Family = Family { name: "olmo2", normalized: Rule::Always, usual: &[], ..LLAMA };

pub(super) const FAMILIES: &[Family] = &[
    LLAMA,
    MISTRAL,
    MIXTRAL,
    QWEN2,
    Family { name: "qwen2_moe", mixture: Some(QWEN_EXPERTS), ..QWEN2 },
    QWEN3,
    Family { name: "qwen3_moe", mixture: Some(QWEN_EXPERTS), ..QWEN3 },
    GEMMA,
    GEMMA2,
    GEMMA3,
    DEEPSEEK,
    DEEPSEEK2,
    Family { name: "deepseek_v3", ..DEEPSEEK2 },
    Family {
        name: "minicpm3",
        tied: true,
        mixture: None,
        keys: Keys::LatentWithValuesOfStream,
        ..DEEPSEEK2
    },
    GPT2,
    // Positions 0 and 1 are those of padding.
    Family {
        name: "opt",
        biases: all_if(Rule::Unless("enable_bias")),
        positions: Table::Learned(2),
        ..GPT2
    },
    Family { name: "gpt_bigcode", multi_query: true, ..GPT2 },
    Family {
        name: "starcoder2",
        biases: all_if(Rule::Unless("use_bias")),
        positions: Table::Rotary,
        windows: Windows::All,
        ..GPT2
    },
    Family {
        name: "gptj",
        biases: Biases::attention(Rule::Never, Rule::Always),
        norms: 1,
        ..GPT_NEOX
    },
    GPT_NEOX,
    PHI,
    BLOOM,
    Family { name: "mpt", biases: all_if(Rule::Never), ..BLOOM },
    FALCON,
    Family {
        name: "phi3",
        biases: Biases::attention(Rule::Never, Rule::If("mlp_bias")),
        windows: Windows::All,
        ..LLAMA
    },
    Family {
        name: "phimoe",
        biases: Biases::attention(AS_SAID, Rule::Never),
        norm: Norm::Layer,
        ..MIXTRAL
    },
    GLM,
    Family { name: "glm4", norms: 4, ..GLM },
    Family {
        name: "glm4_moe",
        normalized: Rule::If("use_qk_norm"),
        mixture: Some(DEEPSEEK_EXPERTS),
        ..GLM
    },
    Family { name: "dots1", normalized: Rule::Always, mixture: Some(DEEPSEEK_EXPERTS), ..GLM },
    Family {
        name: "bailing_moe",
        biases: Biases {
            inputs: Rule::If("use_qkv_bias"),
            output: Rule::If("use_bias"),
            feed_forward: Rule::Never,
        },
        normalized: Rule::If("use_qk_norm"),
        mixture: Some(Mixture {
            count: "num_experts",
            shared: Shared::Experts("num_shared_experts"),
            ..DEEPSEEK_EXPERTS
        }),
        ..GLM
    },
    Family {
        name: "gpt_oss",
        biases: Biases::attention(Rule::Unless("attention_bias"), Rule::Always),
        windows: Windows::Alternate,
        mixture: Some(Mixture { bias: true, ..MIXTRAL_EXPERTS }),
        own_head_dim: true,
        ..GLM
    },
    Family {
        name: "llama4_text",
        biases: LLAMA.biases,
        windows: Windows::Chunks,
        mixture: Some(Mixture {
            shared: Shared::One,
            every: "interleave_moe_layer_step",
            is_last: true,
            ..MIXTRAL_EXPERTS
        }),
        own_head_dim: true,
        inner: "intermediate_size_mlp",
        ..GLM
    },
    Family {
        name: "minimax_m2",
        normalized: Rule::If("use_qk_norm"),
        mixture: Some(MIXTRAL_EXPERTS),
        own_head_dim: true,
        ..GLM
    },
    Family {
        name: "olmoe",
        normalized: Rule::Always,
        mixture: Some(Mixture { count: "num_experts", ..MIXTRAL_EXPERTS }),
        ..OLMO2
    },
    Family { name: "granitemoe", tied: true, mixture: Some(MIXTRAL_EXPERTS), ..GLM },
    Family {
        name: "ernie4_5_moe",
        tied: true,
        biases: all_if(Rule::If("use_bias")),
        mixture: Some(Mixture {
            count: "moe_num_experts",
            per_token: "moe_k",
            inner: "moe_intermediate_size",
            shared: Shared::Experts("moe_num_shared_experts"),
            first: Some("moe_layer_start_index"),
            every: "moe_layer_interval",
            is_last: true,
            ..DEEPSEEK_EXPERTS
        }),
        ..GLM
    },
    Family { name: "ernie4_5", tied: true, biases: all_if(Rule::If("use_bias")), ..GLM },
    Family { name: "granite", tied: true, ..LLAMA },
    Family { name: "smollm3", tied: true, ..GLM },
    Family {
        name: "seed_oss",
        biases: Biases {
            inputs: AS_SAID,
            output: Rule::If("attention_out_bias"),
            feed_forward: Rule::If("mlp_bias"),
        },
        own_head_dim: true,
        ..GLM
    },
    Family {
        name: "internlm3",
        biases: Biases {
            inputs: Rule::If("qkv_bias"),
            output: Rule::If("bias"),
            feed_forward: Rule::If("bias"),
        },
        ..GLM
    },
    Family { name: "nemotron", biases: LLAMA.biases, norm: Norm::Layer, gated: false, ..GLM },
    Family {
        name: "stablelm",
        biases: Biases {
            inputs: Rule::If("use_qkv_bias"),
            output: Rule::Never,
            feed_forward: Rule::Never,
        },
        normalized: Rule::If("qk_layernorm"),
        parallel: Rule::If("use_parallel_residual"),
        norm: Norm::Layer,
        ..LLAMA
    },
    COHERE,
    Family { name: "cohere2", normalized: Rule::Never, windows: Windows::Pattern, ..COHERE },
    Family { name: "olmo", norm: Norm::Layer, ..LLAMA },
    OLMO2,
    Family { name: "olmo3", windows: Windows::Pattern, ..OLMO2 },
    Family { name: "exaone4", windows: Windows::Pattern, ..OLMO2 },
    BERT,
    Family { name: "distilbert", form: Form::Encoder { token_types: 0, pooler: false }, ..BERT },
    T5,
    Family { name: "mt5", tied: false, gated: true, ..T5 },
];

/// Models some of whose layers keep a state of a fixed size instead of keys and values (linear attention, state space).
pub(super) const WITH_STATES: &[&str] = &[
    "mamba",
    "mamba2",
    "falcon_mamba",
    "falcon_h1",
    "codestral_mamba",
    "jamba",
    "bamba",
    "zamba",
    "zamba2",
    "nemotron_h",
    "granitemoehybrid",
    "recurrent_gemma",
    "rwkv",
    "rwkv5",
    "rwkv6",
    "rwkv7",
    "lfm2",
    "minimax",
    "minimax_text_01",
    "qwen3_next",
    "qwen3_5",
    "qwen3_5_text",
    "kimi_linear",
];
