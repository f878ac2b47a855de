//! Expected times held to public measurements: each family of networks is predicted without itself.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read;
use std::path::PathBuf;
use std::sync::LazyLock;

use bigtpu_machine::{DataType, Machine, PresetSet, preset};
use bigtpu_model::graph::{Dimensions, read_onnx};
use bigtpu_model::llm::{Architecture, LlmLoad, Split, Types};
use bigtpu_model::{GraphSettings, Kind, Mapping, Operator, Target, graph_operators};
use bigtpu_predict::estimate::expected::{
    Coefficients, Demand, FitSample, Measured, PARAMETERS, Pace, Residuals, StudyRow, Width,
    fit_rows, left_out, residuals,
};
use bigtpu_predict::estimate::llm::{
    LlmEstimate, LlmJob, Offload, OwnRow, PHASES, left_out_models,
};
use bigtpu_predict::estimate::{Estimate, Job, Workload};
use serde_json::Value;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn fixture(name: &str) -> PathBuf {
    root().join("fixtures/measured").join(name)
}

fn list(name: &str) -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(fixture(name)).unwrap()).unwrap()
}

struct Network {
    row: StudyRow,
    machine: Machine,
    facts: Value,
    operators: std::sync::Arc<Vec<Operator>>,
}

fn operators(file: &str) -> Vec<Operator> {
    let packed = std::fs::read(fixture(file)).unwrap();
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    let graph = read_onnx(bytes, &Dimensions::default());
    graph_operators(&graph.unwrap_or_else(|error| panic!("{file}: {error}")))
}

/// The rows that nobody doubts, of chips whose cores are known.
fn networks() -> Vec<Network> {
    let mut models: BTreeMap<String, std::sync::Arc<Vec<Operator>>> = BTreeMap::new();
    let mut all = Vec::new();
    for facts in list("networks.json") {
        let text = |key: &str| facts[key].as_str().unwrap().to_owned();
        let file = text("model_file");
        let operators =
            models.entry(file.clone()).or_insert_with(|| operators(&file).into()).clone();
        if !facts["distrust"].is_null() {
            continue;
        }
        let name = match (text("chip").as_str(), facts["cores"].as_u64()) {
            ("BM1688", Some(cores)) => format!("bm1688:{cores}"),
            (chip, _) => chip.to_owned(),
        };
        let machine = preset(&name, PresetSet::All).unwrap();
        let data_type: DataType = text("dtype").parse().unwrap();
        let array = machine.array.unwrap();
        let mut demand = Demand::default();
        operators
            .iter()
            .for_each(|own| demand.add_all(&Demand::from_operator(own, &array, data_type)));
        let sample = FitSample {
            demand,
            array,
            cores: machine.cores,
            gbps: machine.memory.gbps.unwrap(),
            data_type,
            ns: facts["ms"].as_f64().unwrap() * 1e6,
            weight: 1.0,
        };
        let (family, mixed) = (text("family"), facts["mixed"] == true);
        all.push(Network { row: StudyRow { sample, family, mixed }, machine, facts, operators });
    }
    all
}

fn rows(networks: &[Network]) -> Vec<StudyRow> {
    networks.iter().map(|network| network.row.clone()).collect()
}

/// All rows, and how far each is off; computed once for all tests.
struct Study {
    networks: Vec<Network>,
    rows: Vec<StudyRow>,
    errors: [Vec<f64>; 2],
}

static STUDY: LazyLock<Study> = LazyLock::new(|| {
    let networks = networks();
    let rows = rows(&networks);
    let errors = errors(&rows);
    Study { networks, rows, errors }
});

