//! Shapes of small ONNX models, equal to those that `onnx.shape_inference` (1.x) infers.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use bigtpu_model::Kind;
use bigtpu_model::graph::{Dimensions, Graph, GraphError, Operator, read_onnx};
use bigtpu_model::{Lowered, graph_operators};

fn read(file: &str, batch: Option<u64>, named: &[(&str, u64)]) -> Result<Graph, GraphError> {
    let path = format!("{}/tests/onnx/{file}", env!("CARGO_MANIFEST_DIR"));
    let named = named.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect();
    let dimensions = Dimensions { batch, named, ..Dimensions::default() };
    read_onnx(std::fs::read(path).unwrap(), &dimensions)
}

fn shapes_are(graph: &Graph, expected: &[(&str, &[u64])]) {
    for (name, shape) in expected {
        let node = graph.nodes.iter().find(|node| node.name == *name);
        let node = node.unwrap_or_else(|| panic!("no node {name}"));
        assert_eq!(node.outputs[0], *shape, "{name}");
    }
}

#[test]
fn a_convolutional_network() {
    let graph = read("cnn.onnx", Some(4), &[]).unwrap();
    let expected: [(&str, &[u64]); 7] = [
        ("conv1", &[4, 8, 16, 16]),
        ("pool1", &[4, 8, 8, 8]),
        ("dw", &[4, 8, 8, 8]),
        ("pw", &[4, 8, 8, 8]),
        ("gap", &[4, 8, 1, 1]),
        ("flat", &[4, 8]),
        ("fc", &[4, 10]),
    ];
    shapes_are(&graph, &expected);
    let fc = graph.nodes.iter().find(|node| node.name == "fc").unwrap();
    assert_eq!(fc.operator, Operator::Linear { out: 10, activation: None, bias: true });
    assert_eq!(fc.weights, [vec![8, 10]]);
    let depthwise = graph.nodes.iter().find(|node| node.name == "dw").unwrap();
    assert!(matches!(depthwise.operator, Operator::Conv2d { groups: 8, .. }));
}

#[test]
fn an_attention_block_whose_shapes_are_computed() {
    let graph = read("attention.onnx", Some(2), &[("seq", 6)]).unwrap();
    let expected: [(&str, &[u64]); 12] = [
        ("embed", &[2, 6, 32]),
        ("ln1", &[2, 6, 32]),
        ("q", &[2, 6, 32]),
        ("q1", &[2, 6, 4, 8]),
        ("k2", &[2, 4, 8, 6]),
        ("scores", &[2, 4, 6, 6]),
        ("context", &[2, 4, 6, 8]),
        ("o2", &[2, 6, 32]),
        ("split", &[2, 6, 16]),
        ("gate", &[2, 6, 16]),
        ("slice", &[2, 2, 16]),
        ("mean", &[2, 16]),
    ];
    shapes_are(&graph, &expected);
    let embed = graph.nodes.iter().find(|node| node.name == "embed").unwrap();
    assert_eq!(embed.operator, Operator::Embedding);
    assert!(graph.nodes.iter().all(|node| node.operator != Operator::Other("Shape".to_owned())));
}

#[test]
fn open_dimensions_and_broken_files_are_errors() {
    let error = read("attention.onnx", Some(2), &[]).unwrap_err().to_string();
    assert!(
        error.contains("node `ids` (Input): its shape [batch, seq] has unknown sizes"),
        "{error}"
    );
    let none = Dimensions::default();
    assert!(read_onnx(b"no model".to_vec(), &none).is_err());
    assert!(read_onnx(Vec::new(), &none).unwrap_err().to_string().contains("no graph"));
    let mut bytes =
        std::fs::read(format!("{}/tests/onnx/cnn.onnx", env!("CARGO_MANIFEST_DIR"))).unwrap();
    bytes.truncate(bytes.len() / 2);
    assert!(read_onnx(bytes, &none).is_err());
}

#[test]
fn damaged_files_never_panic() {
    let mut state = 1_u64;
    for file in ["attention", "loop_3", "if_true", "attention_runtime", "group_query_attention"] {
        let path = format!("{}/tests/onnx/{file}.onnx", env!("CARGO_MANIFEST_DIR"));
        let whole = std::fs::read(path).unwrap();
        let batch = (file == "attention").then_some(2);
        let dimensions = Dimensions { batch, ..Dimensions::default() };
        for _ in 0..if batch.is_some() { 2000 } else { 300 } {
            let mut bytes = whole.clone();
            for _ in 0..4 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let place = (state >> 20) as usize % bytes.len();
                bytes[place] = (state >> 50) as u8;
            }
            let _ = read_onnx(bytes, &dimensions);
        }
    }
}

