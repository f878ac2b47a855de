//! FlexFlow's `.ff` texts: one operator a line, fields separated by `; `.
//!
//! ```text
//! name; input,input,; consumer,; OPTYPE; parameter; parameter
//! ```
//!
//! The text holds no shapes: the caller gives those of the inputs, the n-th for the n-th INPUT line.

mod operator;

use std::collections::HashMap;

use bigtpu_messages::{Message, error_message, message};

use crate::graph::error::GraphError;
use crate::graph::node::{Graph, Node, Operator, Shape, Source};
use crate::graph::shapes;

/// One line, cut into fields.
pub(crate) struct Line<'a> {
    pub(crate) name: &'a str,
    inputs: Vec<&'a str>,
    consumers: Vec<&'a str>,
    pub(crate) operator: &'a str,
    pub(crate) parameters: Vec<&'a str>,
}

/// What a line's inputs are.
pub(crate) struct Operands {
    pub(crate) shapes: Vec<Shape>,
    /// Whether the first input has several outputs, one of which is to be chosen.
    pub(crate) is_tuple: bool,
}

/// Reads a graph.
///
/// # Errors
///
/// A line breaks the grammar, an operator is unknown, an input has no producer or no shape, or
/// shapes do not fit.
pub fn read_ff(text: &str, inputs: &[Shape]) -> Result<Graph, GraphError> {
    let lines = lines(text)?;
    let mut names = HashMap::new();
    for line in &lines {
        if names.insert(line.name, ()).is_some() {
            return Err(GraphError::Twice { node: line.name.to_owned() });
        }
    }
    let items = items(&lines);
    let mut given = inputs.iter();
    let mut indices: HashMap<&str, usize> = HashMap::new();
    let mut graph = Graph::default();
    for line in &lines {
        let sources = sources(line, &indices, &names)?;
        let node = if line.operator == "INPUT" {
            let shape = given.next().ok_or_else(|| line.error(error_message!("graph-ff-shape")))?;
            shapes::count(shape).map_err(|what| line.error(what))?;
            Node::plain(line.name, Operator::Input, vec![shape.clone()])
        } else {
            operator_node(line, &items, sources, &graph)?
        };
        if let Some([height, width]) = operator::stands_for_adaptive(line, &node.outputs) {
            graph.notes.push(message!(
                "model-adaptive-pooling",
                node = line.name,
                height = height,
                width = width
            ));
        }
        indices.insert(line.name, graph.nodes.len());
        graph.nodes.push(node);
    }
    let unused = given.count();
    if unused > 0 {
        graph.notes.push(message!("model-unused-shapes", count = unused));
    }
    Ok(graph)
}

/// Which item of its input each GETITEM line takes, by the line's name.
fn items<'a>(lines: &[Line<'a>]) -> HashMap<&'a str, usize> {
    let items = lines.iter().filter(|line| line.operator == "GETITEM");
    items.filter_map(|line| Some((line.name, line.parameters.first()?.parse().ok()?))).collect()
}

fn operator_node(
    line: &Line<'_>,
    items: &HashMap<&str, usize>,
    mut sources: Vec<Source>,
    graph: &Graph,
) -> Result<Node, GraphError> {
    let producer = sources.first().and_then(|source| graph.nodes.get(source.node));
    let is_tuple = producer.is_some_and(|node| matches!(node.operator, Operator::Split { .. }));
    if line.operator == "GETITEM" && is_tuple {
        let chosen = line.number(0)?;
        let outputs = producer.map_or(0, |node| node.outputs.len());
        let output = usize::try_from(chosen).ok().filter(|&index| index < outputs);
        let output =
            output.ok_or_else(|| line.error(error_message!("graph-ff-item", chosen, outputs)))?;
        sources.iter_mut().for_each(|source| source.output = output);
    }
    let shapes = sources.iter().filter_map(|source| graph.shape(*source).cloned()).collect();
    // A piece that nobody takes has no consumer, but counts.
    let last = line.consumers.iter().filter_map(|name| items.get(name)).max();
    let pieces = last.map_or(0, |last| last.saturating_add(1)).max(line.consumers.len());
    let operands = Operands { shapes, is_tuple };
    let (operator, weights, outputs) = operator::infer(line, &operands, pieces)?;
    for shape in &outputs {
        shapes::count(shape).map_err(|what| line.error(what))?;
    }
    Ok(Node { name: line.name.to_owned(), operator, inputs: sources, weights, outputs })
}

impl Node {
    pub(crate) fn plain(name: &str, operator: Operator, outputs: Vec<Shape>) -> Self {
        let (inputs, weights) = (Vec::new(), Vec::new());
        Self { name: name.to_owned(), operator, inputs, weights, outputs }
    }
}

