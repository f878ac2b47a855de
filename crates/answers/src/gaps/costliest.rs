//! The bubbles that cost most.

use super::Cause;
use super::bubble::Bubble;

/// The costliest bubbles, start and end left out: the costliest first.
#[derive(Debug)]
pub(super) struct Costliest {
    pub(super) kept: Vec<Bubble>,
    most: usize,
    /// Bubbles that cost less are not among them, in ns.
    least_ns: i64,
}

impl Costliest {
    pub(super) fn new(most: usize) -> Self {
        Self { kept: Vec::with_capacity(most + 1), most, least_ns: i64::MIN }
    }

    /// Keeps a bubble if it is among the costliest.
    #[inline]
    pub(super) fn add(&mut self, bubble: Bubble) {
        // Most cost less than all that are kept.
        if bubble.cost_ns >= self.least_ns {
            self.keep(bubble);
        }
    }

    #[cold]
    fn keep(&mut self, bubble: Bubble) {
        let key = |b: &Bubble| (-b.cost_ns, -b.ns(), b.start);
        let is_worse = |known: &Bubble| key(known) > key(&bubble);
        let is_edge = matches!(bubble.cause, Cause::Start | Cause::End);
        if is_edge || self.kept.len() == self.most && !self.kept.last().is_some_and(is_worse) {
            return;
        }
        let place = self.kept.partition_point(|known| !is_worse(known));
        self.kept.insert(place, bubble);
        self.kept.truncate(self.most);
        if self.kept.len() == self.most {
            self.least_ns = self.kept.last().map_or(i64::MIN, |last| last.cost_ns);
        }
    }
}
