//! Where commands belong that are compared with those of other places: a kernel, or a stretch between barriers.

use bigtpu_measure::MeasuredEvent;
use bigtpu_timeline::Tag;

use crate::findings::Findings;
use crate::inferred_barriers::ONE_BARRIER_NS;

/// Least number of barriers whose stretches are compared.
const LEAST_STRETCHES: usize = 4;

/// Where commands belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Place {
    Kernel(u32),
    /// Number of a stretch between barriers: of commands without a kernel.
    Stretch(usize),
}

/// When barriers opened, those of several engines at one time once; none where stretches between them say nothing.
pub(super) fn openings(findings: &Findings<'_, '_>) -> Vec<i64> {
    let mut opened: Vec<i64> = Vec::new();
    for at in &findings.barriers.opened {
        if opened.last().is_none_or(|last| at - last > ONE_BARRIER_NS) {
            opened.push(*at);
        }
    }
    if opened.len() < LEAST_STRETCHES { Vec::new() } else { opened }
}

/// Finds the places of a track's events, which come by time.
pub(super) struct Places<'f> {
    tags: &'f [Tag],
    /// When barriers opened; none where stretches between them say nothing.
    opened: &'f [i64],
    /// How many had opened at the event before.
    after: usize,
}

impl<'f> Places<'f> {
    pub(super) fn new(findings: &'f Findings<'_, '_>, opened: &'f [i64]) -> Self {
        Self { tags: findings.model.tags, opened, after: 0 }
    }

    #[inline]
    pub(super) fn find(&mut self, event: &MeasuredEvent<'_>) -> Option<Place> {
        if let Some(kernel) = self.tags.get(event.tag() as usize).and_then(|tag| tag.kernel) {
            return Some(Place::Kernel(kernel));
        }
        if self.opened.is_empty() {
            return None;
        }
        let begun = |at: usize| self.opened.get(at).is_some_and(|opened| *opened <= event.start);
        if begun(self.after) || self.after > 0 && !begun(self.after - 1) {
            self.after = self.opened.partition_point(|opened| *opened <= event.start);
        }
        Some(Place::Stretch(self.after))
    }
}
