//! Graphs as JSON files: events with durations, and edges between their numbers.
//!
//! ```json
//! {"schema_version": 1,
//!  "events": [{"type": "F", "stage": 0, "microbatch": 0, "chunk": 0, "duration": 3}, ...],
//!  "edges": [[0, 1], [1, 2, 500]],
//!  "policies": [{"stage": 0, "max_activations": 7, "chunks": 1}, ...]}
//! ```
//! An edge is the number of the event that must have ended, that of the one that needs it, and if there is one the time
//! between both. A stage of `policies` chooses by [`StagePolicy`] what it runs.

use serde::{Deserialize, Serialize};

use crate::pipeline::error::PipelineError;
use crate::pipeline::event::{Event, Phase};
use crate::pipeline::graph::{EventEdge, EventGraph};
use crate::pipeline::plan::MOST_EVENTS;
use crate::pipeline::stage_policy::StagePolicy;

const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    schema_version: u32,
    events: Vec<FileEvent>,
    edges: Vec<Vec<u64>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    policies: Vec<StagePolicy>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileEvent {
    r#type: String,
    stage: u32,
    microbatch: u32,
    #[serde(default)]
    chunk: u32,
    duration: u64,
}

/// Numbers of stages, microbatches and chunks may leave out so many times as many as they use.
const MOST_GAPS: u64 = 64;

/// Reads a graph.
///
/// # Errors
/// The text is no such file; the error says what is wrong where.
pub fn read_graph(text: &str) -> Result<EventGraph, PipelineError> {
    let wrong = PipelineError::GraphFile;
    let file: File = serde_json::from_str(text)
        .map_err(|error| wrong(format!("not a graph of a pipeline ({error})")))?;
    if file.schema_version != SCHEMA_VERSION {
        let version = file.schema_version;
        return Err(wrong(format!(
            "its layout has version {version}, and this program reads version {SCHEMA_VERSION}"
        )));
    }
    let mut graph = EventGraph::new();
    let mut events = Vec::with_capacity(file.events.len());
    let mut sizes = [0_u64; 3];
    for (number, one) in file.events.iter().enumerate() {
        let phase = Phase::ALL.into_iter().find(|phase| phase.letter() == one.r#type);
        let phase = phase.ok_or_else(|| {
            wrong(format!("event {number}: its type is `{}`; it must be F, B or W", one.r#type))
        })?;
        let event = Event::new(phase, one.stage, one.microbatch, one.chunk);
        if graph.has(event) {
            return Err(PipelineError::DuplicateEvent { event });
        }
        for (size, at) in sizes.iter_mut().zip([one.stage, one.microbatch, one.chunk]) {
            *size = (*size).max(u64::from(at) + 1);
        }
        graph.add_event(event, one.duration);
        events.push(event);
    }
    let room = sizes.iter().try_fold(3_u64, |product, &size| product.checked_mul(size));
    if room.is_none_or(|room| room > MOST_EVENTS) {
        let [stages, microbatches, chunks] = sizes;
        return Err(wrong(format!(
            "{stages} stages x {microbatches} microbatches x {chunks} chunks are too many; number them from 0"
        )));
    }
    // What is simulated has room for every number below the largest: few events must not claim much of it.
    if room.is_some_and(|room| room > MOST_GAPS * (events.len() as u64 + MOST_GAPS)) {
        let [stages, microbatches, chunks] = sizes;
        return Err(wrong(format!(
            "{stages} stages x {microbatches} microbatches x {chunks} chunks are far more than its {} events; number them \
             from 0 without gaps",
            events.len()
        )));
    }
    for policy in file.policies {
        if policy.chunks == 0 || policy.max_activations < policy.chunks {
            let StagePolicy { stage, chunks, .. } = policy;
            return Err(wrong(format!(
                "the policy of stage {stage}: max_activations must be at least its chunks ({chunks}), which are at least 1"
            )));
        }
        if graph.policies().iter().any(|known| known.stage == policy.stage) {
            return Err(wrong(format!("stage {} has two policies; leave one out", policy.stage)));
        }
        graph.set_policy(policy);
    }
    for (number, edge) in file.edges.iter().enumerate() {
        let at = |index: u64| {
            let found = usize::try_from(index).ok().and_then(|index| events.get(index));
            found.copied().ok_or_else(|| {
                wrong(format!("edge {number}: there is no event {index}; events count from 0"))
            })
        };
        let (from, to, lag) = match *edge.as_slice() {
            [from, to] => (from, to, 0),
            [from, to, lag] => (from, to, lag),
            _ => {
                return Err(wrong(format!(
                    "edge {number}: write two numbers of events, and a time between them if there is one"
                )));
            }
        };
        graph.add(EventEdge { from: at(from)?, to: at(to)?, lag });
    }
    Ok(graph)
}

/// A graph as the text of its file.
///
/// # Errors
/// An edge of an event that the graph does not have.
pub fn graph_json(graph: &EventGraph) -> Result<String, PipelineError> {
    let events = graph.events().iter().map(|&(event, duration)| FileEvent {
        r#type: event.phase.letter().to_owned(),
        stage: event.stage,
        microbatch: event.microbatch,
        chunk: event.chunk,
        duration,
    });
    let mut edges = Vec::with_capacity(graph.edges().len());
    for edge in graph.edges() {
        let mut row: Vec<u64> = vec![graph.find(edge.from)?.into(), graph.find(edge.to)?.into()];
        if edge.lag > 0 {
            row.push(edge.lag);
        }
        edges.push(row);
    }
    let policies = graph.policies().to_vec();
    let file = File { schema_version: SCHEMA_VERSION, events: events.collect(), edges, policies };
    serde_json::to_string(&file).map_err(|error| PipelineError::GraphFile(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_is_written_and_read_back() {
        let text = r#"{"schema_version":1,"events":[
            {"type":"F","stage":0,"microbatch":0,"duration":3},
            {"type":"F","stage":1,"microbatch":0,"chunk":0,"duration":4}],"edges":[[0,1,5]]}"#;
        let graph = read_graph(text).unwrap();
        let written = graph_json(&graph).unwrap();
        assert_eq!(read_graph(&written).unwrap(), graph);
        assert_eq!(graph.simulate_by_readiness().unwrap().0.makespan(), 12);
        assert_eq!(graph.simulate().unwrap().makespan(), 12);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |events: &str, edges: &str| {
            let text = format!(r#"{{"schema_version":1,"events":[{events}],"edges":[{edges}]}}"#);
            read_graph(&text).unwrap_err().to_string()
        };
        let event = r#"{"type":"F","stage":0,"microbatch":0,"duration":3}"#;
        assert!(error(&event.replace('F', "X"), "").contains("event 0: its type is `X`"));
        assert!(error(event, "[0]").contains("edge 0: write two numbers"));
        assert!(error(event, "[0,1]").contains("edge 0: there is no event 1"));
        assert!(error(&format!("{event},{event}"), "").contains("in both graphs"));
        assert!(
            error(&event.replace("\"stage\":0", "\"stage\":4294967295"), "").contains("too many")
        );
        assert!(read_graph("[]").unwrap_err().to_string().contains("not a graph"));
        assert!(read_graph(r#"{"schema_version":2,"events":[],"edges":[]}"#).is_err());
    }
}