/// Logarithms of expected over measured time: without the family, and without the kind of chip.
fn errors(rows: &[StudyRow]) -> [Vec<f64>; 2] {
    let guess = Coefficients::guessed();
    let of_families = left_out(rows, |row| row.family.clone(), &guess, 1.0);
    let of_chips = left_out(rows, |row| row.sample.array.lanes, &guess, 1.0);
    [of_families, of_chips]
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn share(values: &[bool]) -> f64 {
    values.iter().filter(|value| **value).count() as f64 / values.len() as f64
}

/// Distances of expected from measured time, over the measured time.
fn distances(errors: &[f64]) -> Vec<f64> {
    errors.iter().map(|error| (error.exp() - 1.0).abs()).collect()
}

fn share_near(distances: &[f64]) -> f64 {
    share(&distances.iter().map(|distance| *distance <= 0.25).collect::<Vec<_>>())
}

/// Whether each measured time is in the range that the other families make.
fn held(rows: &[StudyRow], [of_families, of_chips]: &[Vec<f64>; 2]) -> Vec<bool> {
    let families: BTreeSet<&str> = rows.iter().map(|row| row.family.as_str()).collect();
    let mut found = vec![false; rows.len()];
    for family in families {
        let kept = |values: &[f64]| -> Vec<f64> {
            let all = rows.iter().zip(values).filter(|(row, _)| row.family != family);
            all.map(|(_, value)| *value).collect()
        };
        let others: Vec<StudyRow> =
            rows.iter().filter(|row| row.family != family).cloned().collect();
        let table = residuals(&others, &kept(of_families), &kept(of_chips));
        for ((row, error), found) in rows.iter().zip(of_families).zip(&mut found) {
            if row.family == family {
                let [low, high] = group(&table, row).range;
                *found = (low..=high).contains(&(-error).exp());
            }
        }
    }
    found
}

fn group<'a>(table: &'a [Residuals], row: &StudyRow) -> &'a Residuals {
    let FitSample { array, cores, data_type, .. } = &row.sample;
    let own = (Measured::from_chip(array, *cores), Width::from_type(*data_type), row.mostly());
    table.iter().find(|group| (group.chip, group.width, group.mostly) == own).unwrap()
}

fn estimate(network: &Network) -> Estimate {
    let data_type = Some(network.row.sample.data_type);
    let settings = GraphSettings { data_type, ..GraphSettings::default() };
    let workload = Workload::new(&network.operators, &settings).unwrap();
    let rest = Some(Target::parse(&network.machine.name));
    let mapping = Mapping { rest, ..Mapping::default() };
    let machines = std::slice::from_ref(&network.machine);
    Job { workload: &workload, machines, mapping: &mapping }.run("x").unwrap()
}

/// Writes a file with `BLESS=1`, else compares.
fn keep(path: &str, text: &str) {
    let path = root().join(path);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "{} is stale; write it with BLESS=1", path.display());
}

