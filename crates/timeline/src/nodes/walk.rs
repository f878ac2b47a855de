//! Walks the words of a block: counters and context of each command.

use bigtpu_chip::{Chip, Engine, Recogniser};
use bigtpu_format::{DynNode, OldItem, Word, Words};
use bigtpu_messages::Message;

use super::bits::Bits;
use super::{KERNELS_PER_LOST, Node, NodeKind, Nodes};
use crate::binding::Binding;
use crate::bound::Bound;
use crate::lost_nodes::{Lost, LostNode};
use crate::printable::{printable, short_name};
use crate::tags::{Mode, Tag};

/// Counters and context of one DYN_DATA block; each block starts afresh.
pub(super) struct Walk<'a, 'd> {
    pub(super) chip: &'a Chip,
    pub(super) nodes: &'a mut Nodes,
    pub(super) next: [u32; 3],
    pub(super) next_cdma: Vec<u32>,
    pub(super) context: Tag,
    /// Tag of the context in each mode, once it was asked for.
    pub(super) tags: [Option<u32>; 3],
    pub(super) extras: Bits<'a, 'd>,
    /// Number of the last item.
    pub(super) last_item: Option<u32>,
    /// Items that are not of their word's operation, or do not follow the one before.
    pub(super) at_odds: u64,
    /// Recognisers of the operations of TIU, DMA of the cores, CDMA.
    pub(super) operations: [Recogniser<'a>; 3],
    pub(super) has_extras: bool,
    pub(super) missing_extras: u64,
    pub(super) content: &'a [u8],
    /// Whether the lengths of names are not those of their texts, once one of them is not.
    pub(super) counts_padding: Option<bool>,
    pub(super) lost: Vec<Lost>,
    pub(super) bad_bits: Option<(u64, u64, Message)>,
    /// Offset and bytes of the first kernel's name that is too long to be shown.
    pub(super) long_name: Option<(u64, usize)>,
    /// Ends of kernels, and where one has no begin or a begin no end.
    pub(super) closed: u64,
    pub(super) unopened: Vec<u64>,
    pub(super) unclosed: Vec<u64>,
    pub(super) unopened_streams: Vec<u64>,
}

/// Whether more than one of so many names has a length that is not that of its text.
fn counts_padding(content: &[u8]) -> bool {
    let (mut names, mut odd) = (0, 0);
    for (_, node) in Words::new(content) {
        names += u64::from(matches!(node, DynNode::Func(_)));
        odd += u64::from(matches!(node, DynNode::OddFunc { counted: Some(_), .. }));
    }
    odd * KERNELS_PER_LOST > names
}

impl Walk<'_, '_> {
    pub(super) fn node(&mut self, at: u64, node: DynNode<'_>) {
        match node {
            DynNode::Command { rvt, word } => self.other_command(at, rvt, word),
            DynNode::Func(name) => self.kernel(at, &name),
            DynNode::OddFunc { text, counted } => {
                let content = self.content;
                let is_usual = *self.counts_padding.get_or_insert_with(|| counts_padding(content));
                match counted.filter(|_| is_usual) {
                    Some(name) => self.kernel(at, &name),
                    None => {
                        self.lose(LostNode::NameLength, at);
                        self.kernel(at, &text);
                    }
                }
            }
            DynNode::FuncEnd => {
                self.closed += 1;
                if self.context.kernel.is_none() {
                    self.unopened.push(at);
                }
                (self.context.kernel, self.context.scope) = (None, None);
                self.tags = [None; 3];
            }
            DynNode::Batch(number) => {
                self.context.batch = Some(number);
                self.tags = [None; 3];
            }
            DynNode::IdReset(word) => match self.chip.engine(word.engine()) {
                Some(Engine::Cdma) => {
                    if let Some(next) = self.next_cdma.get_mut(usize::from(word.info() >> 8)) {
                        *next = 0;
                    }
                }
                Some(engine) => self.next[engine as usize] = 0,
                None => {}
            },
            DynNode::Des { engine, key, count } => self.stream(at, engine, key, count),
            DynNode::Skipped => {}
            DynNode::Unknown(_) => self.lose(LostNode::UnknownWord, at),
            DynNode::Cut(what) => self.lose(LostNode::Cut(what), at),
        }
    }

    fn kernel(&mut self, at: u64, name: &str) {
        if self.context.kernel.is_some() {
            self.unclosed.push(at);
        }
        let shown = short_name(name);
        if shown.len() < name.len() && self.long_name.is_none() {
            self.long_name = Some((at, name.len()));
        }
        let tags = &mut self.nodes.tags;
        self.context.kernel = Some(tags.kernel(&printable(shown)));
        self.context.scope = Some(tags.scopes);
        tags.scopes += 1;
        self.tags = [None; 3];
    }