/// Outputs that a line reads. A producer further down is a cycle or a wrong order.
fn sources(
    line: &Line<'_>,
    before: &HashMap<&str, usize>,
    all: &HashMap<&str, ()>,
) -> Result<Vec<Source>, GraphError> {
    let source = |input: &&str| match before.get(input) {
        Some(&node) => Ok(Source { node, output: 0 }),
        None if all.contains_key(input) => Err(GraphError::Cycle {
            nodes: error_message!("graph-ff-later", one = line.name, other = input),
        }),
        None => Err(GraphError::MissingProducer {
            node: line.name.to_owned(),
            input: (*input).to_owned(),
        }),
    };
    line.inputs.iter().map(source).collect()
}

fn lines(text: &str) -> Result<Vec<Line<'_>>, GraphError> {
    let numbered = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let lines: Vec<Line<'_>> = numbered
        .map(|(index, line)| {
            let place = || error_message!("graph-line", line = index + 1);
            let fields: Vec<&str> = line.split(';').map(str::trim).collect();
            let format = |what: Message| GraphError::Format { place: place(), what };
            match fields.as_slice() {
                [name, inputs, consumers, operator, parameters @ ..] => Ok(Line {
                    name,
                    inputs: list(inputs),
                    consumers: list(consumers),
                    operator,
                    parameters: parameters.to_vec(),
                }),
                [name, "ATTRIBUTE"] => {
                    Err(format(error_message!("graph-ff-attribute", node = name)))
                }
                _ => Err(format(error_message!("graph-ff-fields"))),
            }
        })
        .collect::<Result<_, _>>()?;
    if lines.is_empty() {
        let (place, what) = (error_message!("graph-the-file"), error_message!("graph-ff-empty"));
        return Err(GraphError::Format { place, what });
    }
    Ok(lines)
}

fn list(field: &str) -> Vec<&str> {
    field.split(',').map(str::trim).filter(|name| !name.is_empty()).collect()
}

