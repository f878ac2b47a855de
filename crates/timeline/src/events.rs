//! One engine's events, column by column.
//!
//! | column | bytes | what |
//! |---|---|---|
//! | start, end | 16 | ns on the common time line |
//! | cycles | 0 or 1 | `Asic Cycle`: end - start + 1 in the engine's own clock, as far as start and end do not say it |
//! | id | 2 | command id, 16-bit run-overs undone |
//! | record | 1 | which PMU record, for its counters |
//! | command | 4 | where the command's full bits start in its core's file, or its DYN_DATA word |
//! | port bits | 4 | of ports in mode 2 only: where the full bits of a command start that is named by its word |
//! | code | 2 | operation and variant of the full bits |
//! | tag | 4 | kernel, scope, batch and mode, see [`crate::Tag`] |
//! | binding | 1 | what the event is, and how we know |
//! | qualities | 0 | the events that damage touched: none in a sound dump |
//!
//! A run has millions of events, and these columns take most of its memory: numbers that are read often take their full
//! width, others are narrow or packed.

use bigtpu_chip::OpCode;
use bigtpu_format::Word;

use crate::binding::Binding;
use crate::cycles::Cycles;
use crate::packed::Packed;
use crate::quality::{Qualities, Quality};
use crate::wide_events::WideEvents;

/// One engine's events, see the module's table.
#[derive(Debug, Clone, Default)]
pub struct Events {
    /// ns.
    pub start: Vec<i64>,
    /// ns.
    pub end: Vec<i64>,
    /// Cycles of the engine's clock, next to the times; see [`Events::cycles`].
    pub cycles: Cycles,
    /// Command ids.
    pub id: Packed<i64, u16>,
    /// Index of the PMU record in its monitor.
    pub record: Packed<u32, u8>,
    /// Where the full bits of commands that decode are in the core's file, in bytes. For commands that are known by
    /// their DYN_DATA words only: the words. 0 for all others. See [`Events::bits`] and [`Events::word`].
    pub command: Packed<u64, u32>,
    /// Where the full bits of commands of ports in capture mode 2, which are named by their words, are in the core's
    /// file, in bytes; 0 where they are not known. Empty where no command of the track has any.
    pub port_bits: Packed<u64, u32>,
    /// Operation and variant of the full bits; of no meaning where none are bound.
    pub code: Vec<OpCode>,
    /// Index into [`crate::Profile::tags`]; 0 is no tag.
    pub tag: Vec<u32>,
    /// What each event is.
    pub binding: Vec<Binding>,
    /// The events that damage touched; see [`Events::quality`].
    pub qualities: Qualities,
}

impl From<WideEvents> for Events {
    fn from(wide: WideEvents) -> Self {
        let WideEvents {
            mhz,
            start,
            end,
            cycles,
            id,
            record,
            word,
            bits,
            code,
            tag,
            binding,
            marks,
        } = wide;
        let qualities = Qualities::compute(&marks, &record);
        let cycles = Cycles::count(mhz, &start, &end, &cycles);
        let id = id.into();
        let record = record.into();
        let of_word = |(binding, bits): (&Binding, &u64)| if binding.is_word() { *bits } else { 0 };
        let port_bits = || binding.iter().zip(&bits).map(of_word);
        let is_said = port_bits().fold(0, |all, bits| all | bits) > 0;
        let port_bits = if is_said { port_bits().collect() } else { Packed::default() };
        let mut command = bits;
        for (command, (binding, word)) in command.iter_mut().zip(binding.iter().zip(&word)) {
            if !binding.has_bits() {
                *command = if binding.is_word() { word.0.into() } else { 0 };
            }
        }
        drop(word);
        Self {
            start,
            end,
            cycles,
            id,
            record,
            command: command.into(),
            port_bits,
            code,
            tag,
            binding,
            qualities,
        }
    }
}

