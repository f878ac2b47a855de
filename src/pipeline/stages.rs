//! The stages of a pipeline and their costs, from the options or from measured parts.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use bigtpu_model::costs::{MeasuredRun, PartChoice};
use bigtpu_predict::pipeline::{
    Cost, CostPer, Part, Schedule, StageCosts, best_cut, chain_of, stage_costs,
};

use super::ranges::range;
use crate::args::pipeline::{Args, CostPerName};

/// Where the costs come from.
pub(crate) enum Source {
    /// One cost for each stage.
    Given(Vec<Cost>),
    /// A chain of measured parts that is to be cut.
    Measured(Vec<Part>),
}

/// What the options say about stages.
pub(crate) struct Stages {
    source: Source,
    pub(crate) microbatches: u32,
}

/// Reads costs and sizes.
pub(crate) fn build(args: &Args) -> Result<Stages> {
    let Some(microbatches) = args.microbatches else {
        bail!("the number of microbatches is missing; give it with --microbatches");
    };
    let source = match &args.costs {
        Some(path) => Source::Measured(measured(path, args)?),
        None => Source::Given(given(args)?),
    };
    Ok(Stages { source, microbatches })
}

impl Stages {
    /// Whether only forward passes run: measured parts, unless they are to be trained.
    pub(crate) fn is_forward_only(&self, args: &Args) -> bool {
        matches!(self.source, Source::Measured(_)) && !args.training
    }

    /// Unit of the times.
    pub(crate) fn unit(&self, args: &Args) -> String {
        let own = if matches!(self.source, Source::Measured(_)) { "ns" } else { "" };
        args.unit.clone().unwrap_or_else(|| own.to_owned())
    }

    /// Costs for a schedule with so many chunks, and what the stages hold.
    pub(crate) fn stage_costs(
        &self,
        args: &Args,
        schedule: Schedule,
        chunks: Option<u32>,
    ) -> Result<(StageCosts, Vec<String>)> {
        let parts = match &self.source {
            Source::Given(costs) => {
                let per = match args.cost_per {
                    Some(CostPerName::Chunk) => CostPer::Chunk,
                    Some(CostPerName::Stage) | None => CostPer::Stage,
                };
                return Ok((StageCosts::Stages(costs.clone(), per), Vec::new()));
            }
            Source::Measured(parts) => parts,
        };
        let chunks = chunks.unwrap_or(schedule.usual_chunks()).max(1);
        let cut = cut(parts, args, chunks)?;
        let stages = u32::try_from(cut.len())? / chunks;
        let whole = |range: &Range<usize>| {
            let last = range.end.saturating_sub(1);
            let name = |at: usize| parts.get(at).map(|part| part.name.as_str()).unwrap_or_default();
            format!("{} to {}", name(range.start), name(last))
        };
        let names = if chunks == 1 { cut.iter().map(whole).collect() } else { Vec::new() };
        Ok((StageCosts::Parts(stage_costs(parts, &cut), stages), names))
    }
}

/// `--stage` over `--fwd`, `--bwd`, `--wgt` for every stage.
fn given(args: &Args) -> Result<Vec<Cost>> {
    let mut groups = Vec::new();
    for text in &args.stage {
        let wrong = || anyhow!("--stage {text}: not a cost; write it like 0-3=1315,2733,2650");
        let (stages, times) = text.split_once('=').ok_or_else(wrong)?;
        let times: Vec<u64> = times
            .split(',')
            .map(|time| time.trim().parse().map_err(|_| wrong()))
            .collect::<Result<_>>()?;
        let cost = match times.as_slice() {
            [fwd, bwd] => Cost::new(*fwd, *bwd, 0),
            [fwd, bwd, wgt] => Cost::new(*fwd, *bwd, *wgt),
            _ => return Err(wrong()),
        };
        groups.push((range(stages)?, cost));
    }
    let last = groups.iter().map(|(range, _)| range.end).max();
    let stages = match (args.stages, last) {
        (Some(stages), _) => stages as usize,
        (None, Some(last)) => last,
        (None, None) => bail!("the number of stages is missing; give it with --stages"),
    };
    if stages > 1 << 20 {
        bail!("{stages} stages are too many; at most {} can be simulated", 1 << 20);
    }
    let usual = match (args.fwd, args.bwd) {
        (Some(fwd), Some(bwd)) => Some(Cost::new(fwd, bwd, args.wgt.unwrap_or(0))),
        (None, None) => None,
        _ => bail!("one of --fwd and --bwd is missing; give both, or costs by stage with --stage"),
    };
    let mut costs = vec![usual; stages];
    for (range, cost) in groups {
        let end = range.end;
        let group = costs.get_mut(range);
        let Some(group) = group else {
            bail!(
                "--stage names stage {}, and there are only {stages}; stages count from 0",
                end - 1
            );
        };
        group.fill(Some(cost));
    }
    let each = costs.into_iter().enumerate().map(|(stage, cost)| {
        cost.ok_or_else(|| anyhow!("stage {stage} has no costs; give them with --stage, or --fwd, --bwd and --wgt for all"))
    });
    each.collect()
}

fn measured(path: &Path, args: &Args) -> Result<Vec<Part>> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        anyhow!("{name}: cannot be read ({error}); give the file that `bigtpuprofile costs` writes")
    })?;
    let choice = PartChoice { kind: args.parts.as_deref(), phase: args.phase.as_deref() };
    let run = MeasuredRun::parse(&text, choice).map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(chain_of(&run.parts, args.training))
}

/// The given partition, or the best one into `--stages` stages.
fn cut(parts: &[Part], args: &Args, chunks: u32) -> Result<Vec<Range<usize>>> {
    let count = parts.len();
    let Some(text) = &args.partition else {
        let Some(stages) = args.stages else {
            bail!(
                "the number of stages is missing; give it with --stages, or the parts of each with --partition"
            );
        };
        let work: Vec<u64> = parts
            .iter()
            .map(|part| part.cost.fwd.saturating_add(part.cost.bwd).saturating_add(part.cost.wgt))
            .collect();
        let pieces = stages as usize * chunks as usize;
        return best_cut(&work, pieces).ok_or_else(|| {
            anyhow!("{count} parts can't be cut into {pieces} pieces (stages x chunks); use at most {count}, and at least 1")
        });
    };
    let cut = text.split(',').map(range).collect::<Result<Vec<_>>>()?;
    let mut next = 0;
    for range in &cut {
        if range.start != next {
            bail!(
                "--partition {text}: expected a range from part {next}, not from {}; ranges must follow each other without gaps",
                range.start
            );
        }
        next = range.end;
    }
    if next != count {
        bail!(
            "--partition {text}: ends with part {}, and the file has parts 0 to {}",
            next.saturating_sub(1),
            count - 1
        );
    }
    if cut.len() % chunks as usize != 0 {
        bail!(
            "--partition {text}: {} ranges are not a multiple of {chunks}, the chunks per stage",
            cut.len()
        );
    }
    Ok(cut)
}
