//! Strides and sizes of a transfer's two sides.

use bigtpu_chip::{Command, Slot};

/// One side of a transfer: values by n, c, h and w; `None` where the command's register has no such field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Side {
    /// Strides in bytes or elements, as the chip counts them.
    pub strides: [Option<u64>; 4],
    /// Sizes in elements.
    pub sizes: [Option<u64>; 4],
}

/// The two sides of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sides {
    /// Where it reads.
    pub source: Side,
    /// Where it writes.
    pub destination: Side,
}

impl Sides {
    /// Reads the sides of a DMA or CDMA command with full bits.
    #[must_use]
    pub fn read(command: &Command<'_>) -> Self {
        let value = |slot| command.register.has(slot).then(|| command.get(slot));
        Self {
            source: Side {
                strides: [Slot::SrcNStride, Slot::SrcCStride, Slot::SrcHStride, Slot::SrcWStride]
                    .map(value),
                sizes: [Slot::SrcN, Slot::SrcC, Slot::SrcH, Slot::SrcW].map(value),
            },
            destination: Side {
                strides: [Slot::DstNStride, Slot::DstCStride, Slot::DstHStride, Slot::DstWStride]
                    .map(value),
                sizes: [Slot::DstN, Slot::DstC, Slot::DstH, Slot::DstW].map(value),
            },
        }
    }
}
