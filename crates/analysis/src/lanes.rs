//! Overlapping slices go to sibling lanes.

/// Which lane each slice goes to, and the order in which a track's slices are written.
#[derive(Debug, PartialEq, Eq)]
pub enum Lanes {
    /// One lane, in the order of the list.
    Single,
    /// Each lane's slices, in time order.
    Several(Vec<Vec<u32>>),
}

/// Assigns slices, sorted by (start, end) and stably, each to the first lane that is free at its start.
#[must_use]
pub fn assign_lanes(start: &[i64], end: &[i64]) -> Lanes {
    let serial = start.windows(2).zip(end).all(|(s, &e)| e <= s[1]);
    if serial && start.iter().zip(end).all(|(s, e)| s <= e) {
        return Lanes::Single;
    }
    let mut order: Vec<u32> = (0..start.len() as u32).collect();
    order.sort_by_key(|&i| (start[i as usize], end[i as usize]));
    let mut free = FirstFree::default();
    let mut lanes: Vec<Vec<u32>> = Vec::new();
    for i in order {
        let lane = free.take(start[i as usize], end[i as usize]);
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(i);
    }
    Lanes::Several(lanes)
}

/// Finds the first lane whose last slice ended in time: a tree of minima over the lanes' ends, so that
/// a thousand lanes cost ten steps.
#[derive(Debug, Default)]
struct FirstFree {
    /// Heap order; the leaves are the lanes.
    tree: Vec<i64>,
    leaves: usize,
    lanes: usize,
}

impl FirstFree {
    /// Takes the first lane that is free at `start` until `end`, a new one if there is none.
    fn take(&mut self, start: i64, end: i64) -> usize {
        let lane = match self.tree.get(1) {
            Some(&earliest) if earliest <= start => self.first_until(start),
            _ => self.lanes,
        };
        if lane == self.lanes {
            self.lanes += 1;
            if self.lanes > self.leaves {
                self.grow();
            }
        }
        let mut node = self.leaves + lane;
        self.tree[node] = end;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
        }
        lane
    }

    fn first_until(&self, start: i64) -> usize {
        let mut node = 1;
        while node < self.leaves {
            node *= 2;
            if self.tree[node] > start {
                node += 1;
            }
        }
        node - self.leaves
    }

    fn grow(&mut self) {
        let ends: Vec<i64> = self.tree.get(self.leaves..).unwrap_or(&[]).to_vec();
        self.leaves = (self.leaves * 2).max(1);
        self.tree = vec![i64::MAX; 2 * self.leaves];
        self.tree[self.leaves..self.leaves + ends.len()].copy_from_slice(&ends);
        for node in (1..self.leaves).rev() {
            self.tree[node] = self.tree[2 * node].min(self.tree[2 * node + 1]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn serial_slices_need_one_lane() {
        assert_eq!(assign_lanes(&[0, 10, 20], &[10, 20, 25]), Lanes::Single);
        assert_eq!(assign_lanes(&[], &[]), Lanes::Single);
    }

    #[test]
    fn overlap_spills_to_the_first_free_lane() {
        let lanes = assign_lanes(&[0, 5, 7, 12], &[10, 6, 9, 13]);
        assert_eq!(lanes, Lanes::Several(vec![vec![0, 3], vec![1, 2]]));
    }

    proptest! {
        #[test]
        fn the_tree_agrees_with_a_scan(spans in prop::collection::vec((0i64..200, 0i64..40), 1..120)) {
            let start: Vec<i64> = spans.iter().map(|s| s.0).collect();
            let end: Vec<i64> = spans.iter().map(|s| s.0 + s.1).collect();
            let mut order: Vec<u32> = (0..start.len() as u32).collect();
            order.sort_by_key(|&i| (start[i as usize], end[i as usize]));
            let mut lanes: Vec<(i64, Vec<u32>)> = Vec::new();
            for i in order {
                let (s, e) = (start[i as usize], end[i as usize]);
                match lanes.iter_mut().find(|(until, _)| *until <= s) {
                    Some(lane) => {
                        lane.0 = e;
                        lane.1.push(i);
                    }
                    None => lanes.push((e, vec![i])),
                }
            }
            let expected: Vec<Vec<u32>> = lanes.into_iter().map(|l| l.1).collect();
            match assign_lanes(&start, &end) {
                Lanes::Several(lanes) => prop_assert_eq!(lanes, expected),
                Lanes::Single => prop_assert_eq!(expected.len(), 1),
            }
        }
    }
}
