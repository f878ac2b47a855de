//! Engines of a core whose counters start apart (always on BM1684X, by a few cycles on BM1688): dependences between
//! their commands bound the offset of one clock against the other.
//!
//! A TIU command starts after the GDMA command that it depends on ended, and the other way round:
//!
//! ```text
//! offset >= GDMA end - TIU start     of each TIU command with a dependence
//! offset <= GDMA start - TIU end     of each GDMA command with a dependence
//! ```

use bigtpu_chip::{Chip, Engine, Slot};
use bigtpu_messages::{Arg, Message, message};

use crate::wide_events::WideEvents;

/// What the dependences say of the offset that is added to the TIU's times, in ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct OffsetBounds {
    /// Smallest offset that no TIU command contradicts.
    pub(crate) low: Option<i64>,
    /// Greatest offset that no GDMA command contradicts.
    pub(crate) high: Option<i64>,
    /// Dependences that were looked at.
    pub(crate) count: usize,
}

impl OffsetBounds {
    /// Computes the bounds from the bound commands of a core's TIU and GDMA. `file`: the bytes that commands are in.
    pub(crate) fn compute(chip: &Chip, [tiu, gdma]: [&WideEvents; 2], file: &[u8]) -> Self {
        let mut bounds = Self::default();
        for (i, j) in dependences(chip, Engine::Tiu, tiu, gdma, file) {
            let least = gdma.end[j] - tiu.start[i];
            bounds.low = Some(bounds.low.map_or(least, |low| low.max(least)));
            bounds.count += 1;
        }
        for (i, j) in dependences(chip, Engine::Gdma, gdma, tiu, file) {
            let most = gdma.start[i] - tiu.end[j];
            bounds.high = Some(bounds.high.map_or(most, |high| high.min(most)));
            bounds.count += 1;
        }
        bounds
    }

    /// Whether the dependences say that the counters started apart: together they allow some offset, but not 0, give or
    /// take a cycle of each clock.
    pub(crate) fn is_apart(self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else { return false };
        let is_zero_allowed = low <= ROUNDING_NS && high >= -ROUNDING_NS;
        low <= high && !is_zero_allowed && self.count >= FEWEST_DEPENDENCES
    }

    /// The offset to use: the lower end.
    pub(crate) fn offset(self) -> Option<i64> {
        self.low.or(self.high)
    }

    /// What the ledger says of it. `core`: the core's number, as the files of some runtimes hold several cores.
    pub(crate) fn message(self, core: u32) -> Option<Message> {
        let offset = self.offset()?;
        let width = match (self.low, self.high) {
            (Some(low), Some(high)) if low <= high => {
                message!("note-width-interval", ns = Arg::TimeNs(high - low))
            }
            (Some(low), Some(high)) => {
                message!("note-width-contradicting", ns = Arg::TimeNs(low - high))
            }
            _ => Message::new("note-width-one-bound"),
        };
        Some(message!(
            "note-engines-apart",
            core = Arg::Number(core.into()),
            offset = Arg::TimeNs(offset),
            dependences = self.count,
            width = width,
        ))
    }
}

/// Times are rounded to ns, and to cycles of two clocks.
const ROUNDING_NS: i64 = 3;
/// Fewer dependences may agree by chance.
const FEWEST_DEPENDENCES: usize = 16;

/// Whether ids of the bound events go up throughout: one epoch, in which a number names one command.
pub(crate) fn is_one_epoch(events: &WideEvents) -> bool {
    let mut ids = (0..events.len()).filter(|&i| events.binding[i].has_bits()).map(|i| events.id[i]);
    let mut last = i64::MIN;
    ids.all(|id| std::mem::replace(&mut last, id) < id)
}

/// Pairs of an event of `events` and the event of `others` that its command waits for.
fn dependences(
    chip: &Chip,
    engine: Engine,
    events: &WideEvents,
    others: &WideEvents,
    file: &[u8],
) -> Vec<(usize, usize)> {
    // Ids of records count from 0, those of commands from 1. The model's records are bound; runtime copies are not.
    let mut by_id: Vec<(i64, usize)> = (0..others.len())
        .filter(|&i| others.binding[i].has_bits())
        .map(|i| (others.id[i] + 1, i))
        .collect();
    by_id.sort_unstable();
    let command = |i: usize| {
        let at = usize::try_from(events.bits[i]).ok()?;
        chip.ops(engine).command(events.code[i], file.get(at..)?)
    };
    let bound = (0..events.len()).filter(|&i| events.binding[i].has_bits());
    let dependence = |i: usize| {
        let field = u32::try_from(command(i)?.get(Slot::IdDep)).ok()?;
        let wanted = i64::from(chip.awaited_command(field)?);
        let at = by_id.binary_search_by_key(&wanted, |(id, _)| *id).ok()?;
        Some((i, by_id.get(at)?.1))
    };
    bound.filter_map(dependence).collect()
}