/// The models that the `onnx` package ships for tests, and the operations that are known of their networks, in 1e9.
#[test]
fn the_light_models_of_the_onnx_package_are_read() {
    let known = [
        ("bvlc_alexnet", 1.3..1.5),
        ("densenet121", 5.5..6.0),
        ("inception_v1", 2.8..3.3),
        ("inception_v2", 3.8..4.3),
        ("resnet50", 7.6..8.4),
        ("shufflenet", 0.25..0.32),
        ("squeezenet", 0.6..0.8),
        ("vgg19", 39.0..39.5),
        ("zfnet512", 2.7..3.1),
    ];
    for (name, range) in known {
        let graph = read(&format!("light/light_{name}.onnx"), None, &[])
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let operators = bigtpu_model::graph_operators(&graph);
        let attention = bigtpu_model::Attention::default();
        let work = |o| bigtpu_model::work(o, 2.0, attention, None).operations;
        let giga = operators.iter().map(work).sum::<f64>() / 1e9;
        assert!(range.contains(&giga), "{name}: {giga}");
    }
}

fn operators(graph: &Graph) -> Vec<bigtpu_model::Operator> {
    bigtpu_model::graph_operators(graph)
}

/// Operations, bytes, and bytes of weights of all operators in 16-bit types.
fn work(graph: &Graph) -> f64 {
    let attention = bigtpu_model::Attention::default();
    operators(graph).iter().map(|o| bigtpu_model::work(o, 2.0, attention, None).operations).sum()
}

#[test]
fn a_condition_that_is_known_chooses_the_branch() {
    let (then, other) =
        (read("if_true.onnx", None, &[]).unwrap(), read("if_false.onnx", None, &[]).unwrap());
    shapes_are(&then, &[("then_product", &[2, 8]), ("after", &[2, 8])]);
    shapes_are(&other, &[("else_relu", &[2, 4]), ("after", &[2, 4])]);
    assert_eq!(work(&then), f64::from(2 * 2 * 8 * 4 + 2 * 8));
    assert_eq!(work(&other), f64::from(2 * 4 + 2 * 4));
    let error = read("if_data.onnx", None, &[]).unwrap_err().to_string();
    assert!(error.contains("`if` (If)") && error.contains("depends on data"), "{error}");
}

/// Exporters of voice models keep a branch for each sample rate, and the rate is an input.
#[test]
fn an_input_whose_number_is_given_chooses_the_branch() {
    let with = |numbers: &[i64]| {
        let path = format!("{}/tests/onnx/if_input.onnx", env!("CARGO_MANIFEST_DIR"));
        let values = [("sr".to_owned(), numbers.to_vec())].into();
        let dimensions = Dimensions { values, ..Dimensions::default() };
        read_onnx(std::fs::read(path).unwrap(), &dimensions)
    };
    shapes_are(&with(&[16000]).unwrap(), &[("product8", &[2, 8])]);
    shapes_are(&with(&[8000]).unwrap(), &[("product3", &[2, 3])]);
    let error = read("if_input.onnx", None, &[]).unwrap_err().to_string();
    assert!(error.contains("--input-value NAME=NUMBER"), "{error}");
    let error = with(&[1, 2]).unwrap_err().to_string();
    assert!(error.contains("--input-value sr") && error.contains("takes 1 number"), "{error}");
}

/// PyTorch's exporter turns the padding of a call round at run time: rows of two, reversed, transposed. The shape is
/// that of `onnx.shape_inference` with `data_prop`.
#[test]
fn computed_padding_is_folded() {
    let graph = read("computed_pads.onnx", None, &[]).unwrap();
    shapes_are(&graph, &[("padded", &[1, 640])]);
    assert_eq!(graph.nodes.len(), 3, "input, padding and output");
}

#[test]
fn a_loop_runs_as_often_as_is_known() {
    let graph = read("loop_3.onnx", None, &[]).unwrap();
    shapes_are(&graph, &[("after", &[2, 4]), ("collected", &[3, 2, 4])]);
    let products = graph.nodes.iter().filter(|node| node.name == "product").count();
    assert_eq!(products, 3);
    // Three products, three rectifiers, and what follows.
    assert_eq!(work(&graph), f64::from(3 * (2 * 2 * 4 * 4 + 2 * 4) + 2 * 4 + 3 * 2 * 4));
    // Each iteration reads what the one before made.
    let all: Vec<_> = graph.nodes.iter().enumerate().filter(|(_, n)| n.name == "product").collect();
    assert!(all.windows(2).all(|pair| pair[1].1.inputs[0].node > pair[0].0));
    let error = read("loop_data.onnx", None, &[]).unwrap_err().to_string();
    assert!(error.contains("`loop` (Loop)") && error.contains("depends on data"), "{error}");
}

