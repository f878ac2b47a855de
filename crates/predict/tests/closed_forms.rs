//! Makespans that the literature gives in closed form, and what holds for every schedule.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;

use bigtpu_predict::pipeline::{
    Away, Cost, Event, EventGraph, PathStep, Phase, PhaseSet, PipelineError, Plan, Schedule,
    StageCosts, StageMemory, Transfers, critical_path, memory_curves, offloaded,
};
use proptest::prelude::*;

fn makespan(schedule: Schedule, stages: u32, microbatches: u32, cost: Cost) -> u64 {
    Plan::uniform(schedule, stages, microbatches, cost).simulate().unwrap().makespan()
}

#[test]
fn equal_costs_leave_the_published_bubbles() {
    let cost = Cost::new(1000, 1000, 1000);
    for (stages, microbatches) in [(2_u32, 4_u32), (4, 8), (4, 16), (8, 16), (8, 32)] {
        let (s, m) = (u64::from(stages), u64::from(microbatches));
        let of = |schedule| makespan(schedule, stages, microbatches, cost);
        let work = m * 3000;
        for schedule in
            [Schedule::GPipe, Schedule::OneForwardOneBackward, Schedule::EagerOneForwardOneBackward]
        {
            assert_eq!(of(schedule), work + (s - 1) * 3000);
        }
        assert_eq!(of(Schedule::Interleaved), work + (s - 1) * 1500);
        assert_eq!(of(Schedule::ZeroBubbleH1), work + (s - 1) * 1000);
        // The last stage can't start before the first forward has come to it.
        assert_eq!(of(Schedule::ZeroBubbleH2), work + (s - 1) * 1000);
        assert_eq!(of(Schedule::ZeroBubble), work + (s - 1) * 1000);
        assert!(of(Schedule::ZeroBubbleV) <= work + (s - 1) * 1000, "zbv {stages} {microbatches}");
    }
}

/// DeepSeek's comparison has bubbles of (S / 2 - 1) (F&B + B - 3 W) and S + 1 activations, where B has the gradient of the
/// weights in it. F&B is F + B here, since nothing overlaps; but what a pair makes goes on as soon as it is there, not at the
/// end of the pair, which takes bubbles away.
#[test]
fn dualpipe_has_at_most_the_published_bubbles() {
    for (stages, microbatches) in [(2_u32, 4_u32), (4, 8), (8, 16), (8, 20), (8, 32), (16, 64)] {
        let (s, m) = (u64::from(stages), u64::from(microbatches));
        let pairs = s / 2 - 1;
        for (cost, bubble, published) in [
            (Cost::new(1000, 1000, 1000), pairs * 1000, pairs * (3000 + 2000 - 3000)),
            // All of a backward's time before its result is there: one pair waits less than the others.
            (Cost::new(1000, 2000, 0), (pairs * 4000).saturating_sub(1000), pairs * (3000 + 2000)),
        ] {
            let plan = Plan::uniform(Schedule::DualPipe, stages, microbatches, cost);
            let simulated = plan.simulate().unwrap();
            assert_eq!(simulated.makespan(), m * 3000 + bubble, "{stages} {microbatches}");
            assert!(bubble <= published);
            assert_eq!(simulated.peak_activations(), vec![stages + 1; stages as usize]);
        }
    }
}

#[test]
fn transfers_delay_as_in_the_reference() {
    let plan = |schedule, chunks| Plan {
        chunks: Some(chunks),
        backward_alone: true,
        transfers: Transfers { comm: 500, ..Transfers::default() },
        costs: StageCosts::Stages(
            vec![Cost::new(1315, 2733, 2650); 4],
            bigtpu_predict::pipeline::CostPer::Chunk,
        ),
        ..Plan::uniform(schedule, 4, 8, Cost::default())
    };
    let of = |schedule, chunks| plan(schedule, chunks).simulate().unwrap().makespan();
    assert_eq!(of(Schedule::GPipe, 1), 47_528);
    assert_eq!(of(Schedule::OneForwardOneBackward, 1), 52_528);
    assert_eq!(of(Schedule::EagerOneForwardOneBackward, 1), 47_528);
    assert_eq!(of(Schedule::Interleaved, 2), 83_912);
    assert_eq!(of(Schedule::ZeroBubbleH1, 1), 64_783);
}

