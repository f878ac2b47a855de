//! The critical path by layer.

use std::collections::BTreeMap;

use bigtpu_chip::{Engine, Memory};
use bigtpu_measure::layers::{LayerRuns, Layers};
use bigtpu_measure::{CommandKind, CommandTable};
use bigtpu_replay::{CriticalPath, Piece, Predictor, Reason, Segment};
use bigtpu_timeline::{EngineId, Profile};

/// Layer of each event, by engine: an index into [`Layers::layers`].
pub(crate) type LayerOfEvent = BTreeMap<EngineId, Vec<Option<u32>>>;

/// The runs of the layers on each core.
pub(crate) fn layer_runs(profile: &Profile<'_>, layers: &Layers) -> Vec<LayerRuns> {
    profile.cores.iter().map(|core| LayerRuns::find(layers, core)).collect()
}

/// The layer of an event: index into [`Layers::layers`].
pub(crate) fn layer_of(of_event: &LayerOfEvent, id: EngineId, event: usize) -> Option<u32> {
    of_event.get(&id)?.get(event).copied().flatten()
}

/// Which events belong to which layers. `runs`: those of the profile's cores.
pub(crate) fn layers_of_events(profile: &Profile<'_>, runs: &[LayerRuns]) -> LayerOfEvent {
    let mut all = LayerOfEvent::new();
    for (core, runs) in profile.cores.iter().zip(runs) {
        for (track, of_event) in core.tracks.iter().zip(&runs.of_event) {
            let layer = |run: &Option<u32>| {
                let slice = runs.slices.get((*run)? as usize)?;
                u32::try_from(slice.layer).ok()
            };
            all.insert(track.engine_id, of_event.iter().map(layer).collect());
        }
    }
    all
}

/// Predictions that know the layers of a static model.
#[must_use]
pub fn with_layers(predictor: Predictor, profile: &Profile<'_>, layers: &Layers) -> Predictor {
    let names = (1..).zip(&layers.layers).map(|(id, layer)| layer.label(id)).collect();
    let of_event = layers_of_events(profile, &layer_runs(profile, layers));
    predictor.with_layers(names, of_event.iter().map(|(id, layers)| (*id, &**layers)))
}

/// What pieces have in common.
type Key = (Option<u32>, Option<u32>, Engine, Reason);

/// The pieces of the path by kernel, layer, engine and reason, heaviest first.
pub(crate) fn pieces_by_layer(
    path: &CriticalPath,
    profile: &Profile<'_>,
    table: &CommandTable,
    layers: &Layers,
    of_event: &LayerOfEvent,
) -> Vec<Piece> {
    let layer = |id, event| layer_of(of_event, id, event);
    let mut sums: BTreeMap<Key, (i64, u64)> = BTreeMap::new();
    for Segment { start, end, engine_id, event, kernel, reason } in path.segments() {
        let key = (kernel, layer(engine_id, event), engine_id.engine, reason);
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + end - start, sum.1 + 1);
    }
    let mut all: BTreeMap<Key, i64> = BTreeMap::new();
    for (commands, track) in table.all_commands(profile).zip(profile.tracks()) {
        for command in commands.iter() {
            let Some(reason) = work_reason(command.kind) else { continue };
            let id = track.engine_id;
            let key = (command.tag().kernel, layer(id, command.index), id.engine, reason);
            *all.entry(key).or_default() += (command.end() - command.start()).max(0);
        }
    }
    let mut pieces: Vec<Piece> = sums
        .into_iter()
        .map(|(key, (ns, count))| {
            let (kernel, layer, engine, reason) = key;
            let own = layer.and_then(|layer| layers.layers.get(layer as usize));
            let id = layer.map(|layer| u64::from(layer) + 1);
            Piece {
                kernel: kernel
                    .and_then(|kernel| profile.kernels.get(kernel as usize))
                    .cloned()
                    .unwrap_or_default(),
                layer: own.zip(id).map(|(layer, id)| layer.label(id).to_string()),
                layer_id: id,
                operation: own.map(|layer| layer.name.clone()),
                engine: engine.name().to_owned(),
                reason,
                ns,
                share: ns as f64 / path.wall_ns.max(1) as f64,
                count,
                all_ns: all.get(&key).copied().unwrap_or(0),
            }
        })
        .collect();
    pieces.sort_by_key(|piece| std::cmp::Reverse(piece.ns));
    pieces
}

/// What a command's work is on the path; `None` for a system command.
pub(crate) fn work_reason(kind: &CommandKind) -> Option<Reason> {
    if !kind.activity.is_work() {
        return None;
    }
    let local = |direction: bigtpu_chip::Direction| {
        direction.from == Memory::Lmem && direction.to == Memory::Lmem
    };
    Some(match (kind.engine, kind.direction()) {
        (Engine::Tiu, _) => Reason::Compute,
        (Engine::Cdma, _) => Reason::LinkTransfer,
        (_, Some(direction)) if direction.has_ddr() => Reason::DdrTransfer,
        (_, Some(direction)) if direction.has_l2() => Reason::L2mTransfer,
        (_, Some(direction)) if local(direction) => Reason::LocalTransfer,
        _ => Reason::DdrTransfer,
    })
}
