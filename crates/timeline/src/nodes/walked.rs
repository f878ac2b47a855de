//! What a walk over a block found beside its nodes, and what is told of it.

use bigtpu_chip::{Chip, Engine, Recogniser};
use bigtpu_format::{WordKind, Words, is_old_dyn_data, old_items};
use bigtpu_messages::{Arg, Message, message};

use super::bits::Bits;
use super::walk::Walk;
use super::{KERNELS_PER_LOST, Nodes};
use crate::ledger::Notes;
use crate::lost_nodes::{Lost, LostNode};
use crate::printable::LONGEST_NAME;
use crate::tags::Tag;

/// Where more than one of so many commands has bits that do not decode, these are of operations that are not known.
const COMMANDS_PER_BAD: u64 = 24;

/// What a walk over a block found beside its nodes.
pub(super) struct Walked<'a, 'd> {
    extras: Bits<'a, 'd>,
    pub(super) at_odds: u64,
    pub(super) missing_extras: u64,
    lost: Vec<Lost>,
    bad_bits: Option<(u64, u64, Message)>,
    long_name: Option<(u64, usize)>,
    is_old: bool,
    /// Where the end of a kernel has no begin, and where a begin has no end.
    unopened: Vec<u64>,
    unclosed: Vec<u64>,
    /// Commands of the core's engines so far.
    commands: u64,
}

impl<'a, 'd> Walked<'a, 'd> {
    pub(super) fn new(
        chip: &'a Chip,
        nodes: &'a mut Nodes,
        content: &'a [u8],
        offset: u64,
        extras: Bits<'a, 'd>,
        has_extras: bool,
    ) -> Self {
        let ports = nodes.cdma.len();
        let mut walk = Walk {
            chip,
            nodes,
            next: [0; 3],
            next_cdma: vec![0; ports],
            context: Tag::default(),
            tags: [None; 3],
            extras,
            last_item: None,
            at_odds: 0,
            operations: [Engine::Tiu, Engine::Gdma, Engine::Cdma]
                .map(|engine| Recogniser::new(chip.ops(engine))),
            has_extras,
            missing_extras: 0,
            content,
            counts_padding: None,
            lost: Vec::new(),
            bad_bits: None,
            long_name: None,
            closed: 0,
            unopened: Vec::new(),
            unclosed: Vec::new(),
            unopened_streams: Vec::new(),
        };
        let is_old = is_old_dyn_data(content);
        if is_old {
            for item in old_items(content) {
                walk.old_item(offset + item.offset as u64, item);
            }
        } else {
            let mut words = Words::new(content);
            loop {
                while let Some((at, word)) = words.next_command() {
                    walk.command(offset + at as u64, word.kind() == WordKind::RvtNodeSet, word);
                }
                let Some((at, node)) = words.next() else { break };
                walk.node(offset + at as u64, node);
            }
        }
        let lists = [&walk.nodes.tiu, &walk.nodes.gdma, &walk.nodes.sdma];
        let commands = lists.into_iter().map(|list| list.len() as u64).sum();
        let Walk { extras, at_odds, missing_extras, lost, bad_bits, long_name, .. } = walk;
        let (mut unopened, mut unclosed) = (walk.unopened, walk.unclosed);
        // Some runtimes write no ends, or not all of them, and some launch streams outside of kernels.
        let is_rare = |odd: &[u64]| walk.closed >= KERNELS_PER_LOST * odd.len() as u64;
        if !is_rare(&unclosed) {
            unclosed.clear();
        }
        if is_rare(&walk.unopened_streams) {
            unopened.extend(walk.unopened_streams);
            unopened.sort_unstable();
        }
        Self {
            extras,
            at_odds,
            missing_extras,
            lost,
            bad_bits,
            long_name,
            is_old,
            unopened,
            unclosed,
            commands,
        }
    }

    /// What is left of the bits.
    pub(super) fn take_bits(&mut self) -> Bits<'a, 'd> {
        std::mem::replace(&mut self.extras, Bits::none())
    }

    /// Notes what is wrong with the block.
    pub(super) fn tell(&self, content: &[u8], offset: u64, notes: &mut Notes) {
        for lost in &self.lost {
            // Nothing behind a cut is read.
            let bytes = match lost.what {
                LostNode::Cut(_) => offset + content.len() as u64 - lost.at,
                _ => lost.bytes,
            };
            notes.loss(lost.at, bytes, lost.message());
        }
        if let Some((at, n, what)) = &self.bad_bits {
            let message = message!("note-bad-bits", commands = *n, why = what.clone());
            // Operations that are not known are in more commands than damage.
            match n * COMMANDS_PER_BAD <= self.commands {
                true => notes.loss_anywhere(Some(*at), message),
                false => notes.warn(Some(*at), message),
            }
        }
        if let Some((at, bytes)) = self.long_name {
            let bytes = Arg::Bytes(bytes as u64);
            notes.warn(Some(at), message!("note-long-name", bytes = bytes, shown = LONGEST_NAME));
        }
        if let (n @ 1.., Some(at)) = (self.unopened.len(), self.unopened.first()) {
            notes.loss_anywhere(Some(*at), message!("note-kernel-ends", words = n));
        }
        if let (n @ 1.., Some(at)) = (self.unclosed.len(), self.unclosed.first()) {
            notes.loss_anywhere(Some(*at), message!("note-kernel-begins", kernels = n));
        }
        let item = if self.is_old { 8 } else { 4 };
        if !content.len().is_multiple_of(item) {
            let tail = content.len() % item;
            let at = offset + (content.len() - tail) as u64;
            let tail = tail as u64;
            notes.loss(at, tail, message!("note-incomplete-word", bytes = Arg::Bytes(tail)));
        }
    }

    /// Notes items that are missing, or `rest` that are left.
    pub(super) fn tell_items(&self, rest: usize, offset: u64, notes: &mut Notes) {
        let missing = self.missing_extras;
        if missing > 0 {
            notes.loss_anywhere(Some(offset), message!("note-extra-too-few", items = missing));
        } else if rest > 0 {
            notes.loss_anywhere(Some(offset), message!("note-extra-too-many", items = rest));
        }
    }
}
