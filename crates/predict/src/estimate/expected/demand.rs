//! What an operator asks of a core and of main memory, whatever the share that they reach.
//!
//! Cycles follow the rules of `simulate` (`docs/prediction/simulate.md`): channels are padded to lanes, input channels and
//! positions to the matrix unit. Bytes follow what the compiler leaves in local memory.

use bigtpu_machine::{Array, DataType};
use bigtpu_model::{Kind, Lowered, Operator, elements, from_last};

use super::sizes::Sizes;

/// A part of the time, each with a share of its ideal rate (`coefficients`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// Convolutions on the matrix unit.
    Convolution,
    /// Convolutions of a channel by itself, on the vector unit.
    Depthwise,
    /// Rows times weights.
    Product,
    /// Products of two activations.
    Scores,
    /// Functions such as SiLU and GELU.
    Function,
    /// Sums, with what is computed from them: softmax, normalization.
    Statistic,
    /// Other operators on elements.
    Plain,
    /// Pooling.
    Pool,
    /// Weights.
    Weights,
    /// Inputs and outputs of the model, which are of 4 bytes an element.
    Outside,
    /// Activations that do not stay in local memory.
    Activations,
    /// Scores of 4-byte elements, which go through main memory between the operators of attention.
    Spills,
    /// Activations in another order.
    Moves,
    /// Activations that are joined.
    Joins,
    /// Commands: one an operator.
    Commands,
}

impl Term {
    /// Number of terms.
    pub const COUNT: usize = 15;

    /// All, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Convolution,
        Self::Depthwise,
        Self::Product,
        Self::Scores,
        Self::Function,
        Self::Statistic,
        Self::Plain,
        Self::Pool,
        Self::Weights,
        Self::Outside,
        Self::Activations,
        Self::Spills,
        Self::Moves,
        Self::Joins,
        Self::Commands,
    ];

    /// Whether it is a transfer, counted in bytes; the others but commands are counted in cycles.
    #[must_use]
    pub fn is_transfer(self) -> bool {
        matches!(
            self,
            Self::Weights
                | Self::Outside
                | Self::Activations
                | Self::Spills
                | Self::Moves
                | Self::Joins
        )
    }
}

/// Cycles of one core, bytes, and commands, by term.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Demand {
    amounts: [f64; Term::COUNT],
}

/// Width of the elements that are computed with: what rates depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 4 bytes: on the vector unit.
    Bits32,
    /// 2 bytes.
    Bits16,
    /// 1 byte or less.
    Bits8,
}

impl Width {
    /// All.
    pub const ALL: [Self; 3] = [Self::Bits32, Self::Bits16, Self::Bits8];

    /// Width of a data type's elements.
    #[must_use]
    pub fn from_type(data_type: DataType) -> Self {
        match data_type.bits() {
            32.. => Self::Bits32,
            16.. => Self::Bits16,
            _ => Self::Bits8,
        }
    }

    /// Bytes of an element.
    #[must_use]
    pub fn bytes(self) -> f64 {
        match self {
            Self::Bits32 => 4.0,
            Self::Bits16 => 2.0,
            Self::Bits8 => 1.0,
        }
    }
}

/// Bytes of an element of a model's inputs and outputs: the compiled models take and give fp32.
const OUTSIDE_BYTES: f64 = 4.0;

/// Bytes of an element that sums are computed with, whatever the type.
const STATISTIC_BYTES: f64 = 4.0;

/// The share of an operator's activations that go through main memory: `q / (1 + q)` with
/// `q = (bytes of an item / (LOCAL_SHARE x local memory)) ^ STEEPNESS`. From the published utilization of the memory of
/// BM1684X (`docs/prediction/measured.md`).
const LOCAL_SHARE: f64 = 0.5;
const STEEPNESS: f64 = 0.8;

impl Demand {
    /// Demand of one operator.
    #[must_use]
    pub fn from_operator(operator: &Operator, array: &Array, data_type: DataType) -> Self {
        let width = Width::from_type(data_type);
        let mut own = Self::default();
        let flow = operator.flow;
        own.add(Term::Outside, OUTSIDE_BYTES * (flow.from_outside as f64 + flow.to_outside as f64));
        if operator.kind == Kind::Free || flow.lowered == Lowered::Folded {
            return own;
        }
        own.add(Term::Commands, 1.0);
        let sizes = Sizes { array, width, bytes: width.bytes() };
        let (from, to) = (elements(&operator.input), elements(&operator.output));
        let is_heavy = own.heavy(operator, &sizes);
        let moved = match operator.kind {
            _ if is_heavy => return own,
            Kind::Move => {
                let is_joined = operator.flow.lowered == Lowered::Joined;
                let term = if is_joined { Term::Joins } else { Term::Moves };
                own.add(term, 2.0 * sizes.bytes * to);
                return own;
            }
            Kind::Embedding => {
                own.add(Term::Weights, 2.0 * sizes.bytes * to);
                return own;
            }
            Kind::Pool => {
                let window: f64 =
                    operator.weights.iter().rev().take(2).map(|&n| n as f64).product();
                own.add(Term::Pool, sizes.passes(&operator.output, width.bytes()) * window);
                from + to
            }
            kind => own.on_elements(operator, kind, &sizes),
        };
        own.activations(operator, moved, &sizes);
        own
    }

