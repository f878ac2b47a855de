//! Dispatched commands of a core (section 3): DYN_DATA walked, ids counted, full bits attached.

use bigtpu_chip::{Chip, Engine, Recogniser};
use bigtpu_format::{DynNode, OldItem, Word, WordKind, Words, is_old_dyn_data, old_items};
use bigtpu_messages::{Arg, Message, message};

use crate::binding::Binding;
use crate::bound::Bound;
use crate::extras::{Damages, Extra, ExtraIter, Extras};
use crate::fitted::{FittedWord, fit_words, tell_faults};
use crate::ledger::Notes;
use crate::lost_nodes::{Lost, LostNode};
use crate::printable::{LONGEST_NAME, printable, short_name};
use crate::tags::{Mode, Tag, TagTable};
use crate::torn_word;

/// What a node dispatches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// One command. One of a port is named by its word, as in any mode, also where its full bits are known.
    Command(Bound),
    /// A whole DES_KV stream.
    Stream { key: u32, count: u32 },
}

impl NodeKind {
    /// The command; `None` of a stream.
    #[inline]
    pub(crate) fn bound(self) -> Option<Bound> {
        match self {
            Self::Command(bound) => Some(bound),
            Self::Stream { .. } => None,
        }
    }
}

/// One dispatched command or stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) kind: NodeKind,
    /// Id by the engine's counter; a stream has none of its own.
    pub(crate) id: u32,
    /// Index into the core's tags.
    pub(crate) tag: u32,
}

/// A core's dispatched commands, by engine.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    pub(crate) tiu: Vec<Node>,
    pub(crate) gdma: Vec<Node>,
    pub(crate) sdma: Vec<Node>,
    /// Commands of each CDMA port.
    pub(crate) cdma: Vec<Vec<Node>>,
    pub(crate) tags: TagTable,
    /// Whether any of them is a stream.
    pub(crate) has_streams: bool,
}

impl Nodes {
    /// How much of each list and of the table there is, to be cut back to.
    fn lengths(&self) -> Lengths {
        let cdma = self.cdma.iter().map(Vec::len).collect();
        let cores = [self.tiu.len(), self.gdma.len(), self.sdma.len()];
        Lengths { cores, cdma, scopes: self.tags.scopes, has_streams: self.has_streams }
    }

    /// Takes back what came behind.
    fn cut(&mut self, to: Lengths) {
        let Lengths { cores: [tiu, gdma, sdma], cdma, scopes, has_streams } = to;
        self.tiu.truncate(tiu);
        self.gdma.truncate(gdma);
        self.sdma.truncate(sdma);
        self.cdma.iter_mut().zip(cdma).for_each(|(list, n)| list.truncate(n));
        (self.tags.scopes, self.has_streams) = (scopes, has_streams);
    }

    /// Makes room for as many commands of each engine of the core as it has records, as far as `words` words of DYN_DATA can hold them.
    pub(crate) fn reserve(&mut self, records: [usize; 3], words: usize) {
        let lists = [&mut self.tiu, &mut self.gdma, &mut self.sdma];
        lists.into_iter().zip(records).for_each(|(list, n)| list.reserve_exact(n.min(words)));
    }
}

struct Lengths {
    cores: [usize; 3],
    cdma: Vec<usize>,
    scopes: u32,
    has_streams: bool,
}

