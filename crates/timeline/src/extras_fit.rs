//! Full bits of commands laid over the words that they belong to, where the two are at odds.
//!
//! The n-th command takes the n-th item, so that one lost or doubled item gives all commands behind it the bits of
//! their neighbours. But an item says its number, and its bits which operation they are; a word says so of its command.
//! The cheapest way to lay items over words finds the place:
//!
//! ```text
//!   words   sMM  sAR  sSG  gdma │ sMM  sAR
//!   items   sMM       sSG  gdma │ sMM  sAR        number 1 is missing
//! ```

use crate::extras::Extra;

/// What is at odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemFault {
    /// So many bytes hold no whole item.
    Torn(u64),
    /// Two neighbours had exchanged their places.
    Exchanged,
    /// An item is there twice.
    Doubled,
    /// So many items are missing.
    Missing(u64),
    /// So many items belong to no word.
    Surplus(u64),
}

/// The items of a file's blocks, in the order of their numbers, with the offset of each fault.
pub(crate) fn items_in_order<'d>(
    blocks: &[(&'d [u8], u64)],
) -> (Vec<Extra<'d>>, Vec<(u64, ItemFault)>) {
    let mut items = Vec::new();
    let mut faults = Vec::new();
    for (content, offset) in blocks {
        whole_items(content, *offset, &mut items, &mut faults);
    }
    let id = |items: &[Extra<'_>], k: usize| items.get(k).map(|item| item.id);
    let mut k = 0;
    while k + 1 < items.len() {
        let (own, next) = (items[k].id, items[k + 1].id);
        let before = k.checked_sub(1).and_then(|b| id(&items, b));
        let behind = id(&items, k + 2);
        // Some firmware writes words in the place of numbers: only numbers that count say something.
        let counts_up = before.is_some_and(|b| b.wrapping_add(1) == own)
            || behind.is_some_and(|b| b == next.wrapping_add(1));
        if own == next && counts_up && items[k].bytes == items[k + 1].bytes {
            faults.push((items[k + 1].offset, ItemFault::Doubled));
            items.remove(k + 1);
            continue;
        }
        let is_exchanged = own == next.wrapping_add(1)
            && before.is_none_or(|before| before.wrapping_add(1) == next)
            && behind.is_none_or(|behind| behind == own.wrapping_add(1));
        if is_exchanged {
            items.swap(k, k + 1);
            faults.push((items[k].offset, ItemFault::Exchanged));
        }
        k += 1;
    }
    (items, faults)
}

const HEAD: usize = 12;
/// Numbers that may be missing between neighbours.
const NEAR: u32 = 64;

/// Longest bits of a command, with room.
const MOST_BYTES: usize = 1024;

/// The head of the item at a place: its number and its length.
fn head(content: &[u8], at: usize) -> Option<(u32, usize)> {
    let word = |i: usize| {
        let bytes = content.get(at + i..at + i + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    };
    let (id, kind, length) = (word(0)?, word(4)?, word(8)? as usize);
    let fits = matches!(kind, 0 | 1 | 100)
        && (1..=MOST_BYTES).contains(&length)
        && at + HEAD + length <= content.len();
    fits.then_some((id, length))
}

/// The items of a block that are whole; behind a torn one the next is found by its head.
fn whole_items<'d>(
    content: &'d [u8],
    offset: u64,
    items: &mut Vec<Extra<'d>>,
    faults: &mut Vec<(u64, ItemFault)>,
) {
    let mut at = 0;
    let mut last: Option<u32> = None;
    let goes_on = |at: usize| at == content.len() || head(content, at).is_some();
    let is_whole = |at: usize, is_near: &dyn Fn(u32) -> bool| {
        head(content, at).is_some_and(|(id, length)| is_near(id) && goes_on(at + HEAD + length))
    };
    // A wrong length may end where bits look like a head. The item's number is then none of its neighbours', and the next item is
    // within it. Where numbers do not count, nothing of this is so.
    let is_too_long = |at: usize, id: u32, length: usize| {
        let end = at + HEAD + length;
        let is_apart = head(content, end).is_some_and(|(next, _)| next.abs_diff(id) > NEAR);
        let follows = |next: u32| (1..=NEAR).contains(&next.wrapping_sub(id));
        is_apart && (at + HEAD..end).any(|place| is_whole(place, &follows))
    };
    // Each search reads on from where the last one ended.
    while at < content.len() {
        let own = head(content, at)
            .filter(|&(id, length)| goes_on(at + HEAD + length) && !is_too_long(at, id, length));
        if let Some((id, length)) = own {
            let from = at + HEAD;
            if let Some(bytes) = content.get(from..from + length) {
                items.push(Extra { id, offset: offset + from as u64, bytes });
            }
            (last, at) = (Some(id), at + HEAD + length);
            continue;
        }
        let is_near = |id: u32| last.is_none_or(|last| id.wrapping_sub(last) <= NEAR);
        let next = (at + 1..content.len()).find(|place| is_whole(*place, &is_near));
        let next = next.unwrap_or(content.len());
        faults.push((offset + at as u64, ItemFault::Torn((next - at) as u64)));
        at = next;
    }
}

const COST_OF_SKIP: u32 = 3;
const COST_OF_ABSENCE: u32 = 3;
const COST_OF_NUMBER: u32 = 2;
const COST_OF_OPERATION: u32 = 5;
const MOST_SKIPPED: usize = 12;
/// Behind a stretch of lost words so many ways to go on are cheaper at first than the right one.
const MOST_PATHS: usize = 64;
const MOST_BEHIND: u32 = 32;

#[derive(Clone, Copy)]
struct Path {
    /// The next item.
    next: usize,
    /// Number of the last item less that of its word.
    apart: Option<i64>,
    is_absent: bool,
    cost: u32,
    step: u32,
}

/// For each of `words` words its item. `agrees`: whether an item is of a word's operation, `None` where one of them does
/// not say.
pub(crate) fn fit(
    words: usize,
    ids: &[u32],
    mut agrees: impl FnMut(usize, usize) -> Option<bool>,
) -> Vec<Option<usize>> {
    // Numbers that follow no other are words.
    let counts: Vec<Option<u32>> = (0..ids.len())
        .map(|k| {
            let own = ids[k];
            let before = k.checked_sub(1).map(|b| own.wrapping_sub(ids[b]));
            let behind = ids.get(k + 1).map(|next| next.wrapping_sub(own));
            let is_near = |step: Option<u32>| step.is_some_and(|step| step <= NEAR);
            (is_near(before) || is_near(behind)).then_some(own)
        })
        .collect();
    let mut steps: Vec<(u32, Option<u32>)> = Vec::new();
    let start = Path { next: 0, apart: None, is_absent: false, cost: 0, step: u32::MAX };
    let mut paths = vec![start];
    let mut further: Vec<(Path, Option<u32>)> = Vec::new();
    for word in 0..words {
        further.clear();
        for path in &paths {
            let absence = if path.is_absent { 1 } else { COST_OF_ABSENCE };
            further.push((Path { is_absent: true, cost: path.cost + absence, ..*path }, None));
            let ahead = counts.iter().enumerate().skip(path.next).take(1 + MOST_SKIPPED);
            for (item, count) in ahead {
                let skipped = (item - path.next) as u32;
                let skip = if skipped == 0 { 0 } else { COST_OF_SKIP + skipped.min(8) };
                let apart = count.map(|id| i64::from(id) - word as i64);
                let number = path.apart.zip(apart).is_some_and(|(known, apart)| known != apart);
                let operation = match agrees(word, item) {
                    Some(false) => COST_OF_OPERATION,
                    _ => 0,
                };
                let cost = path.cost + skip + operation + if number { COST_OF_NUMBER } else { 0 };
                let apart = apart.or(path.apart);
                let now = Path { next: item + 1, apart, is_absent: false, cost, ..*path };
                further.push((now, Some(item as u32)));
                if skipped == 0 && operation == 0 && !number && path.cost == 0 && paths.len() == 1 {
                    break;
                }
            }
        }
        further.sort_by_key(|(path, _)| path.cost);
        let least = further.first().map_or(0, |(path, _)| path.cost);
        paths.clear();
        for (path, item) in &further {
            if paths.len() == MOST_PATHS || path.cost > least + MOST_BEHIND {
                break;
            }
            if paths.iter().any(|p: &Path| p.next == path.next && p.is_absent == path.is_absent) {
                continue;
            }
            let step = steps.len() as u32;
            steps.push((path.step, *item));
            paths.push(Path { step, cost: path.cost - least, ..*path });
        }
    }
    let rest = |path: &Path| match ids.len() - path.next.min(ids.len()) {
        0 => path.cost,
        n => path.cost + COST_OF_SKIP + n.min(8) as u32,
    };
    let mut step = paths.iter().min_by_key(|path| rest(path)).map_or(u32::MAX, |path| path.step);
    let mut found = Vec::with_capacity(words);
    while let Some((before, item)) = steps.get(step as usize) {
        found.push(item.map(|item| item as usize));
        step = *before;
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations of words.
    fn operation(word: usize) -> usize {
        [0, 0, 1, 2, 0, 3, 3, 1, 4][word % 9] + word / 37 % 2
    }

    fn fitted(words: usize, items: &[usize]) -> Vec<Option<usize>> {
        let ids: Vec<u32> = items.iter().map(|&i| i as u32).collect();
        let found = fit(words, &ids, |word, item| Some(operation(word) == operation(items[item])));
        found.into_iter().map(|item| item.map(|item| items[item])).collect()
    }

    #[test]
    fn whole_items_are_those_of_their_words() {
        let items: Vec<usize> = (0..300).collect();
        assert_eq!(fitted(300, &items), items.into_iter().map(Some).collect::<Vec<_>>());
    }

    #[test]
    fn a_lost_item_costs_its_word_only() {
        for at in (1..290).step_by(3) {
            for n in [1, 3, 10] {
                let items: Vec<usize> = (0..300).filter(|i| !(at..at + n).contains(i)).collect();
                let expected: Vec<_> =
                    (0..300).map(|i| Some(i).filter(|i| !(at..at + n).contains(i))).collect();
                assert_eq!(fitted(300, &items), expected, "{n} at {at}");
            }
        }
    }

    fn block(ids: &[u32]) -> (Vec<u8>, Vec<usize>) {
        let (mut content, mut starts) = (Vec::new(), Vec::new());
        for id in ids {
            let length = 16 + 16 * (id % 5);
            starts.push(content.len());
            for word in [*id, 1, length] {
                content.extend(word.to_le_bytes());
            }
            content.extend((0..length).map(|i| (i * 7 + id) as u8));
        }
        starts.push(content.len());
        (content, starts)
    }

    fn ids(content: &[u8]) -> (Vec<u32>, Vec<ItemFault>) {
        let (items, faults) = items_in_order(&[(content, 8)]);
        (items.iter().map(|i| i.id).collect(), faults.into_iter().map(|(_, f)| f).collect())
    }

    #[test]
    fn items_behind_a_torn_one_are_read() {
        let all: Vec<u32> = (0..60).collect();
        let (content, starts) = block(&all);
        for at in 0..59 {
            for left in [1, 5, 13] {
                let mut torn = content.clone();
                torn.drain(starts[at] + left..starts[at + 1]);
                let (found, faults) = ids(&torn);
                assert_eq!(faults.len(), 1, "item {at}, {left} bytes left");
                let missing: Vec<u32> =
                    all.iter().copied().filter(|i| !found.contains(i)).collect();
                assert!(missing.contains(&(at as u32)) && missing.len() <= 2, "{at}: {missing:?}");
            }
        }
    }

    /// Where the item ends by its wrong length, bits look like a head of another number.
    #[test]
    fn an_item_with_a_wrong_length_costs_itself() {
        let all: Vec<u32> = (0..60).collect();
        let (content, starts) = block(&all);
        for at in 0..50 {
            let mut wrong = content.clone();
            // In the bits of a later item, which are long.
            let end = starts[at + 9 - at % 5] + 28;
            let length = (end - starts[at] - 12) as u32;
            wrong[starts[at] + 8..starts[at] + 12].copy_from_slice(&length.to_le_bytes());
            for (place, word) in wrong[end..end + 12].chunks_exact_mut(4).zip([9000_u32, 0, 8]) {
                place.copy_from_slice(&word.to_le_bytes());
            }
            let missing: Vec<u32> =
                all.iter().copied().filter(|i| !ids(&wrong).0.contains(i)).collect();
            assert_eq!(missing, [at as u32], "{at}");
        }
    }

    #[test]
    fn exchanged_and_doubled_items_are_put_right() {
        let all: Vec<u32> = (0..60).collect();
        for at in 0..59 {
            let mut order = all.clone();
            order.swap(at, at + 1);
            assert_eq!(ids(&block(&order).0), (all.clone(), vec![ItemFault::Exchanged]), "{at}");
            let mut order = all.clone();
            order.insert(at, at as u32);
            assert_eq!(ids(&block(&order).0), (all.clone(), vec![ItemFault::Doubled]), "{at}");
        }
    }
}
