//! Dumps on which the reference fails or is wrong: what is right for them.

mod bound_label;
mod counter_wrap;
mod every_command;
mod sdma_core;
mod tail;
