//! Numbers that an input claims: they size no memory and no loop.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::run::{ONE_ARENA, Said, finish, tool};

/// Runs the program with no more than 1 GB of memory and a minute of a processor.
fn bounded(args: &[&str]) -> Said {
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -v 1048576; ulimit -t 60; exec "$@""#, "sh"]);
    command.arg(env!("CARGO_BIN_EXE_bigtpuprofile")).args(args);
    finish(command.env(ONE_ARENA.0, ONE_ARENA.1))
}

#[test]
fn numbers_of_graphs_and_plans_size_no_memory() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, value: &Value| {
        let path = dir.path().join(name);
        fs::write(&path, value.to_string()).unwrap();
        path.display().to_string()
    };
    let refused = |args: &[&str]| {
        let said = bounded(args);
        assert_eq!(said.code, Some(1), "{args:?}: {}", said.stderr);
        let errors = said.stderr.lines().filter(|line| line.starts_with("error: "));
        assert_eq!((errors.count(), said.stderr.lines().count()), (1, 1), "{}", said.stderr);
    };
    for number in [1_000_000_u64, u32::MAX.into()] {
        for key in ["stage", "microbatch", "chunk"] {
            let mut event = json!({"type": "F", "stage": 0, "microbatch": 0, "duration": 1});
            event[key] = number.into();
            let graph = json!({"schema_version": 1, "events": [event], "edges": []});
            refused(&["pipeline", "--graph", &file("graph.json", &graph)]);
        }
        let event = json!({"type": "F", "stage": 0, "microbatch": 0, "duration": 1});
        let graph = json!({"schema_version": 1, "events": [event], "edges": [[0, number]]});
        refused(&["pipeline", "--graph", &file("graph.json", &graph)]);
    }
    for key in ["stages", "microbatches", "chunks"] {
        let mut plan = json!({
            "stages": 2, "microbatches": 2, "fwd": 10, "bwd": 20, "schedule": "1f1b",
        });
        plan[key] = 4_000_000_000_u64.into();
        refused(&["pipeline", "--plan", &file("plan.yaml", &plan)]);
    }
}

/// Ranks and ports with the largest numbers are ranks and ports like others.
#[test]
fn numbers_of_ranks_and_ports_size_no_memory() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).display().to_string();
    assert_eq!(finish(tool().args(["synth", &at("run"), "--cluster", "2", "-q"])).code, Some(0));
    let last = u32::MAX;
    let table = fs::read_to_string(at("run/rank_table.json")).unwrap();
    let mut table: Value = serde_json::from_str(&table).unwrap();
    for (number, device) in (0..).zip(table["node_list"][0]["device_list"].as_array_mut().unwrap())
    {
        device["rank"] = (last - number).into();
    }
    let end = |rank: u32| json!({"rank": rank, "port": last});
    for (option, value) in [
        ("--rank-table", table),
        ("--groups", json!({"groups": [{"name": "a", "ranks": [0, last]}]})),
        ("--topology", json!({"links": [{"from": end(0), "to": end(last)}]})),
    ] {
        fs::write(at("given.json"), value.to_string()).unwrap();
        let out = at(option);
        let said = bounded(&["cluster", &at("run"), &out, option, &at("given.json"), "-q"]);
        assert_eq!(said.code, Some(0), "{option}: {}", said.stderr);
        for file in fs::read_dir(&out).unwrap().map(Result::unwrap) {
            assert!(file.metadata().unwrap().len() < 1 << 20, "{option}: {:?}", file.file_name());
        }
    }
}
