//! Arguments of `bigtpuprofile whatif`.

use std::path::PathBuf;

use bigtpu_replay::ResourceChange;
use bigtpu_session::whatif::{Cache, WhatifRequest};

use clap_complete::ArgValueCompleter;

use crate::args::lang::LangArgs;
use crate::args::out_dir::out_dir;
use crate::args::views::{Arch, chip};
use crate::complete;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile synth demo && bigtpuprofile whatif demo
      critical path and sensitivity: the predicted time with one part faster, for each part
  bigtpuprofile whatif demo --scale ddr=2 --scale 'kernel:matmul*=0.5' -o demo_whatif
      twice the DDR bandwidth and matmuls in half their time; demo_whatif/whatif.html is the page of the measured and the \
    predicted run, whatif.pftrace has both on one time line
  bigtpuprofile whatif demo --lanes 32
      half the lanes: each command's time by the rules of simulate, for it and for the other chip
  bigtpuprofile whatif demo --cache 16
      a cache of 16 MiB for constants such as weights

--scale takes a factor of speed for tiu, gdma, sdma and cdma and of bandwidth for ddr, l2m and link (2 is twice as fast), \
    and a factor of time (2 is twice as long) for launch (gaps between launches), sync (hand-overs between engines), core:N (all work of a core) and \
    kernel:NAME and layer:NAME (all work of the matching kernels, or layers of a static model, with * and ?). The tab What-if \
    of result.html predicts the same while one moves sliders. docs/prediction.md describes assumptions and errors.";

/// Predict the time of a run with faster parts; show its critical path
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Dump directory
    pub(crate) dump: PathBuf,

    /// Scale a part: ddr=2 is twice the bandwidth, tiu=2 twice as fast, kernel:matmul*=0.5 half the time (see below); may be given
    /// several times
    #[arg(
        long = "scale",
        value_name = "WHAT=FACTOR",
        add = ArgValueCompleter::new(complete::scaled)
    )]
    pub(crate) scale: Vec<ResourceChange>,

    /// Hardware to predict for: a file with roofs or a machine, or the name of a preset
    #[arg(long, value_name = "FILE")]
    pub(crate) hw: Option<PathBuf>,

    /// TIU clock to predict for, in MHz
    #[arg(long = "tiu_freq", alias = "tiu-freq", value_name = "MHZ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tiu_freq: Option<u64>,

    /// The same commands on another chip of the same command set, such as aksv for a dump of AKS
    #[arg(long, value_name = "CHIP", value_parser = chip)]
    pub(crate) chip: Option<Arch>,

    /// The same commands on a chip with so many lanes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) lanes: Option<u64>,

    /// The same commands on a chip whose lanes handle so many bytes a cycle
    #[arg(long = "line", value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub(crate) line: Option<u64>,

    /// A cache of constants of so many MiB in front of the DDR: what was loaded before, fits and is not written by the run comes
    /// from it, at the bandwidth of the L2M, or at the given one in GB/s
    #[arg(long, value_name = "MIB[@GB/S]", conflicts_with_all = ["chip", "lanes", "line"])]
    pub(crate) cache: Option<Cache>,

    /// Show the sensitivity to each part (default without --scale)
    #[arg(long)]
    pub(crate) sensitivity: bool,

    /// Write whatif.json, whatif.html (the page of both runs) and whatif.pftrace (both runs on one time line)
    #[arg(short, long = "out", value_name = "DIR", value_parser = out_dir())]
    pub(crate) out: Option<PathBuf>,

    /// Host trace to merge into whatif.pftrace
    #[arg(long = "trace_file", alias = "trace-file", value_name = "FILE", requires = "out")]
    pub(crate) trace_file: Option<PathBuf>,

    /// Print only whatif.json, on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

impl Args {
    /// What is asked for.
    pub(crate) fn request(&self) -> WhatifRequest {
        WhatifRequest {
            dump: self.dump.clone(),
            changes: self.scale.clone(),
            tiu_mhz: self.tiu_freq,
            hardware: self.hw.clone(),
            chip: self.chip.map(Arch::chip),
            lanes: self.lanes,
            line: self.line,
            cache: self.cache,
            sensitivity: self.sensitivity,
            out: self.out.clone(),
            host: self.trace_file.clone(),
        }
    }
}
