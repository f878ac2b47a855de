//! Overlapping slices go to sibling lanes.

use super::tree::LaneTree;

/// Which lane each slice goes to, and the order in which a track's slices are written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Lanes {
    /// One lane, in the order of the list.
    #[default]
    Single,
    /// Each lane's slices, in time order.
    Several(Vec<Vec<u32>>),
}

/// Assigns slices, sorted by (start, end) and stably, each to the first lane that is free at its start.
#[must_use]
pub fn assign_lanes(start: &[i64], end: &[i64]) -> Lanes {
    let later = start.get(1..).unwrap_or_default();
    // Without a branch, so that the loops look at several at once: a step back has the highest bit.
    let lengths = start.iter().zip(end).fold(0, |all, (start, end)| all | end.wrapping_sub(*start));
    let pauses = end.iter().zip(later).fold(0, |all, (end, next)| all | next.wrapping_sub(*end));
    if lengths | pauses >= 0 {
        return Lanes::Single;
    }
    let mut order: Vec<u32> = (0..start.len() as u32).collect();
    order.sort_by_key(|&i| (start[i as usize], end[i as usize]));
    // A lane has room from the end of its last slice on: the earlier that is, the more.
    let room = |from: i64| !from;
    let mut tree = LaneTree::default();
    let mut lanes: Vec<Vec<u32>> = Vec::new();
    for i in order {
        let lane = tree.first_with(room(start[i as usize]));
        tree.set(lane, room(end[i as usize]));
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        lanes[lane].push(i);
    }
    Lanes::Several(lanes)
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
