//! Words that dispatch another cached stream than they mean.
//!
//! A bit may make the key of another stream of a stream's key. Where that has as many commands, the launch shows the commands of the
//! other one. Two things tell it: a runtime writes no stream that it does not dispatch, and a stream is of one kernel.

use std::borrow::Cow;

use bigtpu_chip::Engine;
use bigtpu_format::{Block, BlockKind, DynNode, KvHeader, Words};
use bigtpu_messages::{Arg, message};
use foldhash::{HashMap, HashSet};

use crate::ledger::Notes;

/// Numbers of the engines in words that dispatch streams.
const STREAM_ENGINES: [Engine; 4] = [Engine::Tiu, Engine::Gdma, Engine::Sdma, Engine::Cdma];

/// A word that dispatches a stream.
struct Dispatch {
    /// Offset of the word in the file.
    offset: u64,
    engine: u8,
    header: KvHeader,
    /// Place among the launches.
    launch: usize,
}

/// The streams that a core's words dispatch.
#[derive(Default)]
struct Dispatches<'a> {
    /// Number of the kernel among those of the core, and its name; `None` outside of kernels.
    launches: Vec<Option<(u32, Cow<'a, str>)>>,
    all: Vec<Dispatch>,
    /// The words of each stream, as places in `all`.
    by_header: HashMap<KvHeader, Vec<usize>>,
}

impl<'a> Dispatches<'a> {
    /// Reads the dispatches of blocks of words, each with its offset in the file.
    fn read(blocks: &[(&'a [u8], u64)]) -> Self {
        let mut found = Self { launches: vec![None], ..Self::default() };
        let mut begun = 0;
        let words = |(content, offset): &(&'a [u8], u64)| {
            let offset = *offset;
            Words::new(content).map(move |(at, node)| (offset + at as u64, node))
        };
        for (offset, node) in blocks.iter().flat_map(words) {
            match node {
                DynNode::Func(name) | DynNode::OddFunc { text: name, .. } => {
                    found.launches.push(Some((begun, name)));
                    begun += 1;
                }
                DynNode::FuncEnd => found.launches.push(None),
                DynNode::Des { engine, key, count } => {
                    let header = KvHeader { key, count };
                    found.by_header.entry(header).or_default().push(found.all.len());
                    let launch = found.launches.len() - 1;
                    found.all.push(Dispatch { offset, engine, header, launch });
                }
                _ => {}
            }
        }
        found
    }

    /// The kernel of a word's launch.
    fn name(&self, word: &Dispatch) -> Option<&str> {
        self.launches.get(word.launch)?.as_ref().map(|(_, name)| &**name)
    }

    /// The kernel of a word's launch, and what else this launch dispatches.
    fn context(&self, word: &Dispatch) -> (Option<&str>, Vec<(u8, KvHeader)>) {
        let first = self.all.partition_point(|dispatch| dispatch.launch < word.launch);
        let of_launch = self.all.iter().skip(first).take_while(|d| d.launch == word.launch);
        let others = of_launch.filter(|dispatch| dispatch.offset != word.offset);
        (self.name(word), others.map(|dispatch| (dispatch.engine, dispatch.header)).collect())
    }

    /// The words that may mean a stream: those whose key differs by a bit.
    fn of_wrong_key(&self, meant: KvHeader) -> Vec<&Dispatch> {
        let near = (0..u32::BITS).filter_map(|bit| {
            let header = KvHeader { key: meant.key ^ 1 << bit, ..meant };
            self.by_header.get(&header)
        });
        let near = near.map(|words| words.iter().filter_map(|at| self.all.get(*at)).collect());
        let near: Vec<Vec<&Dispatch>> = near.collect();
        let mut found = match self.by_header.get(&meant) {
            None => self.seen_least_often(near.into_iter().flatten()),
            Some(own) => {
                let own = own.iter().filter_map(|at| self.name(self.all.get(*at)?));
                let own: HashSet<&str> = own.collect();
                near.iter().filter_map(|words| self.of_another_kernel(words, &own)).collect()
            }
        };
        found.sort_by_key(|dispatch| dispatch.offset);
        found
    }

    /// Finds the words in the launches that are seen least often.
    fn seen_least_often<'w>(&self, words: impl Iterator<Item = &'w Dispatch>) -> Vec<&'w Dispatch> {
        let mut by_context: HashMap<_, Vec<&Dispatch>> = HashMap::default();
        for dispatch in words {
            by_context.entry(self.context(dispatch)).or_default().push(dispatch);
        }
        let fewest = by_context.values().map(Vec::len).min();
        by_context.into_values().filter(|words| Some(words.len()) == fewest).flatten().collect()
    }