    /// Adds a function, a sum or a plain operator; gives the elements that it reads and writes.
    fn on_elements(&mut self, operator: &Operator, kind: Kind, sizes: &Sizes<'_>) -> f64 {
        let (from, to) = (elements(&operator.input), elements(&operator.output));
        let is_function = matches!(kind, Kind::Silu | Kind::Gelu | Kind::Rotary);
        let is_sum = matches!(kind, Kind::Softmax | Kind::LayerNorm | Kind::RmsNorm);
        match operator.flow.lowered {
            Lowered::Clipped => {
                self.add(Term::Plain, 3.0 * sizes.passes(&operator.output, sizes.bytes));
            }
            Lowered::Transcendental => self.function(operator, sizes),
            Lowered::Statistic => self.statistic(operator, sizes),
            _ if is_function => self.function(operator, sizes),
            _ if is_sum => self.statistic(operator, sizes),
            _ => {
                self.add(Term::Plain, sizes.passes(&operator.output, sizes.bytes));
                let second = elements(&operator.weights).min(to);
                return from + to + if operator.weights.is_empty() { 0.0 } else { second };
            }
        }
        from + to
    }

    /// In floating point computed in 4-byte elements; of 1-byte elements looked up in a table, element by element.
    fn function(&mut self, operator: &Operator, sizes: &Sizes<'_>) {
        let line = if sizes.width == Width::Bits8 { sizes.array.line_bytes as f64 } else { 4.0 };
        self.add(Term::Function, sizes.passes(&operator.input, line));
    }

    /// Sums are computed in 4-byte elements. The channels of images lie on the lanes, else the rows do.
    fn statistic(&mut self, operator: &Operator, sizes: &Sizes<'_>) {
        if operator.kind == Kind::Softmax {
            return self.softmax(&operator.input, sizes);
        }
        let is_image = operator.input.len() >= 4;
        let layout = if is_image { Sizes::passes } else { Sizes::passes_of_rows };
        self.add(Term::Statistic, layout(sizes, &operator.input, STATISTIC_BYTES));
    }

    /// An exponential of each element, which is a function; of 1-byte elements, sums count.
    fn softmax(&mut self, shape: &[u64], sizes: &Sizes<'_>) {
        let term = if sizes.width == Width::Bits8 { Term::Statistic } else { Term::Function };
        self.add(term, sizes.passes_of_rows(shape, STATISTIC_BYTES));
    }

    /// Adds a convolution or a product, if the operator is one.
    fn heavy(&mut self, operator: &Operator, sizes: &Sizes<'_>) -> bool {
        let (from, to) = (elements(&operator.input), elements(&operator.output));
        let weights = elements(&operator.weights);
        let last = |shape: &[u64]| from_last(shape, 0);
        match operator.kind {
            Kind::Conv2d => {
                let (term, cycles) = sizes.convolution(operator);
                self.add(term, cycles);
                self.add(Term::Weights, sizes.bytes * Sizes::weights(operator));
                self.activations(operator, from + to, sizes);
            }
            Kind::Linear => {
                let (inner, columns) = (last(&operator.input), last(&operator.output));
                let stored = operator.weight_type.map_or(sizes.bytes, DataType::bytes);
                self.add(Term::Product, sizes.product(1.0, to / columns.max(1.0), inner, columns));
                self.add(Term::Weights, stored * weights);
                self.activations(operator, from + to, sizes);
            }
            Kind::MatMul => {
                let inner = last(&operator.input);
                let (rows, columns) = (from_last(&operator.output, 1), last(&operator.output));
                let products = (to / (rows * columns).max(1.0)).max(1.0);
                self.scores(operator, [products, rows, inner, columns], sizes);
            }
            Kind::Attention => {
                let (rows, columns) = (from_last(&operator.output, 1), last(&operator.output));
                let keys = from_last(&operator.input, 1);
                let products = (to / (rows * columns).max(1.0)).max(1.0);
                self.scores(operator, [products, rows, columns, keys], sizes);
                self.scores(operator, [products, rows, keys, columns], sizes);
                let scores = [products as u64, 1, rows as u64, keys as u64];
                self.softmax(&scores, sizes);
            }
            _ => return false,
        }
        true
    }

