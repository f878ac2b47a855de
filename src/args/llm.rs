//! Arguments of `bigtpuprofile estimate --hf`.

use std::path::PathBuf;

use bigtpu_machine::DataType;
use bigtpu_messages::error_message;

use super::lang::of_process;

/// What a language model is asked, and how it is divided.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Language models")]
pub(crate) struct LlmArgs {
    /// Estimate a language model: its config.json of Hugging Face, or the directory that holds it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["map", "last_layer", "kv_heads", "sliding_window", "input_shape", "dim", "input_value", "unknown_as_memory", "parts", "phase", "compat"])]
    pub(crate) hf: Option<PathBuf>,

    /// Tokens of each prompt
    #[arg(long, value_name = "N", default_value_t = 1024, requires = "hf", value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    pub(crate) context: u32,

    /// Tokens that are generated for each prompt [default: 128; none by an encoder]
    #[arg(long = "output-tokens", alias = "output_tokens", value_name = "N", requires = "hf", value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub(crate) output_tokens: Option<u32>,

    /// Devices that share each matrix; several values are compared
    #[arg(long = "tensor-parallel", alias = "tensor_parallel", value_name = "N,...", value_delimiter = ',', default_value = "1", requires = "hf", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) tensor_parallel: Vec<u32>,

    /// Stages of consecutive layers; several values are compared
    #[arg(long = "pipeline-parallel", alias = "pipeline_parallel", value_name = "N,...", value_delimiter = ',', default_value = "1", requires = "hf", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) pipeline_parallel: Vec<u32>,

    /// Groups of devices among which experts and sequences are divided; several values are compared
    #[arg(long = "expert-parallel", alias = "expert_parallel", value_name = "N,...", value_delimiter = ',', default_value = "1", requires = "hf", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) expert_parallel: Vec<u32>,

    /// Type of the layers' matrices; several are compared [default: what the file says, else --dtype]
    #[arg(
        long = "weight-dtype",
        alias = "weight_dtype",
        value_name = "TYPE,...",
        value_delimiter = ',',
        requires = "hf"
    )]
    pub(crate) weight_dtype: Vec<DataType>,

    /// Type of `lm_head`, the product with the vocabulary [default: what the file says, else --dtype]
    #[arg(long = "head-dtype", alias = "head_dtype", value_name = "TYPE", requires = "hf")]
    pub(crate) head_dtype: Option<DataType>,

    /// Type of stored keys and values [default: --dtype]
    #[arg(long = "kv-dtype", alias = "kv_dtype", value_name = "TYPE", requires = "hf")]
    pub(crate) kv_dtype: Option<DataType>,

    /// Bandwidth of a link between two devices in GB/s, one direction [default: what is published of the target]
    #[arg(long = "link-gbps", alias = "link_gbps", value_name = "GB/S", requires = "hf")]
    pub(crate) link_gbps: Option<f64>,

    /// Latency of such a link in ns [default: what is published of the target, else 0]
    #[arg(long = "link-latency", alias = "link_latency", value_name = "NS", requires = "hf")]
    pub(crate) link_latency: Option<f64>,

    /// Memory of a device in bytes [default: what the target's description says]
    #[arg(long, value_name = "BYTES", requires = "hf")]
    pub(crate) memory: Option<u64>,

    /// Speculative decoding: config.json of a smaller model that proposes tokens, or the directory that holds it
    #[arg(long, value_name = "FILE", requires = "hf", requires = "acceptance")]
    pub(crate) draft: Option<PathBuf>,

    /// Tokens that the smaller model proposes in each step (gamma)
    #[arg(long = "draft-tokens", alias = "draft_tokens", value_name = "N", default_value_t = 4, requires = "draft", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) draft_tokens: u32,

    /// Probability that a proposed token is accepted (alpha), 0 to 1
    #[arg(long, value_name = "SHARE", requires = "draft", value_parser = share)]
    pub(crate) acceptance: Option<f64>,

    /// Share of the layers' weights that the host keeps and each pass loads, 0 to 1
    #[arg(long = "offload-weights", alias = "offload_weights", value_name = "SHARE", default_value = "0", requires = "hf", value_parser = share)]
    pub(crate) offload_weights: f64,

    /// Share of the keys and values that the host keeps and each token loads, 0 to 1
    #[arg(long = "offload-cache", alias = "offload_cache", value_name = "SHARE", default_value = "0", requires = "hf", value_parser = share)]
    pub(crate) offload_cache: f64,

    /// Bandwidth between host and device in GB/s, one direction [default: what is published of the target]
    #[arg(long = "host-gbps", alias = "host_gbps", value_name = "GB/S", requires = "hf", value_parser = rate)]
    pub(crate) host_gbps: Option<f64>,

    /// Follow one's own measurements: a list of measured rows (JSON); of a language model also a dump, whose shares of the roofs count
    /// for targets of the same chip
    #[arg(long, value_name = "ROWS|DUMP")]
    pub(crate) calibrate: Option<PathBuf>,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| error_message!("problem-share-number").text(of_process()))
}

/// A number above 0.
fn rate(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| error_message!("problem-rate").text(of_process()))
}
