//! Arguments of `bigtpuprofile synth`.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;
use bigtpu_messages::message;
use bigtpu_session::synthetic::{Request, What};
use bigtpu_synth::{
    ChipSpeeds, ClusterOptions, ClusterPlant, NoPlant, Options, Plant, PlantedPauses, Style,
    Writer, kernel_names,
};
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;

use super::lang::LangArgs;
use super::synth_cluster::ClusterArgs;
use crate::exit::failed;

const AFTER_HELP: &str = "\
Examples:
  bigtpuprofile synth demo && bigtpuprofile demo demo_out --perfetto
      an example dump, and its analysis
  bigtpuprofile synth big --launches 20000 --cores 8 --mode 2
      a large dump
  bigtpuprofile synth model --writer model-rt
      a dump in the form of the model runtime: its keys, files, barriers and copies
  bigtpuprofile synth slow --plant imbalance=2:1.5 --plant slow-kernel=rope:3
      a dump with faults that an analysis should find
  bigtpuprofile synth model --style bmodel --bmodel model.bmodel --cmodel commands
      a static model as a dump, as a .bmodel and as command files: simulate gives all three the same times
  bigtpuprofile synth run --cluster 8 --plant late-rank=3:1.3
      the dumps of 8 connected devices, one of them slow

The same options give the same bytes.";

/// Write a synthetic dump: for demos, tests and measurements
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Directory for the dump; new or empty
    pub(crate) out: PathBuf,

    /// Runtime in whose form the dump is written
    #[arg(long, value_name = "RUNTIME", default_value = "plain")]
    writer: WriterArg,

    /// Chip; by default aks, with --writer libsophon cv84x6
    #[arg(long, value_name = "CHIP", value_parser = ["aks", "aksv", "bm1688", "cv84x6"], ignore_case = true)]
    chip: Option<String>,

    /// Active cores (default: all of the chip)
    #[arg(long, value_name = "N")]
    cores: Option<u32>,

    /// How commands are dispatched; by default op, with --writer model-rt or libsophon bmodel
    #[arg(long, value_name = "STYLE")]
    style: Option<StyleArg>,

    /// Capture mode: 0 records, 1 also dispatched commands, 2 also their full bits; by default 2, with --writer the runtime's
    #[arg(long, value_name = "MODE", value_parser = clap::value_parser!(u8).range(..=2))]
    mode: Option<u8>,

    /// Kernel launches on every core
    #[arg(long, value_name = "N", default_value_t = 22)]
    launches: u64,

    /// Tiles of every launch
    #[arg(long, value_name = "N", default_value_t = 8)]
    repeat: u32,

    /// CDMA ports in use (AKS, AKSV)
    #[arg(long, value_name = "N", default_value_t = 0)]
    cdma: u8,

    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Share of records that are lost, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    loss: f64,

    /// Share of SDMA and CDMA records that are out of order, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    disorder: f64,

    /// The PMU rings are too small: they hold three quarters of the records, the oldest are overwritten
    #[arg(long)]
    lapped: bool,

    /// The TIU's 32-bit cycle counter wraps in the middle of the run
    #[arg(long)]
    wrap: bool,

    /// The kernel that every launch runs (default: all in turn)
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(kernel_names()))]
    kernel: Option<String>,

    /// Launches end without a sync; for one core
    #[arg(long = "no-sync")]
    no_sync: bool,

    /// Cores that run no kernel, as 2,5
    #[arg(long, value_name = "CORES", value_delimiter = ',')]
    idle: Vec<u32>,

    /// A fault to find: imbalance=CORE:FACTOR, straggler=FACTOR, stages, bubble=CORE:ENGINE:US,
    /// slow-kernel=NAME:FACTOR, slow-port=PORT:FACTOR, launch-gap=US, serialized=PERCENT, small-transfers=COUNT,
    /// unaligned=CHANNELS, bank-conflicts=CYCLES, weights=ddr|l2m, spill=BYTES,
    /// shared-loads=BYTES[:l2m], idle-cores=N, depthwise, dense-depthwise; with --cluster: late-rank=R:FACTOR,
    /// slow-link=A>B:FACTOR, late-launch=R:US, retries=A>B, lost-dump=R, lost-records=R:SHARE, ring-full=R,
    /// two-islands, swapped-ranks, wrong-topology
    #[arg(long, value_name = "FAULT")]
    plant: Vec<AnyPlant>,

    /// Dispatch the loads of a tile before the rest of the tile before it, so that transfers and computation overlap
    #[arg(long)]
    pipelined: bool,

    /// TIU clock in MHz (default: the chip's)
    #[arg(long = "tiu-mhz", value_name = "MHZ")]
    tiu_mhz: Option<u64>,

    /// Bandwidth of off-chip memory for a core, in GB/s (default: the chip's)
    #[arg(long = "ddr-gbps", value_name = "GBPS")]
    ddr_gbps: Option<f64>,

    /// Bandwidth of on-chip shared memory for a core, in GB/s (default: that of off-chip memory)
    #[arg(long = "l2m-gbps", value_name = "GBPS")]
    l2m_gbps: Option<f64>,

    /// Bandwidth of a chip-to-chip link, in GB/s
    #[arg(long = "link-gbps", value_name = "GBPS")]
    link_gbps: Option<f64>,

    /// Shortest pause between launches in us; the others grow in proportion
    #[arg(long = "launch-gap", value_name = "US", default_value_t = 1.0)]
    launch_gap: f64,

    /// Pauses of engines between commands
    #[arg(long, value_name = "HOW", default_value = "round")]
    pauses: PausesArg,

    /// Also write the run's compiled commands as a .bmodel; for --style bmodel
    #[arg(long, value_name = "FILE", conflicts_with = "cluster")]
    bmodel: Option<PathBuf>,

    /// Also write the run's compiled commands as command files of the CModel; for --style bmodel
    #[arg(long, value_name = "DIR", conflicts_with = "cluster")]
    cmodel: Option<PathBuf>,

    #[command(flatten)]
    cluster: ClusterArgs,

    /// Print only errors
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) lang: LangArgs,
}

