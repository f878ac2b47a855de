//! The words of a DYN_DATA block with the items that belong to them, where the two are at odds.

use bigtpu_chip::{Chip, Engine, OpCode};
use bigtpu_format::{DynNode, Word, Words, is_old_dyn_data};
use bigtpu_messages::{Message, message};

use crate::extras::{Extra, Extras};
use crate::extras_fit::{ItemFault, fit, items_in_order};
use crate::ledger::Notes;

/// What a word that takes an item gets.
#[derive(Debug, Clone, Default)]
pub(crate) struct FittedWord<'d> {
    pub(crate) extra: Option<Extra<'d>>,
    /// Items of commands before it, whose words are missing.
    pub(crate) before: Vec<Extra<'d>>,
}

/// Words with their items.
pub(crate) struct Fitted<'d> {
    /// In the order of the words that take an item.
    pub(crate) words: Vec<FittedWord<'d>>,
    /// What is at odds, with its offset in the file.
    pub(crate) faults: Vec<(u64, ItemFault)>,
}

/// Lays the items over the words that take one. `None` where the items say nothing about their order.
pub(crate) fn fit_words<'d>(
    chip: &Chip,
    content: &[u8],
    extras: &Extras<'d>,
) -> Option<Fitted<'d>> {
    if is_old_dyn_data(content) {
        return None;
    }
    let words: Vec<Word> = Words::new(content)
        .filter_map(|(_, node)| match node {
            DynNode::Command { rvt: false, word } => Some(word),
            _ => None,
        })
        .collect();
    let (items, mut faults) = items_in_order(extras.blocks());
    let ids: Vec<u32> = items.iter().map(|item| item.id).collect();
    let follow = ids.windows(2).filter(|w| matches!(w, [a, b] if b.wrapping_sub(*a) == 1)).count();
    if follow * 2 < ids.len().saturating_sub(1) {
        return None;
    }
    // What an item is to either kind of engine, found when first asked for.
    let mut codes: [Vec<Option<Option<OpCode>>>; 2] =
        [vec![None; items.len()], vec![None; items.len()]];
    let agrees = |w: usize, i: usize| {
        let word = *words.get(w)?;
        let engine = chip.engine(word.engine())?;
        let kind = match engine {
            Engine::Tiu => 0,
            Engine::Gdma | Engine::Sdma => 1,
            Engine::Cdma => return None,
        };
        let table = chip.ops(engine);
        let bytes = items.get(i)?.bytes;
        let code = *codes[kind].get_mut(i)?.get_or_insert_with(|| table.recognise(bytes));
        let code = code?;
        let op = table.ops().get(usize::from(code.op))?;
        Some(op.task() == word.task() && code.variant == word.sub())
    };
    let found = fit(words.len(), &ids, agrees);
    let mut next = 0;
    let mut absent = 0;
    let mut fitted: Vec<FittedWord<'d>> = vec![FittedWord::default(); found.len()];
    for (item, fitted) in found.iter().zip(&mut fitted) {
        let Some(item) = *item else {
            absent += 1;
            continue;
        };
        let at = items.get(item).map_or(0, |item| item.offset);
        if absent > 0 {
            faults.push((at, ItemFault::Missing(absent)));
        }
        if item > next {
            faults.push((at, ItemFault::Surplus((item - next) as u64)));
            // Their numbers count up to that of the word's item: they are of this place.
            let of_place = |k: &usize| ids[item].wrapping_sub(ids[*k]) as usize == item - k;
            fitted.before = (next..item).filter(of_place).map(|k| items[k]).collect();
        }
        fitted.extra = items.get(item).copied();
        (absent, next) = (0, item + 1);
    }
    let end = items.last().map_or(0, |item| item.offset + item.bytes.len() as u64);
    if absent > 0 {
        faults.push((end, ItemFault::Missing(absent)));
    }
    if items.len() > next {
        faults.push((end, ItemFault::Surplus((items.len() - next) as u64)));
    }
    faults.sort_by_key(|(at, _)| *at);
    Some(Fitted { words: fitted, faults })
}

/// So many places are told one by one.
const MOST_TOLD: usize = 12;

/// Notes what is at odds.
pub(crate) fn tell_faults(faults: &[(u64, ItemFault)], notes: &mut Notes) {
    for (at, fault) in faults.iter().take(MOST_TOLD) {
        let message = match fault {
            ItemFault::Torn(bytes) => {
                notes.loss(*at, *bytes, Message::new("note-item-torn"));
                continue;
            }
            ItemFault::Exchanged => Message::new("note-items-exchanged"),
            ItemFault::Doubled => Message::new("note-item-twice"),
            ItemFault::Missing(items) => message!("note-items-missing", items = *items),
            ItemFault::Surplus(items) => message!("note-items-surplus", items = *items),
        };
        notes.loss_anywhere(Some(*at), message);
    }
    let more = faults.len().saturating_sub(MOST_TOLD);
    if more > 0 {
        notes.loss_anywhere(None, message!("note-more-item-places", more = more));
    }
}
