//! Documents as lists of what they explain: sections, and rows of tables.

use bigtpu_messages::Language;

/// A document in the order of [`Language::ALL`], and what its entries are: an id of the catalogue.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document {
    pub(super) texts: [&'static str; 2],
    pub(super) kind: &'static str,
}

/// What can be explained.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// What it is called.
    pub(super) names: Vec<String>,
    /// What it is called elsewhere: in Chinese, in tables.
    pub(super) aliases: Vec<String>,
    /// What kind of thing it is: an id of the catalogue.
    pub(super) kind: &'static str,
    /// What is said of it, in the order of [`Language::ALL`].
    texts: [String; 2],
}

impl Entry {
    /// Whether this is one of its names; `same` compares two.
    pub(super) fn is_called(&self, name: &str, same: fn(&str, &str) -> bool) -> bool {
        self.names.iter().chain(&self.aliases).any(|own| same(own, name))
    }

    /// What is said of it.
    pub(super) fn text(&self, language: Language) -> &str {
        let [english, chinese] = &self.texts;
        language.choose(english, chinese)
    }
}

/// A table of a document, with the marks of Markdown in its rows.
pub(super) struct TableOfDocument {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

/// The tables of a document.
pub(super) fn tables(text: &str) -> Vec<TableOfDocument> {
    let mut tables: Vec<TableOfDocument> = Vec::new();
    let mut is_inside = false;
    for line in text.lines() {
        let Some(row) = line.trim().strip_prefix('|') else {
            is_inside = false;
            continue;
        };
        // A mark within code is escaped.
        let row = row.trim_end_matches('|').replace("\\|", "\u{0}");
        let cells: Vec<String> =
            row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect();
        let is_rule = cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':')));
        match tables.last_mut().filter(|_| is_inside) {
            _ if is_rule => {}
            Some(table) => table.rows.push(cells),
            None => {
                let head = cells.iter().map(|cell| without_marks(cell)).collect();
                tables.push(TableOfDocument { head, rows: Vec::new() });
            }
        }
        is_inside = true;
    }
    tables
}

/// Markdown without its marks: no bold, no code, of links their words.
fn without_marks(text: &str) -> String {
    let text = text.replace("**", "").replace('`', "");
    let mut out = String::new();
    let mut rest = text.trim();
    while let Some((before, behind)) = rest.split_once('[') {
        out.push_str(before);
        match behind.split_once("](").and_then(|(word, end)| Some((word, end.split_once(')')?.1))) {
            Some((word, end)) => {
                out.push_str(word);
                rest = end;
            }
            None => {
                out.push('[');
                rest = behind;
            }
        }
    }
    out + rest
}

impl Document {
    /// Its sections.
    pub(super) fn sections(self) -> Vec<Entry> {
        let [english, chinese] = self.texts.map(sections);
        let both = english.into_iter().zip(chinese);
        both.map(|((name, english), (in_chinese, chinese))| Entry {
            names: vec![name],
            aliases: vec![in_chinese],
            kind: self.kind,
            texts: [english, chinese],
        })
        .collect()
    }

    /// The rows of its tables: a row is called what its first cell says.
    pub(super) fn rows(self) -> Vec<Entry> {
        let [english, chinese] = self.texts.map(tables);
        let mut all = Vec::new();
        for (english, chinese) in english.iter().zip(&chinese) {
            for (row, translated) in english.rows.iter().zip(&chinese.rows) {
                let [names, aliases] = [row, translated].map(|row| names_of(row));
                all.push(Entry {
                    names,
                    aliases,
                    kind: self.kind,
                    texts: [said(&english.head, row), said(&chinese.head, translated)],
                });
            }
        }
        all
    }

    /// The rows of its tables that quote a sentence, of which `is_quoted` knows the parts, in words.
    pub(super) fn rows_that_quote(
        self,
        language: Language,
        is_quoted: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let [english, chinese] = self.texts.map(tables);
        let mut all = Vec::new();
        for (english, chinese) in english.iter().zip(&chinese) {
            for (row, translated) in english.rows.iter().zip(&chinese.rows) {
                let quoted = row.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2));
                if quoted.into_iter().any(&is_quoted) {
                    let (table, row) = language.choose((english, row), (chinese, translated));
                    all.push(facts(&table.head, row, 0));
                }
            }
        }
        all
    }
}

