//! Runs without one fault each, such as a gap: most faults are few events near each other, and only what runs at that time is run again.

use std::ops::Range;

use crate::dependence::Node;
use crate::fates::Without;
use crate::graph::Windows;
use crate::relief::Relief;
use crate::relieved::{MOST_TOGETHER, Together};
use crate::replay::Replay;

impl Replay {
    /// Wall time in ns of the run without each of these faults, alone.
    #[must_use]
    pub fn walls_without_each(&self, faults: &[Relief]) -> Vec<i64> {
        if faults.len() <= MOST_TOGETHER {
            return self.walls_without(&faults.iter().map(|fault| vec![fault]).collect::<Vec<_>>());
        }
        let without: Vec<[Without; 1]> =
            faults.iter().map(|fault| [Without::new(self, &[fault])]).collect();
        let mut windows = Windows::new(&self.graph, &self.ends());
        let places: Vec<Option<Range<u32>>> = faults
            .iter()
            .map(|fault| {
                let is_whole = fault.launches || fault.hand_overs;
                let places = (!is_whole).then(|| windows.of_events(self.changed_events(fault)))?;
                (2 * places.len() <= self.graph.len()).then_some(places)
            })
            .collect();
        let of_window = |(places, without)| Some((places?, Together::new(self, without)));
        let few = places.iter().cloned().zip(&without).filter_map(of_window).collect();
        let mut of_windows = windows.walls(few).into_iter();
        drop(windows);
        let others: Vec<Vec<&Relief>> = faults
            .iter()
            .zip(&places)
            .filter(|(_, places)| places.is_none())
            .map(|(fault, _)| vec![fault])
            .collect();
        let mut of_others = self.walls_without(&others).into_iter();
        let mut wall = |places: &Option<_>| match places {
            Some(_) => of_windows.next(),
            None => of_others.next(),
        };
        places.iter().map(|places| wall(places).unwrap_or(self.measured_ns())).collect()
    }

    /// The nodes of the events that a fault is of.
    fn changed_events(&self, fault: &Relief) -> impl Iterator<Item = Node> {
        fault.engines.iter().flat_map(|engine| {
            let own = self.tracks_with_lengths().find(|(id, ..)| *id == engine.engine_id);
            let (_, first, events) = own.unwrap_or((engine.engine_id, 0, 0));
            let events = events as Node;
            engine.runs.iter().flat_map(move |run| {
                let end = run.first.saturating_add(run.count).min(events);
                (run.first.min(end)..end).map(move |event| first + event)
            })
        })
    }
}
