//! A PMU's records on their way into a file: some are lost, some change places.

use crate::Options;
use crate::output::{Part, Sink};
use crate::rng::Chance;

/// The records of one engine of a core, or of a port.
#[derive(Debug)]
pub(crate) struct Monitor {
    part: Part,
    /// Seed and whose records they are.
    seed: u64,
    owner: u64,
    loss: f64,
    disorder: f64,
    next: u64,
    /// A record that is written after the next one.
    held: Option<Vec<u8>>,
}

impl Monitor {
    /// The records of a part; disorder is known of SDMA and CDMA only.
    pub(crate) fn new(options: &Options, part: Part, index: u32) -> Self {
        let may_swap = matches!(part, Part::Sdma | Part::Cdma);
        Self {
            part,
            seed: options.seed,
            owner: u64::from(index) << 8 | part as u64,
            loss: options.loss,
            disorder: if may_swap { options.disorder } else { 0.0 },
            next: 0,
            held: None,
        }
    }

    /// Takes a record of `length` bytes. One that `is_safe` is neither lost nor moved.
    pub(crate) fn record(
        &mut self,
        is_safe: bool,
        length: usize,
        fill: impl FnOnce(&mut Vec<u8>),
        sink: &mut impl Sink,
    ) {
        let mut swaps = false;
        if !is_safe && (self.loss > 0.0 || self.disorder > 0.0) {
            let mut chance = Chance::seeded(self.seed, [self.owner, self.next, 1]);
            self.next += 1;
            if chance.happens(self.loss) {
                return;
            }
            swaps = chance.happens(self.disorder);
        }
        if swaps && self.held.is_none() {
            let mut bytes = Vec::with_capacity(length);
            fill(&mut bytes);
            self.held = Some(bytes);
            return;
        }
        sink.put(self.part, length, fill);
        self.settle(sink);
    }

    /// Lets a held record go, at the end of a launch at the latest.
    pub(crate) fn settle(&mut self, sink: &mut impl Sink) {
        if let Some(held) = self.held.take() {
            sink.put(self.part, held.len(), |to| to.extend_from_slice(&held));
        }
    }
}