/// What the first cell of a row says: names, with a comma or its Chinese form between them.
fn names_of(row: &[String]) -> Vec<String> {
    let names = row.first().map(|cell| without_marks(cell)).unwrap_or_default();
    names.split([',', '、']).map(|name| name.trim().to_owned()).collect()
}

/// A row in words: its last cell, and before it what the others are.
fn said(head: &[String], row: &[String]) -> String {
    facts(head, row, 1)
}

/// What the cells from one on are, a line each; of a single one the cell alone.
fn facts(head: &[String], row: &[String], from: usize) -> String {
    let cells = head.iter().zip(row).skip(from).map(|(head, cell)| (head, without_marks(cell)));
    let mut facts: Vec<String> = cells
        .filter(|(_, cell)| !cell.is_empty() && cell != "-")
        .map(|(head, cell)| format!("- {head}: {cell}"))
        .collect();
    if let [only] = facts.as_mut_slice()
        && let Some((_, cell)) = only.split_once(": ")
    {
        return cell.to_owned();
    }
    facts.join("\n")
}

/// `## ` sections with their texts.
fn sections(document: &str) -> Vec<(String, String)> {
    let sections = document.split("\n## ").skip(1);
    let parts = sections.filter_map(|section| section.split_once("\n\n"));
    let without_links = |text: &str| text.lines().map(without_marks).collect::<Vec<_>>().join("\n");
    parts.map(|(name, text)| (without_marks(name), without_links(text))).collect()
}

/// The terms of the glossary: name, meaning, Chinese word and meaning.
pub(super) fn terms(glossary: &str) -> Vec<Entry> {
    let rows = tables(glossary).into_iter().flat_map(|table| table.rows);
    let term = |row: Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| without_marks(cell)).collect();
        let [name, meaning, chinese, in_chinese, ..] = cells.as_slice() else { return None };
        Some(Entry {
            names: vec![name.clone()],
            aliases: vec![chinese.clone()],
            kind: "explain-term",
            texts: [meaning.clone(), format!("{chinese}：{in_chinese}")],
        })
    };
    rows.filter_map(term).collect()
}

/// The glossary in one language: its heading, its paragraphs, and of its table the columns of this language; a Chinese term has the English
/// one in brackets.
pub(super) fn glossary_in(glossary: &str, language: Language) -> String {
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c));
    let mut lines: Vec<String> = Vec::new();
    for line in glossary.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match cells.as_slice() {
            [term, meaning, chinese, in_chinese, ..] if line.starts_with('|') => {
                let named = if chinese == term || term.starts_with('-') || !is_chinese(chinese) {
                    (*chinese).to_owned()
                } else {
                    format!("{chinese}（{term}）")
                };
                lines.push(match language {
                    Language::English => format!("| {term} | {meaning} |"),
                    Language::Chinese => format!("| {named} | {in_chinese} |"),
                });
            }
            _ if line.starts_with('#') => {
                let parts = line.split_once(" / ").unwrap_or((line, line));
                lines.push(language.choose(parts.0.to_owned(), format!("# {}", parts.1)));
            }
            _ if is_chinese(line) == (language == Language::Chinese) || line.is_empty() => {
                lines.push(line.to_owned());
            }
            _ => {}
        }
    }
    lines.join("\n") + "\n"
}

/// Words that texts have in place of a term elsewhere, with the Chinese term. `others`: lines of term, such words and place in the code.
pub(super) fn unused_words(glossary: &str, others: &str) -> Vec<(String, String)> {
    let terms = terms(glossary);
    let lines = others.lines().filter(|line| !line.starts_with('#'));
    let pairs = lines.flat_map(|line| {
        let mut parts = line.split('\t');
        let (name, unused) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let term = terms.iter().find(|term| term.names.iter().any(|known| known == name));
        let chinese = term.and_then(|term| term.aliases.first()).cloned().unwrap_or_default();
        unused.split_whitespace().map(move |word| (word.to_owned(), chinese.clone()))
    });
    pairs.collect()
}
