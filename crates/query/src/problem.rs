//! What is wrong with a query, in one sentence.

use bigtpu_messages::{Arg, Message, message};

use crate::units::ValueKind;

/// What is wrong with a part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// No command has the field.
    UnknownField {
        /// The part.
        clause: String,
        /// Its field.
        field: String,
        /// Names that may be meant.
        nearest: Vec<String>,
    },
    /// The value is no amount of the field.
    NoAmount {
        /// The part.
        clause: String,
        /// Name of its field.
        field: String,
        /// What the field's values are.
        kind: ValueKind,
        /// The value.
        value: String,
    },
    /// There is no value.
    NoValue {
        /// The part.
        clause: String,
        /// What could stand there.
        example: String,
    },
    /// Texts have no order.
    NoOrder {
        /// The part.
        clause: String,
        /// Name of its field.
        field: String,
        /// The operator.
        operator: &'static str,
    },
}

impl Problem {
    /// What it is called in `fixtures/query/cases.json`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::UnknownField { .. } => "unknown-field",
            Self::NoAmount { .. } => "no-amount",
            Self::NoValue { .. } => "no-value",
            Self::NoOrder { .. } => "no-order",
        }
    }

    /// The sentence.
    #[must_use]
    pub fn message(&self) -> Message {
        match self {
            Self::UnknownField { clause, field, nearest } => match nearest.as_slice() {
                [] => message!("query-unknown-field", clause = clause, field = field),
                near => message!(
                    "query-unknown-field-near",
                    clause = clause,
                    field = field,
                    names = Arg::Items(near.iter().map(Message::verbatim).collect()),
                ),
            },
            Self::NoAmount { clause, field, kind, value } => {
                let example = kind.example();
                match kind.written_units() {
                    "" => message!(
                        "query-no-amount",
                        clause = clause,
                        field = field,
                        value = value,
                        example = example,
                    ),
                    units => message!(
                        "query-no-amount-units",
                        clause = clause,
                        field = field,
                        value = value,
                        example = example,
                        units = units,
                    ),
                }
            }
            Self::NoValue { clause, example } => {
                message!("query-no-value", clause = clause, example = example)
            }
            Self::NoOrder { clause, field, operator } => {
                message!("query-no-order", clause = clause, field = field, operator = *operator)
            }
        }
    }
}
