//! A deterministic simulator of tasks on resources.
//!
//! A [`TaskGraph`] holds tasks, each with a duration and at most one resource, and dependences with a lag.
//! [`TaskGraph::simulate`] decides in which order the tasks of a resource run (by ready time, then by task
//! number). [`TaskGraph::replay`] is for graphs whose dependences already fix that order: one pass, no queue.
//! [`list_schedule`] is the rule of [`TaskGraph::simulate`] in any arithmetic, [`Incremental`] repeats it after a few tasks
//! have changed, [`TaskGraph::dispatch`] lets a [`Policy`] choose what a resource runs, and [`pool_schedule`] runs tasks that need no resource but one of so many places.
//! [`critical_path`] and [`slack`] say what the run time hangs on, also of times from elsewhere ([`TaskGraph::with_ends`]).
//!
//! Time is a whole number in a unit that the caller chooses (ns, ps). The same graph gives the same
//! result on every machine.
//!
//! ```
//! use bigtpu_sim::{GraphBuilder, critical_path};
//!
//! let mut graph = GraphBuilder::new();
//! let load = graph.task(Some(0), 30);
//! let compute = graph.task(Some(1), 50);
//! graph.depend(load, compute, 5);
//! let graph = graph.build()?;
//! let schedule = graph.simulate();
//! assert_eq!(schedule.makespan(), 85);
//! assert_eq!(critical_path(&schedule).len(), 2);
//! # Ok::<(), bigtpu_sim::Error>(())
//! ```
#![forbid(unsafe_code)]

mod dispatch;
mod error;
mod graph;
mod incremental;
mod list;
mod order;
mod path;
mod pool;
mod replay;
mod schedule;
mod simulate;
mod slack;
mod successors;
mod times;

pub use dispatch::{Dispatcher, Policy};
pub use error::Error;
pub use graph::{GraphBuilder, TaskGraph};
pub use incremental::{Incremental, Structure};
pub use list::{Listed, Moment, Ran, list_schedule};
pub use order::running_order;
pub use path::{PathTask, critical_path, critical_path_to};
pub use pool::{PoolError, pool_schedule};
pub use replay::TaskCosts;
pub use schedule::{StartReason, TaskSchedule};
pub use slack::slack;
pub use times::TaskTimes;

/// A moment or a length of time, in the unit of the caller.
pub type Time = i64;

/// Number of a task: tasks count from 0 in the order in which they were added.
pub type TaskId = u32;

/// Number of a resource. Numbers should be dense: a table of all resources is kept.
pub type ResourceId = u32;
