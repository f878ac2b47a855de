//! `bigtpuprofile pipeline` and `bigtpuprofile search`, from options and files to pictures.

use std::fs;
use std::path::Path;

use bigtpu_perfetto_protos::Trace;
use bigtpu_perfetto_protos::prost::Message;
use serde_json::Value;

use crate::suite::docs::page_explains_its_numbers;
use crate::support::run::{fails, say};

fn data(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).display().to_string()
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    let said = say(&[args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

const H100: [&str; 6] = ["--fwd", "1315", "--bwd", "2733", "--wgt", "2650"];

#[test]
fn a_schedule_is_one_object_and_several_are_a_list() {
    let sizes = ["pipeline", "--stages", "4", "--microbatches", "8", "--schedule"];
    let one = json(&[&sizes[..], &["1f1b", "--bwd-without-wgt"], &H100].concat());
    assert_eq!(one["makespan"], 44_528);
    assert_eq!(one["peak_activations"], serde_json::json!([4, 3, 2, 1]));
    let first = serde_json::json!({"type": "F", "stage": 0, "microbatch": 0, "chunk": 0, "start": 0, "end": 1315});
    assert_eq!(one["events"][0], first);
    let all = json(&[&sizes[..], &["all"], &H100].concat());
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|run| run["schedule"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 9);
    // All do the same work, so the shortest has the least bubble.
    let busy = |run: &Value| {
        run["stage_busy"].as_array().unwrap().iter().map(|b| b.as_u64().unwrap()).sum::<u64>()
    };
    assert!(all.as_array().unwrap().iter().all(|run| busy(run) == 4 * 8 * 6698), "{names:?}");
}

#[test]
fn dualpipe_runs_from_both_ends_and_activations_leave() {
    let sizes = ["pipeline", "--stages", "4", "--microbatches", "8", "--schedule", "dualpipe"];
    let found = json(&[&sizes[..], &H100, &["--mem-fwd", "100"]].concat());
    assert_eq!(found["chunks"], 2);
    assert_eq!(found["peak_activations"], serde_json::json!([5, 5, 5, 5]));
    assert_eq!(found["peak_memory"], serde_json::json!([500, 500, 500, 500]));
    let starts = found["events"].as_array().unwrap().iter().filter(|event| event["start"] == 0);
    assert_eq!(starts.map(|event| event["stage"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 3]);
    let peak = |time: &str| {
        let more = ["--mem-fwd", "100", "--offload-time", time];
        let found = json(&[&sizes[..], &H100, &more].concat());
        found["peak_memory"].as_array().unwrap().iter().map(|b| b.as_i64().unwrap()).max().unwrap()
    };
    assert!(peak("500") < 500, "{}", peak("500"));
    assert_eq!(peak("10000000"), 500);
    fails(
        &[&sizes[..], &H100, &["--offload-time", "5"]].concat(),
        "--offload-time has no effect without --mem-fwd",
    );
    let odd = ["pipeline", "--stages", "3", "--microbatches", "8", "--schedule", "dualpipe"];
    fails(&[&odd[..], &H100].concat(), "dualpipe needs an even number of stages");
}

#[test]
fn stages_of_two_kinds_take_the_published_time() {
    let compat = json(&[
        "pipeline",
        "--compat",
        "perflow",
        "--schedule",
        "zbv",
        "--microbatches",
        "10",
        "--stage",
        "0-3=1315,2733,2650",
        "--stage",
        "4-7=2743,4563,4324",
    ]);
    assert_eq!(compat["makespan"], 283_887);
}

#[test]
fn a_graph_of_a_schedule_takes_its_time() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("graph.json").display().to_string();
    for schedule in ["1f1b", "interleaved", "zbv", "zb-h1"] {
        let sizes =
            ["pipeline", "--stages", "4", "--microbatches", "8", "--comm", "100", "--schedule"];
        let saved = json(&[&sizes[..], &[schedule, "--save-graph", &file], &H100].concat());
        let graph = json(&["pipeline", "--graph", &file]);
        assert_eq!(graph["schedule"], "graph");
        for key in ["makespan", "events", "stage_busy", "peak_activations"] {
            assert_eq!(graph[key], saved[key], "{schedule}: {key}");
        }
    }
    let out = keep.path().join("out").display().to_string();
    assert_eq!(say(&["pipeline", "--graph", &file, "-o", &out]).code, Some(0));
    assert!(Path::new(&out).join("pipeline.svg").is_file());
    fs::write(&file, r#"{"schema_version":1,"events":[],"edges":[[0,1]]}"#).unwrap();
    fails(&["pipeline", "--graph", &file], "graph.json: edge 0: there is no event 0");
    fails(&["pipeline", "--graph", "missing.json"], "--save-graph");
    let several = [
        "pipeline",
        "--stages",
        "2",
        "--microbatches",
        "2",
        "--schedule",
        "1f1b,gpipe",
        "--save-graph",
        &file,
    ];
    fails(&[&several[..], &H100].concat(), "one schedule");
}

#[test]
fn a_plan_has_the_options_of_the_command_line() {
    let keep = tempfile::tempdir().unwrap();
    let plan = keep.path().join("plan.yaml");
    fs::write(&plan, "schedule: zbv\nmicrobatches: 10\ncompat: perflow\nstage:\n  0-3: [1315, 2733, 2650]\n  4-7: [2743, 4563, 4324]\n").unwrap();
    let plan = plan.display().to_string();
    assert_eq!(json(&["pipeline", "--plan", &plan])["makespan"], 283_887);
    // The command line goes before the plan.
    assert_eq!(json(&["pipeline", "--plan", &plan, "--microbatches", "4"])["microbatches"], 4);
    fs::write(keep.path().join("bad.yaml"), "shedule: zbv\n").unwrap();
    let bad = keep.path().join("bad.yaml").display().to_string();
    fails(&["pipeline", "--plan", &bad], "shedule");
}

#[test]
fn pictures_page_and_trace_are_written() {
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out");
    let name = out.display().to_string();
    let args = [
        "pipeline",
        "--schedule",
        "zbv,1f1b",
        "--stages",
        "4",
        "--microbatches",
        "8",
        "--mem-fwd",
        "1000000",
        "-o",
        &name,
    ];
    let said = say(&[&args[..], &H100].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let svg = fs::read_to_string(out.join("pipeline.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("role=\"img\"><title>"), "a picture has a name for screen readers");
    assert!(svg.contains("Device 3") && svg.contains("Memory of stage 3"));
    let page = fs::read_to_string(out.join("pipeline.html")).unwrap();
    page_explains_its_numbers(&page, 4);
    let pictures: Vec<&str> = page.split("<svg").skip(1).collect();
    assert_eq!(pictures.len(), 2);
    for picture in pictures {
        // A window of 1280 pixels shows it whole.
        let width = picture.split("width=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert!(width.unwrap().parse::<f64>().unwrap() <= 1232.0, "{width:?}");
        assert!(picture.contains("role=\"img\"><title>"), "a picture has a name");
        assert!(picture.contains("<tspan lang=\"zh\">设备 3</tspan>"), "{picture}");
    }
    assert!(page.contains("<span lang=\"zh\">激活峰值</span>"), "{page}");
    let trace = Trace::decode(fs::read(out.join("pipeline.pftrace")).unwrap().as_slice()).unwrap();
    let events = (4 * 8 * 3 * 2 + 4 * 8 * 2) * 2;
    assert!(trace.packet.len() > events, "{}", trace.packet.len());
}

#[test]
fn measured_layers_are_divided_as_evenly_as_possible() {
    let costs = data("predict/tests/data/pipeline/costs.json");
    let run = |more: &[&str]| {
        json(
            &[&["pipeline", "--schedule", "1f1b", "--costs", &costs, "--microbatches", "8"], more]
                .concat(),
        )
    };
    let best = run(&["--stages", "3"]);
    // conv1 conv2 | conv3 | relu3 matmul4 softmax5: the costliest takes 330000, and 370000 with conv1 | conv2 | the rest.
    assert_eq!(best["stage_busy"], serde_json::json!([8 * 330_000, 8 * 180_000, 8 * 190_000]));
    assert_eq!(best["makespan"], 700_000 + 7 * 330_000);
    let given = run(&["--partition", "0-0,1-1,2-5"]);
    assert_eq!(given["makespan"], 700_000 + 7 * 370_000);
    let trained = run(&["--stages", "3", "--training"]);
    assert!(trained["makespan"].as_u64() > best["makespan"].as_u64());
    fails(
        &[
            "pipeline",
            "--schedule",
            "1f1b",
            "--costs",
            &costs,
            "--microbatches",
            "8",
            "--stages",
            "7",
        ],
        "6 parts",
    );
    fails(
        &[
            "pipeline",
            "--schedule",
            "1f1b",
            "--costs",
            &costs,
            "--microbatches",
            "8",
            "--partition",
            "0-1,3-5",
        ],
        "part 2",
    );
}

#[test]
fn a_recorded_pipeline_is_compared_with_ideal_ones() {
    let trace = data("predict/tests/data/pipeline/torch_pipeline.json");
    let found = json(&["pipeline", "--torch", &trace, "--schedule", "1f1b"]);
    let (ideal, measured) = (&found[0], &found[1]);
    assert!(ideal["makespan"].as_u64() < measured["makespan"].as_u64());
    assert!(measured["bubble_ratio"].as_f64() > ideal["bubble_ratio"].as_f64());
    assert_eq!(measured["events"].as_array().unwrap().len(), 16);
    fails(
        &["pipeline", "--torch", &data("predict/tests/data/pipeline/costs.json")],
        "torch profiler",
    );
}

#[test]
fn given_strategies_take_the_time_of_the_2018_simulator() {
    let graph = data("predict/tests/data/search/alexnet.json");
    // The file itself holds the strategy: its list `best`.
    let best = serde_json::from_str::<Value>(&fs::read_to_string(&graph).unwrap()).unwrap()["best"]
        .clone();
    let keep = tempfile::tempdir().unwrap();
    let path = keep.path().join("best.json");
    fs::write(&path, best["config"].to_string()).unwrap();
    let path = path.display().to_string();
    let found = json(&["search", &graph, "--compat", "flexflow2018", "--evaluate", &path]);
    let total = found["total_ms"].as_f64().unwrap();
    assert!((total - 80.144_798).abs() < 1e-5, "{total}");
    assert_eq!(found["tasks"], 264);
}

#[test]
fn a_search_can_be_repeated_and_its_strategy_read_back() {
    let graph = data("predict/tests/data/search/alexnet.json");
    let keep = tempfile::tempdir().unwrap();
    let text = keep.path().join("best.strategy").display().to_string();
    let dot = keep.path().join("tasks.dot").display().to_string();
    let args = [
        "search",
        &graph,
        "--budget",
        "500",
        "--alpha",
        "5",
        "--seed",
        "3",
        "--export",
        &text,
        "--taskgraph",
        &dot,
    ];
    let (mut a, mut b) = (json(&args), json(&args));
    for found in [&mut a, &mut b] {
        found["simulations_per_second"].take();
    }
    assert_eq!(a, b);
    assert!(a["best_ms"].as_f64() <= a["start_ms"]["data_parallel"].as_f64());
    let again = json(&["search", &graph, "--evaluate", &text]);
    assert_eq!(again["total_ms"], a["best_ms"]);
    let dot = fs::read_to_string(dot).unwrap();
    assert!(dot.starts_with("digraph") && dot.contains("conv1"));
}

#[test]
fn models_without_costs_are_estimated_and_labelled() {
    let cnn = data("model/tests/ff/cnn.ff");
    let found = json(&[
        "search",
        &cnn,
        "--input-shape",
        "64,3,224,224",
        "--machine",
        "1x4",
        "--link-gbps",
        "50",
        "--budget",
        "300",
        "--enable-parameter-parallel",
        "--enable-attribute-parallel",
        "--training",
        "--memory",
        "16000000000",
    ]);
    assert_eq!(found["estimated_share"], 1.0);
    assert!(found["best_ms"].as_f64().unwrap() > 0.0);
    fails(&["search", &cnn, "--machine", "1x4"], "x");
    let shaped = ["search", &cnn, "--input-shape", "64,3,224,224"];
    fails(&[&shaped[..], &["--machine", "1x4"]].concat(), "--link-gbps");
    fails(&["search", &cnn, "--input-shape", "64,3,224,224"], "--machine");
    let linked = ["--machine", "1x4", "--link-gbps", "50", "--budget", "0"];
    fails(&[&shaped[..], &linked].concat(), "the memory of AKS is not known");
    for known in [&["--ignore-memory"][..], &["--on", "h100-sxm"]] {
        assert_eq!(say(&[&shaped[..], &linked, known].concat()).code, Some(0), "{known:?}");
    }
}

#[test]
fn a_chain_of_measured_layers_is_searched_exactly() {
    let costs = data("predict/tests/data/pipeline/costs.json");
    let keep = tempfile::tempdir().unwrap();
    let out = keep.path().join("out").display().to_string();
    let links = ["--link-gbps", "50", "--link-latency", "1500"];
    let memory = ["--memory", "1000000000"];
    let found = json(&[&["search", &costs, "--machine", "1x4"], &links[..], &memory].concat());
    fails(&["search", &costs, "--machine", "1x4"], "--link-gbps");
    assert!(found["best_ms"].as_f64() < found["one_device_ms"].as_f64());
    let drawn = ["search", &costs, "--machine", "1x4", "-o", &out];
    let said = say(&[&drawn, &links[..], &memory].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    assert!(keep.path().join("out/pipeline.svg").is_file());
    fails(
        &[&["search", &costs, "--machine", "1x4", "--memory", "1000"], &links[..]].concat(),
        "memory",
    );
}

#[test]
fn the_memory_of_a_plan_is_known_or_refused() {
    let costs = data("predict/tests/data/pipeline/costs.json");
    let devices = ["--machine", "1x4", "--link-gbps", "50"];
    fails(&[&["search", &costs], &devices[..]].concat(), "give it with --memory");
    let ignored = say(&[&["search", &costs, "--ignore-memory"], &devices[..]].concat());
    assert!(ignored.stdout.contains("memory is not checked"), "{}", ignored.stderr);
    // One device has no other choice.
    assert_eq!(say(&["search", &costs, "--machine", "1x1"]).code, Some(0));
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("kernels.json");
    fs::write(&file, r#"{"parts": [{"name": "k", "wall_ns": 5, "activation_bytes": 1}]}"#).unwrap();
    let file = file.display().to_string();
    let sized = ["search", &file, "--memory", "1000000"];
    fails(&[&sized, &devices[..]].concat(), "does not say how much memory its parts need");
    assert_eq!(say(&[&["search", &file, "--ignore-memory"], &devices[..]].concat()).code, Some(0));
}

#[test]
fn errors_in_graphs_name_the_node() {
    let keep = tempfile::tempdir().unwrap();
    let path = keep.path().join("graph.json");
    let op = |id: i64, from: i64, ms: f64| {
        serde_json::json!({"id": id, "name": format!("node{id}"), "type": "linear", "inputs": [{"from": from, "shape": [8, 8]}],
            "outputs": [[8, 8]], "options": [{"dims": [1], "ms": ms}]})
    };
    let cases = [
        (vec![op(0, 1, 1.0), op(1, 0, 1.0)], "node0"),
        (vec![op(0, 5, 1.0)], "node 5"),
        (vec![op(0, -1, -1.0)], "-1 ms"),
        (vec![op(0, -1, 1.0), op(0, -1, 1.0)], "id 0"),
    ];
    for (ops, part) in cases {
        fs::write(&path, serde_json::json!({"ops": ops}).to_string()).unwrap();
        fails(&["search", &path.display().to_string(), "--machine", "1x2"], part);
    }
}

/// Schedules that can't run are left out, with the reason; the others are compared.
#[test]
fn schedules_that_a_cut_does_not_allow_are_left_out() {
    let costs = data("predict/tests/data/pipeline/costs.json");
    let args = ["pipeline", "--schedule", "all", "--costs", &costs, "--stages", "6", "--json"];
    let said = say(&[&args[..], &["--microbatches", "12", "--training"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    for schedule in ["interleaved", "zbv"] {
        let line = format!("left out: {schedule}: 6 parts can't be cut into 12 pieces");
        assert!(said.stderr.contains(&line), "{}", said.stderr);
    }
    let reports: Value = serde_json::from_str(&said.stdout).unwrap();
    // From both ends a stage has two of the six parts.
    let names: Vec<&str> =
        reports.as_array().unwrap().iter().filter_map(|one| one["schedule"].as_str()).collect();
    assert!(names.len() == 7 && names.contains(&"dualpipe"), "{names:?}");
}
