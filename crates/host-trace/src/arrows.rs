//! Flow points to arrows: one for each pair of points that follow each other.
//!
//! Points of one arrow share category, name and id. In order of time, a step (`t`) goes on from the last start or step, and
//! each end (`f`) is the end of an arrow from there: a launch with many kernels has many ends. An end whose time lies before
//! all starts, as clocks of hosts and devices differ, belongs to the first.

use std::collections::HashMap;

use crate::model::{ArrowPoint, EventId, FlowPhase, HostTrace};
use crate::strings::StrId;
use crate::tally::Hidden;

/// An arrow from one slice or mark to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it starts: a position in [`HostTrace::flows`].
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Whether it ends where the slice of its end is over: where that begins, the arrow has not started.
    pub ends_behind: bool,
}

impl HostTrace {
    /// Ties the flow points from `first` on, which are of one file, to slices and to each other. Returns why points have no
    /// arrow.
    pub(crate) fn draw_arrows(&mut self, first: usize) -> Vec<(Hidden, u64)> {
        self.find_holders(first);
        let mut chains: HashMap<(StrId, StrId, EventId), Vec<usize>> = HashMap::new();
        let mut order: Vec<(StrId, StrId, EventId)> = Vec::new();
        for (position, flow) in self.flows.iter().enumerate().skip(first) {
            let key = (flow.cat, flow.name, flow.id);
            let chain = chains.entry(key).or_default();
            if chain.is_empty() {
                order.push(key);
            }
            chain.push(position);
        }
        let mut hidden =
            [(Hidden::ArrowWithoutEnd, 0), (Hidden::ArrowWithoutStart, 0), (Hidden::ArrowBack, 0)];
        for chain in order.iter().filter_map(|key| chains.get(key)) {
            self.draw_chain(chain.clone(), &mut hidden);
        }
        hidden.to_vec()
    }

    /// Draws the arrows of points that share category, name and id.
    fn draw_chain(&mut self, mut chain: Vec<usize>, hidden: &mut [(Hidden, u64); 3]) {
        let flow = |position: &usize| self.flows.get(*position);
        // At one time a start comes before a step, and a step before an end.
        chain.sort_by_key(|position| flow(position).map(|flow| (flow.at_ns, flow.phase)));
        let is_end = |position: &usize| flow(position).is_some_and(|f| f.phase == FlowPhase::End);
        let first_start = chain.iter().copied().find(|position| !is_end(position));
        let mut from = None;
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        let mut without_start = Vec::new();
        for &position in &chain {
            let phase = flow(&position).map(|flow| flow.phase);
            if phase != Some(FlowPhase::Start) {
                match from.or(first_start.filter(|start| *start != position)) {
                    Some(start) if from.is_some() || is_end(&position) => {
                        pairs.push((start, position))
                    }
                    None if is_end(&position) => without_start.push(position),
                    _ => {}
                }
            }
            if phase != Some(FlowPhase::End) {
                from = Some(position);
            }
        }
        let mut back = Vec::new();
        for (from, to) in pairs {
            match self.arrow(from, to) {
                Some(arrow) => {
                    self.arrows.push(arrow);
                    for position in [from, to] {
                        if let Some(flow) = self.flows.get_mut(position) {
                            flow.has_arrow = true;
                        }
                    }
                }
                None => back.push(to),
            }
        }
        // Points that no slice holds are marks: they are shown even without an arrow.
        let [open, lost, backwards] = hidden;
        for position in chain {
            let Some(flow) = self.flows.get(position) else { continue };
            if flow.has_arrow || flow.slice.is_none() {
                continue;
            }
            let why = match () {
                () if back.contains(&position) => &mut *backwards,
                () if without_start.contains(&position) => &mut *lost,
                () => &mut *open,
            };
            why.1 += 1;
        }
    }

    /// The arrow between two points, if its start lies before its end, as viewers demand.
    fn arrow(&self, from: usize, to: usize) -> Option<Arrow> {
        let (start, end) = (self.flows.get(from)?, self.flows.get(to)?);
        let slice = |flow: &ArrowPoint| self.slices.get(flow.slice? as usize);
        let starts = slice(start).map_or(start.at_ns, |slice| slice.start_ns);
        let (begins, is_over) =
            slice(end).map_or((end.at_ns, end.at_ns), |slice| (slice.start_ns, slice.end_ns));
        // A slice without length ends where it begins: an arrow may reach it at the same time.
        let is_point = begins == starts && is_over == starts;
        let ends_behind = begins <= starts && !is_point;
        if ends_behind && is_over <= starts {
            return None;
        }
        let [from, to] = [from, to].map(|position| u32::try_from(position).ok());
        Some(Arrow { from: from?, to: to?, ends_behind })
    }

    /// Finds the slice of each flow point from `first` on: the innermost one around its time or, for an end that binds to
    /// what follows, the next one of its thread.
    fn find_holders(&mut self, first: usize) {
        if self.flows.len() <= first {
            return;
        }
        let mut threads: Vec<Vec<usize>> = vec![Vec::new(); self.threads.len()];
        for (position, slice) in self.kept_slices() {
            if let Some(slices) = threads.get_mut(slice.thread as usize) {
                slices.push(position);
            }
        }
        let mut finders: Vec<Option<Finder>> = Vec::new();
        finders.resize_with(threads.len(), || None);
        let Self { flows, slices, .. } = self;
        for flow in flows.iter_mut().skip(first) {
            let thread = flow.thread as usize;
            let Some((finder, own)) = finders.get_mut(thread).zip(threads.get(thread)) else {
                continue;
            };
            let finder = finder.get_or_insert_with(|| {
                Finder::new(
                    own.iter()
                        .filter_map(|&p| Some((slices.get(p)?, p)))
                        .map(|(slice, p)| (slice.start_ns, slice.end_ns, p)),
                )
            });
            let binds_next = flow.phase == FlowPhase::End && !flow.binds_enclosing;
            flow.slice = finder.find(flow.at_ns, binds_next).and_then(|p| u32::try_from(p).ok());
        }
    }
}

/// Finds slices of a thread by time.
struct Finder {
    /// (start, end, position), by start and, at the same start, longest first.
    slices: Vec<(i64, i64, usize)>,
    /// Slice that holds each slice.
    outer: Vec<Option<usize>>,
}

impl Finder {
    fn new(slices: impl Iterator<Item = (i64, i64, usize)>) -> Self {
        let mut slices: Vec<_> = slices.collect();
        slices.sort_by_key(|&(start, end, _)| (start, std::cmp::Reverse(end)));
        let mut open: Vec<(usize, i64)> = Vec::new();
        let mut outer = Vec::with_capacity(slices.len());
        for (i, &(_, end, _)) in slices.iter().enumerate() {
            while open.last().is_some_and(|&(_, of_outer)| of_outer < end) {
                open.pop();
            }
            outer.push(open.last().map(|&(place, _)| place));
            open.push((i, end));
        }
        Self { slices, outer }
    }

    /// The position of the slice that holds a point.
    fn find(&self, at: i64, binds_next: bool) -> Option<usize> {
        let after = self.slices.partition_point(|slice| slice.0 <= at);
        let mut candidate = after.checked_sub(1);
        while let Some(i) = candidate {
            let &(_, end, position) = self.slices.get(i)?;
            if at <= end {
                return Some(position);
            }
            candidate = self.outer.get(i).copied().flatten();
        }
        self.slices.get(after).filter(|_| binds_next).map(|slice| slice.2)
    }
}