#[test]
fn impossible_schedules_are_errors() {
    let error = |plan: Plan| plan.simulate().unwrap_err().to_string();
    let plan = |schedule| Plan::uniform(schedule, 4, 6, Cost::new(1, 1, 1));
    let uneven = Plan::uniform(Schedule::Interleaved, 8, 10, Cost::new(2, 2, 2));
    assert!(error(uneven).contains("multiple of 8"));
    assert!(error(Plan { chunks: Some(3), ..plan(Schedule::ZeroBubbleV) }).contains("even number"));
    assert!(error(Plan { chunks: Some(2), ..plan(Schedule::GPipe) }).contains("one chunk"));
    assert!(
        error(Plan::uniform(Schedule::GPipe, 0, 4, Cost::default())).contains("at least one stage")
    );
    assert!(
        error(Plan::uniform(Schedule::GPipe, 1000, 4_000_000, Cost::default()))
            .contains("too many")
    );
    assert!(
        error(Plan::uniform(Schedule::GPipe, 2, 2, Cost::new(u64::MAX, 1, 1)))
            .contains("too large")
    );
}

#[test]
fn a_cycle_names_its_events() {
    let mut graph = EventGraph::new();
    let event = |microbatch| Event::new(Phase::Forward, 0, microbatch, 0);
    for microbatch in 0..3 {
        graph.add_event(event(microbatch), 1);
    }
    graph.add_edge(event(0), event(1));
    graph.add_edge(event(1), event(2));
    graph.add_edge(event(2), event(1));
    let error = graph.simulate().unwrap_err();
    assert_eq!(error, PipelineError::Cycle { event: event(1), through: event(2) });
    assert_eq!(graph.simulate_by_readiness().unwrap_err(), error);
    graph.add_edge(event(0), event(7));
    assert_eq!(graph.simulate().unwrap_err(), PipelineError::MissingEvent { event: event(7) });
}

#[test]
fn memory_is_held_from_forward_to_the_last_gradient() {
    let plan = Plan::uniform(Schedule::ZeroBubbleH1, 4, 8, Cost::new(1, 1, 1));
    let timeline = plan.simulate().unwrap();
    let curves = memory_curves(&timeline, StageMemory::complete(10, None, None, true));
    let peaks: Vec<i64> = curves.iter().map(bigtpu_predict::pipeline::MemoryCurve::peak).collect();
    assert_eq!(peaks, [40, 40, 40, 40]);
    assert!(curves.iter().all(|curve| curve.points.last().unwrap().1 == 0));
}

/// Computed by hand: the first of two stages holds four microbatches while the second one computes.
#[test]
fn activations_leave_where_they_are_back_in_time() {
    let plan = Plan::uniform(Schedule::GPipe, 2, 4, Cost::new(10, 10, 0));
    let timeline = plan.simulate().unwrap();
    let first: Vec<Away> =
        offloaded(&timeline, 10).into_iter().filter(|away| away.stage == 0).collect();
    // Forwards end at 10, 20, 30 and 40; backwards begin at 60, 70, 80 and 90.
    let away = |microbatch, from, to| Away { stage: 0, chunk: 0, microbatch, from, to };
    assert_eq!(first, [away(0, 20, 50), away(1, 30, 60), away(2, 40, 70), away(3, 50, 80)]);
    let peak = |offload| {
        let memory = StageMemory { offload, ..StageMemory::complete(8, None, None, false) };
        memory_curves(&timeline, memory)[0].peak()
    };
    assert_eq!([peak(None), peak(Some(10)), peak(Some(1000))], [32, 16, 32]);
}

