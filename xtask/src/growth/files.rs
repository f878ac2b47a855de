//! Files next to dumps, of any size: traces of hosts, models, machines, plans, costs, reports, compiled commands.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value, json};

use super::{Case, Inputs};

pub(super) const CASES: [Case; 13] = [
    Case { name: "host trace: slices", items: 2_000, make: slices },
    Case { name: "host trace: nested slices", items: 2_000, make: nested },
    Case { name: "ONNX: nodes", items: 500, make: onnx },
    Case { name: ".ff: nodes", items: 500, make: ff },
    Case { name: "op list: operators", items: 200, make: operators },
    Case { name: "machines in YAML", items: 100, make: machines },
    Case { name: "costs.json: parts", items: 500, make: costs },
    Case { name: "plan: stages", items: 500, make: plan },
    Case { name: "report.json: kernels", items: 200, make: report },
    Case { name: "report.json: one kernel many times", items: 200, make: one_kernel },
    Case { name: "command files: launches", items: 8, make: command_files },
    Case { name: ".bmodel: launches", items: 8, make: bmodel },
    Case { name: "list of an output directory's files", items: 500, make: manifest },
];

fn words(args: &[&str]) -> Vec<String> {
    args.iter().map(|word| (*word).to_owned()).collect()
}

fn host(inputs: &Inputs<'_>, events: &[Value]) -> io::Result<Vec<String>> {
    let dump = inputs.synth("dump", &["--cores", "1", "--launches", "1", "--repeat", "1"])?;
    let trace = inputs.file("trace.json", json!({ "traceEvents": events }).to_string())?;
    let mut args = inputs.analyze(dump);
    args.extend(["--trace_file".to_owned(), trace]);
    Ok(args)
}

fn slices(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let slice = |item: usize| {
        json!({"ph": "X", "cat": "cpu_op", "name": format!("aten::op{item}"), "pid": 1, "tid": item % 7,
               "ts": item * 10, "dur": 5})
    };
    host(inputs, &(0..items).map(slice).collect::<Vec<_>>())
}

fn nested(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let begin = |item: usize| json!({"ph": "B", "name": "a", "pid": 1, "tid": 1, "ts": item});
    let end = |item: usize| json!({"ph": "E", "pid": 1, "tid": 1, "ts": items + item});
    host(inputs, &(0..items).map(begin).chain((0..items).map(end)).collect::<Vec<_>>())
}

/// A field of protobuf's wire format: its number and length, then the bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut found = vec![number << 3 | 2];
    let mut length = bytes.len();
    while length >= 0x80 {
        found.push(length as u8 | 0x80);
        length >>= 7;
    }
    found.push(length as u8);
    found.extend(bytes);
    found
}

fn onnx(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let node = |item: usize| {
        let (from, to) = (format!("t{item}"), format!("t{}", item + 1));
        let parts = [field(1, from.as_bytes()), field(2, to.as_bytes()), field(4, b"Relu")];
        field(1, &parts.concat())
    };
    // A tensor of floats, 1 x 64.
    let dimension = |size: u8| field(1, &[1 << 3, size]);
    let shape = field(2, &[dimension(1), dimension(64)].concat());
    let tensor = field(1, &[vec![1 << 3, 1], shape].concat());
    let value = |name: &str| [field(1, name.as_bytes()), field(2, &tensor)].concat();
    let mut graph: Vec<u8> = (0..items).flat_map(node).collect();
    graph.extend(field(11, &value("t0")));
    graph.extend(field(12, &value(&format!("t{items}"))));
    // Version 8 of the format, and of the operators 13.
    let operators = field(8, &[2 << 3, 13]);
    let model = [vec![1 << 3, 8], field(7, &graph), operators].concat();
    Ok(words(&["estimate", &inputs.file("model.onnx", model)?, "--on", "aks", "--json"]))
}

fn ff(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let mut text = "x; ; n0,; INPUT\n".to_owned();
    for item in 0..items {
        let from = item.checked_sub(1).map_or("x".to_owned(), |before| format!("n{before}"));
        let _ = writeln!(text, "n{item}; {from},; n{},; RELU", item + 1);
    }
    let _ = writeln!(text, "n{items}; n{},; ; OUTPUT", items - 1);
    let file = inputs.file("model.ff", text)?;
    Ok(words(&["estimate", &file, "--input-shape", "64,784", "--on", "aks", "--json"]))
}

