//! Arguments of `bigtpuprofile search`.

use std::path::PathBuf;

use bigtpu_predict::search::Start;
use bigtpu_session::search::SearchRequest;
use clap_complete::ArgValueCompleter;

use super::lang::LangArgs;
use super::out_dir::out_dir;
use super::sizes::Sizes;
use crate::complete;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile search model.ff --input-shape 64,3,224,224 --machine 1x4 --on h100-sxm --enable-parameter-parallel
      a strategy for four devices; times of operators are estimated from the chip's peaks
  bigtpuprofile search graph.json --budget 20000 --alpha 5 --seed 1 --export best.strategy --taskgraph tasks.dot
      operators with given costs, on the machine of the file
  bigtpuprofile search costs.json --machine 1x8 --link-gbps 50 --link-latency 1500 --memory 16000000000 -o out
      measured layers: stages and tensor parallelism, found exactly and shown as a pipeline";

/// Search how to split a model over devices
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Operator graph (JSON with costs, .ff or .onnx), or costs.json of a dump: a chain of layers
    pub(crate) graph: PathBuf,

    /// Nodes x devices of each, such as 2x4, or a machine file [default: the graph's own]
    #[arg(long, value_name = "NxD|FILE")]
    pub(crate) machine: Option<String>,

    /// Size of the first dimension of an ONNX model's inputs, where the model leaves it open
    #[arg(long, value_name = "N")]
    pub(crate) batch: Option<u32>,

    #[command(flatten)]
    pub(crate) sizes: Sizes,

    /// Bandwidth of a link between two devices in GB/s, one direction [default: what a dump measured, else what is published of the device]
    #[arg(long = "link-gbps", alias = "link_gbps", value_name = "GB/S")]
    pub(crate) link_gbps: Option<f64>,

    /// Latency of such a link in ns [default: what is published of the device, else 0]
    #[arg(long = "link-latency", alias = "link_latency", value_name = "NS")]
    pub(crate) link_latency: Option<f64>,

    /// Bytes that each part of a measured run hands on, where its costs.json does not say
    #[arg(long = "handed-bytes", alias = "handed_bytes", value_name = "BYTES")]
    pub(crate) handed_bytes: Option<u64>,

    /// Each device: name of a known machine, or a file that describes it [default: aks]
    #[arg(long, value_name = "MACHINE", add = ArgValueCompleter::new(complete::machines))]
    pub(crate) on: Option<String>,

    /// Data type of estimated operators [default: float16]
    #[arg(long, value_name = "TYPE")]
    pub(crate) dtype: Option<String>,

    /// Proposals per chain [default: 20000]
    #[arg(long, visible_alias = "search-budget", value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Acceptance of worse strategies: with probability exp(-A x ms) [default: 1/e for a strategy that is 2 % slower]
    #[arg(long, visible_alias = "search-alpha", value_name = "A")]
    pub(crate) alpha: Option<f64>,

    /// Seed of the random numbers [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,

    /// Where chains start: one-device, data-parallel, model-parallel, dynamic-programming, random [default: all but random]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(crate) starts: Vec<StartName>,

    /// Start a chain from this strategy, too (FlexFlow's text or .pb, or JSON)
    #[arg(long, visible_aliases = ["import-strategy"], alias = "import_strategy", value_name = "FILE")]
    pub(crate) import: Option<PathBuf>,

    /// Write the best strategy there as FlexFlow's text
    #[arg(long, visible_aliases = ["export-strategy"], alias = "export_strategy", value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,

    /// Simulate this strategy without a search
    #[arg(long, value_name = "FILE")]
    pub(crate) evaluate: Option<PathBuf>,

    /// Split the batch only, over all devices
    #[arg(long = "only-data-parallel", alias = "only_data_parallel")]
    pub(crate) only_data_parallel: bool,

    /// Split channels of linear operators and embeddings, too
    #[arg(long = "enable-parameter-parallel", alias = "enable_parameter_parallel")]
    pub(crate) enable_parameter_parallel: bool,

    /// Split heights of images, too
    #[arg(long = "enable-attribute-parallel", alias = "enable_attribute_parallel")]
    pub(crate) enable_attribute_parallel: bool,

    /// Also copy the split and devices of neighbours
    #[arg(long = "enable-propagation", alias = "enable_propagation")]
    pub(crate) enable_propagation: bool,

    /// Synchronize weights during computation, not at the end
    #[arg(long)]
    pub(crate) overlap: bool,

    /// Simulate backward passes as well
    #[arg(long)]
    pub(crate) training: bool,

    /// Memory of a device in bytes; needed for several devices [default: what is published of the device]
    #[arg(long, value_name = "BYTES", conflicts_with = "ignore_memory")]
    pub(crate) memory: Option<u64>,

    /// Plan whatever memory the devices have
    #[arg(long = "ignore-memory", alias = "ignore_memory")]
    pub(crate) ignore_memory: bool,

    /// Write the best strategy's task graph there, in Graphviz's DOT language
    #[arg(long, value_name = "FILE")]
    pub(crate) taskgraph: Option<PathBuf>,

    /// Write the graph of operators there, in DOT
    #[arg(long, value_name = "FILE")]
    pub(crate) compgraph: Option<PathBuf>,

    /// Kind of parts to take from costs.json: layer, scope or kernel
    #[arg(long, value_name = "KIND")]
    pub(crate) parts: Option<String>,

    /// Phase of the parts to take from costs.json: prefill or decode
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<String>,

    /// Microbatches of a measured run that follow each other; each is one measured pass [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) microbatches: Option<u32>,

    /// Rules of another program: flexflow2018
    #[arg(long, value_name = "NAME")]
    pub(crate) compat: Option<CompatName>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// For chains: write pipeline.svg, pipeline.html and pipeline.pftrace there
    #[arg(short, long = "out", value_name = "DIR", value_parser = out_dir())]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// Where a chain starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StartName {
    /// The batch over all devices
    DataParallel,
    /// Each operator on one device, one after the other
    ModelParallel,
    /// Everything on one device
    OneDevice,
    /// What dynamic programming over the operators finds
    DynamicProgramming,
    /// Anything
    Random,
}

