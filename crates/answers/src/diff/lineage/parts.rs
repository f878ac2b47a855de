//! Whether several kernels together are one.

use std::collections::BTreeSet;

use super::owner::{Owner, is_near};

/// Kernels that one is split into, or that are fused, at most.
pub(super) const MOST_PARTS: usize = 4;
/// Kernels of which such sets are looked for wherever they are, those that do most.
const MOST_CANDIDATES: usize = 16;
/// Fusing saves the bytes that were stored and loaded again between the parts: of their bytes the whole moves at least this part.
const LEAST_BYTES: f64 = 0.25;

/// Bytes and operations.
type Amounts = [f64; 2];

/// Parts with these bytes and operations together are the whole: its operations are theirs, and its bytes are, or were saved.
fn fits([bytes, ops]: Amounts, [all_bytes, all_ops]: Amounts) -> bool {
    let (less, more) = (bytes.min(all_bytes), bytes.max(all_bytes));
    // Without operations only equal bytes tell.
    match ops > 0.0 {
        true => is_near(ops, all_ops) && (more == 0.0 || less >= LEAST_BYTES * more),
        false => all_ops == 0.0 && is_near(bytes, all_bytes),
    }
}

/// This one alone may be a part of the whole.
fn takes_part([bytes, ops]: Amounts, [part_bytes, part_ops]: Amounts) -> bool {
    if ops > 0.0 { part_ops < ops && part_ops > 0.0 } else { part_bytes < bytes }
}

fn sum(parts: impl Iterator<Item = Amounts>) -> Amounts {
    parts.fold([0.0; 2], |[b, o], [bytes, ops]| [b + bytes, o + ops])
}

/// These kernels together are that one.
pub(super) fn is_divided(whole: &Owner, parts: &[Owner]) -> bool {
    let all = whole.amounts();
    parts.iter().all(|part| takes_part(all, part.amounts()))
        && fits(all, sum(parts.iter().map(Owner::amounts)))
}

/// The fewest of these kernels that are the whole together, by their places; `None` where several sets are.
pub(super) fn parts_of(whole: &Owner, parts: &[Owner]) -> Option<Vec<usize>> {
    let whole = whole.amounts();
    let candidates: Vec<Amounts> = parts.iter().take(MOST_CANDIDATES).map(Owner::amounts).collect();
    let is_whole =
        |set: &[usize]| fits(whole, sum(set.iter().filter_map(|at| candidates.get(*at).copied())));
    let is_usable =
        |at: &usize| candidates.get(*at).is_some_and(|amounts| takes_part(whole, *amounts));
    let usable: Vec<usize> = (0..candidates.len()).filter(is_usable).collect();
    let mut sets: Vec<Vec<usize>> = usable.iter().map(|at| vec![*at]).collect();
    for _ in 1..MOST_PARTS {
        let longer = |set: &Vec<usize>| {
            let last = set.last().copied().unwrap_or(0);
            let further = usable.iter().filter(move |at| **at > last);
            further.map(|at| [set.as_slice(), &[*at]].concat()).collect::<Vec<_>>()
        };
        sets = sets.iter().flat_map(longer).collect();
        let found: BTreeSet<&Vec<usize>> = sets.iter().filter(|set| is_whole(set)).collect();
        // Two sets that fit say nothing.
        match found.len() {
            0 => {}
            1 => return found.first().map(|set| (*set).clone()),
            _ => return None,
        }
    }
    None
}
