//! Terms of a query: tests of one command each. A command without the value matches no comparison, not even `!=`.

use crate::field::QueryField;
use crate::grammar::{Clause, Operator};
use crate::matcher::Memory;
use crate::number::NumberTest;
use crate::record::{QueryRecord, RegisterValue};
use crate::text::TextTest;
use crate::units::{Amount, ValueKind, hexadecimal, number};

/// What a clause asks of a command.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    pub(crate) is_not: bool,
    pub(crate) test: Test,
}

/// A test of a command's values.
#[derive(Debug, Clone)]
pub(crate) enum Test {
    Number {
        field: QueryField,
        operator: Operator,
        amount: Amount,
    },
    Text {
        fields: Vec<Of>,
        test: TextTest,
        is_unequal: bool,
    },
    LayerId {
        id: f64,
        is_unequal: bool,
    },
    Register {
        place: usize,
        operator: Operator,
        number: Option<f64>,
        text: TextTest,
    },
    /// `None`: the command's range holds the address.
    Address {
        address: f64,
        start: Option<NumberTest>,
    },
    Slower(NumberTest),
    /// The cause of a gap holds the text.
    Gap(String),
    Any(Vec<Test>),
}

/// A text of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Field(QueryField),
    LayerOperation,
}

impl Of {
    /// The texts in which a part is looked for.
    fn searched(field: QueryField) -> Vec<Self> {
        match field {
            QueryField::Name => vec![Self::Field(QueryField::Name), Self::Field(QueryField::Type)],
            QueryField::Layer => {
                vec![
                    Self::Field(QueryField::Layer),
                    Self::LayerOperation,
                    Self::Field(QueryField::Block),
                ]
            }
            _ => vec![Self::Field(field)],
        }
    }

    fn read<'a>(self, record: &impl QueryRecord<'a>) -> Option<&'a str> {
        match self {
            Self::Field(field) => record.text(field),
            Self::LayerOperation => record.layer_operation(),
        }
    }
}

/// Words that are also the role of a command.
const ROLES: [&str; 3] = ["wait", "send", "system"];

impl Test {
    /// A field that is a number.
    pub(crate) fn of_number(field: QueryField, operator: Operator, amount: Amount) -> Self {
        Self::Number { field, operator, amount }
    }

