//! Tests one command after another, and remembers what it found of their texts.

use foldhash::{HashMap, HashMapExt};

use crate::query::Query;
use crate::record::QueryRecord;
use crate::text::TextTest;

/// Tests commands with the terms of a query.
#[derive(Debug)]
pub struct Matcher<'q, 'a> {
    query: &'q Query,
    memories: Vec<Memory<'a>>,
}

impl<'q, 'a> Matcher<'q, 'a> {
    /// Creates a matcher of a query's terms.
    #[must_use]
    pub fn new(query: &'q Query) -> Self {
        let memories = query.terms().iter().map(|_| Memory::default()).collect();
        Self { query, memories }
    }

    /// Number of the terms.
    #[must_use]
    pub fn terms(&self) -> usize {
        self.query.terms().len()
    }

    /// How many terms a command passes, in their order, before the first that it does not.
    pub fn passed(&mut self, record: &impl QueryRecord<'a>) -> usize {
        let terms = self.query.terms().iter().zip(&mut self.memories);
        let mut passed = 0;
        for (term, memory) in terms {
            if term.test.matches(record, memory) == term.is_not {
                break;
            }
            passed += 1;
        }
        passed
    }

    /// Whether a command passes all terms.
    pub fn matches(&mut self, record: &impl QueryRecord<'a>) -> bool {
        self.passed(record) == self.query.terms().len()
    }
}

/// What a test found of texts: a run has few texts and many commands.
#[derive(Debug, Default)]
pub(crate) struct Memory<'a> {
    last: Option<(&'a str, bool)>,
    known: HashMap<(usize, usize), bool>,
    parts: Vec<Memory<'a>>,
}

impl<'a> Memory<'a> {
    /// Whether a text matches. All texts live as long as the memory, so that where one lies says which it is.
    pub(crate) fn of_text(&mut self, text: &'a str, test: &TextTest) -> bool {
        if let Some((last, found)) = self.last
            && std::ptr::eq(last, text)
        {
            return found;
        }
        let place = (text.as_ptr() as usize, text.len());
        let found = *self.known.entry(place).or_insert_with(|| test.matches(text));
        self.last = Some((text, found));
        found
    }

    /// Memories of the parts of a test.
    pub(crate) fn parts(&mut self, count: usize) -> &mut [Memory<'a>] {
        if self.parts.len() < count {
            self.parts.resize_with(count, || Memory {
                last: None,
                known: HashMap::new(),
                parts: Vec::new(),
            });
        }
        &mut self.parts
    }
}
