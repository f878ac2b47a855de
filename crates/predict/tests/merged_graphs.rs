//! A graph that is merged from halves of two others takes the time of the plan with the costs of both.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_predict::pipeline::{
    Cost, CostPer, Event, EventGraph, Phase, PipelineError, Plan, Schedule, StageCosts,
    StagePolicy, Transfers, graph_json, read_graph,
};

const QUICK: Cost = Cost::new(1315, 2733, 2650);
const SLOW: Cost = Cost::new(2743, 4563, 4324);

#[test]
fn merged_halves_take_the_time_of_the_whole() {
    let mut compared = 0;
    for schedule in Schedule::ALL {
        for stages in [2, 4, 8] {
            for microbatches in [4, 8, 10, 16] {
                let transfers = Transfers { comm: 100, ..Transfers::default() };
                let of = |cost| Plan {
                    transfers: transfers.clone(),
                    ..Plan::uniform(schedule, stages, microbatches, cost)
                };
                // Interleaved 1F1B waits for itself where the microbatches are no multiple of the stages; DualPipe needs
                // twice as many microbatches as stages.
                let (Ok(quick), Ok(slow)) = (of(QUICK).graph(), of(SLOW).graph()) else { continue };
                let half = stages / 2;
                // A part of the model is at both ends of DualPipe.
                let layout = of(QUICK).layout().unwrap();
                let is_quick = |event: &Event| match schedule {
                    Schedule::DualPipe => layout.position(event.stage, event.chunk) < half,
                    _ => event.stage < half,
                };
                let between = match schedule {
                    Schedule::DualPipe => {
                        let all = quick.edges().iter().copied();
                        all.filter(|edge| is_quick(&edge.from) != is_quick(&edge.to)).collect()
                    }
                    _ => quick.edges_over_boundary(half),
                };
                let first = quick.filter(|event| is_quick(&event));
                let second = slow.filter(|event| !is_quick(&event));
                let merged = first.merge(&second, between).unwrap();
                let costs = (0..stages).map(|stage| if stage < half { QUICK } else { SLOW });
                let costs = StageCosts::Stages(costs.collect(), CostPer::Stage);
                let whole = Plan { costs, ..of(QUICK) }.simulate().unwrap();
                let name = format!("{schedule}, {stages} stages, {microbatches} microbatches");
                let (found, path) = merged.simulate_by_readiness().unwrap();
                assert_eq!(found.events, whole.events, "{name}");
                let sum: u64 = path.iter().map(|step| step.end - step.start + step.wait).sum();
                assert_eq!(sum, whole.makespan(), "{name}");
                // The file says the same.
                let read = read_graph(&graph_json(&merged).unwrap()).unwrap();
                assert_eq!(read, merged, "{name}");
                compared += 1;
            }
        }
    }
    // All but interleaved 1F1B with 10 microbatches on 8 stages, and 8 sizes of DualPipe.
    assert_eq!(compared, 8 * 12 - 1 + 8);
}

/// What a policy chose is no dependence: other durations lead to another order.
#[test]
fn a_policy_follows_the_durations() {
    let plan = Plan::uniform(Schedule::ZeroBubble, 4, 8, QUICK);
    let graph = plan.graph().unwrap();
    assert!(graph.edges().iter().all(|edge| edge.from.phase != Phase::Weight));
    assert_eq!(graph.policies().len(), 4);
    let mut slow = EventGraph::new();
    for &(event, _) in graph.events() {
        slow.add_event(event, SLOW.duration(event.phase));
    }
    graph.edges().iter().for_each(|&edge| slow.add(edge));
    graph.policies().iter().for_each(|&policy| slow.set_policy(policy));
    let whole = Plan::uniform(Schedule::ZeroBubble, 4, 8, SLOW).simulate().unwrap();
    assert_eq!(slow.simulate_by_readiness().unwrap().0.events, whole.events);
}

#[test]
fn policies_that_can_not_be_are_refused() {
    let graph = Plan::uniform(Schedule::ZeroBubbleV, 2, 4, QUICK).graph().unwrap();
    let mut other = EventGraph::new();
    other.add_event(Event::new(Phase::Forward, 0, 9, 0), 1);
    other.set_policy(StagePolicy { stage: 0, max_activations: 9, chunks: 2 });
    let error = graph.clone().merge(&other, std::iter::empty::<(Event, Event)>()).unwrap_err();
    assert_eq!(error, PipelineError::TwoPolicies { stage: 0 });
    let mut tight = graph;
    tight.set_policy(StagePolicy { stage: 1, max_activations: 1, chunks: 2 });
    let error = tight.simulate_by_readiness().unwrap_err().to_string();
    assert!(error.contains("raise max_activations"), "{error}");
    let text = graph_json(&tight).unwrap();
    assert!(read_graph(&text).unwrap_err().to_string().contains("the policy of stage 1"));
}