/// Counters and context of one DYN_DATA block; each block starts afresh.
struct Walk<'a, 'd> {
    chip: &'a Chip,
    nodes: &'a mut Nodes,
    next: [u32; 3],
    next_cdma: Vec<u32>,
    context: Tag,
    /// Tag of the context in each mode, once it was asked for.
    tags: [Option<u32>; 3],
    extras: Bits<'a, 'd>,
    /// Number of the last item.
    last_item: Option<u32>,
    /// Items that are not of their word's operation, or do not follow the one before.
    at_odds: u64,
    /// Recognisers of the operations of TIU, DMA of the cores, CDMA.
    operations: [Recogniser<'a>; 3],
    has_extras: bool,
    missing_extras: u64,
    content: &'a [u8],
    /// Whether the lengths of names are not those of their texts, once one of them is not.
    counts_padding: Option<bool>,
    lost: Vec<Lost>,
    bad_bits: Option<(u64, u64, Message)>,
    /// Offset and bytes of the first kernel's name that is too long to be shown.
    long_name: Option<(u64, usize)>,
    /// Ends of kernels, and where one has no begin or a begin no end.
    closed: u64,
    unopened: Vec<u64>,
    unclosed: Vec<u64>,
    unopened_streams: Vec<u64>,
}

/// Where more than one of so many commands has bits that do not decode, these are of operations that are not known.
const COMMANDS_PER_BAD: u64 = 24;

/// Where more than one of so many kernels has no end, the runtime writes none.
const KERNELS_PER_LOST: u64 = 4;

/// Where the full bits of commands come from.
enum Bits<'a, 'd> {
    /// From the items in their order.
    InOrder(ExtraIter<'a, 'd>),
    /// As they were laid over the words, by the number of the word.
    Fitted(std::vec::IntoIter<FittedWord<'d>>),
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

/// Walks one DYN_DATA block whose content starts at `offset` of the file. Returns what is wrong with the blocks of its commands' bits.
pub(crate) fn walk_block<'d>(
    chip: &Chip,
    nodes: &mut Nodes,
    content: &[u8],
    offset: u64,
    extras: &Extras<'d>,
    notes: &mut Notes,
) -> Damages {
    nodes.cdma.resize_with(chip.cdma_ports as usize, Vec::new);
    if let Some((at, left, mended)) = torn_word::mend(chip, content) {
        notes.loss(offset + at as u64, left as u64, Message::new("note-word-torn"));
        return walk_block(chip, nodes, &mended, offset, extras, notes);
    }
    let before = nodes.lengths();
    let has_extras = extras.first().is_some();
    let walked =
        Walked::new(chip, nodes, content, offset, Bits::InOrder(extras.iter()), has_extras);
    let (walked, rest, damages) = match walked.extras {
        Bits::InOrder(extras) => {
            let (rest, damages) = extras.finish();
            (Walked { extras: Bits::none(), ..walked }, rest, damages)
        }
        Bits::Fitted(_) => (walked, 0, Damages::new()),
    };
    let is_odd = walked.at_odds > 0
        || has_extras && (walked.missing_extras > 0 || rest > 0)
        || damages.iter().any(Option::is_some);
    let fitted = match is_odd {
        true => fit_words(chip, content, extras),
        false => None,
    };
    // Where only the end is missing, the items in their order are as good.
    let fitted = fitted.filter(|fitted| {
        let found = fitted.words.iter().filter(|word| word.extra.is_some()).count() as u64;
        walked.at_odds > 0 || found > fitted.words.len() as u64 - walked.missing_extras
    });
    let Some(fitted) = fitted else {
        walked.tell(content, offset, notes);
        walked.tell_items(rest, offset, notes);
        return damages;
    };
    nodes.cut(before);
    let faults = fitted.faults;
    let words = Bits::Fitted(fitted.words.into_iter());
    Walked::new(chip, nodes, content, offset, words, true).tell(content, offset, notes);
    tell_faults(&faults, notes);
    // What is at the end of the blocks is told with the other faults.
    damages.into_iter().map(|_| None).collect()
}

/// What a walk over a block found beside its nodes.
struct Walked<'a, 'd> {
    extras: Bits<'a, 'd>,
    at_odds: u64,
    missing_extras: u64,
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
    fn new(
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

    /// Notes what is wrong with the block.
    fn tell(&self, content: &[u8], offset: u64, notes: &mut Notes) {
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
    fn tell_items(&self, rest: usize, offset: u64, notes: &mut Notes) {
        let missing = self.missing_extras;
        if missing > 0 {
            notes.loss_anywhere(Some(offset), message!("note-extra-too-few", items = missing));
        } else if rest > 0 {
            notes.loss_anywhere(Some(offset), message!("note-extra-too-many", items = rest));
        }
    }
}

impl Bits<'_, '_> {
    fn none() -> Self {
        Self::Fitted(Vec::new().into_iter())
    }
}

impl Walk<'_, '_> {
    fn node(&mut self, at: u64, node: DynNode<'_>) {
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
    fn old_item(&mut self, at: u64, item: OldItem) {
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
    fn tag(&mut self, mode: Mode) -> u32 {
        let Self { nodes, tags, context, .. } = self;
        *tags[mode as usize]
            .get_or_insert_with(|| nodes.tags.intern(Tag { mode: Some(mode), ..*context }))
    }

    #[inline(always)]
    fn command(&mut self, at: u64, rvt: bool, word: Word) {
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

    /// Every command that is no RVT node takes the next DYN_EXTRA item, if the dump has any.
    #[inline(always)]
    fn with_bits(&mut self, engine: Option<Engine>, word: Word) -> Bound {
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

    fn list(&mut self, engine: Engine) -> &mut Vec<Node> {
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