/// A fault of a dump, or of many devices.
#[derive(Debug, Clone)]
enum AnyPlant {
    Device(Plant),
    Cluster(ClusterPlant),
}

impl FromStr for AnyPlant {
    type Err = NoPlant;

    fn from_str(text: &str) -> Result<Self, NoPlant> {
        if let Ok(plant) = text.parse() {
            return Ok(Self::Cluster(plant));
        }
        text.parse().map(Self::Device)
    }
}

/// `--writer`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum WriterArg {
    /// A simple form of no particular runtime
    Plain,
    /// tpudnn, op mode (AKS, AKSV)
    Tpudnn,
    /// Model runtime, static models (AKS, AKSV)
    ModelRt,
    /// libsophon: CV84X6, and BM1688 as bmprofile_data*
    Libsophon,
}

impl WriterArg {
    fn writer(self) -> Writer {
        match self {
            Self::Plain => Writer::Plain,
            Self::Tpudnn => Writer::Tpudnn,
            Self::ModelRt => Writer::ModelRuntime,
            Self::Libsophon => Writer::Libsophon,
        }
    }

    /// The runtime's defaults: chip, style, capture mode.
    fn defaults(self) -> (&'static str, StyleArg, u8) {
        match self {
            Self::Plain => ("aks", StyleArg::Op, 2),
            Self::Tpudnn => ("aks", StyleArg::Op, 1),
            Self::ModelRt => ("aks", StyleArg::Bmodel, 0),
            Self::Libsophon => ("cv84x6", StyleArg::Bmodel, 0),
        }
    }
}

/// `--style`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum StyleArg {
    /// Kernel by kernel, as eager PyTorch
    Op,
    /// Cached descriptor streams
    Graph,
    /// RISC-V tensor front end (AKSV, CV84X6)
    Rvt,
    /// Static model
    Bmodel,
}

/// `--pauses`.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum PausesArg {
    /// 20 ns, and 40 ns to a command that waited for another engine
    Round,
    /// As short as on real hardware: 1 to 10 ns; also the time before a transfer's first byte
    Measured,
}

impl Args {
    fn device_plants(&self) -> impl Iterator<Item = &Plant> {
        self.plant.iter().filter_map(|plant| match plant {
            AnyPlant::Device(plant) => Some(plant),
            AnyPlant::Cluster(_) => None,
        })
    }

    /// What is to be written.
    pub(crate) fn request(&self) -> Result<Request<'_>> {
        let what = match self.cluster()? {
            Some(cluster) => What::Cluster(Box::new(cluster)),
            None => What::Dump(Box::new(self.options()?)),
        };
        let (bmodel, cmodel) = (self.bmodel.as_deref(), self.cmodel.as_deref());
        Ok(Request { what, out: &self.out, bmodel, cmodel })
    }

    /// What the cluster is to be like; `None` for a single dump.
    fn cluster(&self) -> Result<Option<ClusterOptions>> {
        let plants = self.plant.iter().filter_map(|plant| match plant {
            AnyPlant::Device(_) => None,
            AnyPlant::Cluster(plant) => Some(*plant),
        });
        if let Some(plant) = self.device_plants().next().filter(|_| self.cluster.cluster.is_some())
        {
            let fault = format!("{plant:?}");
            return Err(failed(message!("error-plant-of-dump", fault = fault)));
        }
        self.cluster.options(
            self.chip.as_deref(),
            self.mode,
            self.seed,
            self.link_gbps,
            self.wrap,
            plants.collect(),
        )
    }

    /// What the dump is to be like.
    fn options(&self) -> Result<Options> {
        let (chip, style, mode) = self.writer.defaults();
        let defaults = Options::of_chip(self.chip.as_deref().unwrap_or(chip))?;
        Ok(Options {
            writer: self.writer.writer(),
            cores: self.cores.unwrap_or(defaults.cores),
            style: match self.style.unwrap_or(style) {
                StyleArg::Op => Style::Op,
                StyleArg::Graph => Style::Graph,
                StyleArg::Rvt => Style::Rvt,
                StyleArg::Bmodel => Style::Bmodel,
            },
            mode: self.mode.unwrap_or(mode),
            launches: self.launches,
            repeat: self.repeat,
            ports: self.cdma,
            seed: self.seed,
            loss: self.loss,
            disorder: self.disorder,
            lapped: self.lapped,
            wrap: self.wrap,
            idle: self.idle.clone(),
            is_pipelined: self.pipelined,
            kernel: self
                .kernel
                .as_ref()
                .and_then(|name| kernel_names().position(|own| own == name)),
            is_unsynced: self.no_sync,
            machine: ChipSpeeds {
                tiu_mhz: self.tiu_mhz,
                ddr_gbps: self.ddr_gbps,
                l2m_gbps: self.l2m_gbps,
                link_gbps: self.link_gbps,
                launch_gap_us: self.launch_gap,
                pauses: match self.pauses {
                    PausesArg::Round => PlantedPauses::ROUND,
                    PausesArg::Measured => PlantedPauses::measured(defaults.chip),
                },
            },
            plants: self.device_plants().cloned().collect(),
            ..defaults
        })
    }
}
