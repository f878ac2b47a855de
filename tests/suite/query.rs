//! `bigtpuprofile query`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::say;

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name).display().to_string()
}

fn found(args: &[&str]) -> String {
    let said = say(&[&["query"], args].concat());
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    said.stdout
}

/// Rows of CSV below the header. No name of these dumps has a comma or a line break.
fn rows(csv: &str) -> BTreeSet<&str> {
    csv.lines().skip(1).collect()
}

#[test]
fn all_commands_are_the_rows_of_events_csv() {
    for name in ["aksv-mode2-cdma/dump", "bm1688-layers/dump"] {
        let dump = fixture(name);
        let dir = tempfile::tempdir().unwrap();
        let said = say(&[&dump, &dir.path().display().to_string(), "--emit", "csv", "-q"]);
        assert_eq!(said.code, Some(0), "{}", said.stderr);
        let events = fs::read_to_string(dir.path().join("events.csv")).unwrap();
        let queried = found(&[&dump, "--csv"]);
        assert_eq!(queried.lines().next(), events.lines().next(), "{name}");
        let header: Vec<&str> = events.lines().next().unwrap().split(',').collect();
        let event = header.iter().position(|column| *column == "event").unwrap();
        // The runtime's own work is no command of an engine.
        let of_engines = rows(&events).into_iter();
        let of_engines = of_engines.filter(|row| row.split(',').nth(event) != Some(""));
        assert_eq!(rows(&queried), of_engines.collect(), "{name}");
        assert!(rows(&queried).len() > 5, "{name}");
    }
}

#[test]
fn register_fields_are_those_of_the_register_texts() {
    let dump = fixture("aks-mode2-every-command/dump");
    let dir = tempfile::tempdir().unwrap();
    let said = say(&[&dump, &dir.path().display().to_string(), "--emit", "text", "-q"]);
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let texts = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().path());
    let texts = texts.filter(|path| path.extension().is_some_and(|end| end == "txt"));
    let lines: String = texts.map(|path| fs::read_to_string(path).unwrap()).collect();
    for (field, value) in [("cmd_short", "1"), ("des_opt_relu", "0"), ("cmd_short", "0")] {
        let wanted = format!("{field}: {value}");
        let expected = lines.lines().filter(|line| line.trim() == wanted).count();
        let queried = found(&[&dump, &format!("{field}={value}"), "--csv"]);
        assert!(queried.lines().next().unwrap().ends_with(&format!(",{field}")), "{queried}");
        assert_eq!(rows(&queried).len(), expected, "{wanted}");
        assert!(rows(&queried).iter().all(|row| row.ends_with(&format!(",{value}"))), "{queried}");
    }
}

#[test]
fn groups_add_up() {
    let dump = fixture("real/bmprofile_data-1_bm1688");
    let answer: Value = serde_json::from_str(&found(&[&dump, "--by", "name", "--json"])).unwrap();
    let groups = answer["groups"].as_array().unwrap();
    assert!(groups.len() > 3, "{answer}");
    for sum in ["count", "duration_ns", "bytes"] {
        let all: i64 = groups.iter().filter_map(|group| group[sum].as_i64()).sum();
        assert_eq!(answer[sum].as_i64(), Some(all), "{sum}");
    }
    let times: Vec<i64> =
        groups.iter().map(|group| group["duration_ns"].as_i64().unwrap()).collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
    // The TIU moves no bytes that are counted: that is not 0.
    let conv = groups.iter().find(|group| group["value"] == "conv.normal").unwrap();
    assert_eq!(conv["bytes"], Value::Null);
    let longest: Value =
        serde_json::from_str(&found(&[&dump, "--sort", "dur", "--limit", "3", "--json"])).unwrap();
    let longest = longest["rows"].as_array().unwrap();
    let ns: Vec<i64> = longest.iter().map(|row| row["duration_ns"].as_i64().unwrap()).collect();
    assert!(ns.len() == 3 && ns.is_sorted_by(|a, b| a >= b), "{ns:?}");
}

#[test]
fn gaps_are_found_by_their_cause() {
    let dump = fixture("real/bmprofile_data-1_bm1688");
    let all = found(&[&dump, "gap", "--csv"]);
    let cause = all.lines().next().unwrap().split(',').position(|name| name == "cause").unwrap();
    let causes: BTreeSet<&str> =
        rows(&all).into_iter().filter_map(|row| row.split(',').nth(cause)).collect();
    assert!(causes.len() > 1, "{causes:?}");
    for name in causes {
        let query = format!("gap:{}", name.replace(' ', "_"));
        let own = found(&[&dump, &query, "--csv"]);
        let expected = rows(&all).into_iter().filter(|row| row.split(',').nth(cause) == Some(name));
        assert_eq!(rows(&own), expected.collect(), "{query}");
    }
}

#[test]
fn nothing_found_says_which_part_excluded_the_last() {
    let dump = fixture("real/bmprofile_data-1_bm1688");
    let said = found(&[&dump, "engine=gdma", "bytes>1000GB", "--lang", "en"]);
    assert!(said.starts_with("Nothing matches: bytes>1000GB excludes the last "), "{said}");
    let said = found(&[&dump, "bytes>1000GB", "--lang", "zh"]);
    assert!(said.starts_with("没有匹配项：bytes>1000GB "), "{said}");
}

#[test]
fn what_is_wrong_is_told_with_the_nearest_names() {
    let dump = fixture("aks-mode2-every-command/dump");
    for (args, sentence) in [
        (vec!["cmd_shrot=1"], "Fields with a similar name: cmd_short"),
        (vec!["bytes>5us"], "\"5us\" is no amount for bytes"),
        (vec!["name>conv"], "name is a text"),
        (vec!["--by", "kernl"], "Fields with a similar name: kernel"),
        (vec!["--by", "addr"], "tests several values"),
        (vec!["--by", "name", "--sort", "dur"], "groups are sorted by"),
    ] {
        let all = [vec!["query", dump.as_str()], args.clone(), vec!["--lang", "en"]].concat();
        let said = say(&all);
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.stdout);
        assert!(said.stderr.contains(sentence), "{args:?}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{args:?}");
    }
}