/// Four digits.
fn digits(value: f64) -> String {
    match value {
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[test]
fn the_table_is_what_the_rows_give() {
    let Study { rows, errors: [of_families, of_chips], .. } = &*STUDY;
    let found = fit_rows(rows, &Coefficients::guessed(), 1.0);
    let table = residuals(rows, of_families, of_chips);
    let mut text = String::from(
        "//! Values of [`super::PARAMETERS`], fitted to the measured rows, and how far the rows lie from them. Written by the test\n\
         //! `the_table_is_what_the_rows_give` with `BLESS=1`.\n\n\
         use super::coefficients::PARAMETERS;\nuse super::demand::Width;\n\
         use super::evidence::{Measured, Mostly, Residuals};\n\n\
         #[rustfmt::skip]\npub(super) const VALUES: [f64; PARAMETERS.len()] = [\n",
    );
    for values in found.values.chunks(8) {
        let values: Vec<String> = values.iter().map(|value| digits(*value)).collect();
        writeln!(text, "    {},", values.join(", ")).unwrap();
    }
    writeln!(text, "];\n\npub(super) const RESIDUALS: [Residuals; {}] = [", table.len()).unwrap();
    for Residuals { chip, width, mostly, rows, families, range: [low, high], median_error } in
        &table
    {
        let error = median_error.map_or("None".to_owned(), |error| format!("Some({error:.3})"));
        writeln!(
            text,
            "    Residuals {{\n        chip: Measured::{chip:?},\n        width: Width::{width:?},\n        mostly: Mostly::{mostly:?},\n        rows: {rows},\n        families: {families},\n        range: [{low:.3}, {high:.3}],\n        median_error: {error},\n    }},"
        )
        .unwrap();
    }
    text.push_str("];\n");
    keep("crates/predict/src/estimate/expected/fitted.rs", &text);
    for (parameter, value) in PARAMETERS.iter().zip(found.values) {
        let far = (value / parameter.guess).ln().abs() / parameter.spread;
        assert!(far < 4.0, "{:?} is {value}, far from what it was taken to be", parameter.name);
    }
}

#[test]
fn expected_times_are_near_measured_ones_of_families_that_were_left_out() {
    let Study { rows, errors, .. } = &*STUDY;
    assert!(rows.len() > 440, "{}", rows.len());
    let distances = distances(&errors[0]);
    let found = [median(distances.clone()), share_near(&distances), share(&held(rows, errors))];
    assert!(found[0] <= 0.20 && found[1] >= 0.60 && found[2] >= 0.75, "{found:?}");
}

#[test]
fn no_measurement_is_faster_than_its_bound_and_memory_moves_what_was_published() {
    let mut moved = Vec::new();
    for network in &STUDY.networks {
        let own = estimate(network);
        let (ns, bound) = (network.row.sample.ns, own.bound_ns.unwrap());
        assert!(bound > 0.0 && bound < ns, "{}: {bound} {ns}", network.facts["id"]);
        let expected = network.row.sample.expected(&Coefficients::fitted());
        assert!((own.time_ns() / expected - 1.0).abs() < 1e-9, "{}", network.facts["id"]);
        assert!(bound <= own.time_ns(), "{}", network.facts["id"]);
        let [low, high] = own.range_ns.unwrap();
        assert!(low < high && bound <= low && own.evidence.is_some());
        if let Some(published) = network.facts["ddr_mb"].as_f64() {
            let bytes = Pace::bytes(&network.row.sample.demand);
            moved.push((bytes / 1e6 / published).ln().abs() <= 1.6_f64.ln());
        }
    }
    assert!(moved.len() > 100 && share(&moved) >= 0.8, "{} {}", moved.len(), share(&moved));
}

/// Operators that use nothing but one unit, so that the expected time is as near to the bound as it can be.
fn near_the_bound() -> Vec<Operator> {
    let made = |kind, shapes: [&[u64]; 3]| {
        Operator::new("alone", "alone", kind, shapes.map(<[u64]>::to_vec))
    };
    vec![
        made(Kind::Linear, [&[1, 4096, 4096], &[4096, 4096], &[1, 4096, 4096]]),
        made(Kind::Linear, [&[1, 1, 4096], &[4096, 4096], &[1, 1, 4096]]),
        made(Kind::Conv2d, [&[8, 256, 64, 64], &[256, 256, 3, 3], &[8, 256, 64, 64]]),
        made(Kind::MatMul, [&[1, 16, 2048, 2048], &[1, 16, 2048, 2048], &[1, 16, 2048, 2048]]),
    ]
}

#[test]
fn no_time_is_expected_below_its_bound() {
    let chips =
        ["sg2260", "sg2260e", "bm1684x", "bm1688", "bm1688:1", "cv186x", "cv84x6", "cv184x"];
    let types =
        ["fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4"].map(|name| name.parse().unwrap());
    for (name, data_type) in chips.iter().flat_map(|name| types.map(|kind: DataType| (name, kind)))
    {
        let machine = preset(name, PresetSet::All).unwrap();
        let settings = GraphSettings { data_type: Some(data_type), ..GraphSettings::default() };
        for operator in near_the_bound() {
            let operators = [operator];
            let workload = Workload::new(&operators, &settings).unwrap();
            let rest = Some(Target::parse(&machine.name));
            let mapping = Mapping { rest, ..Mapping::default() };
            let machines = std::slice::from_ref(&machine);
            let own = Job { workload: &workload, machines, mapping: &mapping }.run("x").unwrap();
            let (time, bound) = (own.time_ns(), own.bound_ns.unwrap());
            let what = operators[0].kind;
            assert!(
                bound > 0.0 && bound <= time,
                "{name} {data_type} {what:?}: {time} below {bound}"
            );
        }
    }
}

/// A language model and what was measured of it: first token, further token, in ns.
struct Language {
    model: String,
    own: LlmEstimate,
    measured: [Option<f64>; 2],
}

fn language_models() -> Vec<Language> {
    let mut all = Vec::new();
    for facts in list("language_models.json") {
        let text = |key: &str| facts[key].as_str().unwrap_or("").to_owned();
        let doubt = text("distrust");
        if facts["hf"].is_null()
            || facts["devices"] != 1
            || ["all", "board"].contains(&doubt.as_str())
        {
            continue;
        }
        let config = std::fs::read_to_string(fixture(&text("hf"))).unwrap();
        let model = Architecture::parse(&config).unwrap();
        let name = match (text("chip").as_str(), facts["cores"].as_u64()) {
            ("BM1688", Some(cores)) => format!("bm1688:{cores}"),
            (chip, _) => chip.to_owned(),
        };
        let machine = preset(&name, PresetSet::All).unwrap();
        let weights: DataType = text("weight_dtype").parse().unwrap();
        let half = DataType::Fp16;
        let head = facts["head_dtype"].as_str().map_or(half, |name| name.parse().unwrap());
        let types = Types { activations: half, weights, head, cache: half };
        let context = facts["seq_length"].as_u64().unwrap() as u32;
        let job = LlmJob {
            model: &model,
            request: LlmLoad { batch: 1, context, output_tokens: 2 },
            split: Split::default(),
            types,
            machine: &machine,
            links: None,
            memory_bytes: None,
            efficiencies: None,
            own: None,
            draft: None,
            offload: Offload::default(),
        };
        let own = job.run("x").unwrap();
        let has_prompt = doubt != "ftl" && facts["vision"] == false && facts["dynamic"] == false;
        let first = facts["first_token_s"].as_f64().filter(|_| has_prompt).map(|s| s * 1e9);
        let token = facts["tokens_per_s"].as_f64().map(|rate| 1e9 / rate);
        all.push(Language { model: text("hf"), own, measured: [first, token] });
    }
    all
}

/// Expected over measured time of a phase, and whether the range holds the measured time.
fn of_phase(models: &[Language], phase: usize) -> Vec<(f64, bool)> {
    let mut all = Vec::new();
    for model in models {
        let Some(measured) = model.measured[phase] else { continue };
        let times = [model.own.first_token_ns(), model.own.token_ns.unwrap().mean];
        assert!(model.own.bound_ns[phase] < measured, "{:?}", model.own.request);
        let [low, high] = model.own.range_ns[phase].unwrap();
        all.push((times[phase] / measured, (low..=high).contains(&measured)));
    }
    all
}

/// How far each row is from what the rows of the other models make of it.
fn without_own_model(models: &[Language], phase: usize) -> (f64, f64) {
    let row = |own: &Language| {
        let times = [own.own.first_token_ns(), own.own.token_ns.unwrap().mean];
        let ratio = own.measured[phase]? / times[phase];
        Some(OwnRow { model: own.model.clone(), ratio })
    };
    let rows: Vec<OwnRow> = models.iter().filter_map(row).collect();
    let residuals = left_out_models(&rows);
    let distances: Vec<f64> = residuals.iter().map(|own| (own.recip() - 1.0).abs()).collect();
    (median(distances.clone()), share_near(&distances))
}

fn language_page(models: &[Language]) -> String {
    let mut text = String::from(
        "`estimate --hf` takes the time of each operator at its roof times one factor for products and one for attention, on chips of this tool. Static models compute all scores of a prompt, and read \
         the whole cache for a token: `--context` is the length that the model was compiled for.\n\n\
         | phase | rows | measured / roofs, products and attention | median error (%) | within 25 % (%) | without the model's own rows: median error (%) | within 25 % (%) | range: measured / expected |\n|---|--:|--:|--:|--:|--:|--:|---|\n",
    );
    for (phase, (name, factor)) in ["first token", "further token"].iter().zip(PHASES).enumerate() {
        let ratios = of_phase(models, phase);
        let distances: Vec<f64> = ratios.iter().map(|(ratio, _)| (ratio - 1.0).abs()).collect();
        let [low, high] = factor.range;
        let left_out = without_own_model(models, phase);
        writeln!(
            text,
            "| {name} | {} | {}, {} | {:.1} | {:.0} | {:.1} | {:.0} | {low} to {high} |",
            ratios.len(),
            factor.factor,
            factor.attention,
            median(distances.clone()) * 100.0,
            share_near(&distances) * 100.0,
            left_out.0 * 100.0,
            left_out.1 * 100.0
        )
        .unwrap();
    }
    text.push_str("\nRows of unknown boards, of several devices, and first tokens with images or of dynamic models are left out. ChatGLM2's first token takes 2.2 to 3.9 times the roofs (an early compiler).\n");
    text
}

#[test]
fn the_page_shows_what_was_found() {
    let Study { networks, rows, errors } = &*STUDY;
    let table = residuals(rows, &errors[0], &errors[1]);
    let published = networks.iter().filter_map(|own| {
        let bytes = Pace::bytes(&own.row.sample.demand) / 1e6;
        Some((bytes / own.facts["ddr_mb"].as_f64()?).ln().abs() <= 1.6_f64.ln())
    });
    let published: Vec<bool> = published.collect();
    let moved = (published.len(), share(&published));
    let held = share(&held(rows, errors));
    let languages = language_page(&language_models());
    let text = page::page(networks, &errors[0], held, &table, moved, &languages);
    keep("docs/proof/measured.md", &text);
    keep("docs/images/measured.svg", &page::picture(rows, &errors[0]));
}

#[test]
fn language_models_take_what_was_measured() {
    let models = language_models();
    let mut all = Vec::new();
    for (phase, factor) in PHASES.iter().enumerate() {
        let found = of_phase(&models, phase);
        assert_eq!(found.len() as u32, factor.rows, "phase {phase}");
        let ratios: Vec<f64> = found.iter().map(|(ratio, _)| ratio.recip()).collect();
        println!("phase {phase}: measured over expected {ratios:.2?}");
        let held: Vec<bool> = found.iter().map(|(_, held)| *held).collect();
        assert!(share(&held) >= 0.75, "phase {phase}: {}", share(&held));
        all.extend(found.iter().map(|(ratio, _)| (ratio - 1.0).abs()));
    }
    println!("{} of {} near", share_near(&all), all.len());
    assert!(share_near(&all) >= 0.80, "{}", share_near(&all));
}
