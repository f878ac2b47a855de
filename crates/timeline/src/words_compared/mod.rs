//! Cores that were sent the same words but for one bit, or for the word that begins a batch.
//!
//! Records show whether a command was lost or is another one. They do not show a wrong kernel's name, batch or, where a word is all
//! that is known of a command, operation. The words of other cores do: where two cores were sent the same words but for a bit of one
//! of these, it is damaged in one of the two. More cores, or the rest of the words, may say in which; else both are doubtful.

mod difference;
mod part;
mod right;

use bigtpu_chip::Chip;
use bigtpu_format::Block;
use bigtpu_messages::{Arg, Message, message};
use foldhash::HashSet;

use crate::borrowed_words::BorrowedWords;
use crate::join::Cores;
use crate::join::JoinedCore;
use crate::quality::Quality;
use crate::source_file::SourceFile;
use crate::words_of_others::block_of;
use difference::{Difference, are_exchanged};
use right::Right;

/// Compares the words of each core with those of the next one, but for `mended` ones: a bit that is wrong is put right, and told where it
/// is not known which of the two it is. `join`: of a file, with other words than its own.
pub(crate) fn compare_words<'d>(
    chip: &Chip,
    files: &'d [SourceFile],
    cores: &mut Cores<'d>,
    mended: &HashSet<usize>,
    join: impl Fn(&'d SourceFile, &BorrowedWords) -> JoinedCore<'d>,
) {
    if cores.len() < 2 {
        return;
    }
    let blocks: Vec<Option<Block<'_>>> = files.iter().map(block_of).collect();
    let content = |at: usize| Some(blocks.get(at)?.as_ref()?.content);
    let pairs = match cores.len() {
        2 => 1,
        n => n,
    };
    let mut settled = mended.clone();
    for at in 0..pairs {
        let is_torn = |at: usize| content(at).is_some_and(|words| !words.len().is_multiple_of(4));
        let (at, next) = match (at, (at + 1) % cores.len()) {
            (at, next) if is_torn(next) => (next, at),
            pair => pair,
        };
        let (Some(own), Some(other)) = (content(at), content(next)) else { continue };
        if mended.contains(&at) || mended.contains(&next) || own == other {
            continue;
        }
        let others = || (0..cores.len()).filter(|i| *i != at && *i != next).filter_map(content);
        let number = |at: usize| files.get(at).map_or(0, |file| file.index);
        let Some(found) =
            Difference::find(chip, (number(at), own), (number(next), other), others())
        else {
            continue;
        };
        let (wrong, borrowed) = match found.right {
            Right::Other => (at, Some(found.borrowed)),
            Right::Own => (next, BorrowedWords::find(chip, other, (number(at), own))),
            Right::Unknown => {
                let message = message_of_open(own, &found.borrowed);
                tell_open(cores, (at, next), message, &blocks, &found.borrowed);
                continue;
            }
        };
        let (Some(borrowed), Some(file)) = (borrowed, files.get(wrong)) else { continue };
        if let (true, Some((_, core))) = (settled.insert(wrong), cores.get_mut(wrong)) {
            *core = join(file, &borrowed);
            core.mark_launches(&borrowed.scopes, Quality::Repaired);
        }
    }
}

/// What is told of a difference of which it is not known in which of two cores it is wrong.
fn message_of_open(own: &[u8], borrowed: &BorrowedWords) -> Message {
    let core = Arg::Number(borrowed.core.into());
    match &borrowed.names {
        Some([own, other]) => {
            message!("note-names-differ", own = own.as_str(), other = other.as_str(), core = core)
        }
        None if are_exchanged(own, borrowed) => message!("note-words-exchanged", core = core),
        None => message!("note-words-differ", core = core),
    }
}

/// Tells a difference of which it is not known in which of two cores it is wrong.
fn tell_open(
    cores: &mut Cores<'_>,
    (at, next): (usize, usize),
    message: Message,
    blocks: &[Option<Block<'_>>],
    borrowed: &BorrowedWords,
) {
    let offset = blocks.get(at).and_then(|block| block.as_ref().map(|block| block.offset));
    let byte = offset.map(|offset| offset + borrowed.stretch.start as u64);
    if let Some((_, core)) = cores.get_mut(at) {
        core.notes.loss_anywhere(byte, message);
    }
    for core in [at, next] {
        if let Some((_, core)) = cores.get_mut(core) {
            core.mark_launches(&borrowed.scopes, Quality::Doubtful);
        }
    }
}

#[cfg(test)]
mod tests;