fn any_schedule() -> impl Strategy<Value = Schedule> {
    (0..Schedule::ALL.len()).prop_map(|at| Schedule::ALL[at])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_schedule_breaks_a_dependence(
        schedule in any_schedule(),
        costs in prop::collection::vec((4_u64..50, 4_u64..50, 4_u64..50), 1..6),
        microbatches in 1_u32..12,
        pairs in 1_u32..3,
        comm in 0_u64..30,
        slow in (0_u32..4, 0_u64..60),
        links_are_busy: bool,
        inference: bool,
    ) {
        let costs: Vec<Cost> = costs.into_iter().map(|(f, b, w)| Cost::new(f, b, w)).collect();
        let stages = costs.len() as u32;
        let chunks = if schedule.takes_chunks() { 2 * pairs } else { schedule.usual_chunks() };
        let plan = Plan {
            chunks: Some(chunks),
            costs: StageCosts::Stages(costs.clone(), bigtpu_predict::pipeline::CostPer::Stage),
            transfers: Transfers {
                comm,
                pairs: BTreeMap::from([((slow.0, slow.0 + 1), slow.1)]),
                links_are_busy,
            },
            work: if inference { PhaseSet::Inference } else { PhaseSet::Training },
            ..Plan::uniform(schedule, stages, microbatches, Cost::default())
        };
        // The same as a graph.
        if let (Ok(timeline), Ok(graph)) = (plan.simulate(), plan.graph()) {
            let (again, path) = graph.simulate_by_readiness().unwrap();
            prop_assert_eq!(&again.events, &timeline.events);
            prop_assert_eq!(path.last().map(|step| step.end), Some(timeline.makespan()));
        }
        let timeline = match plan.simulate() {
            Ok(timeline) => timeline,
            Err(PipelineError::NotBothWays { .. }) => {
                prop_assert_eq!(schedule, Schedule::DualPipe);
                prop_assert!(stages % 2 == 1 || microbatches % 2 == 1 || microbatches < 2 * stages);
                return Ok(());
            }
            // Only interleaved orders can wait for themselves.
            Err(error) => {
                prop_assert_eq!(schedule, Schedule::Interleaved, "{}", error);
                prop_assert!(microbatches % stages != 0);
                return Ok(());
            }
        };
        let phases = if inference { 1 } else if schedule.splits_backward() { 3 } else { 2 };
        prop_assert_eq!(timeline.events.len() as u32, timeline.layout.parts() * microbatches * phases);
        prop_assert_eq!(timeline.violations(&plan.transfers), []);
        for sent in &timeline.sent {
            let needs = timeline.events.iter().find(|placed| placed.event == sent.event).unwrap();
            prop_assert!(needs.end <= sent.start && (links_are_busy || needs.end == sent.start));
            prop_assert_eq!(sent.end - sent.start, plan.transfers.time(sent.event.stage, sent.to));
            let receiver = timeline.layout.receiver(sent.event).unwrap();
            prop_assert_eq!(receiver.stage, sent.to);
            let user = timeline.events.iter().find(|placed| placed.event == receiver).unwrap();
            prop_assert!(user.start >= sent.end);
        }
        let mut free = vec![0; stages as usize];
        for placed in &timeline.events {
            let free = &mut free[placed.event.stage as usize];
            prop_assert!(placed.start >= *free, "{} starts while its stage is busy", placed.event);
            *free = placed.end;
        }
        let busy: u64 = timeline.stage_busy().iter().sum();
        let each = |c: &Cost| if inference { c.fwd } else { c.fwd + c.bwd + c.wgt };
        prop_assert_eq!(busy, costs.iter().map(each).sum::<u64>() * u64::from(microbatches));
        let path = critical_path(&timeline);
        let on_path: u64 = path.iter().map(|step| step.wait + step.end - step.start).sum();
        prop_assert_eq!(on_path, timeline.makespan());
        // A step waits for a transfer or not at all: else something is missing on the path.
        let waits = |step: &PathStep| [0, comm, slow.1].contains(&step.wait);
        prop_assert!(links_are_busy || path.iter().all(waits), "{:?}", path);
    }
}
