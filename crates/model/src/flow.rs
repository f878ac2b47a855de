//! What operators around an operator tell of its cost.

/// What a compiler that fuses operators makes of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Lowered {
    /// Commands of its own.
    #[default]
    Command,
    /// Part of the operator that makes its input.
    Folded,
    /// A function of many cycles an element, such as SiLU, GELU or a root, with all operators that are part of it.
    Transcendental,
    /// Sums over elements and what is computed with them: softmax, normalization, mean.
    Statistic,
    /// Tensors one behind the other: what makes them writes them to their places.
    Joined,
    /// A function made of additions, products and bounds, such as hard swish.
    Clipped,
}

/// How an operator lies in its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OperatorPlace {
    /// What becomes of it.
    pub lowered: Lowered,
    /// Elements of the model's inputs that it is the first to read.
    pub from_outside: u64,
    /// Elements of the model's outputs that it makes.
    pub to_outside: u64,
}
