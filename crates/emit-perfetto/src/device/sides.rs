//! Source and destination of a transfer as arguments of its slice.

use bigtpu_measure::Side;

use crate::args::Args;
use crate::names::Arg;

/// Names of a side's arguments: strides and sizes by n, c, h and w.
pub(super) struct SideArgs {
    pub(super) address: Arg,
    strides: [Arg; 4],
    sizes: [Arg; 4],
}

pub(super) const SOURCE: SideArgs = SideArgs {
    address: Arg::SrcAddr,
    strides: [Arg::SrcNStride, Arg::SrcCStride, Arg::SrcHStride, Arg::SrcWStride],
    sizes: [Arg::SrcN, Arg::SrcC, Arg::SrcH, Arg::SrcW],
};

pub(super) const DESTINATION: SideArgs = SideArgs {
    address: Arg::DstAddr,
    strides: [Arg::DstNStride, Arg::DstCStride, Arg::DstHStride, Arg::DstWStride],
    sizes: [Arg::DstN, Arg::DstC, Arg::DstH, Arg::DstW],
};

impl SideArgs {
    /// Strides and sizes, where the command's register has them.
    pub(super) fn write(&self, args: &mut Args<'_>, side: &Side) {
        let strides = self.strides.into_iter().zip(side.strides);
        for (arg, value) in strides.chain(self.sizes.into_iter().zip(side.sizes)) {
            if let Some(value) = value {
                args.int(arg, value as i64);
            }
        }
    }
}
