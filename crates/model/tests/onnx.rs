//! Shapes of small ONNX models, equal to those that `onnx.shape_inference` (1.x) infers.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use bigtpu_model::graph::{Dimensions, Graph, GraphError, Operator, read_onnx};

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
    let whole =
        std::fs::read(format!("{}/tests/onnx/attention.onnx", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let dimensions = Dimensions { batch: Some(2), ..Dimensions::default() };
    let mut state = 1_u64;
    for _ in 0..2000 {
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