/// Shapes as `onnx.shape_inference` (1.23) infers them.
#[test]
fn padding_and_recurrent_layers() {
    let pad = read("pad.onnx", None, &[]).unwrap();
    shapes_are(&pad, &[("pad", &[1, 3, 12, 14]), ("axes", &[1, 7, 12, 14])]);
    for (file, gates) in [("lstm.onnx", 4_u64), ("gru.onnx", 3)] {
        let graph = read(file, None, &[]).unwrap();
        let rnn = graph.nodes.iter().find(|node| node.name == "rnn").unwrap();
        assert_eq!(rnn.outputs[0], [5, 2, 2, 16]);
        assert!(rnn.outputs.iter().skip(1).all(|shape| shape == &[2, 2, 16]));
        // Two directions, five steps, two sequences: each gate has products of 8 and of 16 columns.
        assert_eq!(work(&graph), (2 * 5 * 2 * 2 * gates * 16 * (8 + 16)) as f64, "{file}");
    }
}

/// Weights that are inputs of the model count as those that are constants; those of `Gemm` are transposed here.
#[test]
fn computed_weights_count() {
    let graph = read("computed_weights.onnx", None, &[]).unwrap();
    let expected = [
        ("conv", 2 * (8 * 14 * 14) * (3 * 3 * 3)),
        ("transposed", 2 * (8 * 14 * 14) * (4 * 2 * 2)),
        ("deep", 2 * (4 * 6 * 6 * 6) * (3 * 3 * 3 * 3)),
        ("gemm", 2 * (2 * 24) * 16),
    ];
    let attention = bigtpu_model::Attention::default();
    for (name, operations) in expected {
        let all = operators(&graph);
        let operator = all.iter().find(|operator| operator.context == name).unwrap();
        let found = bigtpu_model::work(operator, 2.0, attention, None).operations;
        assert_eq!(found, f64::from(operations), "{name}");
    }
}

/// Attention in one operator costs as much as its parts: two products of 2 operations, and 5 for each score.
#[test]
fn attention_in_one_operator_costs_what_its_parts_do() {
    let scores = |batch: u64, heads: u64, pairs: u64, columns: u64| {
        (batch * heads * pairs * (4 * columns + 5)) as f64
    };
    let expected: [(&str, &[u64], f64); 5] = [
        // Queries of a prompt see the keys up to their own.
        ("attention_23", &[2, 8, 6, 16], scores(2, 8, 21, 16)),
        ("attention_23_flat", &[2, 1, 128], scores(2, 8, 10, 16)),
        ("attention_runtime", &[2, 6, 32], scores(2, 4, 21, 8) + f64::from(2 * 2 * 6 * 32 * 96)),
        // Values are twice as wide as keys.
        ("multi_head_attention", &[2, 6, 64], scores(2, 4, 6 * 9, 12)),
        ("group_query_attention", &[2, 1, 128], scores(2, 8, 10, 16)),
    ];
    for (name, shape, operations) in expected {
        let graph = read(&format!("{name}.onnx"), None, &[]).unwrap();
        shapes_are(&graph, &[("att", shape)]);
        assert_eq!(work(&graph), operations, "{name}");
    }
    let grouped = read("group_query_attention.onnx", None, &[]).unwrap();
    let att = grouped.nodes.iter().find(|node| node.name == "att").unwrap();
    assert_eq!(att.outputs[1..], [vec![2, 2, 10, 16], vec![2, 2, 10, 16]]);
    // Keys and values of two heads, not of eight, are read.
    let all = operators(&grouped);
    let bytes = bigtpu_model::work(&all[0], 2.0, bigtpu_model::Attention::default(), None).bytes;
    assert_eq!(bytes, f64::from(2 * (2 * 2 * 8 * 16) + 2 * (2 * 2 * 2 * 10 * 16)));
    let runtime = read("attention_runtime.onnx", None, &[]).unwrap();
    let qkv = runtime.nodes.iter().find(|node| node.name == "att.qkv").unwrap();
    assert_eq!((&qkv.weights[0][..], &qkv.outputs[0][..]), (&[32, 96][..], &[2, 6, 96][..]));
}

/// What torch writes for `x.expand(...)`, for masks, and for padding to whole windows depends on constants alone.
#[test]
fn shapes_of_constants_are_folded_as_torch_writes_them() {
    let last = |file: &str| {
        let graph = read(file, None, &[]).unwrap();
        graph.nodes.last().unwrap().outputs[0].clone()
    };
    assert_eq!(last("expand_parameter.onnx"), [2, 4, 8]);
    assert_eq!(last("expand_mask.onnx"), [2, 4, 4]);
    // 16 rows and columns are filled up to 21, which is three windows of 7.
    assert_eq!(last("pad_to_window.onnx"), [1, 21, 21, 8]);
}

