//! How long results take from stage to stage.

use std::collections::BTreeMap;

use bigtpu_predict::pipeline::{Transfers, stage_range};

use super::{PipelineFailure, PipelineRequest};

/// `--comm` for all pairs of stages, and `--link-time` for some. `stages`: how many there are; `None` where the plan is refused anyway.
pub(super) fn read(
    request: &PipelineRequest,
    stages: Option<u32>,
) -> Result<Transfers, PipelineFailure> {
    let mut pairs = BTreeMap::new();
    for text in &request.link_time {
        let wrong = || PipelineFailure::NoLinkTime(text.clone());
        let (link, time) = text.split_once('=').ok_or_else(wrong)?;
        let time = time.trim().parse().map_err(|_| wrong())?;
        let range = stage_range(link).filter(|range| range.len() > 1).ok_or_else(wrong)?;
        let (low, high) = (range.start as u32, range.end as u32 - 1);
        // Stages are a ring: the last one hands to the first where a stage has several chunks.
        let is_link = |stages| high < stages && (high - low == 1 || (low, high + 1) == (0, stages));
        if let Some(stages) = stages
            && (!is_link(stages) || pairs.insert((low, high), time).is_some())
        {
            return Err(PipelineFailure::NoSuchLink { text: text.clone(), stages });
        }
    }
    let comm = request.comm.unwrap_or(0);
    Ok(Transfers { comm, pairs, links_are_busy: request.link_occupancy })
}