impl Line<'_> {
    pub(crate) fn error(&self, what: Message) -> GraphError {
        GraphError::Node { node: self.name.to_owned(), operator: self.operator.to_owned(), what }
    }

    pub(crate) fn parameter(&self, index: usize) -> Result<&str, GraphError> {
        self.parameters.get(index).copied().ok_or_else(|| {
            self.error(error_message!(
                "graph-ff-parameter",
                count = self.parameters.len(),
                number = index + 1
            ))
        })
    }

    pub(crate) fn number(&self, index: usize) -> Result<i64, GraphError> {
        let text = self.parameter(index)?;
        let number = text.parse().ok();
        number.ok_or_else(|| self.error(error_message!("graph-ff-whole", number = index + 1, text)))
    }

    pub(crate) fn size(&self, index: usize) -> Result<u64, GraphError> {
        let number = self.number(index)?;
        u64::try_from(number).map_err(|_| {
            self.error(error_message!("graph-ff-negative", number = index + 1, value = number))
        })
    }

    pub(crate) fn numbers(&self) -> Result<Vec<i64>, GraphError> {
        (0..self.parameters.len()).map(|index| self.number(index)).collect()
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_messages::Language;

    use super::*;

    const CNN: &str = include_str!("../../../tests/ff/cnn.ff");
    const MLP: &str = include_str!("../../../tests/ff/mlp.ff");
    const BRANCH: &str = include_str!("../../../tests/ff/branch.ff");
    const TRANSFORMER: &str = include_str!("../../../tests/ff/transformer_block.ff");

    fn shape_of(graph: &Graph, name: &str) -> Shape {
        let node = graph.nodes.iter().find(|node| node.name == name).unwrap();
        node.outputs[0].clone()
    }

    /// Each line looks its items up: a graph of thousands of lines is read at once.
    #[test]
    fn items_of_a_split_are_found_by_name() {
        let lines = (0..20_000).map(|i| format!("g{i}; s,; ; GETITEM; {}\n", i % 2));
        let text: String = ["x; ; s,; INPUT\n".to_owned(), "s; x,; g0,g1,; SPLIT; 1\n".to_owned()]
            .into_iter()
            .chain(lines)
            .collect();
        let graph = read_ff(&text, &[vec![2, 8]]).unwrap();
        assert_eq!(graph.nodes.len(), 20_002);
        assert_eq!(shape_of(&graph, "g19999"), [2, 4]);
    }

    /// The number is the dimension, and the pieces are as many as the consumers.
    #[test]
    fn a_split_has_a_dimension_and_a_piece_for_each_consumer() {
        let read = |axis: i64, shape: &[u64]| {
            let text = format!(
                "x; ; s,; INPUT\ns; x,; a,b,; SPLIT; {axis}\na; s,; ; GETITEM; 0\nb; s,; ; GETITEM; 1\n"
            );
            read_ff(&text, &[shape.to_vec()]).map(|graph| shape_of(&graph, "b"))
        };
        assert_eq!(read(2, &[64, 4, 30, 30]).unwrap(), [64, 4, 15, 30]);
        assert_eq!(read(1, &[64, 4, 30, 30]).unwrap(), [64, 2, 30, 30]);
        assert_eq!(read(-1, &[64, 4, 30, 30]).unwrap(), [64, 4, 30, 15]);
        assert_eq!(read(0, &[64, 4]).unwrap(), [32, 4]);
        let error = read(1, &[64, 5]).unwrap_err().to_string();
        assert!(error.contains("dimension 1 of [64, 5] does not divide into 2"), "{error}");
        // No dimension: the size of the pieces.
        assert_eq!(read(8, &[2, 16, 4]).unwrap(), [2, 8, 4]);
        let error = read(5, &[2, 16, 4]).unwrap_err().to_string();
        assert!(error.contains("dimension 5 does not exist"), "{error}");
    }

    #[test]
    fn exported_graphs_have_shapes() {
        let graph = read_ff(MLP, &[vec![32, 784]]).unwrap();
        assert_eq!(shape_of(&graph, "output"), [32, 10]);
        assert_eq!(graph.nodes[1].weights, [vec![784, 512]]);
        let graph = read_ff(CNN, &[vec![8, 3, 224, 224]]).unwrap();
        assert_eq!(shape_of(&graph, "conv1"), [8, 64, 55, 55]);
        assert_eq!(shape_of(&graph, "pool1"), [8, 64, 27, 27]);
        assert_eq!(shape_of(&graph, "output"), [8, 1000]);
        let graph = read_ff(BRANCH, &[vec![2, 3, 16, 16]]).unwrap();
        assert_eq!(shape_of(&graph, "cat"), [2, 16, 16, 16]);
        assert_eq!(shape_of(&graph, "getitem_1"), [2, 8, 16, 16]);
        assert_eq!(shape_of(&graph, "output"), [2, 2048]);
        let graph = read_ff(TRANSFORMER, &[vec![2, 8]]).unwrap();
        assert_eq!(shape_of(&graph, "matmul"), [2, 4, 8, 8]);
        assert_eq!(shape_of(&graph, "output"), [2, 8, 64]);
    }

    #[test]
    fn errors_name_the_node() {
        let error = |text: &str| {
            let error = read_ff(text, &[vec![2, 8]]).unwrap_err();
            let chinese = Language::Chinese.display(|| error.to_string());
            let words: Vec<&str> = chinese.split(' ').collect();
            let is_word =
                |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
            assert!(!words.windows(2).any(|two| two.iter().all(is_word)), "{chinese}");
            error.to_string()
        };
        let input = "x; ; a,; INPUT\n";
        let with = |line: &str| error(&format!("{input}{line}\n"));
        assert_eq!(with("a; y,; ; RELU"), "node `a`: no earlier node produces its input `y`");
        assert!(
            with("a; b,; ; RELU\nb; a,; ; RELU").starts_with("the graph has a cycle through `a`")
        );
        assert_eq!(with("x; x,; ; RELU"), "node `x` exists twice; names must differ");
        assert!(with("a; x,; ; WARP").starts_with("node `a`: operator `WARP` is unknown"));
        assert!(with("a; ATTRIBUTE").contains("line 2: node `a` is an attribute tensor"));
        assert!(
            with("a; x,; ; LINEAR; many; 10; 1")
                .contains("node `a` (LINEAR): parameter 1 is `many`")
        );
        assert!(with("a; x,; ; LINEAR").contains("number 1 is missing"));
        assert!(with("a; x,; ; VIEW; 3; 5").contains("can't be reshaped to [3, 5]"));
        assert!(
            with("a; x,; ; CONV2D; 8; 3; 3; 1; 1; 0; 0; 10; 1; 1").contains("node `a` (CONV2D)")
        );
        assert!(
            error("x; ; ; INPUT\ny; ; ; INPUT\n")
                .contains("node `y` (INPUT): its shape is not given")
        );
        assert!(error("").contains("no operators"));
        assert!(with("a; x,; ; EXPAND; 99999999999; 99999999999").contains("EXPAND"));
    }
}
