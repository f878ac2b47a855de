//! Cycles of a core's units for the shapes of an operator: channels are padded to lanes, input channels and positions to
//! the matrix unit.

use bigtpu_machine::Array;
use bigtpu_model::{Operator, elements, from_last};

use super::demand::{Term, Width};

/// Sizes of a core's units for elements of one width.
pub(super) struct Sizes<'a> {
    /// Units.
    pub(super) array: &'a Array,
    /// Width of the elements.
    pub(super) width: Width,
    /// Bytes of an element.
    pub(super) bytes: f64,
}

impl Sizes<'_> {
    /// Passes of the vector unit over a tensor whose elements take so many bytes.
    pub(super) fn passes(&self, shape: &[u64], bytes: f64) -> f64 {
        let line = (self.array.line_bytes as f64 / bytes).max(1.0);
        let lanes = self.array.lanes as f64;
        match shape {
            [items, channels, plane @ ..] if shape.len() >= 4 => {
                *items as f64 * up(*channels as f64, lanes) * up(elements(plane), line)
            }
            _ => (elements(shape) / (lanes * line)).max(1.0),
        }
    }

    /// Passes over a tensor whose rows lie on the lanes, one after the other.
    pub(super) fn passes_of_rows(&self, shape: &[u64], bytes: f64) -> f64 {
        let line = (self.array.line_bytes as f64 / bytes).max(1.0);
        let columns = from_last(shape, 0).max(1.0);
        let rows = elements(shape) / columns;
        (up(rows, self.array.lanes as f64) * up(columns, line)).max(1.0)
    }

    /// Input channels and output positions of the matrix unit.
    fn matrix(&self) -> (f64, f64) {
        let channels = self.array.input_channels_8bit as f64;
        match self.width {
            Width::Bits8 => (channels, self.array.positions_8bit as f64),
            _ => ((channels / self.bytes).max(1.0), self.array.positions_16bit as f64),
        }
    }

    /// Elements of a convolution's weights, which are recorded whole or as the window alone.
    pub(super) fn weights(operator: &Operator) -> f64 {
        let [inputs, outputs] = channels(operator);
        window(operator) * inputs * outputs * operator.groups.max(1) as f64
    }

    pub(super) fn convolution(&self, operator: &Operator) -> (Term, f64) {
        let groups = operator.groups.max(1) as f64;
        let lanes = self.array.lanes as f64;
        let items = operator.output.first().map_or(1.0, |&items| items as f64);
        let positions: f64 = operator.output.iter().skip(2).map(|&size| size as f64).product();
        let window = window(operator);
        let [inputs, outputs] = channels(operator);
        if groups > 1.0 && inputs <= 1.0 && outputs <= 1.0 {
            let line = (self.array.line_bytes as f64 / self.bytes).max(1.0);
            let [_, stride] = operator.stride;
            let each = window * (stride as f64).clamp(1.0, 2.0) + window.max(1.0).log2();
            return (Term::Depthwise, items * up(groups, lanes) * up(positions, line) * each);
        }
        let rounds = groups * items * up(outputs, lanes);
        if self.width == Width::Bits32 {
            let line = self.array.products_32bit as f64;
            return (Term::Convolution, rounds * inputs * up(positions, line) * window);
        }
        let (channels, at_once) = self.matrix();
        let plain = up(inputs, channels) * window;
        // Few channels are laid out with the window: each element of a row, or of the window, is a channel.
        let columns = operator.weights.last().map_or(1.0, |&size| size as f64).max(1.0);
        let by_row = up(inputs * columns, channels) * (window / columns);
        let by_window = up(inputs * window, channels);
        let steps = if inputs <= FEW_CHANNELS { plain.min(by_row).min(by_window) } else { plain };
        (Term::Convolution, rounds * steps * up(positions, at_once))
    }

    /// Products of rows x inner by inner x columns; columns or rows lie on the lanes, whichever is faster.
    pub(super) fn product(&self, products: f64, rows: f64, inner: f64, columns: f64) -> f64 {
        let lanes = self.array.lanes as f64;
        if self.width == Width::Bits32 {
            let line = self.array.products_32bit as f64;
            let both = rows * up(columns, lanes * line);
            let by_row = up(rows, lanes) * up(columns, line);
            let by_column = up(columns, lanes) * up(rows, line);
            return products * inner * both.min(by_row).min(by_column);
        }
        let (channels, at_once) = self.matrix();
        let by_column = up(columns, lanes) * up(rows, at_once);
        let by_row = up(rows, lanes) * up(columns, at_once);
        products * up(inner, channels) * by_column.min(by_row)
    }
}

/// Input channels that the compiler lays out with the window: those of images.
const FEW_CHANNELS: f64 = 4.0;

/// Elements of a convolution's window.
fn window(operator: &Operator) -> f64 {
    operator.weights.iter().rev().take(2).map(|&size| size as f64).product()
}

/// Input and output channels of a group.
fn channels(operator: &Operator) -> [f64; 2] {
    let groups = operator.groups.max(1) as f64;
    let of = |shape: &[u64]| shape.get(1).map_or(1.0, |&size| (size as f64 / groups).max(1.0));
    [of(&operator.input), of(&operator.output)]
}

/// a / b rounded up.
fn up(a: f64, b: f64) -> f64 {
    (a / b).ceil()
}
