//! Perfetto's viewer: its address, what it does with the trace when it has opened it, and copies of it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::error::ShowError;

/// The viewer's site.
pub(super) const SITE: &str = "https://ui.perfetto.dev";

/// The views that queries can use.
const VIEWS: &str = bigtpu_emit_perfetto::SQL_VIEWS;

/// Slices that deserve a look, as tracks of their own. Of gaps and transfers at the same time the worst is shown, so that a
/// track is one row high.
const TRACKS: [(&str, &str); 3] = [
    (
        "Top kernels",
        "SELECT ts, dur, name FROM tpu_kernel WHERE name IN (SELECT name FROM tpu_kernel GROUP BY name \
         ORDER BY SUM(dur) DESC LIMIT 5) AND core = (SELECT core FROM tpu_kernel ORDER BY core LIMIT 1)",
    ),
    (
        "Worst gaps",
        // An engine without work has the longest gaps, and they cost nothing: by what the run would win, as in all other views.
        "WITH worst AS MATERIALIZED (SELECT ts, dur, IIF(following IS NULL, core || ' ' || engine || ': ', '') || name || \
         IFNULL(', costs ' || cost_ns || ' ns', '') AS name, ROW_NUMBER() OVER (ORDER BY IFNULL(cost_ns, 0) DESC, dur DESC, track_id) AS place FROM tpu_gap \
         ORDER BY place LIMIT 300) SELECT ts, dur, name FROM worst a WHERE NOT EXISTS (SELECT 1 FROM worst b \
         WHERE b.ts < a.ts + a.dur AND a.ts < b.ts + b.dur AND b.place < a.place) ORDER BY place LIMIT 50",
    ),
    (
        "Slowest transfers",
        "WITH worst AS MATERIALIZED (SELECT ts, dur, id, core || ' ' || engine || ': ' || name AS name, bytes * 1.0 / dur AS \
         rate FROM tpu_transfer WHERE bytes >= 4096 AND dur > 0 ORDER BY rate LIMIT 300) SELECT ts, dur, name FROM worst a \
         WHERE NOT EXISTS (SELECT 1 FROM worst b WHERE b.ts < a.ts + a.dur AND a.ts < b.ts + b.dur AND \
         (b.rate < a.rate OR b.rate = a.rate AND b.id < a.id)) ORDER BY rate LIMIT 50",
    ),
];

/// The address at which a viewer opens a trace.
pub(super) fn address(site: &str, trace: &str) -> String {
    let commands = Value::Array(startup_commands()).to_string();
    format!("{site}/#!/?url={}&startupCommands={}", escaped(trace), escaped(&commands))
}

/// What the viewer does when it has read the trace: the critical path and the steps stay in sight, the first core is
/// unfolded, queries know the views.
fn startup_commands() -> Vec<Value> {
    let command = |id: &str, args: Value| json!({"id": format!("dev.perfetto.{id}"), "args": args});
    // Comments hold semicolons as well.
    let views = without_comments(VIEWS);
    let views = views.split(';').map(str::trim).filter(|view| !view.is_empty());
    let mut commands: Vec<Value> = views.map(|view| command("RunQuery", json!([view]))).collect();
    commands.push(command("ExpandTracksByRegex", json!(["^(AKS|AKSV|BM\\d|CV\\d|Core 0$)"])));
    commands.push(command("PinTracksByRegex", json!(["^(Critical Path|Steps)$"])));
    commands
        .extend(TRACKS.map(|(title, query)| command("AddDebugSliceTrack", json!([query, title]))));
    commands
}

fn without_comments(sql: &str) -> String {
    let lines = sql.lines().map(str::trim).filter(|line| !line.starts_with("--"));
    lines.collect::<Vec<_>>().join(" ").trim().to_owned()
}

/// A text as a part of an address.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                out.push(byte.into());
            }
            // Writing to a text can't fail.
            _ => drop(write!(out, "%{byte:02X}")),
        }
    }
    out
}

/// A directory with a copy of the viewer.
pub(super) fn directory(path: &Path) -> Result<PathBuf, ShowError> {
    let full = path
        .canonicalize()
        .map_err(|source| ShowError::Viewer { path: path.to_owned(), source })?;
    if !full.join("index.html").is_file() {
        return Err(ShowError::NoViewer(path.to_owned()));
    }
    Ok(full)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_has_the_trace_and_the_commands() {
        let address = address(SITE, "http://127.0.0.1:9001/token/perfetto.pftrace");
        assert!(address.starts_with(
            "https://ui.perfetto.dev/#!/?url=http%3A%2F%2F127.0.0.1%3A9001%2Ftoken%2Fperfetto.pftrace&startupCommands=%5B%7B"
        ));
        // Programs that start browsers take arguments of this length.
        assert!(address.len() < 30_000, "{}", address.len());
    }

    #[test]
    fn every_view_is_registered_before_it_is_used() {
        let commands = startup_commands();
        let queries = commands.iter().filter(|command| command["id"] == "dev.perfetto.RunQuery");
        let queries: Vec<&str> =
            queries.filter_map(|command| command["args"][0].as_str()).collect();
        assert_eq!(queries.len(), 14);
        assert!(queries.iter().all(|query| query.starts_with("CREATE OR REPLACE PERFETTO ")));
        let at = |start: &str| queries.iter().position(|query| query.contains(start)).unwrap();
        assert!(at("FUNCTION tpu_track_title") < at("VIEW tpu_flow"));
        assert!(at("TABLE tpu_track_device") < at("TABLE tpu_step_start"));
        assert!(at("FUNCTION tpu_step(") < at("VIEW tpu_command"));
        assert!(at("TABLE tpu_layer_name") < at("FUNCTION tpu_layer_id("));
        assert!(queries.iter().all(|query| !query.contains("--")));
    }
}
