//! Found items by the value of a field.

use foldhash::{HashMap, HashMapExt};

use super::filter::sum;
use super::order::{Order, Value};

/// Items with the same value.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryGroup {
    pub(super) value: Value,
    /// How many there are.
    pub count: u64,
    /// ns of all.
    pub ns: i64,
    /// Bytes of all; `None` where none has any.
    pub bytes: Option<u64>,
}

impl QueryGroup {
    /// The value that its items have; nothing where they have none.
    #[must_use]
    pub fn name(&self) -> String {
        self.value.to_string()
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum Key {
    Number(u64),
    Text(String),
    None,
}

/// Groups while items are added.
pub(super) struct Groups {
    places: HashMap<Key, usize>,
    groups: Vec<QueryGroup>,
}

impl Groups {
    pub(super) fn new() -> Self {
        Self { places: HashMap::new(), groups: Vec::new() }
    }

    pub(super) fn add(&mut self, value: Value, ns: i64, bytes: Option<u64>) {
        let key = match &value {
            Value::Number(n) => Key::Number(n.to_bits()),
            Value::Text(text) => Key::Text(text.clone()),
            Value::None => Key::None,
        };
        let place = *self.places.entry(key).or_insert_with(|| {
            self.groups.push(QueryGroup { value, count: 0, ns: 0, bytes: None });
            self.groups.len() - 1
        });
        if let Some(group) = self.groups.get_mut(place) {
            group.count += 1;
            group.ns += ns;
            group.bytes = sum(group.bytes, bytes);
        }
    }

    /// All groups; without an order those that took longest first.
    pub(super) fn sorted(mut self, order: Option<Order>) -> Vec<QueryGroup> {
        self.groups.sort_by(|a, b| {
            let first = match order {
                Some(Order::Value(_)) => a.value.compare(&b.value),
                Some(Order::Count) => b.count.cmp(&a.count),
                Some(Order::Bytes) => b.bytes.cmp(&a.bytes),
                Some(Order::Time) | None => b.ns.cmp(&a.ns),
            };
            first.then_with(|| a.value.compare(&b.value))
        });
        self.groups
    }
}