/// A window of 2 x 2 x 2 looks at eight elements.
#[test]
fn pooling_over_depth_is_read() {
    let graph = read("maxpool3d.onnx", None, &[]).unwrap();
    let pool = graph.nodes.iter().find(|node| matches!(node.operator, Operator::Pool2d { .. }));
    let pool = pool.unwrap();
    assert_eq!(pool.outputs[0], [1, 8, 8, 16, 16]);
    let Operator::Pool2d { window, average } = &pool.operator else { panic!("a pool") };
    assert_eq!((window.kernel, window.stride, *average), ([4, 2], [2, 2], false));
}

/// What becomes of operators when they are compiled: constants, bias and ReLU are part of a product; a function that is
/// written with several operators is one.
#[test]
fn operators_are_fused_as_compilers_do() {
    let lowered = |file: &str, batch, named: &[(&str, u64)]| -> Vec<(String, Lowered)> {
        let graph = read(file, batch, named).unwrap();
        let all = graph_operators(&graph);
        all.into_iter().map(|own| (own.context, own.flow.lowered)).collect()
    };
    let find = |all: &[(String, Lowered)], name: &str| {
        all.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no {name}")).1
    };
    let attention = lowered("attention.onnx", Some(2), &[("seq", 6)]);
    assert_eq!(find(&attention, "scores"), Lowered::Command);
    assert_eq!(find(&attention, "ln1"), Lowered::Statistic);
    let cnn = lowered("cnn.onnx", Some(1), &[]);
    assert_eq!(find(&cnn, "conv1"), Lowered::Command);
    assert!(cnn.iter().any(|(_, lowered)| *lowered == Lowered::Folded), "{cnn:?}");
    // Inputs and outputs of the model are those of the operators that read and make them.
    let graph = read("cnn.onnx", Some(1), &[]).unwrap();
    let all = graph_operators(&graph);
    let outside: (u64, u64) = all
        .iter()
        .fold((0, 0), |(from, to), own| (from + own.flow.from_outside, to + own.flow.to_outside));
    assert_eq!(outside, (3 * 32 * 32, 10));
}

/// ResNet-18 exported without its parameters, which are inputs then: as many as are published, without those of
/// normalizations (9600) and the last bias.
#[test]
fn weights_are_known_by_their_use() {
    let graph = read("resnet18_without_weights.onnx", None, &[]).unwrap();
    let inputs = graph.nodes.iter().filter(|node| node.operator == Operator::Input);
    assert_eq!(inputs.count(), 1);
    let weights = graph.nodes.iter().flat_map(|node| &node.weights);
    let matrices = weights.filter(|shape| shape.len() > 1);
    let elements: u64 = matrices.map(|shape| shape.iter().product::<u64>()).sum();
    assert_eq!(elements, 11_689_512 - 9600 - 1000);
}

/// Models of transformers as PyTorch exports them by default, with the elements of their weights left out: by TorchScript, and
/// by torch.export. Products take as many operations as PyTorch counts itself (`torch.utils.flop_counter`) and, as it leaves
/// out what its fused attention on a processor does, 4 x heads x rows x rows x columns a layer where that ran.
#[test]
fn default_exports_of_transformers_load_with_their_operations() {
    let fused = f64::from(2 * 4 * 4 * 16 * 16 * 16);
    // The export of Falcon computes the last of 16 rows of its head only.
    let left_out = f64::from(15 * 2 * 64 * 100);
    let counted = [
        ("bert_torchscript", 2_105_344.0 + fused),
        ("bert_dynamo", 2_105_344.0 + fused),
        ("distilbert_torchscript", 2_097_152.0 + fused),
        ("falcon_torchscript", 3_088_640.0 - left_out),
        ("gpt2_dynamo", 3_481_600.0),
        ("llama_dynamo", 2_695_424.0),
        ("mt5_torchscript", 5_050_368.0),
        ("mt5_dynamo", 5_050_368.0),
        ("opt_torchscript", 2_433_024.0),
        ("vit_torchscript", 64_967_168.0),
        ("vit_dynamo", 64_967_168.0),
    ];
    let attention = bigtpu_model::Attention::default();
    let mut wrong = Vec::new();
    for (name, expected) in counted {
        let graph = match read(&format!("exported/{name}.onnx"), None, &[]) {
            Ok(graph) => graph,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let all = operators(&graph);
        let products = all
            .iter()
            .filter(|operator| matches!(operator.kind, Kind::Linear | Kind::MatMul | Kind::Conv2d));
        let found: f64 = products
            .map(|operator| bigtpu_model::work(operator, 2.0, attention, None).operations)
            .sum();
        if (found / expected - 1.0).abs() >= 0.02 {
            wrong.push(format!("{name}: {found} and not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