impl Events {
    /// Number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.start.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.start.is_empty()
    }

    /// How well an event is known; `None` where there is no such event.
    #[must_use]
    pub fn quality(&self, i: usize) -> Option<Quality> {
        let binding = self.binding.get(i)?;
        let is_named = binding.is_bound() && !binding.is_nameless();
        let plain = if is_named { Quality::Sure } else { Quality::Unnamed };
        Some(match self.qualities.get(i) {
            Some(Quality::Doubtful) => Quality::Doubtful,
            Some(mark) if is_named => mark,
            _ => plain,
        })
    }

    /// The events that are not sure, where that says more of them than of their engine: damage touched them, or no command explains
    /// them while commands of the engine are known. What is known by its length (sends and waits) is left out, and so is an engine
    /// of which no command is known, as in capture mode 0.
    #[must_use]
    pub fn doubts(&self) -> Qualities {
        let has_names = || self.binding.iter().any(|binding| binding.is_bound());
        let tells_unnamed = self.binding.iter().any(|binding| binding.is_nameless()) && has_names();
        if self.qualities.is_empty() && !tells_unnamed {
            return Qualities::default();
        }
        let told = |i: usize| match self.quality(i)? {
            Quality::Sure => None,
            Quality::Unnamed if !tells_unnamed || !self.binding.get(i)?.is_nameless() => None,
            quality => Some((i, quality)),
        };
        (0..self.len()).filter_map(told).collect()
    }

    /// Cycles of the engine's clock that an event took; `None` where there is no such event.
    #[must_use]
    #[inline]
    pub fn cycles(&self, i: usize) -> Option<i64> {
        Some(self.cycles.get(i, (*self.start.get(i)?, *self.end.get(i)?)))
    }

    /// The cycles of all events.
    pub fn all_cycles(&self) -> impl ExactSizeIterator<Item = i64> + Clone {
        let times = self.start.iter().zip(&self.end).enumerate();
        times.map(|(i, (start, end))| self.cycles.get(i, (*start, *end)))
    }

    /// Where the full bits of an event's command are in the core's file, in bytes; `None` where they are not known.
    #[must_use]
    #[inline]
    pub fn bits(&self, i: usize) -> Option<u64> {
        if self.binding.get(i)?.has_bits() { self.command.get(i) } else { None }
    }

    /// The DYN_DATA word of an event's command that is known by its word only; `None` for others.
    #[must_use]
    #[inline]
    pub fn word(&self, i: usize) -> Option<Word> {
        if self.binding.get(i)?.is_word() {
            self.command.get(i).map(|n| Word(n as u32))
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::mark;

    /// Events of these bindings; damage touched the last one.
    fn doubts(bindings: &[Binding], quality: Quality) -> Vec<(usize, Quality)> {
        let n = bindings.len();
        let mut wide = WideEvents::new(vec![0; n], vec![9; n], vec![0; n], (0..n as u32).collect());
        wide.binding = bindings.to_vec();
        mark(&mut wide.marks, n as u32 - 1, quality);
        Events::from(wide).doubts().iter().collect()
    }

    #[test]
    fn doubts_are_what_damage_touched_and_what_has_no_command_among_commands() {
        use Binding::{BadBits, None, Send, Word};
        let repaired = Quality::Repaired;
        assert_eq!(doubts(&[Word, Send, Word], repaired), [(2, repaired)]);
        let unnamed = (1, Quality::Unnamed);
        assert_eq!(doubts(&[Word, None, Word], repaired), [unnamed, (2, repaired)]);
        // Its bits do not decode: it has a place among the commands, and no name.
        assert_eq!(doubts(&[Word, BadBits, Word], repaired), [unnamed, (2, repaired)]);
        // Of an engine without any command only that is told which damage has put in doubt.
        assert_eq!(doubts(&[None, Send, None], repaired), []);
        assert_eq!(doubts(&[None, None], Quality::Doubtful), [(1, Quality::Doubtful)]);
    }
}
