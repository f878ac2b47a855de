//! The cases that define the language for the page and for this crate.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bigtpu_query::{Matcher, Query, QueryField, QueryRecord, RegisterValue, ValueKind, Vocabulary};
use serde_json::Value;

const CASES: &str = include_str!("../../../fixtures/query/cases.json");
const DOCUMENT: &str = include_str!("../../../docs/query.md");

struct Run {
    cases: Value,
    registers: Vec<String>,
}

impl Run {
    fn read() -> Self {
        let cases: Value = serde_json::from_str(CASES).unwrap();
        let mut registers = Vec::new();
        for command in cases["commands"].as_array().unwrap() {
            for (name, _) in command["registers"].as_object().into_iter().flatten() {
                if !registers.contains(name) {
                    registers.push(name.clone());
                }
            }
        }
        Self { cases, registers }
    }

    fn commands(&self) -> Vec<Command<'_>> {
        let all = self.cases["commands"].as_array().unwrap();
        let mut commands: Vec<Command<'_>> = Vec::new();
        for value in all {
            let is_same = |other: &&Command<'_>| {
                other.value["engine"] == value["engine"] && other.value["core"] == value["core"]
            };
            let index = commands.iter().filter(is_same).count();
            commands.push(Command { run: self, value, index });
        }
        commands
    }
}

impl Vocabulary for Run {
    fn registers(&self) -> &[String] {
        &self.registers
    }

    fn has_text(&self, text: &str) -> bool {
        self.commands().iter().any(|command| {
            ["name", "type", "kernel"].iter().any(|key| {
                command.value[key].as_str().is_some_and(|own| own.to_lowercase().contains(text))
            })
        })
    }
}

struct Command<'r> {
    run: &'r Run,
    value: &'r Value,
    index: usize,
}

impl<'r> Command<'r> {
    fn own(&self, key: &str) -> Option<f64> {
        self.value[key].as_f64()
    }

    fn layer(&self) -> Option<&'r Value> {
        self.run.cases["layers"].get(self.value["layer"].as_u64()? as usize)
    }

    fn over_duration(&self, amount: f64) -> f64 {
        amount / self.own("dur").unwrap().max(1.0)
    }
}

impl<'r> QueryRecord<'r> for Command<'r> {
    fn number(&self, field: QueryField) -> Option<f64> {
        match field {
            QueryField::Index => Some(self.index as f64),
            QueryField::End => Some(self.own("start")? + self.own("dur")?),
            QueryField::LayerId => self.layer()?["id"].as_f64(),
            QueryField::Bandwidth => self.own("bytes").map(|bytes| self.over_duration(bytes)),
            QueryField::DdrBandwidth => self.own("ddr").map(|bytes| self.over_duration(bytes)),
            QueryField::L2Bandwidth => self.own("l2").map(|bytes| self.over_duration(bytes)),
            QueryField::Step => {
                let ns = self.own("start")?;
                let steps = self.run.cases["steps"].as_array().unwrap();
                let mut own = steps.iter().filter(|step| {
                    let [from, to] = ["start", "end"].map(|key| step[key].as_f64().unwrap());
                    (from..to).contains(&ns)
                });
                own.next()?["number"].as_f64()
            }
            QueryField::TimesExpected => Some(self.own("dur")? / self.own("expected")?),
            field => self.own(field.name()),
        }
    }

    fn text(&self, field: QueryField) -> Option<&'r str> {
        match field {
            QueryField::Layer => self.layer()?["title"].as_str(),
            QueryField::Block => self.layer()?["block"].as_str(),
            field => self.value[field.name()].as_str(),
        }
    }

    fn layer_operation(&self) -> Option<&'r str> {
        self.layer()?["operation"].as_str()
    }

    fn register(&self, place: usize) -> Option<RegisterValue> {
        match &self.value["registers"][self.run.registers.get(place)?.as_str()] {
            Value::Number(n) => n.as_f64().map(RegisterValue::Number),
            Value::String(text) => Some(RegisterValue::Text(text.clone())),
            _ => None,
        }
    }

    fn mhz(&self) -> f64 {
        let is_tiu = self.value["engine"] == "TIU";
        self.run.cases["clocks"][if is_tiu { "tiuMhz" } else { "dmaMhz" }].as_f64().unwrap()
    }
}

#[test]
fn queries_find_what_the_cases_say() {
    let run = Run::read();
    let cases = run.cases["cases"].as_array().unwrap();
    assert!(cases.len() > 80, "{}", cases.len());
    for case in cases {
        let text = case["query"].as_str().unwrap();
        match Query::read(text, &run) {
            Ok(query) => {
                let mut matcher = Matcher::new(&query);
                let commands = run.commands().into_iter().enumerate();
                let found = commands.filter(|(_, command)| {
                    // Gaps are rows of their own.
                    !query.asks_for_gaps() && matcher.matches(command)
                });
                let found: Vec<usize> = found.map(|(place, _)| place).collect();
                assert_eq!(serde_json::json!(found), case["hits"], "{text}");
            }
            Err(problems) => {
                let names: Vec<&str> = problems.iter().map(bigtpu_query::Problem::name).collect();
                assert_eq!(
                    serde_json::json!(names),
                    serde_json::json!([case["problem"]]),
                    "{text}"
                );
                if let bigtpu_query::Problem::UnknownField { nearest, .. } = &problems[0] {
                    assert_eq!(serde_json::json!(nearest), case["nearest"], "{text}");
                }
            }
        }
    }
}

/// The table of the document is the one of the page, too: a test of the page compares it with the page's columns.
#[test]
fn the_document_lists_the_fields() {
    let rows = DOCUMENT.split("| field | units | value |\n|---|---|---|\n").last().unwrap();
    let rows = rows.lines().take_while(|line| line.starts_with('|'));
    let listed: Vec<(Vec<&str>, &str)> = rows
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].split(", ").map(|name| name.trim_matches('`')).collect(), cells[2])
        })
        .collect();
    let own: Vec<(Vec<&str>, &str)> = QueryField::ALL
        .iter()
        .map(|field| (field.names().to_vec(), ValueKind::written_units(field.kind())))
        .collect();
    assert_eq!(own, listed);
}
