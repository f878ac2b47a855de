//! Command ids of 16 bits that ran over (section 5.2).

/// A drop from one of these ids ...
const TOP: std::ops::RangeInclusive<u32> = 65_001..=65_535;
/// ... to below this one is a counter that ran over.
const BOTTOM: u32 = 1000;
const LIFT: i64 = 1 << 16;

/// How an engine's records may be out of order by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Disorder {
    /// Never: any drop is a new epoch.
    None,
    /// Neighbours may be swapped.
    Neighbours,
    /// Ids may fall by this many inside a launch.
    Within(u32),
}

/// Lifts ids after a run-over, until the next epoch. Returns the ids and the number of run-overs.
pub(crate) fn lift(raw: &[u32], disorder: Disorder) -> (Vec<i64>, u64) {
    let mut lift = 0;
    let mut overs = 0;
    let mut last = 0;
    let ids = raw
        .iter()
        .enumerate()
        .map(|(i, &id)| {
            if TOP.contains(&last) && id < BOTTOM {
                lift += LIFT;
                overs += 1;
            } else if id < last && !is_disorder(disorder, last, id, raw.get(i + 1).copied()) {
                lift = 0;
            }
            last = id;
            i64::from(id) + lift
        })
        .collect();
    (ids, overs)
}

fn is_disorder(disorder: Disorder, last: u32, id: u32, next: Option<u32>) -> bool {
    match disorder {
        Disorder::None => false,
        Disorder::Neighbours => id + 1 == last && next == last.checked_add(1),
        Disorder::Within(most) => last - id <= most,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_overflow_ends_with_its_epoch() {
        let (ids, overs) = lift(&[65_534, 65_535, 0, 1, 7, 0, 1], Disorder::None);
        assert_eq!(ids, [65_534, 65_535, 65_536, 65_537, 65_543, 0, 1]);
        assert_eq!(overs, 1);
    }

    #[test]
    fn wider_ids_do_not_overflow() {
        assert_eq!(lift(&[70_000, 0, 65_535, 2000], Disorder::None).0, [70_000, 0, 65_535, 2000]);
    }

    #[test]
    fn swapped_neighbours_keep_the_id_overflow() {
        let raw = [65_535, 0, 2, 1, 3, 0];
        let lifted = [65_535, 65_536, 65_538, 65_537, 65_539, 0];
        assert_eq!(lift(&raw, Disorder::Neighbours).0, lifted);
        assert_eq!(lift(&raw, Disorder::None).0, [65_535, 65_536, 65_538, 1, 3, 0]);
        assert_eq!(
            lift(&[65_535, 9, 4, 30], Disorder::Within(10)).0,
            [65_535, 65_545, 65_540, 65_566]
        );
    }
}
