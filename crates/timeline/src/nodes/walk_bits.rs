//! Full bits of commands: each word takes its item.

use bigtpu_chip::Engine;
use bigtpu_format::Word;
use bigtpu_messages::Message;

use super::bits::Bits;
use super::walk::Walk;
use super::{Node, NodeKind};
use crate::binding::Binding;
use crate::bound::Bound;
use crate::extras::Extra;
use crate::fitted::FittedWord;
use crate::tags::Mode;

impl Walk<'_, '_> {
    /// Every command that is no RVT node takes the next DYN_EXTRA item, if the dump has any.
    #[inline(always)]
    pub(super) fn with_bits(&mut self, engine: Option<Engine>, word: Word) -> Bound {
        let known_by_word = Bound::of_word(Binding::Word, word);
        let extra = match &mut self.extras {
            Bits::InOrder(extras) => {
                let extra = extras.next();
                // Some firmware writes the word in the place of the number.
                let id = extra.map(|extra| extra.id).filter(|id| *id != word.0);
                let last = std::mem::replace(&mut self.last_item, id);
                let is_next = last.zip(id).is_none_or(|(last, id)| id == last.wrapping_add(1));
                self.at_odds += u64::from(!is_next);
                extra
            }
            Bits::Fitted(words) => {
                let FittedWord { extra, before } = words.next().unwrap_or_default();
                before.into_iter().for_each(|missing| self.without_word(engine, missing));
                extra
            }
        };
        let Some(extra) = extra else {
            self.missing_extras += u64::from(self.has_extras);
            return known_by_word;
        };
        let Some(engine) = engine else { return known_by_word };
        let bits = extra.offset;
        let [tiu, dma, cdma] = &mut self.operations;
        let operations = match engine {
            Engine::Tiu => tiu,
            Engine::Gdma | Engine::Sdma => dma,
            Engine::Cdma => cdma,
        };
        match operations.recognise(extra.bytes) {
            Some(code) if engine == Engine::Cdma => Bound { bits, code, ..known_by_word },
            None if engine == Engine::Cdma => known_by_word,
            Some(code) => {
                let op = self.chip.ops(engine).ops().get(usize::from(code.op));
                let is_same = op.is_some_and(|op| op.task() == word.task());
                self.at_odds += u64::from(!is_same || code.variant != word.sub());
                Bound { binding: Binding::WordAndBits, word, bits, code }
            }
            None => {
                self.note_bad_bits(engine, extra);
                Bound { binding: Binding::BadBitsOfWord, bits, ..known_by_word }
            }
        }
    }

    /// A command whose word is missing: its bits say of which engine it is. `near`: the engine of the next word.
    #[cold]
    fn without_word(&mut self, near: Option<Engine>, extra: Extra<'_>) {
        let of = |engine: Engine| {
            let table = self.chip.ops(engine);
            let code = table.recognise(extra.bytes)?;
            let is_whole = table.command(code, extra.bytes)?.bits.len() == extra.bytes.len();
            is_whole.then_some((engine, code))
        };
        let dma = if near == Some(Engine::Sdma) { Engine::Sdma } else { Engine::Gdma };
        let ((Some((engine, code)), None) | (None, Some((engine, code)))) =
            (of(Engine::Tiu), of(dma))
        else {
            return;
        };
        let op = self.chip.ops(engine).ops().get(usize::from(code.op));
        let number = self.chip.engine_number(engine).unwrap_or(0);
        let word = Word::new(1, number, op.map_or(0, |op| op.task()), code.variant, 0);
        let bound = Bound { binding: Binding::WordAndBits, word, bits: extra.offset, code };
        let tag = self.tag(Mode::Tdi);
        let id = self.next[engine as usize];
        self.next[engine as usize] = id.wrapping_add(1);
        self.list(engine).push(Node { kind: NodeKind::Command(bound), id, tag });
    }

    #[cold]
    fn note_bad_bits(&mut self, engine: Engine, extra: Extra<'_>) {
        match &mut self.bad_bits {
            Some((_, count, _)) => *count += 1,
            None => {
                let error = self.chip.ops(engine).decode(extra.bytes).err();
                let message = error.map_or(Message::verbatim(""), |error| error.message());
                self.bad_bits = Some((extra.offset, 1, message));
            }
        }
    }
}
