//! Arguments of `bigtpuprofile costs`.

use std::path::PathBuf;

use bigtpu_session::costs::{CostsRequest, PhaseMarker, ScopeRule};

use super::lang::LangArgs;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile synth demo && bigtpuprofile costs demo -o costs.json
      the cost of one execution of each kernel; next: bigtpuprofile pipeline --costs costs.json --stages 4 --microbatches 8
  bigtpuprofile costs demo --scope 'matmul.*|flash_attention=matrix' --scope '.*=vector' --drop-warmup 1 --hw h100-sxm
      kernels in groups, without the first execution of each, with the energy that an H100 would need

A phase marker is the start of decode: the number of an execution (from 0), the name of a kernel or layer (* and ? \
    allowed), after:NAME for the end of that part, or host:NAME for an event of --trace_file. docs/prediction/costs.md has the \
    definitions.";

/// Measure the cost of one execution of each kernel, layer or scope
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directories; executions of the same part on the same chip and number of cores are averaged
    #[arg(required = true, value_name = "DUMP")]
    pub(crate) dumps: Vec<PathBuf>,

    /// File for the result, or a directory for costs.json
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Group consecutive parts with matching names: 'REGEX=NAME', such as 'l([0-9]+)_.*=block$1'; may be given several times, the first
    /// matching rule counts
    #[arg(long, value_name = "REGEX=NAME")]
    pub(crate) scope: Vec<ScopeRule>,

    /// Split prefill from decode: number of an execution, NAME, after:NAME or host:NAME
    #[arg(long = "phase-marker", alias = "phase_marker", value_name = "MARKER")]
    pub(crate) phase_marker: Option<PhaseMarker>,

    /// Host trace with the event of a phase marker
    #[arg(
        long = "trace_file",
        alias = "trace-file",
        value_name = "FILE",
        requires = "phase_marker"
    )]
    pub(crate) trace_file: Option<PathBuf>,

    /// Leave out the first N executions of each part of each dump
    #[arg(long = "drop-warmup", alias = "drop_warmup", value_name = "N", default_value_t = 0)]
    pub(crate) drop_warmup: u64,

    /// Passes of the model in each dump; pipelines and plans start from one pass
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) passes: u64,

    /// Machine whose energies are used: a file, or the name of a preset
    #[arg(long, value_name = "FILE")]
    pub(crate) hw: Option<PathBuf>,

    /// Print only costs.json, on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> CostsRequest {
        CostsRequest {
            dumps: self.dumps.clone(),
            scopes: self.scope.clone(),
            marker: self.phase_marker.clone(),
            host: self.trace_file.clone(),
            drop_warmup: self.drop_warmup,
            passes: self.passes,
            hardware: self.hw.clone(),
            out: self.out.clone(),
        }
    }
}
