//! The critical path as a track of its own.

use crate::model::{Content, Group, Owner, Role, Track};

/// Name of the track.
const NAME: &str = "Critical Path";

/// What the run waited for, from its first start to its last end without gaps.
pub(crate) fn path_group() -> Group {
    let track = Track { role: Role::Named(NAME.to_owned()), content: Content::CriticalPath };
    Group { owner: Owner::Named(NAME.to_owned()), tracks: vec![track] }
}
