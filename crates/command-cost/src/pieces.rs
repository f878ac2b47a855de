//! Pieces of a tensor that are contiguous in memory.

use bigtpu_chip::{Command, Slot};

/// Sizes and strides of one side of a transfer, in elements: n, c, h, w.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Side {
    pub(crate) size: [u64; 4],
    pub(crate) stride: [u64; 4],
}

impl Side {
    pub(crate) fn source(command: &Command<'_>) -> Self {
        use Slot::{SrcC, SrcCStride, SrcH, SrcHStride, SrcN, SrcNStride, SrcW, SrcWStride};
        let get = |slots: [Slot; 4]| slots.map(|slot| command.get(slot));
        Self {
            size: get([SrcN, SrcC, SrcH, SrcW]),
            stride: get([SrcNStride, SrcCStride, SrcHStride, SrcWStride]),
        }
    }

    pub(crate) fn destination(command: &Command<'_>) -> Self {
        use Slot::{DstC, DstCStride, DstH, DstHStride, DstN, DstNStride, DstW, DstWStride};
        let get = |slots: [Slot; 4]| slots.map(|slot| command.get(slot));
        Self {
            size: get([DstN, DstC, DstH, DstW]),
            stride: get([DstNStride, DstCStride, DstHStride, DstWStride]),
        }
    }

    /// Number of contiguous pieces. In local memory each channel is in a lane of its own.
    pub(crate) fn pieces(&self, is_local: bool) -> u128 {
        let [n, c, h, w] = self.size.map(|size| u128::from(size.max(1)));
        let [n_stride, c_stride, h_stride, w_stride] = self.stride.map(u128::from);
        if w > 1 && w_stride > 1 {
            n * c * h * w
        } else if h > 1 && h_stride != w {
            n * c * h
        } else if is_local || c > 1 && c_stride != h * w {
            n * c
        } else if n > 1 && n_stride != c * h * w {
            n
        } else {
            1
        }
    }
}

/// Lines of `bus` bytes that pieces of `length` bytes touch, each counted for itself. `steps`: how many pieces there
/// are in each dimension, and the bytes from one to the next.
pub(crate) fn touched_lines(address: u64, steps: &[(u64, u64)], length: u128, bus: u64) -> u128 {
    let bus = bus.max(1);
    // How many pieces start at each distance from the beginning of a line.
    let mut starts = vec![0u128; usize::try_from(bus).unwrap_or(1)];
    if let Some(first) = starts.get_mut((address % bus) as usize) {
        *first = 1;
    }
    for &(count, stride) in steps {
        let moves = moves(count.max(1), stride % bus, bus);
        let mut next = vec![0u128; starts.len()];
        for (from, pieces) in starts.iter().enumerate().filter(|(_, pieces)| **pieces > 0) {
            for (by, times) in &moves {
                let to = (from as u64 + by) % bus;
                if let Some(sum) = next.get_mut(to as usize) {
                    *sum = sum.saturating_add(pieces.saturating_mul(*times));
                }
            }
        }
        starts = next;
    }
    let bus = u128::from(bus);
    let length = length.max(1);
    let lines = |start: usize| (start as u128 + length - 1) / bus + 1;
    let all = starts.iter().enumerate().map(|(start, pieces)| pieces.saturating_mul(lines(start)));
    all.fold(0, u128::saturating_add)
}

/// How often each multiple of a stride occurs, modulo the line.
fn moves(count: u64, stride: u64, bus: u64) -> Vec<(u64, u128)> {
    let mut moves: Vec<(u64, u128)> = Vec::new();
    let mut by = 0;
    for _ in 0..count.min(bus) {
        if by == 0 && !moves.is_empty() {
            break;
        }
        moves.push((by, 0));
        by = (by + stride) % bus;
    }
    let period = (moves.len() as u64).max(1);
    for (place, (_, times)) in moves.iter_mut().enumerate() {
        let more = u64::from((place as u64) < count % period);
        *times = u128::from(count / period + more);
    }
    moves
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn pieces_end_where_a_stride_skips() {
        let side = |size, stride| Side { size, stride };
        let whole = side([2, 3, 4, 5], [60, 20, 5, 1]);
        assert_eq!((whole.pieces(false), whole.pieces(true)), (1, 6));
        assert_eq!(side([2, 3, 4, 5], [60, 21, 5, 1]).pieces(false), 6);
        assert_eq!(side([2, 3, 4, 5], [60, 20, 6, 1]).pieces(false), 24);
        assert_eq!(side([2, 3, 4, 5], [60, 20, 5, 2]).pieces(false), 120);
        assert_eq!(side([2, 3, 4, 5], [90, 20, 5, 1]).pieces(false), 2);
    }

    proptest! {
        #[test]
        fn touched_lines_are_those_of_each_piece(
            address in 0u64..1000, a in (1u64..40, 0u64..300), b in (1u64..40, 0u64..300), length in 1u128..200,
            bus in prop::sample::select(vec![8u64, 32, 64, 128]),
        ) {
            let mut expected = 0;
            for i in 0..a.0 {
                for j in 0..b.0 {
                    let start = u128::from(address + i * a.1 + j * b.1);
                    expected += (start + length - 1) / u128::from(bus) - start / u128::from(bus) + 1;
                }
            }
            prop_assert_eq!(touched_lines(address, &[a, b], length, bus), expected);
        }
    }
}
