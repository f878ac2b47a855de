//! The kernels of two sides aligned in the order of their first launches, like two texts.
//!
//! The best alignment is the one that explains most of the work of both sides; of several, the one whose names are most alike. It is found by
//! dynamic programming over all beginnings of both sides (Needleman and Wunsch, 1970), in which a step takes one kernel of each side, one
//! of one side and several of the other, or leaves one out.

use std::collections::BTreeSet;

use super::owner::Owner;
use super::parts::{MOST_PARTS, is_divided};

/// Beginnings of both sides, at most: more are not aligned.
const MOST_CELLS: usize = 4_000_000;

/// Kernels of both sides that belong together.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) old: Vec<&'a Owner>,
    pub(super) new: Vec<&'a Owner>,
}

/// How good the alignment of two beginnings is: the work that it explains, and the letters that names have in common. And its last step:
/// kernels of each side.
#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    score: (u64, u32),
    taken: (u8, u8),
}

/// What belongs together of both sides, in order; what is not named belongs to nothing.
pub(super) fn steps<'a>(old: &'a [Owner], new: &'a [Owner]) -> Vec<Step<'a>> {
    // Most of two versions is the same at the start and at the end.
    let is_same = |(a, b): &(&Owner, &Owner)| a.name == b.name;
    let start = old.iter().zip(new).take_while(is_same).count();
    let rest = |side: &'a [Owner]| side.get(start..).unwrap_or_default();
    let end = rest(old).iter().rev().zip(rest(new).iter().rev()).take_while(is_same).count();
    let middle = |side: &'a [Owner]| {
        let own = rest(side);
        own.get(..own.len() - end).unwrap_or_default()
    };
    let (old, new) = (middle(old), middle(new));
    let width = new.len() + 1;
    if old.is_empty() || new.is_empty() || (old.len() + 1).saturating_mul(width) > MOST_CELLS {
        return Vec::new();
    }
    let table = Table::align(old, new);
    let mut found = Vec::new();
    let (mut row, mut column) = (old.len(), new.len());
    while row > 0 || column > 0 {
        let (of_old, of_new) = table.cell(row, column).taken;
        let (from_row, from_column) = (row - usize::from(of_old), column - usize::from(of_new));
        if of_old > 0 && of_new > 0 {
            let own = |side: &'a [Owner], from: usize, to: usize| -> Vec<&'a Owner> {
                side.get(from..to).unwrap_or_default().iter().collect()
            };
            found.push(Step { old: own(old, from_row, row), new: own(new, from_column, column) });
        }
        (row, column) = (from_row, from_column);
    }
    found.reverse();
    found
}

/// The best alignment of all beginnings.
struct Table {
    cells: Vec<Cell>,
    width: usize,
}

impl Table {
    fn align(old: &[Owner], new: &[Owner]) -> Self {
        let names = |side: &[Owner]| -> BTreeSet<String> {
            side.iter().map(|owner| owner.name.clone()).collect()
        };
        let (old_names, new_names) = (names(old), names(new));
        let is_free = |side: &[Owner], others: &BTreeSet<String>| -> Vec<bool> {
            side.iter().map(|owner| !others.contains(&owner.name)).collect()
        };
        let (gone, fresh) = (is_free(old, &new_names), is_free(new, &old_names));
        let all_free = |free: &[bool], from: usize, to: usize| {
            free.get(from..to).is_some_and(|free| free.iter().all(|is_free| *is_free))
        };
        let width = new.len() + 1;
        let mut table = Self { cells: vec![Cell::default(); (old.len() + 1) * width], width };
        for row in 0..=old.len() {
            for column in 0..=new.len() {
                let mut best = Cell::default();
                let mut take = |of_old: usize, of_new: usize, gain: (u64, u32)| {
                    let from = table.cell(row - of_old, column - of_new).score;
                    let score = (from.0.saturating_add(gain.0), from.1.saturating_add(gain.1));
                    if best.taken == (0, 0) || score > best.score {
                        best = Cell { score, taken: (of_old as u8, of_new as u8) };
                    }
                };
                if row > 0 && column > 0 {
                    let one = old.get(row - 1).zip(new.get(column - 1));
                    let is_free =
                        all_free(&gone, row - 1, row) && all_free(&fresh, column - 1, column);
                    if let Some((one, other)) = one
                        && (one.name == other.name || (is_free && one.does_the_same(other)))
                    {
                        let letters = one.letters_in_common(other) as u32;
                        take(1, 1, (one.total().saturating_add(other.total()), letters));
                    }
                }
                for parts in 2..=MOST_PARTS {
                    if let (Some(from), true) = (column.checked_sub(parts), row > 0)
                        && all_free(&gone, row - 1, row)
                        && all_free(&fresh, from, column)
                        && let Some((whole, parts_of)) = old.get(row - 1).zip(new.get(from..column))
                        && is_divided(whole, parts_of)
                    {
                        take(1, parts, (work(whole, parts_of), 0));
                    }
                    if let (Some(from), true) = (row.checked_sub(parts), column > 0)
                        && all_free(&gone, from, row)
                        && all_free(&fresh, column - 1, column)
                        && let Some((whole, parts_of)) = new.get(column - 1).zip(old.get(from..row))
                        && is_divided(whole, parts_of)
                    {
                        take(parts, 1, (work(whole, parts_of), 0));
                    }
                }
                if row > 0 {
                    take(1, 0, (0, 0));
                }
                if column > 0 {
                    take(0, 1, (0, 0));
                }
                if let Some(cell) = table.cells.get_mut(row * width + column) {
                    *cell = best;
                }
            }
        }
        table
    }

    fn cell(&self, row: usize, column: usize) -> Cell {
        self.cells.get(row * self.width + column).copied().unwrap_or_default()
    }
}

/// The work of one kernel and of those that are it together.
fn work(whole: &Owner, parts: &[Owner]) -> u64 {
    parts.iter().fold(whole.total(), |sum, part| sum.saturating_add(part.total()))
}
