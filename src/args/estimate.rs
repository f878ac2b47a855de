//! Arguments of `bigtpuprofile estimate`.

use std::path::{Path, PathBuf};

use bigtpu_machine::DataType;
use bigtpu_model::Semantics;
use bigtpu_predict::estimate::llm::Offload;
use bigtpu_session::estimate::{EstimateRequest, LlmRequest};
use clap::ValueEnum;
use clap_complete::ArgValueCompleter;

use super::out_dir::out_dir;
use super::sizes::Sizes;
use crate::args::lang::LangArgs;
use crate::args::llm::LlmArgs;
use crate::complete;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile estimate model.onnx --on aks,h100-sxm --dtype int8 --batch 4
      time and energy on an AKS and on an H100, side by side
  bigtpuprofile estimate cdm_profile_data_dev0-0 --on aksv,h100-sxm
      a measured run, predicted for other hardware
  bigtpuprofile estimate ops.json --on h100-sxm --map 'lm_head:PIM-AI-1chip,t' -o out
      all layers on an H100, except the last one, whose input is sent every time; out/estimate.html has a chart
  bigtpuprofile estimate --hf config.json --on h100-sxm --batch 8 --context 2048 --output-tokens 256 --tensor-parallel 1,2,4
      a language model: time to the first token and for each further one, memory, tokens/s

`bigtpuprofile estimate --list` shows the known machines. docs/prediction/estimate.md describes files for other \
    machines, formulas and assumptions, docs/prediction/llm.md language models.";

/// Estimate time, energy and bytes of a model on other hardware
///
/// The model is an op list (JSON), a torch profiler trace recorded with shapes, an ONNX model, a FlexFlow graph (.ff), a
/// language model (--hf), or a measured run: a dump directory or costs.json.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Op list, torch trace (.json, .json.gz), .onnx, .ff, dump directory or costs.json
    #[arg(required_unless_present_any = ["list", "hf"])]
    pub(crate) model: Option<PathBuf>,

    /// Targets: names of known machines, or YAML files that describe machines; several are compared
    #[arg(long, value_name = "MACHINE", value_delimiter = ',', add = ArgValueCompleter::new(complete::machines))]
    pub(crate) on: Vec<String>,

    /// Run a context, class or function on another machine: 'CONTEXT:MACHINE' or 'CONTEXT:MACHINE,FLAGS'; flag t sends its input every time, m once
    /// for all experts; may be given several times
    #[arg(long, value_name = "CONTEXT:MACHINE")]
    pub(crate) map: Vec<String>,

    /// Type of elements: fp32, tf32, fp16, bf16, fp8, int8, int4, ...
    #[arg(long, value_name = "TYPE")]
    pub(crate) dtype: Option<DataType>,

    /// Batch size: open first dimensions of an ONNX model; of recorded operators and runs, the sequences that they hold
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: Option<u32>,

    /// Last layer of a pass [default: lm_head]
    #[arg(long, alias = "last_layer", value_name = "CONTEXT")]
    pub(crate) last_layer: Option<String>,

    /// Heads of keys and values, if fewer than recorded (grouped-query attention)
    #[arg(long, alias = "kv_heads", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) kv_heads: Option<u32>,

    /// Rows of keys and values that a query attends to (sliding window)
    #[arg(long, alias = "sliding_window", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) sliding_window: Option<u32>,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// Kind of parts of a measured run: layer, scope or kernel [default: the first of these that there is]
    #[arg(long, value_name = "KIND")]
    pub(crate) parts: Option<String>,

    /// Phase of a measured run: prefill or decode [default: both]
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,

    /// Use the formulas of another tool, including its errors
    #[arg(long, value_enum, value_name = "TOOL")]
    pub(crate) compat: Option<Compat>,

    /// Print all operators and totals as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Write estimate.html and estimate.json there (with --hf, llm.html and llm.json)
    #[arg(short, long = "out", value_name = "DIR", value_parser = out_dir())]
    pub(crate) out: Option<PathBuf>,

    /// List the known machines with their peaks and the sources of the numbers
    #[arg(long, conflicts_with_all = ["model", "on", "map", "hf", "json", "out"])]
    pub(crate) list: bool,

    #[command(flatten)]
    pub(crate) llm: LlmArgs,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// A tool whose formulas are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compat {
    /// The UPMEM LLM framework
    Upmem,
}

impl Args {
    /// Whose formulas.
    pub(crate) fn semantics(&self) -> Semantics {
        match self.compat {
            Some(Compat::Upmem) => Semantics::Upmem,
            None => Semantics::Own,
        }
    }

    /// What is asked for of a model.
    pub(crate) fn request(&self, model: &Path) -> EstimateRequest {
        EstimateRequest {
            model: model.to_owned(),
            on: self.on.clone(),
            map: self.map.clone(),
            data_type: self.dtype,
            batch: self.batch,
            last_layer: self.last_layer.clone(),
            kv_heads: self.kv_heads,
            sliding_window: self.sliding_window,
            sizes: (&self.sizes).into(),
            parts: self.parts.clone(),
            phase: self.phase.clone(),
            calibrate: self.llm.calibrate.clone(),
            semantics: self.semantics(),
            out: self.out.clone(),
        }
    }

    /// What is asked for of a language model.
    pub(crate) fn llm_request(&self, file: &Path) -> LlmRequest {
        let llm = &self.llm;
        LlmRequest {
            file: file.to_owned(),
            on: self.on.clone(),
            data_type: self.dtype,
            batch: self.batch.unwrap_or(1),
            context: llm.context,
            output_tokens: llm.output_tokens,
            tensor_parallel: llm.tensor_parallel.clone(),
            pipeline_parallel: llm.pipeline_parallel.clone(),
            expert_parallel: llm.expert_parallel.clone(),
            weight_types: llm.weight_dtype.clone(),
            kv_type: llm.kv_dtype,
            head_type: llm.head_dtype,
            link_gbps: llm.link_gbps,
            link_latency: llm.link_latency,
            memory: llm.memory,
            draft: llm.draft.clone(),
            draft_tokens: llm.draft_tokens,
            acceptance: llm.acceptance,
            offload: Offload {
                weights: llm.offload_weights,
                cache: llm.offload_cache,
                gbps: llm.host_gbps,
            },
            calibrate: llm.calibrate.clone(),
            out: self.out.clone(),
        }
    }
}