fn operators(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let operator = |item: usize| json!({"name": "Linear", "context": format!("fc{item}"), "input": [4, 64], "weights": [64, 64], "output": [4, 64]});
    let text = json!({ "ops": (0..items).map(operator).collect::<Vec<_>>() }).to_string();
    Ok(words(&["estimate", &inputs.file("ops.json", text)?, "--on", "aks", "--json"]))
}

fn machines(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let ops = json!({"ops": [{"name": "Linear", "context": "fc", "input": [1, 64], "weights": [64, 64], "output": [1, 64]}]});
    let ops = inputs.file("ops.json", ops.to_string())?;
    let mut text = String::new();
    for item in 0..items {
        let _ =
            writeln!(text, "machine{item}:\n  INT8: 16 TOPS\n  FP16: 8 TFLOPS\n  mem_bw: 68 GB/s");
    }
    let file = inputs.file("machines.yaml", text)?;
    Ok(words(&["estimate", &ops, "--on", &file, "--dtype", "fp16", "--json"]))
}

fn costs(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let dump = inputs.synth("dump", &["--cores", "1", "--launches", "2", "--repeat", "1"])?;
    let file = inputs.path("costs.json");
    inputs.run(&["costs", &dump, "-o", &file])?;
    let mut costs: Value = serde_json::from_slice(&std::fs::read(&file)?)?;
    if let Some(parts) = costs["parts"].as_array_mut() {
        let first = parts.first().cloned().unwrap_or_default();
        parts.clear();
        parts.extend((0..items).map(|item| {
            let mut part = first.clone();
            part["name"] = format!("part{item}").into();
            part
        }));
    }
    std::fs::write(&file, costs.to_string())?;
    Ok(words(&["estimate", &file, "--on", "bm1688", "--json"]))
}

fn plan(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let mut text =
        "schedule: [gpipe]\nfwd: 3\nbwd: 5\nstages: 2\nmicrobatches: 2\nstage:\n".to_owned();
    for item in 0..items {
        let _ = writeln!(text, "  - '{item}=conv{item}'");
    }
    let file = inputs.file("plan.yaml", text)?;
    Ok(words(&["pipeline", "--plan", &file, "--json"]))
}

fn report(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    reports(inputs, (0..items).map(|item| format!("kernel{item}")))
}

fn one_kernel(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    reports(inputs, (0..items).map(|_| "kernel".to_owned()))
}

/// Two reports with these kernels, compared.
fn reports(inputs: &Inputs<'_>, names: impl Iterator<Item = String>) -> io::Result<Vec<String>> {
    let dump = inputs.synth("dump", &["--cores", "1", "--launches", "2", "--repeat", "1"])?;
    inputs.run(&[&dump, &inputs.path("small"), "--emit", "report"])?;
    let text = std::fs::read(inputs.dir.join("small/report.json"))?;
    let mut report: Value = serde_json::from_slice(&text)?;
    if let Some(kernels) = report["kernels"].as_array_mut() {
        let first = kernels.first().cloned().unwrap_or_default();
        kernels.clear();
        kernels.extend(names.map(|name| {
            let mut kernel = first.clone();
            kernel["kernel"] = name.into();
            kernel
        }));
    }
    let before = inputs.file("before/report.json", report.to_string())?;
    let after = inputs.file("after/report.json", report.to_string())?;
    Ok(words(&["diff", &before, &after, "--json"]))
}

/// A static model of so many launches, with its compiled forms.
fn compiled(inputs: &Inputs<'_>, items: usize, form: &str, name: &str) -> io::Result<String> {
    let launches = items.to_string();
    let to = inputs.path(name);
    let shape = ["--chip", "bm1688", "--style", "bmodel", "--cores", "1", "--repeat", "2"];
    inputs.synth("dump", &[&shape[..], &["--launches", &launches, form, &to]].concat())?;
    Ok(to)
}

fn command_files(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let files = compiled(inputs, items, "--cmodel", "files")?;
    Ok(words(&["simulate", &files, "--chip", "bm1688", "--json"]))
}

fn bmodel(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let model = compiled(inputs, items, "--bmodel", "model.bmodel")?;
    Ok(words(&["simulate", &model, "--json"]))
}

fn manifest(inputs: &Inputs<'_>, items: usize) -> io::Result<Vec<String>> {
    let dump = inputs.synth("dump", &["--cores", "1", "--launches", "1", "--repeat", "1"])?;
    let names: Vec<String> = (0..items).map(|item| format!("tiuRegInfo_{item}.txt")).collect();
    inputs.file("out/.bigtpuprofile-files", names.join("\n"))?;
    Ok(inputs.analyze(dump))
}
