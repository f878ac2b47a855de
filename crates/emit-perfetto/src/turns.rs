//! Sources take turns: several threads fill pieces and write them, each at the place that it has whatever the number of
//! threads.
//!
//! Pieces have an order: the first of each source, then the second of each, and so on. Where a piece begins is known when
//! all before it are filled. A thread whose piece is filled early leaves it to the thread that fills the one before, and
//! goes on, so that none waits for another.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bigtpu_output::OutputError;

use crate::room::Packets;

/// What is known of a piece that was filled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Filled {
    /// The source has no more.
    pub(crate) is_last: bool,
    /// Commands of the dump in it, which progress counts.
    pub(crate) commands: usize,
}

/// Fills and writes all pieces of sources, and returns how many bytes they have. `fill` appends the next piece of a source to
/// an empty buffer; `write` writes a piece's bytes, so many bytes behind the first piece, with its number of commands.
pub(crate) fn write<S: Send>(
    sources: Vec<S>,
    fill: impl Fn(&mut S, &mut Packets) -> Filled + Sync,
    write: impl Fn(&[u8], u64, usize) -> Result<(), OutputError> + Sync,
) -> Result<u64, OutputError> {
    let turns = Turns {
        sources: sources.into_iter().map(|source| Mutex::new(Some(source))).collect(),
        next: Mutex::new(Next { source: 0, piece: 0 }),
        order: Mutex::default(),
        placed: Condvar::new(),
    };
    let work = || {
        while let Some(turn) = turns.take() {
            for piece in turns.fill(turn, &fill) {
                let written = write(piece.packets.bytes(), piece.at, piece.commands);
                turns.put_back(piece, written);
            }
        }
    };
    rayon::scope(|scope| {
        // A thread that comes late finds nothing to do.
        (1..rayon::current_num_threads()).for_each(|_| scope.spawn(|_| work()));
        work();
    });
    let Order { bytes, failed, .. } =
        turns.order.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or(Ok(bytes), Err)
}

struct Turns<S> {
    /// `None` where a source has no more.
    sources: Vec<Mutex<Option<S>>>,
    next: Mutex<Next>,
    order: Mutex<Order>,
    /// Pieces got their places.
    placed: Condvar,
}

/// Pieces without places, at most: a thread that is so far ahead waits, so that memory stays bounded.
const MOST_EARLY: usize = 8;
/// How long it waits at a time; the thread of the missing piece may have ended by a panic.
const WAIT: Duration = Duration::from_millis(100);

/// Whose turn is next.
struct Next {
    source: usize,
    /// Number of the piece.
    piece: usize,
}

/// The turn of a source, which no other thread can use meanwhile.
struct Turn<'t, S> {
    source: MutexGuard<'t, Option<S>>,
    piece: usize,
}

/// A piece that is filled.
#[derive(Debug, Default)]
struct Piece {
    number: usize,
    packets: Packets,
    commands: usize,
    /// Bytes before it.
    at: u64,
}

/// Which pieces have their places.
#[derive(Debug, Default)]
struct Order {
    /// Pieces that have them.
    placed: usize,
    /// Bytes of these.
    bytes: u64,
    /// Pieces that were filled before those before them.
    early: Vec<Piece>,
    /// Memory that is used again.
    free: Vec<Packets>,
    failed: Option<OutputError>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // After a panic nothing that was written counts.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<S> Turns<S> {
    /// The next turn; `None` where no source has more, or writing failed.
    fn take(&self) -> Option<Turn<'_, S>> {
        let is_ahead =
            |order: &mut Order| order.early.len() >= MOST_EARLY && order.failed.is_none();
        let mut order = lock(&self.order);
        // The only thread is never ahead, and may have no clock to wait by.
        if is_ahead(&mut order) {
            let waited = self.placed.wait_timeout_while(order, WAIT, is_ahead);
            order = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if order.failed.is_some() {
            return None;
        }
        drop(order);
        let mut next = lock(&self.next);
        for _ in 0..self.sources.len() {
            // Until the source is locked nobody takes a turn: the turns of a source come in their order.
            let source = lock(self.sources.get(next.source)?);
            next.source = (next.source + 1) % self.sources.len();
            if source.is_some() {
                let piece = next.piece;
                next.piece += 1;
                return Some(Turn { source, piece });
            }
        }
        None
    }

