use bigtpu_machine::DataType;

use bigtpu_model::Kind;
use bigtpu_model::llm::LlmError;

use super::*;

const HALF: Types = Types {
    activations: DataType::Fp16,
    weights: DataType::Fp16,
    head: DataType::Fp16,
    cache: DataType::Fp16,
};

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

fn estimated(
    tensor: u32,
    links: Option<Links>,
    output_tokens: u32,
) -> Result<LlmEstimate, UnknownLink> {
    let (model, machine) = (llama(), machine());
    LlmJob {
        model: &model,
        request: LlmLoad { batch: 1, context: 1024, output_tokens },
        split: Split { tensor, ..Split::default() },
        types: HALF,
        machine: &machine,
        links,
        memory_bytes: None,
        efficiencies: None,
        own: None,
        draft: None,
        offload: Offload::default(),
    }
    .run("x")
}

const FREE: Links = Links { bytes_per_ns: f64::INFINITY, latency_ns: 0.0 };

/// Computed by hand: 13.2 GB of matrices at 1 TB/s, and the cache of 1 025 rows.
#[test]
fn a_token_is_bound_by_reading_weights_and_cache() {
    let found = estimated(1, None, 3).unwrap();
    let weights = 2.0 * (6_738_415_616.0 - f64::from(32_000 * 4096)) / 1000.0;
    let cache = |rows: f64| rows * f64::from(2 * 32 * 32 * 128 * 2) / 1000.0;
    let token = found.token_ns.unwrap();
    let activations = token.first - weights - cache(1025.0);
    // Everything else are single rows.
    assert!(activations > 0.0 && activations < 0.002 * weights, "{activations}");
    assert!((token.last - token.first - cache(1.0)).abs() < 1e-3);
    assert!((token.mean - (token.first + token.last) / 2.0).abs() < 1e-3);
    assert_eq!(found.by_bound[1].most(), Some(LlmBound::Memory));
    assert_eq!(found.by_bound[1].share(LlmBound::Memory), 1.0);
    assert_eq!((found.estimate.gen_tokens, found.estimate.passes), (2, 3));
}

/// Computed by hand: two operations for each parameter of the layers and token at 100 tera-operations a second.
#[test]
fn a_prompt_is_bound_by_arithmetic() {
    let found = estimated(1, None, 1).unwrap();
    let layers = 32.0 * f64::from(4 * 4096 * 4096 + 3 * 4096 * 11008);
    let matrices = 2.0 * 1024.0 * layers / 1e5;
    let ns = found.first_token_ns();
    assert!(ns > matrices && ns < 1.25 * matrices, "{ns} {matrices}");
    assert_eq!(found.by_bound[0].most(), Some(LlmBound::Compute));
    assert_eq!(found.token_ns, None);
}

