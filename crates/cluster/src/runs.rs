//! Stretches of states, four bytes each.

/// What the cores do, ports left out. The first that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum CoreState {
    /// A TIU works.
    Compute = 0,
    /// A DMA engine moves data.
    Memory = 1,
    /// Sends and waits of cores and engines.
    Sync = 2,
    /// Between launches.
    Launch = 3,
    /// In a launch, and nothing happens.
    Idle = 4,
}

impl CoreState {
    /// All states by number.
    pub const ALL: [Self; 5] = [Self::Compute, Self::Memory, Self::Sync, Self::Launch, Self::Idle];
}

/// A stretch of one state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoreStretch {
    /// The state.
    pub state: CoreState,
    /// Its length.
    pub ns: u64,
}

/// Bits of a stretch's length; the others are its state.
const BITS: u32 = 29;
const MOST: u64 = (1 << BITS) - 1;

/// Stretches of states, one after the other. A stretch is a word, or as many as its length needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs(Vec<u32>);

impl Runs {
    /// A stretch follows.
    fn push(&mut self, run: CoreStretch) {
        let mut rest = run.ns;
        loop {
            let ns = rest.min(MOST);
            self.0.push((run.state as u32) << BITS | ns as u32);
            rest -= ns;
            if rest == 0 {
                break;
            }
        }
    }

    /// The stretches; those of more than half a second come in pieces.
    pub fn iter(&self) -> impl Iterator<Item = CoreStretch> {
        self.0.iter().map(|word| {
            let state = CoreState::ALL.get((word >> BITS) as usize).copied();
            CoreStretch { state: state.unwrap_or(CoreState::Idle), ns: u64::from(*word) & MOST }
        })
    }

    /// How many words they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// There is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<CoreStretch> for Runs {
    fn from_iter<I: IntoIterator<Item = CoreStretch>>(runs: I) -> Self {
        let mut all = Self::default();
        runs.into_iter().for_each(|run| all.push(run));
        all.0.shrink_to_fit();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_stretches_come_in_pieces_and_keep_their_sum() {
        let runs: Runs = [
            CoreStretch { state: CoreState::Idle, ns: 3_000_000_000 },
            CoreStretch { state: CoreState::Compute, ns: 7 },
        ]
        .into_iter()
        .collect();
        let idle: u64 = runs.iter().filter(|r| r.state == CoreState::Idle).map(|r| r.ns).sum();
        assert_eq!((runs.len(), idle), (7, 3_000_000_000));
        assert_eq!(runs.iter().last(), Some(CoreStretch { state: CoreState::Compute, ns: 7 }));
    }
}