    /// Products of activations: so many of rows x inner by inner x columns.
    fn scores(
        &mut self,
        operator: &Operator,
        [products, rows, inner, columns]: [f64; 4],
        sizes: &Sizes<'_>,
    ) {
        self.add(Term::Scores, sizes.product(products, rows, inner, columns));
        if sizes.width == Width::Bits32 {
            self.add(Term::Spills, sizes.bytes * products * rows * inner.max(columns));
        } else {
            let moved = products * (rows * inner + inner * columns + rows * columns);
            self.activations(operator, moved, sizes);
        }
    }

    /// The part of the activations that does not stay in local memory.
    fn activations(&mut self, operator: &Operator, moved: f64, sizes: &Sizes<'_>) {
        let items = operator.output.first().filter(|_| operator.output.len() > 2);
        let of_item = sizes.bytes * moved / items.map_or(1.0, |&items| (items as f64).max(1.0));
        let q = (of_item / (LOCAL_SHARE * sizes.array.local_bytes)).powf(STEEPNESS);
        let share = if q.is_finite() { q / (1.0 + q) } else { 1.0 };
        self.add(Term::Activations, sizes.bytes * moved * share);
    }

    fn add(&mut self, term: Term, amount: f64) {
        if let Some(sum) = self.amounts.get_mut(term as usize) {
            *sum += amount;
        }
    }

    /// Cycles, bytes or commands of a term.
    #[must_use]
    pub fn amount(&self, term: Term) -> f64 {
        self.amounts.get(term as usize).copied().unwrap_or(0.0)
    }

    /// Adds the bytes of a cache of keys and values that is read.
    #[must_use]
    pub fn with_cache(mut self, bytes: f64) -> Self {
        self.add(Term::Weights, bytes);
        self
    }

    /// One after the other.
    pub fn add_all(&mut self, other: &Self) {
        self.amounts.iter_mut().zip(other.amounts).for_each(|(sum, amount)| *sum += amount);
    }

    /// Demand of one of `parts` equal parts, where weights are divided into `slices` only.
    #[must_use]
    pub fn of_part(&self, parts: f64, slices: f64) -> Self {
        let mut own = *self;
        for term in Term::ALL {
            let share = match term {
                Term::Commands => 1.0,
                Term::Weights => slices,
                _ => parts,
            };
            if let Some(amount) = own.amounts.get_mut(term as usize) {
                *amount /= share.max(1.0);
            }
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_machine::{PresetSet, preset};

    use super::*;

    fn demand(kind: Kind, shapes: [&[u64]; 3], data_type: DataType) -> Demand {
        let array = preset("bm1684x", PresetSet::All).unwrap().array.unwrap();
        let operator = Operator::new("one", "one", kind, shapes.map(<[u64]>::to_vec));
        Demand::from_operator(&operator, &array, data_type)
    }

    #[test]
    fn rows_of_a_softmax_lie_on_the_lanes_whatever_the_heads() {
        let passes = |shape: &[u64]| {
            demand(Kind::Softmax, [shape, &[], shape], DataType::Fp16).amount(Term::Function)
        };
        // 64 lanes with lines of 16 elements of 4 bytes.
        assert_eq!(passes(&[1, 1, 16384, 256]), 16384.0 * 256.0 / (64.0 * 16.0));
        assert_eq!(passes(&[1, 1, 16384, 256]), passes(&[1, 64, 256, 256]));
    }

    #[test]
    fn scores_of_four_bytes_go_through_memory() {
        let shapes: [&[u64]; 3] = [&[1, 12, 384, 64], &[1, 12, 64, 384], &[1, 12, 384, 384]];
        let bytes = |data_type| demand(Kind::MatMul, shapes, data_type).amount(Term::Spills);
        assert_eq!(bytes(DataType::Fp32), 4.0 * 12.0 * 384.0 * 384.0);
        assert_eq!(bytes(DataType::Fp16), 0.0);
        // Products with weights read them once.
        let linear = demand(Kind::Linear, [&[1, 8, 64], &[64, 32], &[1, 8, 32]], DataType::Fp32);
        assert_eq!((linear.amount(Term::Spills), linear.amount(Term::Weights)), (0.0, 8192.0));
    }
}
