//! Events as rows: tracks in the profile's order, events in their engine's.

use bigtpu_analysis::{Analysis, Class, Columns};
use bigtpu_chip::Engine;
use bigtpu_timeline::{Place, Profile, Tag, Track};

/// An event and all that a row tells of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    /// Which engine of which core or port.
    pub(crate) place: Place,
    /// The core of the engine; of a CDMA event the core that its command or kernel comes from, if known.
    pub(crate) core: Option<u32>,
    /// Index in its track.
    pub(crate) event: usize,
    /// `Cmd Id` of the register texts.
    pub(crate) command: i64,
    /// ns.
    pub(crate) start: i64,
    /// ns.
    pub(crate) end: i64,
    /// Cycles of the engine's clock.
    pub(crate) cycles: i64,
    /// What it is.
    pub(crate) class: &'a Class,
    /// What it belongs to.
    pub(crate) tag: Tag,
    /// Name of its kernel.
    pub(crate) kernel: Option<&'a str>,
    /// Bytes moved.
    pub(crate) bytes: u64,
    /// Stall cycles, or those lost to bank conflicts.
    pub(crate) stalls: u32,
}

/// All rows of a profile.
pub(crate) fn rows<'a>(
    profile: &'a Profile<'_>,
    analysis: &'a Analysis,
) -> impl Iterator<Item = Row<'a>> {
    let facts = analysis.facts(profile);
    let tracks = profile.tracks().zip(&facts.columns);
    tracks.flat_map(move |(track, columns)| {
        (0..track.events.len()).filter_map(move |i| {
            let class = facts.classes.get(*columns.class.get(i)? as usize)?;
            row(profile, track, columns, class, i)
        })
    })
}

fn row<'a>(
    profile: &'a Profile<'_>,
    track: &Track<'_>,
    columns: &Columns,
    class: &'a Class,
    i: usize,
) -> Option<Row<'a>> {
    let tag = profile.tag(track, i);
    Some(Row {
        place: track.place,
        core: match track.place.engine {
            Engine::Cdma => track.owner.get(i).copied().flatten().map(|owner| owner.core),
            _ => Some(track.place.index),
        },
        event: i,
        command: track.command_id(i)?,
        start: *track.events.start.get(i)?,
        end: *track.events.end.get(i)?,
        cycles: *track.events.cycles.get(i)?,
        class,
        tag,
        kernel: profile.kernel(tag),
        bytes: *columns.bytes.get(i)?,
        stalls: *columns.stalls.get(i)?,
    })
}
