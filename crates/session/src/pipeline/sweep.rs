//! Every combination of values.

use super::PipelineRequest;
use super::error::PipelineFailure;
use bigtpu_messages::error_message;

/// Combinations that are tried at most.
const MOST: usize = 4096;

/// The options with each combination of the swept values.
pub(super) fn variants(request: &PipelineRequest) -> Result<Vec<PipelineRequest>, PipelineFailure> {
    let mut all = vec![request.clone()];
    for sweep in &request.sweep {
        let wrong = |why| PipelineFailure::Sweep { sweep: sweep.clone(), why };
        let (name, values) =
            sweep.split_once('=').ok_or_else(|| wrong(error_message!("problem-sweep-form")))?;
        let mut next = Vec::new();
        for text in values.split(',') {
            let value: u32 =
                text.trim().parse().map_err(|_| wrong(error_message!("problem-sweep-number")))?;
            for request in &all {
                let mut request = request.clone();
                match name.trim() {
                    "microbatches" => request.microbatches = Some(value),
                    "stages" => request.stages = Some(value),
                    "chunks" => request.chunks = Some(value),
                    "comm" => request.comm = Some(value.into()),
                    _ => return Err(wrong(error_message!("problem-sweep-option"))),
                }
                next.push(request);
            }
        }
        if next.len() > MOST {
            return Err(wrong(error_message!("problem-sweep-many")));
        }
        all = next;
    }
    Ok(all)
}