/// Whose rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CompatName {
    /// FlexFlow's standalone simulator of 2018
    Flexflow2018,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> SearchRequest {
        SearchRequest {
            graph: self.graph.clone(),
            machine: self.machine.clone(),
            batch: self.batch,
            sizes: (&self.sizes).into(),
            link_gbps: self.link_gbps,
            link_latency: self.link_latency,
            handed_bytes: self.handed_bytes,
            on: self.on.clone(),
            data_type: self.dtype.clone(),
            budget: self.budget,
            alpha: self.alpha,
            seed: self.seed,
            starts: self.starts.iter().map(|start| (*start).into()).collect(),
            import: self.import.clone(),
            export: self.export.clone(),
            evaluate: self.evaluate.clone(),
            only_data_parallel: self.only_data_parallel,
            parameter_parallel: self.enable_parameter_parallel,
            attribute_parallel: self.enable_attribute_parallel,
            propagation: self.enable_propagation,
            overlap: self.overlap,
            training: self.training,
            memory: self.memory,
            ignore_memory: self.ignore_memory,
            taskgraph: self.taskgraph.clone(),
            compgraph: self.compgraph.clone(),
            parts: self.parts.clone(),
            phase: self.phase.clone(),
            microbatches: self.microbatches,
            flexflow_2018: self.compat == Some(CompatName::Flexflow2018),
            out: self.out.clone(),
        }
    }
}

impl From<StartName> for Start {
    fn from(name: StartName) -> Self {
        match name {
            StartName::DataParallel => Self::DataParallel,
            StartName::ModelParallel => Self::ModelParallel,
            StartName::OneDevice => Self::OneDevice,
            StartName::DynamicProgramming => Self::DynamicProgramming,
            StartName::Random => Self::Random,
        }
    }
}
