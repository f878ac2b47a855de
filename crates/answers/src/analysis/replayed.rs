//! The run replayed, or why it can't be.

use std::sync::Arc;

use bigtpu_replay::{EventDependences, Refusal, Replay};

/// The graph of a run, or why there is none.
pub(super) type Replayed = Result<Arc<Replay>, Refusal>;

/// Replays a run, where its dependences are known.
pub(super) fn replayed(dependences: Result<EventDependences<'_>, Refusal>) -> Replayed {
    dependences.and_then(EventDependences::replay).map(Arc::new)
}