#[test]
fn two_devices_halve_the_time_of_weights_and_pay_for_messages() {
    let weights = |found: &LlmEstimate| -> f64 {
        let steps = found.operators.iter().zip(&found.estimate.steps);
        let linear =
            steps.filter(|(o, s)| o.kind == Kind::Linear && s.phase == LlmPhase::Generation);
        linear.map(|(_, step)| step.cost.time_ns).sum()
    };
    let (one, two) = (estimated(1, None, 2).unwrap(), estimated(2, Some(FREE), 2).unwrap());
    let ratio = weights(&one) / weights(&two);
    assert!((ratio - 2.0).abs() < 0.01, "{ratio}");
    assert_eq!(two.by_bound[1].communication, 0.0);
    let links = Links { bytes_per_ns: 50.0, latency_ns: 1000.0 };
    let paid = estimated(2, Some(links), 2).unwrap();
    // 65 all-reduces of 8 192 bytes: two messages of half of it; half of the logits once.
    let expected = 65.0 * 2.0 * (4096.0 / 50.0 + 1000.0) + (32_000.0 / 50.0 + 1000.0);
    let extra = paid.token_ns.unwrap().mean - two.token_ns.unwrap().mean;
    assert!((extra - expected).abs() < 1e-3, "{extra} {expected}");
    assert!((paid.by_bound[1].communication - expected).abs() < 1e-3);
    let error = estimated(2, None, 2).unwrap_err().to_string();
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
        let measured = Efficiencies::from_kernels(chip, std::slice::from_ref(&kernel));
        let job = LlmJob {
            model: &model,
            request: LlmLoad { batch: 1, context: 64, output_tokens: 1 },
            split: Split::default(),
            types: HALF,
            machine: &machine,
            links: None,
            memory_bytes: Some(1),
            efficiencies: Some(&measured),
            own: None,
            draft: None,
            offload: Offload::default(),
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

const ASKED: LlmLoad = LlmLoad { batch: 1, context: 1024, output_tokens: 3 };

fn job<'a>(model: &'a Architecture, machine: &'a Machine) -> LlmJob<'a> {
    LlmJob {
        own: None,
        model,
        request: ASKED,
        split: Split::default(),
        types: HALF,
        machine,
        links: None,
        memory_bytes: None,
        efficiencies: None,
        draft: None,
        offload: Offload::default(),
    }
}

/// Computed by hand: with four proposals that are accepted with 0.8, a step gives (1 - 0.8^5) / 0.2 tokens. The step
/// takes four tokens of the smaller model, and a pass of five rows, which reads the weights once.
#[test]
fn proposals_share_a_pass() {
    let (model, machine) = (llama(), machine());
    let small = Architecture { layers: model.layers[..2].to_vec(), ..llama() };
    let draft = Draft { model: &small, types: HALF, tokens: 4, acceptance: 0.8 };
    let found = LlmJob { own: None, draft: Some(draft), ..job(&model, &machine) }.run("x").unwrap();
    let own = found.speculation.unwrap();
    assert!((own.tokens_a_step - (1.0 - 0.8_f64.powi(5)) / 0.2).abs() < 1e-12);
    let plain = |model| job(model, &machine).run("x").unwrap();
    assert_eq!(own.plain_ns, plain(&model).token_ns.unwrap().mean);
    assert_eq!(own.draft_ns, plain(&small).token_ns.unwrap().mean);
    assert!(own.check_ns > own.plain_ns && own.check_ns < 1.01 * own.plain_ns);
    let mean = found.token_ns.unwrap().mean;
    let by_hand = (4.0 * own.draft_ns + own.check_ns) / own.tokens_a_step;
    assert!((mean - by_hand).abs() < 1e-6 * by_hand, "{mean} {by_hand}");
    // Both models are stored, and read the prompt.
    assert_eq!(found.stored.weights, plain(&model).stored.weights + plain(&small).stored.weights);
    let prompts = plain(&model).first_token_ns() + plain(&small).first_token_ns();
    assert!((found.first_token_ns() - prompts).abs() < 1e-6 * prompts);
    // All accepted: one more than is proposed; none: one.
    let tokens = |acceptance| Draft { acceptance, ..draft }.tokens_a_step();
    assert_eq!([tokens(1.0), tokens(0.0)], [5.0, 1.0]);
    let stages = Split { pipeline: 2, ..Split::default() };
    assert!(matches!(draft.check(&model, stages), Err(LlmError::Draft { .. })));
    let other = Architecture { vocabulary: 50_000, ..llama() };
    assert!(matches!(draft.check(&other, Split::default()), Err(LlmError::Draft { .. })));
}

/// Computed by hand: half of 12.95 GB of layers at 50 GB/s takes longer than a token computes; a prompt hides it in
/// part.
#[test]
fn what_the_host_keeps_is_loaded_while_a_pass_computes() {
    let (model, mut machine) = (llama(), machine());
    let offload = Offload { weights: 0.5, cache: 0.5, gbps: None };
    let wanted = LlmJob { offload, ..job(&model, &machine) };
    assert!(matches!(wanted.run("x"), Err(UnknownLink::Host { .. })));
    machine.host_to_device.gbps = Some(50.0);
    let own = LlmJob { offload, ..job(&model, &machine) };
    let (found, plain) = (own.run("x").unwrap(), job(&model, &machine).run("x").unwrap());
    let layers = 2.0 * 32.0 * f64::from(4 * 4096 * 4096 + 3 * 4096 * 11_008 + 2 * 4096);
    let row = f64::from(2 * 32 * 32 * 128 * 2);
    let loaded = |rows: f64| (layers + rows * row) / 2.0 / 50.0;
    let token = found.token_ns.unwrap();
    assert!((token.first - loaded(1024.0)).abs() < 1e-6 * token.first, "{token:?}");
    assert!((token.last - loaded(1025.0)).abs() < 1e-6 * token.last, "{token:?}");
    assert!((token.mean - loaded(1024.5)).abs() < 1e-6 * token.mean, "{token:?}");
    assert!(found.bound_ns[1] >= 0.999 * token.mean);
    assert_eq!(found.by_bound[1].most(), Some(LlmBound::Communication));
    // The prompt computes longer than it loads.
    let shown = (layers / 2.0 / 50.0 - plain.first_token_ns()).max(0.0);
    assert!((found.first_token_ns() - plain.first_token_ns() - shown).abs() < 1.0);
    // Two layers and their rows are on the device at a time.
    let weights = plain.stored.weights - 0.5 * layers * 30.0 / 32.0;
    assert!((found.stored.weights - weights).abs() < 1.0);
    let cache = plain.stored.cache * (1.0 - 0.5 * 30.0 / 32.0);
    assert!((found.stored.cache - cache).abs() < 1.0);
    // A faster link hides all of it.
    let fast = Offload { gbps: Some(5000.0), ..offload };
    let fast = LlmJob { offload: fast, ..job(&model, &machine) }.run("x").unwrap();
    assert_eq!(fast.token_ns, plain.token_ns);
    assert!(offload.check(Split { pipeline: 2, ..Split::default() }).is_err());
}

/// An encoder has one pass, whose rows all see each other; behind an encoder, a decoder starts with one row.
#[test]
fn encoders_read_and_decoders_behind_them_generate() {
    let machine = machine();
    let bert = r#"{"model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12,
        "num_hidden_layers": 12, "vocab_size": 30522}"#;
    let bert = Architecture::parse(bert).unwrap();
    let asked = LlmLoad { batch: 8, context: 128, output_tokens: 0 };
    let found = LlmJob { request: asked, ..job(&bert, &machine) }.run("x").unwrap();
    assert_eq!((found.token_ns, found.stored.cache, found.generates), (None, 0.0, false));
    let operations = found.estimate.phases[0].operations;
    // Two operations for each parameter of the layers and token, and scores of all pairs.
    let matrices = 2.0 * 8.0 * 128.0 * 12.0 * f64::from(4 * 768 * 768 + 2 * 768 * 3072);
    let scores = 8.0 * 12.0 * 4.0 * f64::from(128 * 128 * 768);
    let ratio = operations / (matrices + scores);
    assert!((1.0..1.02).contains(&ratio), "{ratio}");

    let t5 = r#"{"model_type": "mt5", "d_model": 512, "d_ff": 1024, "d_kv": 64, "num_heads": 6, "num_layers": 8,
        "vocab_size": 250112}"#;
    let t5 = Architecture::parse(t5).unwrap();
    let found = job(&t5, &machine).run("x").unwrap();
    // Rows of the decoder: one to start, one for each further token; and the encoder's 1 024, in each of 8 layers.
    assert_eq!(found.stored.cache, 8.0 * (1024.0 + 3.0) * f64::from(2 * 6 * 64 * 2));
    let token = found.token_ns.unwrap();
    assert!(token.first < token.last && token.last < 1.001 * token.first, "{token:?}");
    let has = |context: &str, phase| {
        let steps = found.operators.iter().zip(&found.estimate.steps);
        steps.filter(|(o, s)| o.context == context && s.phase == phase).count()
    };
    let made = "decoder.cross_attn.kv_proj";
    assert_eq!([has(made, LlmPhase::Summarization), has(made, LlmPhase::Generation)], [1, 0]);
    assert_eq!(has("encoder.self_attn.attention", LlmPhase::Generation), 0);
    assert_eq!(has("decoder.cross_attn.attention", LlmPhase::Generation), 1);
}