    /// An item of old firmware brings its id with it; its engine's number is that of AKS on every chip.
    pub(super) fn old_item(&mut self, at: u64, item: OldItem) {
        const OLD_ENGINES: [Option<Engine>; 6] = [
            Some(Engine::Tiu),
            Some(Engine::Gdma),
            None,
            Some(Engine::Sdma),
            Some(Engine::Cdma),
            Some(Engine::Sdma),
        ];
        let OldItem { word, id, .. } = item;
        let known = OLD_ENGINES.get(usize::from(word.engine())).copied();
        let Some(engine) = known.filter(|_| item.is_command) else {
            // Kinds below 100 besides commands were marks and waits; they record nothing.
            return;
        };
        let Some(engine) = engine else { return };
        let Some(number) = self.chip.engine_number(engine) else {
            return self.lose(LostNode::UnknownWord, at);
        };
        let word = Word::new(word.kind_number(), number, word.task(), word.sub(), word.info());
        match engine {
            Engine::Cdma => {
                if let Some(next) = self.next_cdma.get_mut(usize::from(word.info() >> 8)) {
                    *next = id.saturating_sub(1);
                }
            }
            _ => self.next[engine as usize] = id.saturating_sub(1),
        }
        self.other_command(at, false, word);
    }

    /// Takes a command as [`Walk::command`] does, which is part of the loop over words.
    #[cold]
    fn other_command(&mut self, at: u64, rvt: bool, word: Word) {
        self.command(at, rvt, word);
    }

    /// Takes note of a node that is left out.
    #[cold]
    fn lose(&mut self, what: LostNode, at: u64) {
        let bytes = if matches!(what, LostNode::Stream(_)) { 8 } else { 4 };
        match self.lost.iter_mut().find(|lost| lost.what == what) {
            Some(lost) => (lost.count, lost.bytes) = (lost.count + 1, lost.bytes + bytes),
            None => self.lost.push(Lost { what, at, count: 1, bytes }),
        }
    }

    #[inline]
    pub(super) fn tag(&mut self, mode: Mode) -> u32 {
        let Self { nodes, tags, context, .. } = self;
        *tags[mode as usize]
            .get_or_insert_with(|| nodes.tags.intern(Tag { mode: Some(mode), ..*context }))
    }

    #[inline(always)]
    pub(super) fn command(&mut self, at: u64, rvt: bool, word: Word) {
        let tag = self.tag(if rvt { Mode::Rvt } else { Mode::Tdi });
        let engine = self.chip.engine(word.engine());
        let bound =
            if rvt { Bound::of_word(Binding::Rvt, word) } else { self.with_bits(engine, word) };
        match engine {
            Some(Engine::Cdma) => self.cdma_command(at, bound, tag),
            Some(engine) => {
                let id = self.next[engine as usize];
                self.next[engine as usize] = id.wrapping_add(1);
                self.list(engine).push(Node { kind: NodeKind::Command(bound), id, tag });
                if rvt && engine != Engine::Sdma {
                    self.wrap();
                }
            }
            // HAU has a number and records nothing.
            None if word.engine() == 2 => {}
            None => self.lose(LostNode::UnknownWord, at),
        }
    }

    /// CDMA commands are named by their type only, whatever DYN_EXTRA holds.
    fn cdma_command(&mut self, at: u64, bound: Bound, tag: u32) {
        let port = usize::from(bound.word.info() >> 8);
        let (Some(list), Some(next)) =
            (self.nodes.cdma.get_mut(port), self.next_cdma.get_mut(port))
        else {
            self.lose(LostNode::Command(port), at);
            return;
        };
        list.push(Node { kind: NodeKind::Command(bound), id: *next, tag });
        *next = next.wrapping_add(1);
    }

    fn stream(&mut self, at: u64, engine: u8, key: u32, count: u32) {
        let tag = self.tag(Mode::Des);
        if self.context.kernel.is_none() {
            // A stream is launched by a kernel: the kernel's begin is behind it, or its end before it.
            self.unopened_streams.push(at);
        }
        self.next = [0; 3];
        self.next_cdma.fill(0);
        self.nodes.has_streams = true;
        let node = |count| Node { kind: NodeKind::Stream { key, count }, id: 0, tag };
        match engine {
            0 => self.nodes.tiu.push(node(count)),
            1 => self.nodes.gdma.push(node(count)),
            2 => self.nodes.sdma.push(node(count)),
            _ => {
                let port = (count >> 28) as usize;
                match self.nodes.cdma.get_mut(port) {
                    Some(list) => list.push(node(count & 0x0fff_ffff)),
                    None => self.lose(LostNode::Stream(port), at),
                }
            }
        }
    }

    pub(super) fn list(&mut self, engine: Engine) -> &mut Vec<Node> {
        match engine {
            Engine::Tiu => &mut self.nodes.tiu,
            Engine::Gdma => &mut self.nodes.gdma,
            _ => &mut self.nodes.sdma,
        }
    }

    /// After an RVT node that brings the TIU counter to its top, both engines get an implicit
    /// command and restart.
    fn wrap(&mut self) {
        let Some(wrap) = self.chip.wrap.filter(|w| w.at == self.next[0]) else { return };
        let word = |(task, sub), engine| Word::new(1, engine, task, sub, 0);
        let node = |word, id| {
            let kind = NodeKind::Command(Bound::of_word(Binding::Wrap, word));
            Node { kind, id, tag: 0 }
        };
        self.nodes.tiu.push(node(word(wrap.tiu, 0), self.next[0]));
        self.nodes.gdma.push(node(word(wrap.dma, 1), self.next[1]));
        (self.next[0], self.next[1]) = (0, 0);
    }
}
