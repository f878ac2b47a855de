//! Times that no strategy can be better than.

use crate::search::layout::Layout;

/// The least that operators take, however they are split and wherever they run.
#[derive(Debug, Clone)]
pub(crate) struct Least {
    /// Time of a part of the fastest split, by operator, in ps.
    fastest: Vec<u64>,
    /// From the end of an operator until all that needs its result has ended, at least.
    behind: Vec<u64>,
    /// Work of all operators after each one, of forward and backward passes.
    work_behind: Vec<u64>,
    /// The bound of all strategies.
    whole: u64,
}

impl Least {
    pub(crate) fn new(layout: &Layout<'_>) -> Self {
        let ops = &layout.graph.ops;
        let training = layout.trains();
        let passes = if training { 3 } else { 1 };
        let fastest: Vec<u64> = ops
            .iter()
            .map(|op| op.options.iter().map(|split| split.ps).min().unwrap_or(0))
            .collect();
        let work = |op: usize| {
            let all = ops[op]
                .options
                .iter()
                .map(|split| split.ps.saturating_mul(u64::from(split.parts())));
            all.min().unwrap_or(0).saturating_mul(passes)
        };
        let mut behind = vec![0_u64; ops.len()];
        for edge in layout.edges.iter().rev() {
            let through = behind[edge.to].saturating_add(fastest[edge.to]);
            behind[edge.from] = behind[edge.from].max(through);
        }
        let mut work_behind = vec![0_u64; ops.len()];
        let mut sum = 0_u64;
        for op in (0..ops.len()).rev() {
            work_behind[op] = sum;
            sum = sum.saturating_add(work(op));
        }
        let paths = (0..ops.len()).map(|op| fastest[op].saturating_add(behind[op]));
        let longest = paths.max().unwrap_or(0).saturating_mul(passes);
        let even = sum / u64::from(layout.machine.devices().max(1));
        Self { fastest, behind, work_behind, whole: longest.max(even) }
    }

    /// The bound of all strategies, in ms: the longest way through the graph with each operator at its fastest, and the
    /// least work of all operators on all devices.
    pub(crate) fn whole_ms(&self) -> f64 {
        self.whole as f64 * 1e-9
    }

    /// The longest way through an operator that ends at `end`, in ps. A backward pass takes twice its forward pass, and what
    /// the forward pass did comes back.
    pub(crate) fn whole_path(&self, end: u64, op: usize, training: bool) -> u64 {
        let forward = end.saturating_add(self.behind[op]);
        if training {
            // Backward through the same operators at their fastest.
            let back = self.behind[op].saturating_add(self.fastest[op]).saturating_mul(2);
            return forward.saturating_add(back);
        }
        forward
    }

    /// Least work of the operators after one, in ps.
    pub(crate) fn work_behind(&self, op: usize) -> u64 {
        self.work_behind[op]
    }
}
