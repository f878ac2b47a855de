//! The time line of a command stream without hardware.
//!
//! A [`Program`] is the commands of each engine of each core, in order. [`simulate`] gives each a start and an end: the
//! crate `command-cost` says how long it takes, and its dependences, messages and the sharing of the DDR say when it
//! runs. The result is a [`Simulation`], and by [`Simulation::profile`] a profile like that of a dump, which all views
//! take. [`RecordComparison`] puts it beside the records of a dump. [`compiled`] reads the commands of files that a compiler wrote.
//!
//! Times are whole ps; a program gives the same times on every machine.
#![forbid(unsafe_code)]

mod calibrate;
mod comparison;
pub mod compiled;
mod compiled_program;
mod costs;
mod dispatch;
mod error;
mod event_loop;
mod marks;
mod measured;
mod part_shares;
mod profile;
mod program;
mod simulation;
mod sustained;
mod task;

pub use calibrate::{Calibration, CommandSample, calibrate, samples};
pub use comparison::{Accuracy, CoreTimes, Pair, RecordComparison};
pub use compiled_program::{CoreFile, program_of_files, program_of_subnets};
pub use costs::CostTable;
pub use dispatch::Dispatch;
pub use error::Error;
pub use event_loop::{CommandTimes, Pause, Stuck, run};
pub use marks::{Marks, UNSURE_SHARE};
pub use measured::program_of_dump;
pub use part_shares::PartShares;
pub use program::{Program, ProgramCore, Queued};
pub use simulation::{Simulation, simulate};
pub use task::{Sync, Task};

/// ps.
pub type Picoseconds = i64;
