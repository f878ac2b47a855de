//! Cores that launched the same kernels in another order.
//!
//! Cores that share the work launch the same kernels in the same order. A file of another program has another order. If two cores differ,
//! each may have had work of its own; where all others have one order, the core with another one is of another capture.

use bigtpu_messages::{Arg, message};

use super::launches::{Launch, count_elsewhere};
use super::path_of;
use crate::dump::Dump;
use crate::note::{Note, Severity};

/// One in so many launches may be another: kernels of one core alone.
const LAUNCHES_PER_OTHER: usize = 6;

/// The core whose launches are in another order than those of all others, which have one order; a loss.
pub(super) fn other_order(dump: &Dump, cores: &[(u32, Vec<Launch>)]) -> Option<Note> {
    let (core, other, odd, launches) = odd_core(cores)?;
    let other = Arg::Number(other.into());
    let message = message!("note-other-order", odd = odd, launches = launches, other = other);
    Some(Note::about_file(Severity::Loss, path_of(dump, core, false)?, message))
}

/// The only core with another order than all others, which have one; one of those, and how many launches differ, of how many.
fn odd_core(cores: &[(u32, Vec<Launch>)]) -> Option<(u32, u32, usize, usize)> {
    let mut found = cores.iter().enumerate().filter_map(|(at, (core, own))| {
        let others = || cores.iter().enumerate().filter(|(other, _)| *other != at);
        let (_, (other, first)) = others().next()?;
        let has_first_order = |launches: &[Launch]| count_elsewhere(first, launches) == Some(0);
        let have_one_order =
            others().count() > 1 && others().all(|(_, (_, launches))| has_first_order(launches));
        let odd = odd_launches(own, first).filter(|_| have_one_order)?;
        Some((*core, *other, odd, own.len()))
    });
    // Of several such cores none is the odd one.
    found.next().filter(|_| found.next().is_none())
}

/// Two cores with other orders: nothing says whether they are of one capture.
pub(super) fn two_orders(dump: &Dump, cores: &[(u32, Vec<Launch>)]) -> Option<Note> {
    let [(first, own), (second, others)] = cores else { return None };
    let odd = odd_launches(others, own)?;
    let (launches, other) = (own.len(), Arg::Number((*first).into()));
    let message = message!("note-two-orders", odd = odd, launches = launches, other = other);
    Some(Note::about_file(Severity::Warning, path_of(dump, *second, false)?, message))
}

/// How many launches differ, if both cores launched as many of the same kernels, and more than a few are elsewhere.
fn odd_launches(own: &[Launch], others: &[Launch]) -> Option<usize> {
    count_elsewhere(own, others).filter(|odd| odd * LAUNCHES_PER_OTHER > own.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(orders: &[&[u32]]) -> Vec<(u32, Vec<Launch>)> {
        orders.iter().zip(0..).map(|(order, core)| (core, Launch::of_kernels(order))).collect()
    }

    #[test]
    fn a_core_with_another_order_than_all_others_is_of_another_capture() {
        let (order, other): (&[u32], &[u32]) = (&[1, 2, 3, 1, 2, 3], &[1, 3, 2, 1, 3, 2]);
        assert_eq!(odd_core(&cores(&[order, other, order])), Some((1, 0, 4, 6)));
        assert_eq!(odd_core(&cores(&[order, order, order])), None);
        // Of two cores nothing says which is odd, nor that one is.
        assert_eq!(odd_core(&cores(&[order, other])), None);
        let [own, others] = [order, other].map(Launch::of_kernels);
        assert_eq!(odd_launches(&own, &others), Some(4));
    }

    #[test]
    fn cores_with_work_of_their_own_are_left_alone() {
        let order: &[u32] = &[1, 2, 3, 1, 2, 3];
        // Other kernels, another number of launches, or one launch that differs.
        for other in [&[1, 2, 4, 1, 2, 4][..], &[1, 3, 2, 1, 3, 2, 1], &[1, 2, 3, 1, 2, 2]] {
            assert_eq!(odd_core(&cores(&[order, other, order])), None, "{other:?}");
        }
    }
}
