//! Numbers that match a number of a query.

use crate::grammar::Operator;

/// Values that are as near as this are equal: shares and bandwidths are quotients.
const NEAR: f64 = 1e-9;

/// A comparison with a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberTest {
    operator: Operator,
    low: f64,
    high: f64,
}

impl NumberTest {
    pub(crate) fn new(operator: Operator, wanted: f64) -> Self {
        let near = wanted.abs() * NEAR;
        Self { operator, low: wanted - near, high: wanted + near }
    }

    pub(crate) fn matches(self, n: f64) -> bool {
        let Self { operator, low, high } = self;
        match operator {
            Operator::Less => n < low,
            Operator::LessOrEqual => n <= high,
            Operator::Greater => n > high,
            Operator::GreaterOrEqual => n >= low,
            Operator::Unequal => n < low || n > high,
            Operator::Equal | Operator::Holds => (low..=high).contains(&n),
        }
    }
}
