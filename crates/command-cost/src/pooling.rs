//! Pooling and depthwise convolutions: what counts is the reads of local memory.

use bigtpu_chip::Slot;

use crate::cost::CommandCost;
use crate::layout::Filter;
use crate::mark::Mark;
use crate::part::TimePart;
use crate::shape::{Shape, up};
use crate::window::{Window, Windows};

/// Sub-types.
mod variant {
    pub(super) const DEPTHWISE: u8 = 0;
    pub(super) const AVERAGE: u8 = 1;
    pub(super) const DEPTHWISE_RELU: u8 = 2;
    pub(super) const MIN: u8 = 3;
    pub(super) const MAX: u8 = 4;
}

/// The sub-type of a depthwise convolution.
pub(crate) const DEPTHWISE: u8 = variant::DEPTHWISE;

/// What a pooling or depthwise command takes.
pub(crate) fn cost(
    shape: &Shape<'_>,
    variant: u8,
    known: Mark,
    windows: &mut Windows,
) -> CommandCost {
    let timing = &shape.model.tiu;
    let vector = shape.elements(shape.opd0);
    let groups = up(shape.positions, vector);
    let kernel = shape.get(Slot::Opd1H) * shape.get(Slot::Opd1W);
    let window = Window::of_pooling(shape, vector, timing.pool_read_bytes.value);
    let accesses = groups * kernel;
    let (reads, known) = match windows.reads(&window) {
        Some(reads) => (reads, known),
        None => (accesses, Mark::NotValidated),
    };
    // No rule for regions of interest.
    let is_roi = variant > variant::MAX;
    let passes = shape.n * shape.rounds;
    let work = up(shape.n * shape.c * shape.positions * kernel, shape.lanes() * vector);
    let with_positions = up(shape.n * shape.c * accesses, shape.lanes());
    let cost = CommandCost::new(if is_roi { Mark::NotValidated } else { known })
        .with_split(work, with_positions, passes.saturating_mul(accesses))
        .with(TimePart::LineCrossing, passes.saturating_mul(reads.saturating_sub(accesses)));
    let (tree, start) = match variant {
        variant::DEPTHWISE | variant::DEPTHWISE_RELU => {
            let log2 = log2(kernel, timing.depthwise_log2_up.value);
            (groups * log2, timing.depthwise_start.value.into())
        }
        variant::AVERAGE => (groups * 13, 4),
        variant::MIN | variant::MAX => (0, 10),
        _ => (0, 10),
    };
    let is_depthwise = matches!(variant, variant::DEPTHWISE | variant::DEPTHWISE_RELU);
    let size = [Slot::Opd1H, Slot::Opd1W].map(|slot| shape.command.get(slot) as u32);
    let filter = is_depthwise.then_some(Filter::Depthwise(size));
    let cost = CommandCost { filter, ..cost };
    // The adders work after the reads of a group.
    cost.with(TimePart::Work, passes.saturating_mul(tree)).with(TimePart::StartUp, start)
}

/// log2, rounded; 0 for a kernel without elements.
fn log2(kernel: u128, is_up: bool) -> u128 {
    let down = kernel.checked_ilog2().unwrap_or(0);
    let is_power = kernel.is_power_of_two() || kernel == 0;
    u128::from(if is_up && !is_power { down + 1 } else { down })
}