    /// Finds the only word of one of the kernels among those that dispatch one stream.
    fn of_another_kernel<'w>(
        &self,
        words: &[&'w Dispatch],
        kernels: &HashSet<&str>,
    ) -> Option<&'w Dispatch> {
        let mut of_kernels =
            words.iter().filter(|word| self.name(word).is_some_and(|name| kernels.contains(name)));
        let only = of_kernels.next().filter(|_| of_kernels.next().is_none())?;
        (words.len() > 1).then_some(only)
    }
}

/// Tells the words that dispatch another stream than they mean; returns their launches, by their number in the file. `found`: the file's
/// blocks; `words`: the blocks of words, each with its offset in the file.
pub(crate) fn tell_wrong_keys(
    found: &[Block<'_>],
    words: &[(&[u8], u64)],
    notes: &mut Notes,
) -> HashSet<u32> {
    let mut doubtful = HashSet::default();
    let streams = found.iter().filter(|block| block.kind == BlockKind::DesKv);
    let mut streams =
        streams.filter_map(|block| Some(KvHeader::split(block.content)?.0)).peekable();
    // Words behind a torn one are read from wrong places.
    let is_torn = words.iter().any(|(content, _)| !content.len().is_multiple_of(4));
    if streams.peek().is_none() || is_torn {
        return doubtful;
    }
    let dispatches = Dispatches::read(words);
    for meant in streams {
        let words = dispatches.of_wrong_key(meant);
        let Some(first) = words.first() else { continue };
        let engine = STREAM_ENGINES.get(usize::from(first.engine)).map_or("", |e| e.name());
        let [key, meant] = [first.header.key, meant.key].map(|key| Arg::Number(key.into()));
        let message = message!(
            "note-wrong-stream",
            engine = engine,
            key = key,
            meant = meant,
            words = words.len()
        );
        notes.loss_anywhere(Some(first.offset), message);
        let launch = |dispatch: &&Dispatch| dispatches.launches.get(dispatch.launch)?.as_ref();
        doubtful.extend(words.iter().filter_map(launch).map(|(number, _)| *number));
    }
    doubtful
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    const KEYS: [u32; 3] = [64, 72, 128];

    fn word(key: u32) -> [u32; 2] {
        [8 | key << 7, 26]
    }

    /// Launches of two kernels in turn, each of which dispatches the stream of a key.
    fn launches(keys: &[u32]) -> Vec<u8> {
        let mut words = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            words.extend([4 << 7, u32::from_le_bytes([*b"norm", *b"silu"][at % 2])]);
            words.extend(word(*key));
            words.push(15);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    /// What is told of a file with all streams, and the launches that are doubtful.
    fn told(content: &[u8]) -> (usize, Vec<u32>) {
        let streams = KEYS.map(|key| KvHeader { key, count: 26 }.head(0));
        let block = |bytes| Block { kind: BlockKind::DesKv, offset: 8, content: bytes };
        let blocks: Vec<Block<'_>> = streams.iter().map(|bytes| block(&bytes[..])).collect();
        let mut notes = Notes::new(Path::new("core"), 1000);
        let doubtful = tell_wrong_keys(&blocks, &[(content, 0)], &mut notes);
        let mut doubtful: Vec<u32> = doubtful.into_iter().collect();
        doubtful.sort_unstable();
        (notes.finish().len(), doubtful)
    }

    #[test]
    fn a_word_with_the_key_of_another_stream_is_told() {
        assert_eq!(told(&launches(&[64, 128, 64, 128, 64, 72])), (0, vec![]));
        // The last kernel's stream becomes that of the first kernel.
        assert_eq!(told(&launches(&[64, 128, 64, 128, 64, 64])), (1, vec![5]));
        // Whichever of two launches it is, both are doubtful.
        assert_eq!(told(&launches(&[64, 64, 128])), (1, vec![0, 1]));
        // A stream that is dispatched elsewhere, too: that of the second kernel became one of the first.
        assert_eq!(told(&launches(&[64, 72, 64, 72, 64, 64])), (1, vec![5]));
        // A stream that no word is like was dispatched before the capture.
        assert_eq!(told(&launches(&[128, 128])), (0, vec![]));
    }
}
