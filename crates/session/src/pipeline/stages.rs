//! The stages of a pipeline and their costs, from the options or from measured parts.

use bigtpu_messages::error_message;
use std::ops::Range;
use std::path::Path;

use bigtpu_format::{MOST_MODEL, read_given_text};
use bigtpu_model::costs::{MeasuredRun, PartChoice};
use bigtpu_predict::pipeline::{
    Cost, CostPer, ModelPart, Schedule, StageCosts, Way, best_cut, chain_of, stage_costs,
};

use super::error::PipelineFailure;
use super::ranges::range;
use super::{PipelineRequest, TimeOf};
use crate::Unreadable;

/// Stages at most.
const MOST_STAGES: usize = 1 << 20;

/// Where the costs come from.
pub(crate) enum Source {
    /// One cost for each stage.
    Given(Vec<Cost>),
    /// A chain of measured parts that is to be cut.
    Measured(Vec<ModelPart>),
}

/// What the options say about stages.
pub(crate) struct Stages {
    source: Source,
    pub(crate) microbatches: u32,
}

/// Reads costs and sizes.
pub(crate) fn build(request: &PipelineRequest) -> Result<Stages, PipelineFailure> {
    let Some(microbatches) = request.microbatches else {
        return Err(PipelineFailure::NoMicrobatches);
    };
    let source = match &request.costs {
        Some(path) => Source::Measured(measured(path, request)?),
        None => Source::Given(given(request)?),
    };
    Ok(Stages { source, microbatches })
}

impl Stages {
    /// Whether only forward passes run: measured parts, unless they are to be trained.
    pub(crate) fn is_forward_only(&self, request: &PipelineRequest) -> bool {
        matches!(self.source, Source::Measured(_)) && !request.training
    }

    /// Unit of the times.
    pub(crate) fn unit(&self, request: &PipelineRequest) -> String {
        let own = if matches!(self.source, Source::Measured(_)) { "ns" } else { "" };
        request.unit.clone().unwrap_or_else(|| own.to_owned())
    }

    /// Costs for a schedule with so many chunks, and what the stages hold.
    pub(crate) fn stage_costs(
        &self,
        request: &PipelineRequest,
        schedule: Schedule,
        chunks: Option<u32>,
    ) -> Result<(StageCosts, Vec<String>), PipelineFailure> {
        let parts = match &self.source {
            Source::Given(costs) => {
                let per = match request.cost_per {
                    Some(TimeOf::Chunk) => CostPer::Chunk,
                    Some(TimeOf::Stage) | None => CostPer::Stage,
                };
                return Ok((StageCosts::Stages(costs.clone(), per), Vec::new()));
            }
            Source::Measured(parts) => parts,
        };
        // Of a pipeline that runs both ways, each end has all parts.
        let chunks = match schedule.way() {
            Way::BothWays => 1,
            Way::Straight | Way::Turning => chunks.unwrap_or(schedule.usual_chunks()).max(1),
        };
        let cut = cut(parts, request, chunks)?;
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
fn given(request: &PipelineRequest) -> Result<Vec<Cost>, PipelineFailure> {
    let mut groups = Vec::new();
    for text in &request.stage {
        let wrong = || PipelineFailure::NoCost(text.clone());
        let (stages, times) = text.split_once('=').ok_or_else(wrong)?;
        let times: Vec<u64> = times
            .split(',')
            .map(|time| time.trim().parse().map_err(|_| wrong()))
            .collect::<Result<_, _>>()?;
        let cost = match times.as_slice() {
            [fwd, bwd] => Cost::new(*fwd, *bwd, 0),
            [fwd, bwd, wgt] => Cost::new(*fwd, *bwd, *wgt),
            _ => return Err(wrong()),
        };
        groups.push((range(stages)?, cost));
    }
    let last = groups.iter().map(|(range, _)| range.end).max();
    let stages = match (request.stages, last) {
        (Some(stages), _) => stages as usize,
        (None, Some(last)) => last,
        (None, None) => return Err(PipelineFailure::NoStages),
    };
    if stages > MOST_STAGES {
        return Err(PipelineFailure::TooManyStages { stages, most: MOST_STAGES });
    }
    let usual = match (request.fwd, request.bwd) {
        (Some(fwd), Some(bwd)) => Some(Cost::new(fwd, bwd, request.wgt.unwrap_or(0))),
        (None, None) => None,
        _ => return Err(PipelineFailure::HalfCost),
    };
    let mut costs = vec![usual; stages];
    for (range, cost) in groups {
        let end = range.end;
        let group = costs.get_mut(range);
        let Some(group) = group else {
            return Err(PipelineFailure::NoSuchStage { stage: end - 1, stages });
        };
        group.fill(Some(cost));
    }
    let each = costs
        .into_iter()
        .enumerate()
        .map(|(stage, cost)| cost.ok_or(PipelineFailure::NoCostOf(stage)));
    each.collect()
}

fn measured(path: &Path, request: &PipelineRequest) -> Result<Vec<ModelPart>, PipelineFailure> {
    let advice = error_message!("problem-give-costs");
    let text = read_given_text(path, MOST_MODEL).map_err(Unreadable::from_io(path, advice))?;
    let choice = PartChoice { kind: request.parts.as_deref(), phase: request.phase.as_deref() };
    let run = MeasuredRun::parse(&text, choice)
        .map_err(|source| PipelineFailure::Costs { path: path.to_owned(), source })?;
    Ok(chain_of(&run.parts, request.training))
}

/// The given partition, or the best one into `--stages` stages.
fn cut(
    parts: &[ModelPart],
    request: &PipelineRequest,
    chunks: u32,
) -> Result<Vec<Range<usize>>, PipelineFailure> {
    let count = parts.len();
    let Some(text) = &request.partition else {
        let Some(stages) = request.stages else {
            return Err(PipelineFailure::NoStagesOfParts);
        };
        let work: Vec<u64> = parts
            .iter()
            .map(|part| part.cost.fwd.saturating_add(part.cost.bwd).saturating_add(part.cost.wgt))
            .collect();
        let pieces = stages as usize * chunks as usize;
        let found = best_cut(&work, pieces);
        return found.ok_or(PipelineFailure::TooFewParts { count, pieces });
    };
    let cut = text.split(',').map(range).collect::<Result<Vec<_>, _>>()?;
    let mut next = 0;
    for range in &cut {
        if range.start != next {
            let (text, start) = (text.clone(), range.start);
            return Err(PipelineFailure::Gap { text, next, start });
        }
        next = range.end;
    }
    if next != count {
        let (end, last) = (next.saturating_sub(1), count - 1);
        return Err(PipelineFailure::End { text: text.clone(), end, last });
    }
    if cut.len() % chunks as usize != 0 {
        let (text, ranges) = (text.clone(), cut.len());
        return Err(PipelineFailure::Chunks { text, ranges, chunks });
    }
    Ok(cut)
}
