//! Task graph of a run: critical path, predicted time with changes.
//!
//! [`Replay::build`] turns a profile into a graph of tasks: every event is a task of its engine, every reason that it
//! had to wait for another one is a dependence. Run with the measured durations the graph gives the measured times
//! again, to the ns; that is checked, and a profile for which it fails is refused. Run with other durations
//! ([`Predictor::predict`]) it gives a prediction. `docs/prediction.md` has the rules and their errors.
//!
//! Times are ns from the first event of the profile.
#![forbid(unsafe_code)]

mod arrival;
mod assemble;
mod barrier;
mod change;
mod command;
mod confidence;
mod costs;
mod critical_path;
mod dependence;
mod event_causes;
mod fates;
mod fit;
mod floors;
mod found;
mod graph;
mod hand_over;
mod input;
mod launch;
mod message;
mod order;
mod ordered_rows;
mod pairs;
mod path_times;
mod pauses;
mod plain;
mod prediction;
mod predictor;
mod releases;
mod relief;
mod relieved;
mod replay;
mod segments;
mod sensitivity;
mod single_faults;

pub use change::{ChangeError, Resource, ResourceChange};
pub use confidence::{Confidence, KindUse};
pub use critical_path::{CriticalPath, Piece, Reason, piece_title};
pub use dependence::{Certainty, DependenceKind};
pub use event_causes::{EngineCauses, EventCauses, WaitCause};
pub use path_times::CriticalPathTimes;
pub use plain::{
    PlainDependence, PlainLimits, PlainPart, PlainTask, PlainWait, TaskClass, TaskKind,
};
pub use prediction::{KernelTime, Prediction};
pub use predictor::{CommandFactor, Predictor};
pub use relief::Relief;
pub use replay::{EventDependences, Refusal, Replay};
pub use segments::{Segment, Segments};
pub use sensitivity::{Sensitivity, SensitivityRow};
