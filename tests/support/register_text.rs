//! Register texts, as users' scripts read them.

/// One record: its keys and values in order.
#[derive(Debug, Clone)]
pub(crate) struct Record(Vec<(String, String)>);

/// The head and the records of a text.
pub(crate) fn parse(text: &str) -> (Record, Vec<Record>) {
    let mut parts: Vec<Record> = Vec::new();
    for line in text.lines() {
        match line.strip_prefix('\t') {
            Some(entry) => {
                let (key, value) = entry.split_once(": ").unwrap();
                let part = parts.last_mut().unwrap();
                part.0.push((key.to_owned(), value.to_owned()));
            }
            None if line.starts_with("__") => parts.push(Record(Vec::new())),
            None => {}
        }
    }
    let head = parts.remove(0);
    (head, parts)
}

/// The records of a text.
pub(crate) fn records(text: &str) -> Vec<Record> {
    parse(text).1
}

impl Record {
    /// The value of a key.
    #[track_caller]
    pub(crate) fn get(&self, key: &str) -> &str {
        let found = self.0.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no {key} in {self:?}"))
    }

    /// The value of a key, a number.
    #[track_caller]
    pub(crate) fn number(&self, key: &str) -> i64 {
        self.get(key).parse().unwrap()
    }
}
