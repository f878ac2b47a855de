//! Language models from Hugging Face's `config.json`: what one device computes and exchanges for the prompt and for a
//! token.
//!
//! [`Architecture::parse`] reads the file, a [`Split`] divides the model over devices, and [`prompt`] and [`token`] are the
//! graphs of operators of one of them. Weights that a device keeps are counted on the same operators
//! ([`LlmStep::stored`]), so that shapes and sizes can't disagree.

mod aliases;
mod architecture;
mod attention;
mod config;
mod ends;
mod error;
mod experts;
mod feed_forward;
mod fields;
mod graph;
mod sizes;
mod split;

pub use architecture::{
    Architecture, Experts, FeedForward, Grouped, Heads, Latent, LlmLayer, Norm, Positions, Stacks,
};
pub use error::LlmError;
pub use graph::{Exchange, LlmStep, prompt, token};
pub use sizes::{StoredBytes, parameters, stored_bytes};
pub use split::{LlmLoad, Split, Types};
