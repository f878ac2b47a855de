//! Found items by the value of a field.

use foldhash::{HashMap, HashMapExt};

use super::item::Item;
use super::order::{Order, Value};
use super::totals::Totals;

/// Items with the same value.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryGroup {
    pub(super) value: Value,
    /// Sums of its items.
    pub totals: Totals,
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

    pub(super) fn add(&mut self, value: Value, item: &Item<'_, '_>) {
        let key = match &value {
            Value::Number(n) => Key::Number(n.to_bits()),
            Value::Text(text) => Key::Text(text.clone()),
            Value::None => Key::None,
        };
        let place = *self.places.entry(key).or_insert_with(|| {
            self.groups.push(QueryGroup { value, totals: Totals::default() });
            self.groups.len() - 1
        });
        if let Some(group) = self.groups.get_mut(place) {
            group.totals.add(item);
        }
    }

    /// All groups; without an order those that took longest first.
    pub(super) fn sorted(mut self, order: Option<Order>) -> Vec<QueryGroup> {
        self.groups.sort_by(|a, b| {
            let (one, other) = (a.totals, b.totals);
            let first = match order {
                Some(Order::Value(_)) => a.value.compare(&b.value),
                Some(Order::Count) => other.count.cmp(&one.count),
                Some(Order::Bytes) => other.bytes.cmp(&one.bytes),
                Some(Order::Time) | None => other.ns.cmp(&one.ns),
            };
            first.then_with(|| a.value.compare(&b.value))
        });
        self.groups
    }
}
