//! Finds the first lane that has room, in logarithmic time.

/// For each lane a number that says how much room it has, and over them a tree of maxima.
///
/// ```text
///           [1]            tree[i] = max(tree[2i], tree[2i+1])
///       [2]     [3]        leaves: lanes 0, 1, 2, … ; a free lane has i64::MAX
///     [4] [5] [6] [7]
/// ```
#[derive(Debug, Clone)]
pub struct LaneTree {
    tree: Vec<i64>,
    leaves: usize,
}

/// The room of a lane that holds nothing.
pub const FREE: i64 = i64::MAX;

impl Default for LaneTree {
    fn default() -> Self {
        Self { tree: vec![FREE; 2], leaves: 1 }
    }
}

impl LaneTree {
    /// The first lane with that much room; all lanes that were never [set](Self::set) are free.
    pub fn first_with(&mut self, room: i64) -> usize {
        if self.end_of(1) < room {
            self.grow();
        }
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            if self.end_of(node) < room {
                node += 1;
            }
        }
        node - self.leaves
    }

    /// Notes how much room `lane` has from now on.
    pub fn set(&mut self, lane: usize, room: i64) {
        let mut node = lane + self.leaves;
        if let Some(leaf) = self.tree.get_mut(node) {
            *leaf = room;
        }
        while node > 1 {
            node /= 2;
            let max = self.end_of(2 * node).max(self.end_of(2 * node + 1));
            if let Some(inner) = self.tree.get_mut(node) {
                *inner = max;
            }
        }
    }

    fn end_of(&self, node: usize) -> i64 {
        self.tree.get(node).copied().unwrap_or(FREE)
    }

    /// Twice the lanes; the new ones are free.
    fn grow(&mut self) {
        let rooms: Vec<i64> = self.tree.split_off(self.leaves);
        self.leaves *= 2;
        self.tree = vec![FREE; 2 * self.leaves];
        for (lane, room) in rooms.into_iter().enumerate() {
            self.set(lane, room);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_first_lane_that_fits() {
        let mut lanes = LaneTree::default();
        for (lane, end) in [50, 10, 40, 20, 30].into_iter().enumerate() {
            assert_eq!(lanes.first_with(60), lane);
            lanes.set(lane, end);
        }
        assert_eq!(lanes.first_with(60), 5);
        assert_eq!(lanes.first_with(45), 0);
        lanes.set(0, 5);
        assert_eq!(lanes.first_with(15), 2);
        lanes.set(1, FREE);
        assert_eq!(lanes.first_with(60), 1);
    }
}
