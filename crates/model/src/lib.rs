//! Models: what runs, wherever it runs.
//!
//! A model is a list of operators with shapes ([`Operator`]). It comes from an operator graph ([`graph`]: ONNX, `.ff`),
//! from an op list ([`read_op_list`]), from a torch trace ([`read_torch_trace`]) or from the description of a language
//! model ([`llm`]); [`Work`] is what an operator takes on any machine. A model that was measured is a list of parts with their times ([`costs`]).
//! This crate knows nothing of time on a machine, nor of schedules.
#![forbid(unsafe_code)]

mod check;
pub mod costs;
mod error;
mod flow;
pub mod graph;
mod graph_operators;
pub mod llm;
mod mapping;
mod op_list;
mod operator;
mod settings;
mod torch;
mod work;

pub use check::operators as check_operators;
pub use error::ModelError;
pub use flow::{Lowered, OperatorPlace};
pub use graph_operators::{
    flows as graph_flows, operator as node_operator, operators as graph_operators,
};
pub use mapping::{HOST, Mapping, Target};
pub use op_list::{Model, read as read_op_list};
pub use operator::{Kind, LlmPhase, Operator, Scores, Shape, elements, from_last};
pub use settings::{Attention, Experts, GraphSettings, Semantics};
pub use torch::read as read_torch_trace;
pub use work::{Work, work};
