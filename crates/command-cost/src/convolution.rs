//! Convolutions.
//!
//! ```text
//! groups = up(H_out * W_out, positions) * kernel height * kernel width
//! cycles = N * rounds of output channels * rounds of input channels * (groups + reads that are not hidden) + start
//! ```

use bigtpu_chip::Slot;

use crate::cost::CommandCost;
use crate::layout::{Filter, OperandLayout, PackedConvolution};
use crate::mark::Mark;
use crate::part::TimePart;
use crate::pooling;
use crate::shape::{Shape, up};
use crate::window::{Window, Windows};

/// Rows of at most this many bytes never cross a line that was not read.
const SHORT_ROW: u128 = 32;

/// What a convolution takes.
pub(crate) fn cost(shape: &Shape<'_>, known: Mark, windows: &mut Windows) -> CommandCost {
    let timing = &shape.model.tiu;
    let bytes = u128::from(shape.opd0.whole_bytes());
    let positions = positions(shape, bytes);
    let window = Window::of_convolution(shape, positions, timing.conv_read_bytes.value);
    let own = Kernel {
        channels: shape.get(Slot::Opd0C),
        size: (shape.get(Slot::Opd1H), shape.get(Slot::Opd1W)),
        window,
    };
    let cost = own.cost(shape, known, windows);
    let layout = packed(shape, &own, &cost, known, windows).map(OperandLayout::RowsToChannels);
    let layout = layout.or_else(|| depthwise(shape, &own, &cost, known, windows));
    let filter = Some(Filter::Dense([own.channels, own.size.0, own.size.1].map(small)));
    CommandCost { layout, filter, ..cost }
}

fn small(number: u128) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Layout of the convolution as a depthwise one, which filters each channel by itself; `None` where that takes no fewer
/// cycles, or the result has other channels.
fn depthwise(
    shape: &Shape<'_>,
    own: &Kernel,
    cost: &CommandCost,
    known: Mark,
    windows: &mut Windows,
) -> Option<OperandLayout> {
    if own.channels != shape.c || own.size == (1, 1) {
        return None;
    }
    let cycles = pooling::cost(shape, pooling::DEPTHWISE, known, windows).total();
    (cycles < cost.total()).then_some(OperandLayout::Depthwise { cycles })
}

/// Positions that a lane works on at once.
fn positions(shape: &Shape<'_>, bytes: u128) -> u128 {
    let timing = &shape.model.tiu;
    match bytes {
        1 => timing.positions_8bit.value.into(),
        _ => timing.positions_16bit.value.into(),
    }
}

/// Input channels that the matrix unit takes at once.
fn input_round(shape: &Shape<'_>, bytes: u128) -> u128 {
    (u128::from(shape.model.tiu.input_channels_8bit.value) / bytes).max(1)
}

/// Input channels of an image at most: it is loaded, so that the load can have any layout.
const IMAGE_CHANNELS: u128 = 4;

/// Convolution with the rows of its kernel as input channels; `None` where that is not possible or takes no fewer
/// cycles.
fn packed(
    shape: &Shape<'_>,
    own: &Kernel,
    cost: &CommandCost,
    known: Mark,
    windows: &mut Windows,
) -> Option<PackedConvolution> {
    let bytes = u128::from(shape.opd0.whole_bytes());
    let round = input_round(shape, bytes);
    let (height, width) = own.size;
    let is_possible = own.channels <= IMAGE_CHANNELS || own.channels * height <= round;
    if height < 2 || own.channels == 0 || !is_possible {
        return None;
    }
    let window = Window {
        kernel: (1, own.window.kernel.1),
        stride: (1, own.window.stride.1),
        pad: (0, own.window.pad.1),
        in_rows: own.window.out_rows,
        ..own.window
    };
    let then = Kernel { channels: own.channels * height, size: (1, width), window };
    let cycles = then.cost(shape, known, windows).total();
    let row = u128::from(own.window.in_columns) * bytes * shape.n;
    let of = |channels: u128, rows: u64| channels.saturating_mul(row).saturating_mul(rows.into());
    let more =
        of(then.channels, own.window.out_rows).saturating_sub(of(own.channels, own.window.in_rows));
    (cycles < cost.total()).then_some(PackedConvolution {
        now: [small(own.channels), small(height), small(width)],
        at_once: small(round),
        cycles,
        more_bytes: u64::try_from(more).unwrap_or(u64::MAX),
    })
}

/// What slides over the input.
struct Kernel {
    /// Input channels.
    channels: u128,
    /// Height and width.
    size: (u128, u128),
    window: Window,
}

impl Kernel {
    fn cost(&self, shape: &Shape<'_>, known: Mark, windows: &mut Windows) -> CommandCost {
        let timing = &shape.model.tiu;
        let bytes = u128::from(shape.opd0.whole_bytes());
        let Self { channels: c_in, size, window } = self;
        let c_in = *c_in;
        let positions = positions(shape, bytes);
        // No convolution of another size was seen: 4-bit and 8-bit floats, and 32 bits.
        let known = if matches!(shape.opd0.0, 0 | 1 | 5) { known } else { Mark::NotValidated };
        let input_round = input_round(shape, bytes);
        let rounds = shape.rounds;
        let input_rounds = up(c_in, input_round);
        let kernel = size.0 * size.1;
        let groups = up(shape.positions, positions) * kernel;
        let needs_rows = kernel > 1 || shape.get(Slot::StrideX) > 1;
        let (extra, known) = if needs_rows && shape.get(Slot::Opd0W) * bytes > SHORT_ROW {
            match windows.reads(window) {
                Some(reads) => (reads.saturating_sub(groups), known),
                None => (0, Mark::NotValidated),
            }
        } else {
            (0, known)
        };
        let lanes = shape.lanes();
        let full_positions = (shape.n * shape.positions * kernel).saturating_mul(shape.c * c_in)
            / (lanes * input_round * positions.max(1));
        let full_channels =
            (shape.n * groups).saturating_mul(shape.c * c_in) / (lanes * input_round).max(1);
        let passes = shape.n * rounds * input_rounds;
        let all = passes.saturating_mul(groups);
        let start = u128::from(timing.conv_start.value)
            + u128::from(timing.conv_start_per_round.value) * rounds;
        CommandCost::new(known)
            .with(TimePart::StartUp, start)
            .with_split(full_positions, full_channels, all)
            .with(TimePart::LineCrossing, passes.saturating_mul(extra))
            .with_signed(TimePart::Requantize, requantize(shape, rounds))
    }
}

impl CommandCost {
    /// Adds cycles of work, unused positions and unused channels. `all` is the sum of the three, and `with_positions`
    /// that of the first two.
    pub(crate) fn with_split(self, work: u128, with_positions: u128, all: u128) -> Self {
        // Each is cut to what a command can take, so that the sum is too.
        let (all, with_positions) = (all.min(crate::LONGEST), with_positions.min(all));
        let with_positions = with_positions.min(all);
        let work = work.min(with_positions);
        self.with(TimePart::Work, work)
            .with(TimePart::Positions, with_positions - work)
            .with(TimePart::Channels, all - with_positions)
    }
}

/// Cycles for the requantization of results.
fn requantize(shape: &Shape<'_>, rounds: u128) -> i128 {
    if shape.get(Slot::Requantize) == 0 {
        return 0;
    }
    let is_aligned = shape.get(Slot::Opd1Addr).is_multiple_of(32);
    let unaligned = if is_aligned { 0 } else { rounds };
    let short = if shape.positions.is_multiple_of(16) { 0 } else { rounds / 4 };
    (rounds + unaligned + short) as i128 - 3
}
