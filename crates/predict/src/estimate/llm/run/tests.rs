use bigtpu_machine::DataType;

use super::*;

const HALF: Types =
    Types { activations: DataType::Fp16, weights: DataType::Fp16, cache: DataType::Fp16 };

fn llama() -> Architecture {
    let text = r#"{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "vocab_size": 32000,
        "num_hidden_layers": 32, "num_attention_heads": 32}"#;
    Architecture::parse(text).unwrap()
}

fn machine() -> Machine {
    let mut machine = Machine { name: "x".to_owned(), tflops: 100.0, ..Machine::default() };
    machine.memory.gbps = Some(1000.0);
    machine
}

fn of(tensor: u32, links: Option<Links>, output_tokens: u32) -> Result<LlmEstimate, UnknownLink> {
    let (model, machine) = (llama(), machine());
    LlmJob {
        model: &model,
        request: Request { batch: 1, context: 1024, output_tokens },
        split: Split { tensor, ..Split::default() },
        types: HALF,
        machine: &machine,
        links,
        memory_bytes: None,
        efficiencies: None,
        own: None,
    }
    .run("x")
}

const FREE: Links = Links { bytes_per_ns: f64::INFINITY, latency_ns: 0.0 };

/// By hand: 13.2 GB of matrices at 1 TB/s, and the cache of 1 025 rows.
#[test]
fn a_token_is_bound_by_reading_weights_and_cache() {
    let found = of(1, None, 3).unwrap();
    let weights = 2.0 * (6_738_415_616.0 - f64::from(32_000 * 4096)) / 1000.0;
    let cache = |rows: f64| rows * f64::from(2 * 32 * 32 * 128 * 2) / 1000.0;
    let token = found.token_ns.unwrap();
    let activations = token.first - weights - cache(1025.0);
    // Everything else are single rows.
    assert!(activations > 0.0 && activations < 0.002 * weights, "{activations}");
    assert!((token.last - token.first - cache(1.0)).abs() < 1e-3);
    assert!((token.mean - (token.first + token.last) / 2.0).abs() < 1e-3);
    assert_eq!(found.by_bound[1].most(), Some(Bound::Memory));
    assert_eq!(found.by_bound[1].share(Bound::Memory), 1.0);
    assert_eq!((found.estimate.gen_tokens, found.estimate.passes), (2, 3));
}

/// By hand: two operations for each parameter of the layers and token at 100 tera-operations a second.
#[test]
fn a_prompt_is_bound_by_arithmetic() {
    let found = of(1, None, 1).unwrap();
    let layers = 32.0 * f64::from(4 * 4096 * 4096 + 3 * 4096 * 11008);
    let matrices = 2.0 * 1024.0 * layers / 1e5;
    let ns = found.first_token_ns();
    assert!(ns > matrices && ns < 1.25 * matrices, "{ns} {matrices}");
    assert_eq!(found.by_bound[0].most(), Some(Bound::Compute));
    assert_eq!(found.token_ns, None);
}

#[test]
fn two_devices_halve_the_time_of_weights_and_pay_for_messages() {
    let weights = |found: &LlmEstimate| -> f64 {
        let steps = found.operators.iter().zip(&found.estimate.steps);
        let linear = steps.filter(|(o, s)| o.kind == Kind::Linear && s.phase == Phase::Generation);
        linear.map(|(_, step)| step.cost.time_ns).sum()
    };
    let (one, two) = (of(1, None, 2).unwrap(), of(2, Some(FREE), 2).unwrap());
    let ratio = weights(&one) / weights(&two);
    assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
    assert_eq!(two.by_bound[1].communication, 0.0);
    let links = Links { bytes_per_ns: 50.0, latency_ns: 1000.0 };
    let paid = of(2, Some(links), 2).unwrap();
    // 65 all-reduces of 8 192 bytes: two messages of half of it; half of the logits once.
    let expected = 65.0 * 2.0 * (4096.0 / 50.0 + 1000.0) + (32_000.0 / 50.0 + 1000.0);
    let extra = paid.token_ns.unwrap().mean - two.token_ns.unwrap().mean;
    assert!((extra - expected).abs() < 1e-3, "{extra} {expected}");
    assert!((paid.by_bound[1].communication - expected).abs() < 1e-3);
    let error = of(2, None, 2).unwrap_err().to_string();
    assert!(error.contains("links between devices of x") && error.contains("--link-gbps"));
}

#[test]
fn measured_shares_make_operators_longer_on_their_chip() {
    let (model, machine) = (llama(), machine());
    let kernel = crate::estimate::llm::MeasuredKernel {
        name: "matmul".to_owned(),
        ns: 4.0,
        compute_ns: 1.0,
        memory_ns: 1.0,
    };
    let time = |chip: &str| {
        let measured = Efficiencies::of(chip, std::slice::from_ref(&kernel));
        let job = LlmJob {
            model: &model,
            request: Request { batch: 1, context: 64, output_tokens: 1 },
            split: Split::default(),
            types: HALF,
            machine: &machine,
            links: None,
            memory_bytes: Some(1),
            efficiencies: Some(&measured),
            own: None,
        };
        let found = job.run("x").unwrap();
        let steps = found.operators.iter().zip(&found.estimate.steps);
        let linear = steps.filter(|(operator, _)| operator.kind == Kind::Linear);
        let ns: f64 = linear.map(|(_, step)| step.cost.time_ns).sum();
        (ns, found.calibrated, found.fits(), found.estimate.notes.english().join("\n"))
    };
    let (own, other) = (time("X"), time("y"));
    assert_eq!(own.0, 4.0 * other.0);
    assert_eq!((own.1, other.1, own.2), (true, false, Some(false)));
    assert!(own.3.contains("matrix products 25.0 %") && own.3.contains("attention"), "{}", own.3);
    assert!(other.3.contains("measured on y") && other.3.contains("does not fit"), "{}", other.3);
}
