//! What is kept of a track's bubbles, of which there is one for most commands: what they cost by cause, and the longest.

use bigtpu_measure::{DumpModel, EnginePause, EnginePauses, EngineTrack};

use super::bubble::Bubble;
use super::{Cause, CauseCost};

/// Gaps kept one by one, of all engines together and of each one at least: the longest. Each takes thousands of instructions in report, page and
/// trace, where a command takes hundreds, and a large run has nearly as many gaps as commands.
const MOST_GAPS: usize = 4096;
const LEAST_GAPS: usize = 64;

/// What is kept of a track's bubbles.
#[derive(Debug)]
pub(crate) struct Bubbles {
    pub(super) costs: Costs,
    /// The longest, in time order once [`Bubbles::finish`] was called; at most twice as many as are to be kept.
    kept: Vec<Bubble>,
    most: usize,
    /// Once some are left out: the rank of the last one that is kept. What ranks behind it is left out at once.
    last_rank: Option<Rank>,
    /// Bubbles that are not kept: how many, and ns of all of them.
    pub(super) rest: (u64, i64),
}

impl Bubbles {
    /// Makes what is to be kept of each track of a run.
    pub(crate) fn maker(model: &DumpModel<'_>) -> impl Fn() -> Self + Send + Sync + use<> {
        let engines = model.tracks.iter().filter(|track| !track.is_empty()).count();
        let most = (MOST_GAPS / engines.max(1)).max(LEAST_GAPS);
        move || Self::keeping(most)
    }

    /// Nothing so far; the `most` longest bubbles are kept one by one.
    #[must_use]
    pub(crate) fn keeping(most: usize) -> Self {
        let (costs, kept) = (Costs::default(), Vec::new());
        Self { costs, kept, most: most.max(1), last_rank: None, rest: (0, 0) }
    }

    /// Keeps the longest only.
    #[cold]
    fn prune(&mut self) {
        let Self { kept, most, last_rank, rest, .. } = self;
        if kept.len() <= *most {
            return;
        }
        let (_, last, _) = kept.select_nth_unstable_by_key(*most - 1, rank);
        *last_rank = Some(rank(last));
        for bubble in kept.drain(*most..) {
            *rest = (rest.0 + 1, rest.1 + bubble.ns());
        }
    }

    /// The longest in time order.
    pub(super) fn finish(&mut self) -> Vec<Bubble> {
        self.prune();
        self.kept.sort_unstable_by_key(|bubble| bubble.start);
        std::mem::take(&mut self.kept)
    }
}

impl EnginePauses for Bubbles {
    #[inline]
    fn add(&mut self, pause: &EnginePause) {
        let bubble = Bubble::from_pause(pause);
        self.costs.add(&bubble);
        if self.last_rank.is_some_and(|last| rank(&bubble) > last) {
            self.rest = (self.rest.0 + 1, self.rest.1 + bubble.ns());
            return;
        }
        self.kept.push(bubble);
        if self.kept.len() >= 2 * self.most {
            self.prune();
        }
    }
}

/// The place of a bubble among all: the longest first, then the earliest.
type Rank = (i64, i64);

fn rank(bubble: &Bubble) -> Rank {
    (-bubble.ns(), bubble.start)
}

/// What each cause costs a track: bubbles, ns of all of them, ns of the longest.
#[derive(Debug, Default)]
pub(super) struct Costs([(u64, i64, i64); Cause::ALL.len()]);

impl Costs {
    #[inline]
    fn add(&mut self, bubble: &Bubble) {
        let (count, total_ns, max_ns) = &mut self.0[bubble.cause as usize];
        *count += 1;
        *total_ns += bubble.ns();
        *max_ns = bubble.ns().max(*max_ns);
    }

    /// Returns what each cause costs the track, without causes that never occur.
    pub(super) fn into_causes(self, track: &EngineTrack<'_>) -> Vec<CauseCost> {
        let found = Cause::ALL.into_iter().zip(self.0).filter(|(_, (count, ..))| *count > 0);
        let cost = |(cause, (count, total_ns, max_ns))| CauseCost {
            engine: track.engine_id.engine.name().to_owned(),
            index: track.engine_id.index,
            cause,
            count,
            total_ns,
            max_ns,
        };
        found.map(cost).collect()
    }
}
