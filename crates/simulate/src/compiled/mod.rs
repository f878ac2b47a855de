//! Compiled commands without a run: `.bmodel` files, and the command files that the CModel library writes.
//!
//! [`Bmodel::read`] finds the streams of a model, [`CommandFile::of_name`] says what a command file holds, and
//! [`stream`] walks either to its commands. Any bytes give a result or one sentence.

mod bmodel;
mod command_file;
mod error;
mod flat;
mod streams;

pub use bigtpu_chip::OpCode;
pub use bmodel::{Bmodel, CommandGroup, Net, Stage, Subnet, is_bmodel};
pub use command_file::CommandFile;
pub use error::Error;
pub use streams::{PlacedCommand, stream};
