//! A command as a query sees it.

use crate::field::QueryField;

/// A value of a register field.
#[derive(Debug, Clone, PartialEq)]
pub enum RegisterValue {
    /// A number.
    Number(f64),
    /// A text, such as `0x10`.
    Text(String),
}

/// A command or a gap. Texts live as long as the run.
pub trait QueryRecord<'a> {
    /// The value of a field that is a number; `None` where it is not known, or the command has none.
    fn number(&self, field: QueryField) -> Option<f64>;

    /// The value of a field that is a text.
    fn text(&self, field: QueryField) -> Option<&'a str>;

    /// The operation of its layer.
    fn layer_operation(&self) -> Option<&'a str>;

    /// The value of a register field, by its place in the vocabulary.
    fn register(&self, place: usize) -> Option<RegisterValue>;

    /// The clock of its engine.
    fn mhz(&self) -> f64;
}
