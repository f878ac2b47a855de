//! Finds the first lane in which a slice nests, in logarithmic time.

/// For each lane the end of its innermost open slice, and over them a tree of maxima.
///
/// ```text
///           [1]            tree[i] = max(tree[2i], tree[2i+1])
///       [2]     [3]        leaves: lanes 0, 1, 2, … ; a free lane has i64::MAX
///     [4] [5] [6] [7]
/// ```
pub(crate) struct LaneTree {
    tree: Vec<i64>,
    leaves: usize,
}

/// The end of a lane in which nothing is open.
pub(crate) const FREE: i64 = i64::MAX;

impl LaneTree {
    pub(crate) fn new() -> Self {
        Self { tree: vec![FREE; 2], leaves: 1 }
    }

    /// The first lane whose innermost open slice ends at `end` or later, or that is free.
    pub(crate) fn first_until(&mut self, end: i64) -> usize {
        if self.at(1) < end {
            self.grow();
        }
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            if self.at(node) < end {
                node += 1;
            }
        }
        node - self.leaves
    }

    /// Notes that the innermost open slice of `lane` now ends at `end` ([`FREE`]: there is none).
    pub(crate) fn set(&mut self, lane: usize, end: i64) {
        let mut node = lane + self.leaves;
        if let Some(leaf) = self.tree.get_mut(node) {
            *leaf = end;
        }
        while node > 1 {
            node /= 2;
            let max = self.at(2 * node).max(self.at(2 * node + 1));
            if let Some(inner) = self.tree.get_mut(node) {
                *inner = max;
            }
        }
    }

    fn at(&self, node: usize) -> i64 {
        self.tree.get(node).copied().unwrap_or(FREE)
    }

    /// Twice the lanes; the new ones are free.
    fn grow(&mut self) {
        let ends: Vec<i64> = self.tree.split_off(self.leaves);
        self.leaves *= 2;
        self.tree = vec![FREE; 2 * self.leaves];
        for (lane, end) in ends.into_iter().enumerate() {
            self.set(lane, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_first_lane_that_fits() {
        let mut lanes = LaneTree::new();
        for (lane, end) in [50, 10, 40, 20, 30].into_iter().enumerate() {
            assert_eq!(lanes.first_until(60), lane);
            lanes.set(lane, end);
        }
        assert_eq!(lanes.first_until(60), 5);
        assert_eq!(lanes.first_until(45), 0);
        lanes.set(0, 5);
        assert_eq!(lanes.first_until(15), 2);
        lanes.set(1, FREE);
        assert_eq!(lanes.first_until(60), 1);
    }
}
