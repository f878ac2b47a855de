//! The runtime's own work around a static model, as the records of a profile show it.

use bigtpu_chip::Engine;

use crate::binding::Binding;
use crate::profile::{EngineEvents, Profile};
use crate::runtime::{RuntimeEvent, RuntimeKind};

/// The runtime's own work that words of the dump name, so that it is in the command streams: DMA commands outside
/// any kernel that the firmware dispatched next to a static model. `with_model`: the cores that ran one.
pub(crate) fn shown_runtime(profile: &Profile<'_>, with_model: &[u32]) -> Vec<RuntimeEvent> {
    let cores = with_model.iter().filter_map(|&index| profile.cores.get(index as usize));
    let tracks = cores.flat_map(|core| &core.tracks).filter(|t| t.engine_id.engine != Engine::Tiu);
    tracks.flat_map(|track| shown_on(profile, track)).collect()
}

fn shown_on(profile: &Profile<'_>, track: &EngineEvents<'_>) -> Vec<RuntimeEvent> {
    let events = &track.events;
    let of_model = |b: &Binding| b.comes_from_stream();
    let first = events.binding.iter().position(of_model).unwrap_or(usize::MAX);
    let last = events.binding.iter().rposition(of_model).unwrap_or(usize::MAX);
    let event = |i: usize| {
        let is_dispatched = matches!(events.binding[i], Binding::Word | Binding::WordAndBits);
        let has_kernel = profile.tag(track, i).kernel.is_some();
        let bytes = profile.pmu(track, i)?.copied_bytes();
        let bytes = bytes.filter(|_| is_dispatched && !has_kernel && first < usize::MAX)?;
        let kind = match i {
            _ if i < first => RuntimeKind::InputCopy,
            _ if i > last => RuntimeKind::OutputCopy,
            _ => RuntimeKind::Copy,
        };
        Some(RuntimeEvent {
            engine_id: track.engine_id,
            kind,
            start: events.start[i],
            end: events.end[i],
            cycles: events.cycles(i)?,
            id: events.id.value_at(i),
            bytes,
            record: events.record.value_at(i),
            event: u32::try_from(i).ok(),
        })
    };
    (0..events.len()).filter_map(event).collect()
}
