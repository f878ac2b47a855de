//! Processes, threads and asynchronous tracks by what events call them.

use std::collections::HashMap;
use std::hash::Hash;

use crate::error::EventError;
use crate::fields::{Fields, text};
use crate::model::{AsyncTrack, EventId, HostTrace, Process, Thread};
use crate::strings::StrId;

/// Where each process, thread and asynchronous track is in its list.
#[derive(Debug, Default)]
pub(crate) struct Places {
    processes: HashMap<StrId, u32>,
    threads: HashMap<(u32, StrId), u32>,
    async_tracks: HashMap<AsyncTrack, u32>,
}

impl Places {
    /// Forgets the asynchronous tracks: ids of asynchronous events mean something in their file only.
    pub(crate) fn next_file(&mut self) {
        self.async_tracks.clear();
    }

    /// The process of `event`.
    pub(crate) fn process(
        &mut self,
        trace: &mut HostTrace,
        event: &Fields<'_>,
    ) -> Result<u32, EventError> {
        let pid = trace.strings.name(&text(event.pid));
        let process = Process { pid, name: None, labels: None, sort_index: None };
        place(&mut self.processes, pid, &mut trace.processes, process)
    }

    /// The thread of `event`.
    pub(crate) fn thread(
        &mut self,
        trace: &mut HostTrace,
        event: &Fields<'_>,
    ) -> Result<u32, EventError> {
        let process = self.process(trace, event)?;
        let tid = trace.strings.name(&text(event.tid));
        let thread = Thread { process, tid, name: None, sort_index: None };
        place(&mut self.threads, (process, tid), &mut trace.threads, thread)
    }

    /// The track of `event`, an asynchronous one.
    pub(crate) fn async_track(
        &mut self,
        trace: &mut HostTrace,
        event: &Fields<'_>,
    ) -> Result<u32, EventError> {
        let process = self.process(trace, event)?;
        let cat = trace.strings.name(&text(event.cat));
        let id = Self::id(trace, event).ok_or(EventError::Missing("id"))?;
        let track = AsyncTrack { process, cat, id };
        place(&mut self.async_tracks, track, &mut trace.async_tracks, track)
    }

    /// The `id` of `event`, or else its `id2` as text.
    pub(crate) fn id(trace: &mut HostTrace, event: &Fields<'_>) -> Option<EventId> {
        let id = text(event.id.or(event.id2));
        let digits = !id.is_empty()
            && id.bytes().all(|b| b.is_ascii_digit())
            && (id == "0" || !id.starts_with('0'));
        match id.parse() {
            _ if id.is_empty() => None,
            Ok(number) if digits => Some(EventId::Number(number)),
            _ => Some(EventId::Text(trace.strings.name(&id))),
        }
    }
}

/// The place of `key`, which is that of `new` at the end of the list if it is not known yet.
fn place<K: Eq + Hash, T>(
    places: &mut HashMap<K, u32>,
    key: K,
    list: &mut Vec<T>,
    new: T,
) -> Result<u32, EventError> {
    if let Some(&place) = places.get(&key) {
        return Ok(place);
    }
    let place = u32::try_from(list.len()).map_err(|_| EventError::Full)?;
    places.insert(key, place);
    list.push(new);
    Ok(place)
}
