//! Convolutions.
//!
//! ```text
//! groups = up(H_out * W_out, positions) * kernel height * kernel width
//! cycles = N * rounds of output channels * rounds of input channels * (groups + reads that are not hidden) + start
//! ```

use bigtpu_chip::Slot;

use crate::cost::Cost;
use crate::mark::Mark;
use crate::part::Part;
use crate::shape::{Shape, up};
use crate::window::{Window, Windows};

/// Rows of at most this many bytes never cross a line that was not read.
const SHORT_ROW: u128 = 32;

/// What a convolution takes.
pub(crate) fn cost(shape: &Shape<'_>, known: Mark, windows: &mut Windows) -> Cost {
    let timing = &shape.model.tiu;
    let bytes = u128::from(shape.opd0.whole_bytes());
    let positions: u128 = match bytes {
        1 => timing.positions_8bit.value.into(),
        _ => timing.positions_16bit.value.into(),
    };
    // No convolution of another size was seen: 4-bit and 8-bit floats, and 32 bits.
    let known = if matches!(shape.opd0.0, 0 | 1 | 5) { known } else { Mark::NotValidated };
    let input_round = (u128::from(timing.input_channels_8bit.value) / bytes).max(1);
    let (c_in, rounds) = (shape.get(Slot::Opd0C), shape.rounds);
    let input_rounds = up(c_in, input_round);
    let kernel = shape.get(Slot::Opd1H) * shape.get(Slot::Opd1W);
    let groups = up(shape.positions, positions) * kernel;
    let window = Window::of_convolution(shape, positions, timing.conv_read_bytes.value);
    let needs_rows = kernel > 1 || shape.get(Slot::StrideX) > 1;
    let (extra, known) = if needs_rows && shape.get(Slot::Opd0W) * bytes > SHORT_ROW {
        match windows.reads(&window) {
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
    Cost::new(known)
        .with(Part::StartUp, start)
        .with_split(full_positions, full_channels, all)
        .with(Part::LineCrossing, passes.saturating_mul(extra))
        .with_signed(Part::Requantize, requantize(shape, rounds))
}

impl Cost {
    /// The same with work, unused positions and unused channels. `all` is the sum of the three, and `with_positions`
    /// of the first two.
    pub(crate) fn with_split(self, work: u128, with_positions: u128, all: u128) -> Self {
        // Each is cut to what a command can take, so that the sum is too.
        let (all, with_positions) = (all.min(crate::LONGEST), with_positions.min(all));
        let with_positions = with_positions.min(all);
        let work = work.min(with_positions);
        self.with(Part::Work, work)
            .with(Part::Positions, with_positions - work)
            .with(Part::Channels, all - with_positions)
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
