//! One run of a part on all cores that took part.

use crate::costs::level::Run;
use bigtpu_model::costs::{CostsPhase, EngineCost};

/// An execution.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Execution {
    /// Index into the level's names.
    pub(crate) name: u32,
    /// ns on the profile's time line.
    pub(crate) start: i64,
    /// ns on the profile's time line.
    pub(crate) end: i64,
    /// Runs on lanes that it consists of.
    pub(crate) lanes: u32,
    /// Runs on cores, included in `lanes`.
    pub(crate) cores: u32,
    /// ns by which it moves the end of the run.
    pub(crate) step: i64,
    /// TIU, GDMA, SDMA, CDMA; all cores summed.
    pub(crate) engines: [EngineCost; 4],
    /// ns of its transfers without work of the TIU, all cores summed.
    pub(crate) exposed: i64,
    pub(crate) phase: Option<CostsPhase>,
}

impl Execution {
    pub(crate) fn new(run: &Run) -> Self {
        Self {
            name: run.name,
            start: run.start,
            end: run.end,
            lanes: 0,
            cores: 0,
            step: 0,
            engines: [EngineCost::default(); 4],
            exposed: 0,
            phase: None,
        }
    }

    /// Adds the execution that follows in the same scope.
    pub(crate) fn extend(&mut self, next: &Self) {
        self.start = self.start.min(next.start);
        self.end = self.end.max(next.end);
        self.lanes = self.lanes.max(next.lanes);
        self.cores = self.cores.max(next.cores);
        self.step += next.step;
        self.exposed += next.exposed;
        for (engine, more) in self.engines.iter_mut().zip(&next.engines) {
            engine.add(more);
        }
    }

    /// Wall time in ns.
    pub(crate) fn wall(&self) -> i64 {
        self.end - self.start
    }
}
