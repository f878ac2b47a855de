//! Properties of the layout of slices in lanes.
#![allow(clippy::unwrap_used, missing_docs)]

use bigtpu_host_trace::{SliceEdge, Span, nest};
use proptest::prelude::*;

fn span((start_ns, duration): (i64, i64)) -> Span {
    Span { start_ns, end_ns: start_ns + duration }
}

fn spans(pairs: &[(i64, i64)]) -> Vec<Span> {
    pairs.iter().copied().map(span).collect()
}

/// Each lane as text: `+2` begins slice 2, `-2` ends it.
fn text(pairs: &[(i64, i64)]) -> Vec<String> {
    let edge = |edge: &SliceEdge| format!("{}{}", if edge.begin { '+' } else { '-' }, edge.slice);
    nest(&spans(pairs))
        .iter()
        .map(|lane| lane.iter().map(edge).collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn nested_slices_share_a_lane() {
    assert_eq!(text(&[(0, 10), (2, 3), (5, 5), (10, 1)]), ["+0 +1 -1 +2 -2 -0 +3 -3"]);
}

#[test]
fn overlapping_slices_take_further_lanes() {
    assert_eq!(
        text(&[(0, 10), (5, 10), (6, 2), (12, 10), (20, 1)]),
        ["+0 +2 -2 -0 +3 +4 -4 -3", "+1 -1"]
    );
}

#[test]
fn equal_slices_nest_as_given() {
    assert_eq!(text(&[(0, 5), (0, 5), (0, 9)]), ["+2 +0 +1 -1 -0 -2"]);
}

#[test]
fn slices_of_no_duration() {
    assert_eq!(
        text(&[(5, 0), (5, 5), (0, 5), (10, 0), (10, 0)]),
        ["+2 -2 +1 +0 -0 -1 +3 -3 +4 -4"]
    );
}

#[test]
fn staggered_slices_take_no_quadratic_time() {
    let staggered: Vec<(i64, i64)> = (0..200_000).map(|i| (i, 1_000_000)).collect();
    assert_eq!(nest(&spans(&staggered)).len(), 200_000);
}

/// The lane of each slice by the plain rule, one slice after the other, one lane after the other.
fn lanes_by_definition(spans: &[Span]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&i| (spans[i].start_ns, -spans[i].end_ns, i));
    let mut open: Vec<Vec<i64>> = Vec::new();
    let mut lanes = vec![0; spans.len()];
    for slice in order {
        let Span { start_ns, end_ns } = spans[slice];
        for stack in &mut open {
            stack.retain(|&end| end > start_ns);
        }
        let fits = open.iter().position(|stack| stack.last().is_none_or(|&end| end_ns <= end));
        lanes[slice] = fits.unwrap_or(open.len());
        if fits.is_none() {
            open.push(Vec::new());
        }
        open[lanes[slice]].push(end_ns);
    }
    lanes
}

fn check(spans: &[Span]) -> Result<(), TestCaseError> {
    let lanes = nest(spans);
    let expected = lanes_by_definition(spans);
    let mut seen = vec![0; spans.len()];
    for (place, lane) in lanes.iter().enumerate() {
        let mut stack: Vec<usize> = Vec::new();
        for pair in lane.windows(2) {
            prop_assert!(pair[0].at_ns <= pair[1].at_ns, "time goes back");
            let flat = |edge: &SliceEdge| spans[edge.slice].start_ns == spans[edge.slice].end_ns;
            if pair[0].at_ns == pair[1].at_ns && pair[0].begin && !pair[1].begin {
                prop_assert!(
                    pair[0].slice == pair[1].slice && flat(&pair[0]),
                    "a begin before an end at one time"
                );
            }
        }
        for edge in lane {
            let span = spans[edge.slice];
            prop_assert_eq!(expected[edge.slice], place);
            prop_assert_eq!(edge.at_ns, if edge.begin { span.start_ns } else { span.end_ns });
            seen[edge.slice] += 1;
            if edge.begin {
                if let Some(&parent) = stack.last() {
                    prop_assert!(
                        spans[parent].start_ns <= span.start_ns
                            && span.end_ns <= spans[parent].end_ns
                    );
                    prop_assert!(
                        span.start_ns < spans[parent].end_ns,
                        "begins where its parent ends"
                    );
                }
                stack.push(edge.slice);
            } else {
                prop_assert_eq!(stack.pop(), Some(edge.slice), "not a stack");
            }
        }
        prop_assert!(stack.is_empty());
    }
    prop_assert!(seen.iter().all(|&edges| edges == 2));
    Ok(())
}

proptest! {
    #[test]
    fn crowded_slices_make_stacks(pairs in proptest::collection::vec((0i64..20, 0i64..12), 0..60)) {
        check(&spans(&pairs))?;
    }

    #[test]
    fn sparse_slices_make_stacks(pairs in proptest::collection::vec((-1000i64..1000, 0i64..300), 0..200)) {
        check(&spans(&pairs))?;
    }

    #[test]
    fn nested_slices_need_one_lane(cuts in proptest::collection::btree_set(0i64..1000, 2..40)) {
        // All halvings of a list of times nest.
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let mut spans = Vec::new();
        let mut parts = vec![&cuts[..]];
        while let Some(part) = parts.pop() {
            if let [first, .., last] = part {
                spans.push(Span { start_ns: *first, end_ns: *last });
                if part.len() > 2 {
                    parts.push(&part[..part.len() / 2]);
                    parts.push(&part[part.len() / 2..]);
                }
            }
        }
        prop_assert_eq!(nest(&spans).len(), 1);
        check(&spans)?;
    }
}

#[test]
fn the_ends_of_time() {
    let spans = [
        Span { start_ns: i64::MIN, end_ns: i64::MAX },
        Span { start_ns: 0, end_ns: i64::MAX },
        Span { start_ns: i64::MAX, end_ns: i64::MAX },
        Span { start_ns: 5, end_ns: 3 },
    ];
    let lanes = nest(&spans);
    assert_eq!(lanes.iter().map(Vec::len).sum::<usize>(), 8);
}
