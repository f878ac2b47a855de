//! No option of a prediction is left out in silence: it changes the result, or it is refused in one sentence.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::run::{fails, say};

fn path_of(path: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path).display().to_string()
}

#[track_caller]
fn json(args: &[&str]) -> Value {
    let said = say(&[args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{args:?}: {}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Each option after the command ends it with a sentence that names the option, what it has no effect on, and what to do.
#[track_caller]
fn refuses(command: &[&str], place: &str, options: &[&[&str]]) {
    for option in options {
        let name = option[0];
        fails(&[command, option].concat(), &format!("{name} has no effect {place}"));
    }
}

const PATHS: &str = "num_nodes = 1\nnum_sockets_per_node = 1\nnum_cpus_per_socket = 1\nnum_gpus_per_socket = 4\n\
    membus_latency = 0\nmembus_bandwidth = 10\nupi_latency = 0\nupi_bandwidth = 10\nnic_latency = 0\nnic_bandwidth = 10\n\
    pci_latency = 0\npci_bandwidth = 10\nnvlink_latency = 0.002\nnvlink_bandwidth = 5\n\
    intra_socket_gpu_fb_mem_to_gpu_fb_mem = nvlink\ninter_socket_gpu_fb_mem_to_gpu_fb_mem = nvlink\n\
    inter_node_gpu_fb_mem_to_gpu_fb_mem = nvlink\n";

/// Links come from one source, and the output names it.
#[test]
fn links_of_a_plan_have_a_named_source() {
    let keep = tempfile::tempdir().unwrap();
    let file = keep.path().join("machine").display().to_string();
    fs::write(&file, PATHS).unwrap();
    let costs = path_of("crates/predict/tests/data/pipeline/costs.json");
    let mlp = path_of("crates/model/tests/ff/mlp.ff");
    let graph = path_of("crates/predict/tests/data/search/alexnet.json");
    let chain = ["search", &costs, "--ignore-memory"];
    let model = ["search", &mlp, "--input-shape", "32,784", "--budget", "5", "--ignore-memory"];
    // The file's links count, with their latency; options can't replace them.
    let own = json(&[&chain[..], &["--machine", &file]].concat());
    let expected = serde_json::json!({"gbps": 5.24288, "gbps_from": "machine_file",
        "latency_ns": 2000.0, "latency_from": "machine_file"});
    assert_eq!(own["links"], expected);
    assert_eq!(
        (&own["link_gbps"], &own["link_latency_ns"]),
        (&expected["gbps"], &expected["latency_ns"])
    );
    assert_eq!(json(&[&model[..], &["--machine", &file]].concat())["links"], expected);
    let links: [&[&str]; 2] = [&["--link-gbps", "50"], &["--link-latency", "1500"]];
    for command in [&chain[..], &model, &["search", &graph]] {
        let command = [command, &["--machine", &file]].concat();
        refuses(&command, "with a machine file, which describes the links", &links);
    }
    // Given, and the same as those of a file.
    let given = ["--machine", "1x4", "--link-gbps", "5.24288", "--link-latency", "2000"];
    let same = json(&[&chain[..], &given].concat());
    assert_eq!((&same["best_ms"], &same["stages"]), (&own["best_ms"], &own["stages"]));
    assert_eq!(same["links"]["gbps_from"], "option");
    let said = say(&[&chain[..], &given].concat()).stdout;
    assert!(
        said.contains("links: 5.24288 GB/s (as given), 2000 ns of latency (as given)"),
        "{said}"
    );
    let published = [&model[..], &["--on", "h100-sxm", "--machine", "1x2"]].concat();
    let found = json(&published);
    assert_eq!(found["links"]["gbps_from"], "published");
    let later = json(&[&published[..], &["--link-latency", "5000000"]].concat());
    assert_eq!(later["links"]["latency_from"], "option");
    let sent = |found: &Value| found["start_ms"]["model_parallel"].as_f64().unwrap();
    assert!(sent(&later) > sent(&found) + 4.9, "{later} {found}");
    // A graph with costs has links of its own.
    refuses(&["search", &graph], "without --machine", &links);
    refuses(&["search", &graph, "--machine", "1x4"], "without --link-gbps", &links[1..]);
    // Nodes are joined by the same links as the devices of a node.
    let start = |machine: &str| {
        let args = ["--machine", machine, "--link-gbps", "5", "--link-latency", "9000"];
        json(&[&model[..], &args].concat())["start_ms"]["model_parallel"].clone()
    };
    assert_eq!(start("1x4"), start("4x1"));
}

#[test]
fn options_of_a_search_count_or_are_refused() {
    let costs = path_of("crates/predict/tests/data/pipeline/costs.json");
    let mlp = path_of("crates/model/tests/ff/mlp.ff");
    let onnx = path_of("crates/model/tests/onnx/cnn.onnx");
    let graph = path_of("crates/predict/tests/data/search/alexnet.json");
    let walks: [&[&str]; 6] = [
        &["--budget", "5"],
        &["--alpha", "2"],
        &["--seed", "3"],
        &["--starts", "random"],
        &["--import", "x"],
        &["--enable-propagation"],
    ];
    let models: [&[&str]; 5] = [
        &["--input-shape", "1,2"],
        &["--on", "aks"],
        &["--dtype", "int8"],
        &["--enable-parameter-parallel"],
        &["--enable-attribute-parallel"],
    ];
    let of_onnx: [&[&str]; 4] =
        [&["--batch", "4"], &["--dim", "n=4"], &["--input-value", "n=4"], &["--unknown-as-memory"]];
    let simulations: [&[&str]; 2] = [&["--training"], &["--overlap"]];
    let graphs: [&[&str]; 5] = [
        &["--only-data-parallel"],
        &["--evaluate", "x"],
        &["--export", "x"],
        &["--taskgraph", "x"],
        &["--compat", "flexflow2018"],
    ];
    let chains: [&[&str]; 5] = [
        &["--parts", "layer"],
        &["--phase", "decode"],
        &["--microbatches", "5"],
        &["--handed-bytes", "5"],
        &["--out", "x"],
    ];
    let chain = ["search", &costs, "--machine", "1x1"];
    for options in [&of_onnx[..], &models, &walks, &simulations, &graphs] {
        refuses(&chain, "on measured parts", options);
    }
    refuses(&chain, "on parts of which the file says what they hand on", &chains[3..4]);
    for options in [&of_onnx[..], &models, &chains] {
        refuses(&["search", &graph], "on an operator graph in JSON", options);
    }
    refuses(&["search", &mlp, "--machine", "1x1"], "on a .ff graph", &of_onnx);
    refuses(&["search", &mlp, "--machine", "1x1"], "on a .ff graph", &chains);
    refuses(&["search", &onnx, "--machine", "1x1"], "on an ONNX model", &chains);
    refuses(&["search", &graph, "--evaluate", "x"], "with --evaluate", &walks);
    refuses(&["search", &graph, "--only-data-parallel"], "with --only-data-parallel", &walks[..2]);
    let old = ["search", &graph, "--compat", "flexflow2018"];
    refuses(&old, "with --compat flexflow2018", &simulations);
    refuses(
        &old,
        "with --compat flexflow2018",
        &[&["--memory", "5"], &["--ignore-memory"], &["--machine", "1x4"]],
    );
}

#[test]
fn options_of_a_pipeline_count_or_are_refused() {
    let keep = tempfile::tempdir().unwrap();
    let costs = path_of("crates/predict/tests/data/pipeline/costs.json");
    let torch = path_of("crates/predict/tests/data/pipeline/torch_pipeline.json");
    let sizes = ["pipeline", "--schedule", "1f1b", "--microbatches", "4"];
    let given = [&sizes[..], &["--stages", "2", "--fwd", "3", "--bwd", "5"]].concat();
    let file = keep.path().join("graph.json").display().to_string();
    json(&[&given[..], &["--save-graph", &file]].concat());
    let times: [&[&str]; 5] = [
        &["--fwd", "1"],
        &["--bwd", "1"],
        &["--wgt", "1"],
        &["--stage", "0=1,2"],
        &["--cost-per", "chunk"],
    ];
    let of_costs: [&[&str]; 4] =
        [&["--parts", "layer"], &["--phase", "decode"], &["--partition", "0-1"], &["--training"]];
    let backward: [&[&str]; 3] =
        [&["--mem-bwd", "-1"], &["--mem-wgt", "-1"], &["--bwd-without-wgt"]];
    let transfers: [&[&str]; 3] = [&["--comm", "5"], &["--link-occupancy"], &["--mem-fwd", "5"]];
    let counts: [&[&str]; 3] =
        [&["--stages", "2"], &["--chunks", "2"], &["--max-activations", "2"]];
    for options in [&of_costs[..], &backward, &transfers, &counts, &times[4..]] {
        refuses(&["pipeline", "--graph", &file], "with --graph", options);
    }
    for options in [&times[..], &of_costs, &backward, &transfers, &counts] {
        refuses(&["pipeline", "--torch", &torch], "with --torch", options);
    }
    let more: [&[&str]; 3] = [&["--costs", "x"], &["--compat", "perflow"], &["--unit", "ms"]];
    refuses(&["pipeline", "--torch", &torch], "with --torch", &more);
    let measured = [&sizes[..], &["--costs", &costs, "--stages", "2"]].concat();
    refuses(&measured, "with --costs", &times);
    refuses(&measured, "on measured parts without --training", &backward);
    refuses(&measured, "on schedules other than zb and zbv", &counts[2..]);
    let cut = [&sizes[..], &["--costs", &costs, "--partition", "0-2,3-5"]].concat();
    refuses(&cut, "with --partition", &counts[..1]);
    refuses(&given, "without --costs", &of_costs);
    refuses(&given, "without --mem-fwd", &backward[..2]);
    let perflow = [&given[..], &["--compat", "perflow"]].concat();
    refuses(&perflow, "with --compat perflow", &transfers);
    refuses(&perflow, "with --compat perflow", &[&["--cost-per", "stage"]]);
    refuses(&[&given[..], &["--sweep", "comm=1,2"]].concat(), "next to a --sweep", &transfers[..1]);
    // A plan's options are options.
    let plan = keep.path().join("plan.yaml").display().to_string();
    fs::write(&plan, "schedule: 1f1b\nmicrobatches: 4\nstages: 2\nfwd: 3\nbwd: 5\nmem_bwd: -1\n")
        .unwrap();
    fails(&["pipeline", "--plan", &plan], "--mem-bwd has no effect without --mem-fwd");
}

#[test]
fn options_of_an_estimate_count_or_are_refused() {
    let keep = tempfile::tempdir().unwrap();
    let costs = path_of("crates/predict/tests/data/pipeline/costs.json");
    let dump = path_of("fixtures/real/cdm_profile_data_dev0_bm1690");
    let mlp = path_of("crates/model/tests/ff/mlp.ff");
    let onnx = path_of("crates/model/tests/onnx/cnn.onnx");
    let ops = path_of("crates/predict/tests/upmem/sumgen_H100.json");
    let of_onnx: [&[&str]; 3] =
        [&["--dim", "n=4"], &["--input-value", "n=4"], &["--unknown-as-memory"]];
    let runs: [&[&str]; 2] = [&["--parts", "layer"], &["--phase", "decode"]];
    let models: [&[&str]; 3] =
        [&["--last-layer", "x"], &["--kv-heads", "2"], &["--sliding-window", "2"]];
    let shape: [&[&str]; 1] = [&["--input-shape", "1,2"]];
    let batch: [&[&str]; 1] = [&["--batch", "64"]];
    for input in [&dump, &costs] {
        let run = ["estimate", input, "--on", "aks"];
        for options in [&of_onnx[..], &models, &shape] {
            refuses(&run, "on a measured run", options);
        }
        refuses(&run, "on a measured run without a decode phase", &batch);
    }
    let recorded = ["estimate", &ops, "--on", "aks"];
    for options in [&of_onnx[..], &runs, &shape] {
        refuses(&recorded, "on recorded operators", options);
    }
    let ff = ["estimate", &mlp, "--input-shape", "32,784", "--on", "aks"];
    refuses(&ff, "on a .ff graph, whose --input-shape has the batch", &batch);
    refuses(&ff, "on a .ff graph", &runs);
    refuses(&["estimate", &onnx, "--batch", "4", "--on", "aks"], "on an ONNX model", &runs);
    // What the shapes say is not called a batch of 1.
    assert_eq!(json(&ff)[0]["setting"], "bf16");
    // Memory that is given counts, whatever the description says, and the note has both.
    let model = path_of("crates/model/tests/llm/llama-7b.json");
    let small = ["estimate", "--hf", &model, "--on", "h100-sxm", "--memory", "8000000000"];
    let found = &json(&small)[0];
    assert_eq!(found["memory"]["fits"], false);
    let note = "H100-SXM: 8.0 GB of memory as given, where its description has 85.9 GB";
    assert!(found["notes"].to_string().contains(note), "{}", found["notes"]);
    // The host's trace is read for a marker that may be an event of it.
    let out = keep.path().join("costs.json").display().to_string();
    let marked =
        ["costs", &path_of("fixtures/aks-mode1-batch/dump"), "--phase-marker", "1", "-o", &out];
    refuses(
        &marked,
        "with a --phase-marker that is no event of the host",
        &[&["--trace_file", "x"]],
    );
}
