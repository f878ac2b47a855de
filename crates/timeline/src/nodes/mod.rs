//! Dispatched commands of a core (section 3): DYN_DATA walked, ids counted, full bits attached.

mod bits;
mod walk;
mod walk_bits;
mod walked;

use bigtpu_chip::Chip;
use bigtpu_messages::Message;

use crate::bound::Bound;
use crate::extras::{Damages, Extras};
use crate::fitted::{fit_words, tell_faults};
use crate::ledger::Notes;
use crate::tags::TagTable;
use crate::torn_word;
use bits::Bits;
use walked::Walked;

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

/// Where more than one of so many kernels has no end, the runtime writes none.
const KERNELS_PER_LOST: u64 = 4;

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
    let mut walked =
        Walked::new(chip, nodes, content, offset, Bits::InOrder(extras.iter()), has_extras);
    let (rest, damages) = match walked.take_bits() {
        Bits::InOrder(extras) => extras.finish(),
        Bits::Fitted(_) => (0, Damages::new()),
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