    /// Fills the piece of a turn. Returns the pieces that have their places now, for this thread to write.
    fn fill(&self, turn: Turn<'_, S>, fill: impl Fn(&mut S, &mut Packets) -> Filled) -> Vec<Piece> {
        let Turn { mut source, piece: number } = turn;
        let mut piece = Piece { number, ..Piece::default() };
        piece.packets = lock(&self.order).free.pop().unwrap_or_default();
        if let Some(own) = source.as_mut() {
            let filled = fill(own, &mut piece.packets);
            piece.commands = filled.commands;
            if filled.is_last {
                *source = None;
            }
        }
        drop(source);
        let mut order = lock(&self.order);
        let order = &mut *order;
        order.early.push(piece);
        let mut placed = Vec::new();
        while let Some(at) = order.early.iter().position(|piece| piece.number == order.placed) {
            let mut piece = order.early.swap_remove(at);
            piece.at = order.bytes;
            order.bytes += piece.packets.bytes().len() as u64;
            order.placed += 1;
            placed.push(piece);
        }
        self.placed.notify_all();
        placed
    }

    /// Keeps a written piece's memory.
    fn put_back(&self, mut piece: Piece, written: Result<(), OutputError>) {
        piece.packets.clear();
        let mut order = lock(&self.order);
        order.free.push(piece.packets);
        if let Err(error) = written {
            order.failed.get_or_insert(error);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written of sources with so many pieces each.
    fn written(pieces: &[usize], threads: usize) -> Vec<u8> {
        let out = Mutex::new(Vec::new());
        let sources = pieces.iter().enumerate().map(|(n, left)| (n as u8, *left, 0)).collect();
        let fill = |(own, left, at): &mut (u8, usize, u8), packets: &mut Packets| {
            assert!(packets.bytes().is_empty());
            // Pieces take times that differ.
            std::thread::sleep(std::time::Duration::from_micros(u64::from(*own * 37 % 11) * 30));
            let is_last = *left == 0;
            if !is_last {
                (0..=*own).for_each(|_| packets.append(|out| out.extend([*own, *at])));
                *left -= 1;
                *at += 1;
            }
            Filled { is_last, commands: 1 }
        };
        let write_at = |packets: &[u8], at: u64, _: usize| {
            let (mut out, at) = (lock(&out), at as usize);
            let length = out.len().max(at + packets.len());
            out.resize(length, 0);
            out[at..at + packets.len()].copy_from_slice(packets);
            Ok(())
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let bytes = pool.install(|| write(sources, fill, write_at)).unwrap();
        let out = out.into_inner().unwrap();
        assert_eq!(bytes, out.len() as u64);
        out
    }

    #[test]
    fn pieces_are_in_the_same_order_whatever_the_number_of_threads() {
        let pieces = [3, 0, 7, 1, 20, 2, 2];
        let one = written(&pieces, 1);
        let first: Vec<u8> = one.chunks(2).map(|pair| pair[0]).take(4).collect();
        assert_eq!(first, [0, 2, 2, 2]);
        assert_eq!(one.len(), (3 + 3 * 7 + 4 + 5 * 20 + 6 * 2 + 7 * 2) * 2);
        for threads in [2, 3, 4] {
            assert_eq!(written(&pieces, threads), one);
        }
        assert!(written(&[], 2).is_empty());
    }

    #[test]
    fn what_can_not_be_written_is_told() {
        let failed =
            || OutputError::File { path: "x".into(), source: std::io::Error::other("full") };
        let fill = |left: &mut usize, packets: &mut Packets| {
            packets.append(|out| out.push(1));
            *left -= 1;
            Filled { is_last: *left == 0, commands: 0 }
        };
        assert!(
            write(vec![5, 5], fill, |_, at, _| if at > 3 { Err(failed()) } else { Ok(()) })
                .is_err()
        );
    }
}
