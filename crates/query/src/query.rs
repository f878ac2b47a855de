//! A query, made ready for a million commands: its clauses as terms, or what is wrong with it.

use crate::field::{QueryField, plain_name};
use crate::grammar::{Clause, Operator};
use crate::nearest::nearest;
use crate::problem::Problem;
use crate::term::{Term, Test};
use crate::units::{Amount, ValueKind};

/// What there is to ask for in a run, besides the fields.
pub trait Vocabulary {
    /// Names of the register fields that commands have. Asked for only where a name is that of no field.
    fn registers(&self) -> &[String];

    /// Whether a name, type, kernel or layer holds a text, in small letters.
    fn has_text(&self, text: &str) -> bool;
}

/// The terms of a query: a command is found if it passes all.
#[derive(Debug, Clone, Default)]
pub struct Query {
    terms: Vec<Term>,
    texts: Vec<String>,
    asks_for_gaps: bool,
}

impl Query {
    /// Reads a query.
    ///
    /// # Errors
    /// What is wrong with it, by part.
    pub fn read(text: &str, vocabulary: &impl Vocabulary) -> Result<Self, Vec<Problem>> {
        let mut query = Self::default();
        let mut problems = Vec::new();
        for clause in Clause::read_all(text) {
            query.asks_for_gaps |= is_gap(&clause) && !clause.is_not;
            match read_clause(&clause, vocabulary) {
                Ok(test) => {
                    query.texts.push(match clause.is_not {
                        true => format!("not:{}", clause.text),
                        false => clause.text.clone(),
                    });
                    query.terms.push(Term { is_not: clause.is_not, test });
                }
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok(query) } else { Err(problems) }
    }

    pub(crate) fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The parts as they are written, one for each term.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.texts
    }

    /// Whether it asks for gaps instead of commands.
    #[must_use]
    pub fn asks_for_gaps(&self) -> bool {
        self.asks_for_gaps
    }

    /// Whether it asks for what only an analysis of the run tells.
    #[must_use]
    pub fn needs_analysis(&self) -> bool {
        let fields = self.terms.iter().flat_map(|term| term.test.fields());
        self.asks_for_gaps || fields.into_iter().any(QueryField::needs_analysis)
    }

    /// The fields whose values it compares, in the order of its parts.
    #[must_use]
    pub fn fields(&self) -> Vec<QueryField> {
        let mut fields = Vec::new();
        for field in self.terms.iter().flat_map(|term| term.test.named()) {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        fields
    }

    /// Places of the register fields that it names, in their order.
    #[must_use]
    pub fn registers(&self) -> Vec<usize> {
        let mut places = Vec::new();
        for place in self.terms.iter().filter_map(|term| term.test.register()) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        places
    }
}

/// A field of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedField {
    /// One of the fields.
    Field(QueryField),
    /// A register field, by its place in the vocabulary.
    Register(usize),
}

impl NamedField {
    /// The field of a name. A register field with the name of a field is `reg.NAME`.
    ///
    /// # Errors
    /// [`Problem::UnknownField`].
    pub fn named(name: &str, clause: &str, vocabulary: &impl Vocabulary) -> Result<Self, Problem> {
        if let Some(field) = QueryField::named(name) {
            return Ok(Self::Field(field));
        }
        let wanted = plain_name(name);
        let registers = vocabulary.registers();
        let names = || registers.iter().map(|name| written(name));
        if let Some(place) = names().position(|name| plain_name(&name) == wanted) {
            return Ok(Self::Register(place));
        }
        let own = QueryField::ALL.iter().map(|field| field.name().to_owned());
        let all: Vec<String> = own.chain(names()).collect();
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        Err(Problem::UnknownField {
            clause: clause.to_owned(),
            field: name.to_owned(),
            nearest: nearest(&wanted, &all),
        })
    }
}

/// How a register field is written in a query.
fn written(register: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    match () {
        () if QueryField::named(register).is_some() => format!("reg.{}", plain_name(register)),
        () if register.chars().all(is_plain) => register.to_owned(),
        () => plain_name(register),
    }
}

/// Whether a clause asks for gaps: `gap`, or `gap:` and a part of the cause.
fn is_gap(clause: &Clause) -> bool {
    match clause.field.as_str() {
        "" => !clause.is_quoted && clause.value.eq_ignore_ascii_case("gap"),
        field => field.eq_ignore_ascii_case("gap"),
    }
}

fn read_clause(clause: &Clause, vocabulary: &impl Vocabulary) -> Result<Test, Problem> {
    if is_gap(clause) {
        return Ok(Test::of_gap(if clause.field.is_empty() { "" } else { &clause.value }));
    }
    if clause.field.is_empty() {
        return match clause.lacks_value() {
            true => Err(no_value("not:", QueryField::Name.name(), ValueKind::Text)),
            false => Ok(Test::of_word(clause)),
        };
    }
    match NamedField::named(&clause.field, &clause.text, vocabulary) {
        Ok(NamedField::Field(field)) => of_field(field, clause),
        Ok(NamedField::Register(place)) => {
            let name = vocabulary.registers().get(place).map(|name| written(name));
            of_register(place, &name.unwrap_or_default(), clause)
        }
        // `add<float>`, `model:conv`: a text, if the run has such a text.
        Err(problem) => match vocabulary.has_text(&clause.text.to_lowercase()) {
            true => Ok(Test::of_word(&Clause {
                value: clause.text.clone(),
                operator: Operator::Holds,
                is_quoted: true,
                ..clause.clone()
            })),
            false => Err(problem),
        },
    }
}

fn of_field(field: QueryField, clause: &Clause) -> Result<Test, Problem> {
    let (kind, operator) = (field.kind(), clause.operator);
    if clause.lacks_value() {
        return Err(no_value(&clause.text, field.name(), kind));
    }
    if kind == ValueKind::Text {
        return match operator.is_order() {
            true => Err(Problem::NoOrder {
                clause: clause.text.clone(),
                field: field.name().to_owned(),
                operator: operator.text(),
            }),
            false => Ok(Test::of_text(field, clause)),
        };
    }
    let amount =
        Amount::read(kind, &clause.value).ok_or_else(|| no_amount(field.name(), kind, clause))?;
    Ok(match field {
        QueryField::Slower => Test::of_slower(operator, amount.in_unit(0.0)),
        QueryField::Address => Test::of_address(operator, amount.in_unit(0.0)),
        _ => Test::of_number(field, operator, amount),
    })
}

fn of_register(place: usize, name: &str, clause: &Clause) -> Result<Test, Problem> {
    if clause.lacks_value() {
        let (clause, example) = (clause.text.clone(), format!("{name}=1"));
        return Err(Problem::NoValue { clause, example });
    }
    Test::of_register(place, clause).ok_or_else(|| no_amount(name, ValueKind::Count, clause))
}

fn no_value(clause: &str, field: &str, kind: ValueKind) -> Problem {
    let example = format!("{field}{}{}", kind.usual_operator(), kind.example());
    Problem::NoValue { clause: clause.to_owned(), example }
}

fn no_amount(field: &str, kind: ValueKind, clause: &Clause) -> Problem {
    Problem::NoAmount {
        clause: clause.text.clone(),
        field: field.to_owned(),
        kind,
        value: clause.value.clone(),
    }
}
