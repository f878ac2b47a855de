//! The idle time that the host is to blame for, as a track of its own.

use bigtpu_answers::HostReport;

use crate::model::{Content, Detail, Group, Owner, Role, Slice, Slices, Track};

/// The longest times in which the chip was idle because nothing was launched; `None` without any.
pub(crate) fn idle_group(host: &HostReport) -> Option<Group> {
    let slices: Vec<Slice> = host
        .idle
        .longest
        .iter()
        .map(|gap| Slice {
            start: gap.start_ns,
            end: gap.end_ns,
            name: match gap.host.as_str() {
                "" => "nothing launched".to_owned(),
                host => format!("nothing launched: {host}"),
            },
            detail: other("host-bound"),
        })
        .collect();
    (!slices.is_empty()).then(|| named("Host-Bound Idle", slices))
}

fn other(category: &'static str) -> Detail {
    Detail::Other { category, args: Vec::new() }
}

fn named(name: &str, slices: Vec<Slice>) -> Group {
    let track =
        Track { role: Role::Named(name.to_owned()), content: Content::Slices(Slices::new(slices)) };
    Group { owner: Owner::Named(name.to_owned()), tracks: vec![track] }
}
