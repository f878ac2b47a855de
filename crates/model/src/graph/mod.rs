//! Operator graphs from files, with the shape of every tensor: FlexFlow's `.ff` texts
//! ([`read_ff`]) and ONNX ([`read_onnx`]).
//!
//! Nodes are in topological order. Shapes that a file does not hold are inferred; what can't be
//! inferred is an error that names the node.

mod error;
mod ff;
mod fusion;
mod node;
mod onnx;
mod shapes;

pub use error::GraphError;
pub use ff::read_ff;
pub(crate) use fusion::lowered;
pub use node::{Activation, Graph, Node, Norm, Operator, Shape, Source, Window};
pub use onnx::{Dimensions, read_onnx};
