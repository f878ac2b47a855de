//! Bytes of a memory outside the cores that a transfer reads or writes.

use std::ops::Range;

use bigtpu_measure::Side;

/// A tensor in a memory outside the cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Area {
    /// Its first byte, with the tag of the memory.
    address: u64,
    /// n, c, h, w, at least 1 each.
    sizes: [u64; 4],
    /// In elements.
    strides: [u64; 4],
    /// Bytes of an element.
    element: u64,
}

impl Area {
    /// At address 0. `sizes`: those of the side that has them. `None` where the elements of a row are apart, or a field is not known.
    pub(super) fn of_tensor(side: &Side, sizes: [u64; 4], element: u64) -> Option<Self> {
        let [n, c, h, w] = side.strides;
        let strides = [n?, c?, h?, w?];
        let sizes = sizes.map(|size| size.max(1));
        (sizes[3] == 1 || strides[3] == 1).then_some(Self { address: 0, sizes, strides, element })
    }

    /// Its first byte, with the tag of the memory.
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// The tensor at another address.
    pub(super) fn with_address(self, address: u64) -> Self {
        Self { address, ..self }
    }

    /// Bytes in a row, of which nothing else is known.
    pub(super) fn of_bytes(address: u64, bytes: u64) -> Self {
        Self { address, sizes: [1, 1, 1, bytes], strides: [bytes, bytes, bytes, 1], element: 1 }
    }

    /// Stretches without holes: dimensions that follow one another are one. Each has so many elements from each of its starts on.
    fn steps(&self) -> (u64, [(u64, u64); 3]) {
        let [n, c, h, w] = self.sizes;
        let [n_stride, c_stride, h_stride, _] = self.strides;
        let mut length = w;
        let mut steps = [(h, h_stride), (c, c_stride), (n, n_stride)];
        for step in &mut steps {
            if step.0 > 1 && step.1 != length {
                break;
            }
            length = length.saturating_mul(step.0);
            step.0 = 1;
        }
        (length, steps)
    }

    /// How many stretches without holes it has.
    pub(super) fn count(&self) -> u64 {
        self.steps().1.iter().fold(1, |all, (count, _)| all.saturating_mul(*count))
    }

    /// Its stretches without holes.
    pub(super) fn stretches(&self) -> impl Iterator<Item = Range<u64>> + use<> {
        let (length, [h, c, n]) = self.steps();
        let (address, element) = (self.address, self.element);
        let bytes = length.saturating_mul(element);
        let starts = move |(count, stride): (u64, u64)| {
            (0..count).map(move |at: u64| at.saturating_mul(stride))
        };
        starts(n).flat_map(move |n| {
            starts(c).flat_map(move |c| {
                starts(h).map(move |h| {
                    let from = address.saturating_add(
                        n.saturating_add(c).saturating_add(h).saturating_mul(element),
                    );
                    from..from.saturating_add(bytes)
                })
            })
        })
    }

    /// From its first to its last byte.
    pub(super) fn bounds(&self) -> Range<u64> {
        let last = self.sizes.iter().zip(self.strides).fold(0u64, |all, (size, stride)| {
            all.saturating_add(size.saturating_sub(1).saturating_mul(stride))
        });
        let bytes = last.saturating_add(1).saturating_mul(self.element);
        self.address..self.address.saturating_add(bytes)
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.sizes.iter().fold(self.element, |all, size| all.saturating_mul(*size))
    }

    /// Elements from the first to the last one of a channel.
    fn channel_length(&self) -> u64 {
        let [_, _, h, w] = self.sizes;
        h.saturating_sub(1).saturating_mul(self.strides[2]).saturating_add(w)
    }

    /// How many channels of `written` are before the first one of this, where both have rows, channels and batches at the same
    /// distances and channels in common: then each lane holds the same bytes of both. Each may have a part of the rows only.
    pub(super) fn first_channel(&self, written: &Self) -> Option<i64> {
        let [n, c, h, w] = self.strides;
        let [written_n, written_c, written_h, written_w] = written.strides;
        let is_alike = self.element == written.element
            && h == written_h
            && (w == written_w || self.sizes[3] == 1 || written.sizes[3] == 1)
            && (c == written_c || self.sizes[1] == 1 && written.sizes[1] == 1)
            && (n == written_n || self.sizes[0] == 1 && written.sizes[0] == 1);
        let ahead = i128::from(self.address) - i128::from(written.address);
        if !is_alike {
            return None;
        }
        let channel = i128::from(c.saturating_mul(self.element).max(1));
        let [own, of_written] = [self, written]
            .map(|area| i128::from(area.channel_length().saturating_mul(area.element)));
        let (channels, later) = (ahead.div_euclid(channel), ahead.rem_euclid(channel));
        // This begins in the rows of a channel that was written, or ends in those of the next one.
        let channels = match (later < of_written, later + own > channel) {
            (true, false) => channels,
            (false, true) => channels + 1,
            _ => return None,
        };
        i64::try_from(channels).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(address: u64, sizes: [u64; 4], strides: [u64; 4]) -> Area {
        Area { address, sizes, strides, element: 2 }
    }

    #[test]
    fn dimensions_without_holes_are_one_stretch() {
        let whole = area(100, [1, 4, 8, 8], [256, 64, 8, 1]);
        assert!(whole.stretches().eq(std::iter::once(100..612)));
        // Eight of sixteen rows of two channels.
        let rows = area(0, [1, 2, 8, 8], [256, 128, 8, 1]);
        assert_eq!(rows.stretches().collect::<Vec<_>>(), [0..128, 256..384]);
        assert_eq!((rows.count(), rows.bytes(), rows.bounds()), (2, 256, 0..384));
    }

    #[test]
    fn lanes_are_the_same_where_channels_are_as_far_apart() {
        let stored = area(1000, [1, 24, 64, 64], [98304, 4096, 64, 1]);
        let rows = area(1000 + 64 * 2 * 10, [1, 24, 20, 64], [98304, 4096, 64, 1]);
        assert_eq!(rows.first_channel(&stored), Some(0));
        let channels = area(1000 + 4096 * 2 * 3, [1, 4, 64, 64], [98304, 4096, 64, 1]);
        assert_eq!(channels.first_channel(&stored), Some(3));
        assert_eq!(stored.first_channel(&channels), Some(-3));
        // Two parts of the rows of each channel, the first one wider than the second one's start.
        let lower = area(1000 + 64 * 2 * 20, [1, 24, 44, 64], [98304, 4096, 64, 1]);
        let upper = area(1000, [1, 24, 22, 64], [98304, 4096, 64, 1]);
        assert_eq!([upper.first_channel(&lower), lower.first_channel(&upper)], [Some(0); 2]);
        // Rows become channels.
        let turned = area(1000, [24, 64, 64, 1], [4096, 64, 1, 1]);
        assert_eq!(turned.first_channel(&stored), None);
    }
}