    /// A field that is a text.
    pub(crate) fn of_text(field: QueryField, clause: &Clause) -> Self {
        let is_unequal = clause.operator == Operator::Unequal;
        if field == QueryField::Layer && !clause.is_quoted {
            let id = clause.value.strip_prefix('#');
            let id = id.filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()));
            if let Some(id) = id.and_then(|id| id.parse().ok()) {
                return Self::LayerId { id, is_unequal };
            }
        }
        let fields = match clause.operator {
            Operator::Holds => Of::searched(field),
            _ => vec![Of::Field(field)],
        };
        Self::Text { fields, test: TextTest::new(clause), is_unequal }
    }

    /// A word: a part of a name, type, kernel or layer, or all of a role. A decimal number also is a global index or command id; 0x… is
    /// an address at which a command reads or writes.
    pub(crate) fn of_word(clause: &Clause) -> Self {
        let test = TextTest::new(clause);
        let texts = [QueryField::Name, QueryField::Kernel, QueryField::Layer];
        let fields = texts.into_iter().flat_map(Of::searched).collect();
        let mut any = vec![Self::Text { fields, test, is_unequal: false }];
        let value = clause.value.as_str();
        let is_plain = !clause.is_quoted;
        if is_plain && ROLES.contains(&value.to_lowercase().as_str()) {
            let fields = vec![Of::Field(QueryField::Role)];
            any.push(Self::Text {
                fields,
                test: TextTest::Whole(value.to_lowercase()),
                is_unequal: false,
            });
        }
        if is_plain && !value.is_empty() && value.bytes().all(|b| b.is_ascii_digit()) {
            let number = Amount::Own(value.parse().unwrap_or(f64::NAN));
            let fields = [QueryField::Index, QueryField::CommandId];
            any.extend(fields.map(|field| Self::of_number(field, Operator::Equal, number)));
        }
        if let Some(address) = hexadecimal(value).filter(|_| is_plain) {
            any.push(Self::of_address(Operator::Holds, address));
        }
        Self::Any(any)
    }

    /// Source or destination; with `:` and `=` any address of their first bytes.
    pub(crate) fn of_address(operator: Operator, address: f64) -> Self {
        let holds = matches!(operator, Operator::Holds | Operator::Equal);
        Self::Address { address, start: (!holds).then(|| NumberTest::new(operator, address)) }
    }

    /// So many times what the bits explain; without an order at least.
    pub(crate) fn of_slower(operator: Operator, times: f64) -> Self {
        let at_least = matches!(operator, Operator::Holds | Operator::Equal);
        let operator = if at_least { Operator::GreaterOrEqual } else { operator };
        Self::Slower(NumberTest::new(operator, times))
    }

    /// Gaps whose cause holds the text.
    pub(crate) fn of_gap(text: &str) -> Self {
        Self::Gap(text.to_lowercase().replace('_', " "))
    }

    /// A register field.
    pub(crate) fn of_register(place: usize, clause: &Clause) -> Option<Self> {
        let amount =
            (!clause.is_quoted).then(|| Amount::read(ValueKind::Count, &clause.value)).flatten();
        let number = amount.map(|amount| amount.in_unit(0.0));
        if number.is_none() && clause.operator.is_order() {
            return None;
        }
        // Part of a number is not looked for: 1 is not 10.
        let is_number = number.is_some() && clause.operator == Operator::Holds;
        let operator = if is_number { Operator::Equal } else { clause.operator };
        let text = TextTest::new(&Clause { operator, ..clause.clone() });
        Some(Self::Register { place, operator: clause.operator, number, text })
    }

    /// The fields that it reads.
    pub(crate) fn fields(&self) -> Vec<QueryField> {
        match self {
            Self::Number { field, .. } => vec![*field],
            Self::Any(tests) => tests.iter().flat_map(Self::fields).collect(),
            _ => Vec::new(),
        }
    }

    /// The fields that a part of a query names, for those who show what it compares.
    pub(crate) fn named(&self) -> Vec<QueryField> {
        match self {
            Self::Number { field, .. } => vec![*field],
            Self::Text { fields, .. } => match fields.first() {
                Some(Of::Field(field)) => vec![*field],
                _ => Vec::new(),
            },
            Self::LayerId { .. } => vec![QueryField::LayerId],
            Self::Address { .. } => vec![QueryField::Source, QueryField::Destination],
            Self::Slower(_) => vec![QueryField::TimesExpected],
            Self::Register { .. } | Self::Gap(_) | Self::Any(_) => Vec::new(),
        }
    }

    /// The register field that it reads.
    pub(crate) fn register(&self) -> Option<usize> {
        match self {
            Self::Register { place, .. } => Some(*place),
            _ => None,
        }
    }

    pub(crate) fn matches<'a>(
        &self,
        record: &impl QueryRecord<'a>,
        memory: &mut Memory<'a>,
    ) -> bool {
        match self {
            Self::Number { field, operator, amount } => {
                let wanted = NumberTest::new(*operator, amount.in_unit(record.mhz()));
                record.number(*field).is_some_and(|n| wanted.matches(n))
            }
            Self::Text { fields, test, is_unequal } => fields.iter().any(|of| {
                let text = of.read(record).filter(|text| !text.is_empty());
                text.is_some_and(|text| memory.of_text(text, test) != *is_unequal)
            }),
            Self::LayerId { id, is_unequal } => {
                record.number(QueryField::LayerId).is_some_and(|own| (own == *id) != *is_unequal)
            }
            Self::Register { place, operator, number, text } => record
                .register(*place)
                .is_some_and(|own| register_matches(&own, *operator, *number, text)),
            Self::Address { address, start } => {
                let bytes = record.number(QueryField::Bytes).unwrap_or(1.0).max(1.0);
                [QueryField::Source, QueryField::Destination].into_iter().any(|field| {
                    record.number(field).is_some_and(|from| match start {
                        Some(start) => start.matches(from),
                        None => *address >= from && *address < from + bytes,
                    })
                })
            }
            Self::Slower(test) => record
                .number(QueryField::Expected)
                .filter(|expected| *expected > 0.0)
                .zip(record.number(QueryField::Duration))
                .is_some_and(|(expected, ns)| test.matches(ns / expected)),
            Self::Gap(wanted) => {
                record.text(QueryField::Gap).is_some_and(|cause| cause.contains(wanted))
            }
            Self::Any(tests) => tests
                .iter()
                .zip(memory.parts(tests.len()))
                .any(|(test, memory)| test.matches(record, memory)),
        }
    }
}

/// Numbers are compared with numbers, and texts with texts. A text that is a number is both.
fn register_matches(
    own: &RegisterValue,
    operator: Operator,
    wanted: Option<f64>,
    text: &TextTest,
) -> bool {
    let is_unequal = operator == Operator::Unequal;
    let of_number = |n: f64| wanted.map(|wanted| NumberTest::new(operator, wanted).matches(n));
    match own {
        RegisterValue::Number(n) => {
            of_number(*n).unwrap_or_else(|| text.matches(&n.to_string()) != is_unequal)
        }
        RegisterValue::Text(own) => number(own)
            .and_then(of_number)
            .unwrap_or_else(|| !operator.is_order() && text.matches(own) != is_unequal),
    }
}
