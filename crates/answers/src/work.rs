//! What each core's commands did for each kernel or layer: what a comparison tells causes apart by.

use std::collections::BTreeMap;

use bigtpu_chip::Engine;
use bigtpu_measure::layers::Layers;
use bigtpu_measure::{Activity, Cells, CommandKind, CommandTable, DumpModel, whole};
use bigtpu_replay::{CriticalPath, Reason, Segment};
use bigtpu_timeline::Profile;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};

use crate::by_kind::ByKind;
use crate::layer_path::{LayerOfEvent, layer_of, work_reason};

/// Commands of an engine of a core that belong to a kernel or layer, by what they are: computation, transfers by memory, waits, and other
/// system commands. Or idle time on the critical path that no dependence explains. All events of a dump are in one of the rows of commands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkRow {
    /// Kernel; empty outside of kernels.
    pub kernel: String,
    /// Layer of a static model, as in the critical path; absent where no layer is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The layer's number in the model, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_id: Option<u64>,
    /// Engine.
    pub engine: String,
    /// Core, or port of CDMA.
    pub index: u32,
    /// What such commands are on the critical path.
    pub reason: Reason,
    /// Commands; of idle time how often.
    pub commands: u64,
    /// ns of all these commands, on the critical path or not; of idle time what is on the path.
    pub ns: i64,
    /// Bytes moved.
    pub bytes: u64,
    /// Requested operations, of the commands whose full bits are known.
    pub ops: u64,
    /// Operations after padding.
    pub uarch_ops: u64,
}

/// Kernel, layer, engine, core and reason.
type Key = (Option<u32>, Option<u32>, Engine, u32, Reason);

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    commands: u64,
    ns: i64,
    bytes: u64,
    ops: i128,
    uarch_ops: i128,
}

/// What a command is on the critical path.
fn reason(kind: &CommandKind) -> Reason {
    work_reason(kind).unwrap_or(match kind.activity {
        Activity::Wait => Reason::Wait,
        Activity::Work | Activity::Send | Activity::Control => Reason::System,
    })
}

impl WorkRow {
    /// Sums the commands by kernel, engine, core and reason. `cells`: the cells of the model.
    pub(crate) fn of_kernels(model: &DumpModel<'_>, cells: &Cells<'_>) -> Vec<Self> {
        let mut all: HashMap<Key, Sums> = HashMap::default();
        for cell in cells.iter() {
            let Some(reason) = work_reason(cell.kind) else { continue };
            let id = cell.engine_id;
            let sums = all.entry((cell.tag.kernel, None, id.engine, id.index, reason)).or_default();
            let (count, work) = (cell.count as u64, cell.kind.work());
            sums.commands += count;
            sums.ns += cell.total_ns;
            sums.bytes += cell.bytes;
            sums.ops += work.alg_ops * i128::from(count);
            sums.uarch_ops += work.uarch_ops * i128::from(count);
        }
        // No cell has system commands.
        let system =
            ByKind::compute(model, |kind| Some(reason(kind)).filter(|_| !kind.activity.is_work()));
        for track in &model.tracks {
            let id = track.engine_id;
            for event in model.events(track) {
                let Some(reason) = system.get(&event).copied().flatten() else { continue };
                let key = (model.tag(event.tag()).kernel, None, id.engine, id.index, reason);
                all.entry(key).or_default().add_system(event.ns());
            }
        }
        let mut rows: Vec<(Key, Sums)> = all.into_iter().collect();
        rows.sort_unstable_by_key(|(key, _)| *key);
        let name = |kernel| model.kernel_name(kernel);
        rows.into_iter().map(|(key, sums)| sums.row(key, name, None)).collect()
    }

    /// Sums the commands by kernel, layer, engine, core and reason.
    pub(crate) fn of_layers(
        profile: &Profile<'_>,
        table: &CommandTable,
        layers: &Layers,
        of_event: &LayerOfEvent,
    ) -> Vec<Self> {
        let mut all: BTreeMap<Key, Sums> = BTreeMap::new();
        for (commands, track) in table.all_commands(profile).zip(profile.tracks()) {
            let id = track.engine_id;
            let of_track = of_event.get(&id);
            for command in commands.iter() {
                let reason = reason(command.kind);
                let layer = of_track.and_then(|of| of.get(command.index).copied().flatten());
                let key = (command.tag().kernel, layer, id.engine, id.index, reason);
                let (sums, ns) =
                    (all.entry(key).or_default(), (command.end() - command.start()).max(0));
                if !command.kind.activity.is_work() {
                    sums.add_system(ns);
                    continue;
                }
                sums.commands += 1;
                sums.ns += ns;
                sums.bytes += command.bytes();
                sums.ops += command.kind.work().alg_ops;
                sums.uarch_ops += command.kind.work().uarch_ops;
            }
        }
        let name = |kernel: u32| profile.kernels.get(kernel as usize).map_or("", String::as_str);
        all.into_iter().map(|(key, sums)| sums.row(key, name, Some(layers))).collect()
    }

    /// Idle time of the critical path that no dependence explains.
    pub(crate) fn of_idle(
        profile: &Profile<'_>,
        path: &CriticalPath,
        layers: Option<(&Layers, &LayerOfEvent)>,
    ) -> Vec<Self> {
        let layer = |id, event| layers.and_then(|(_, of_event)| layer_of(of_event, id, event));
        let mut all: BTreeMap<Key, Sums> = BTreeMap::new();
        let idle = path.segments().filter(|segment| segment.reason == Reason::Unexplained);
        for Segment { start, end, engine_id: id, event, kernel, reason } in idle {
            let key = (kernel, layer(id, event), id.engine, id.index, reason);
            let sums = all.entry(key).or_default();
            sums.commands += 1;
            sums.ns += end - start;
        }
        let name = |kernel: u32| profile.kernels.get(kernel as usize).map_or("", String::as_str);
        let layers = layers.map(|(layers, _)| layers);
        all.into_iter().map(|(key, sums)| sums.row(key, name, layers)).collect()
    }
}

impl Sums {
    /// A system command moves nothing and computes nothing, whatever its record counts.
    fn add_system(&mut self, ns: i64) {
        self.commands += 1;
        self.ns += ns;
    }

    fn row<'a>(
        self,
        (kernel, layer, engine, index, reason): Key,
        name: impl Fn(u32) -> &'a str,
        layers: Option<&Layers>,
    ) -> WorkRow {
        let id = layer.map(|layer| u64::from(layer) + 1);
        let own = layers.zip(layer).and_then(|(all, layer)| all.layers.get(layer as usize));
        WorkRow {
            kernel: kernel.map_or_else(String::new, |kernel| name(kernel).to_owned()),
            layer: own.zip(id).map(|(layer, id)| layer.label(id).to_string()),
            layer_id: id,
            engine: engine.name().to_owned(),
            index,
            reason,
            commands: self.commands,
            ns: self.ns,
            bytes: self.bytes,
            ops: whole(self.ops),
            uarch_ops: whole(self.uarch_ops),
        }
    }
}

#[cfg(test)]
mod tests {
    use bigtpu_measure::planted::Planted;

    use super::*;

    /// Each event is in a row of its reason: waits, sends and work.
    #[test]
    fn system_commands_have_rows_of_their_own() {
        let mut planted = Planted::default();
        planted.kernel(0, "matmul", 0, 100);
        planted.load(0, 0, 20, 4096);
        planted.work(0, Engine::Tiu, 20, 50);
        planted.send(0, Engine::Tiu, 50, 52);
        planted.wait(0, Engine::Tiu, 52, 90);
        let model = planted.model();
        let rows = WorkRow::of_kernels(&model, &Cells::collect(&model));
        let found: Vec<_> = rows
            .iter()
            .map(|row| (row.engine.as_str(), row.reason, row.commands, row.ns, row.bytes))
            .collect();
        let expected = [
            ("TIU", Reason::Compute, 1, 30, 0),
            ("TIU", Reason::System, 1, 2, 0),
            ("TIU", Reason::Wait, 1, 38, 0),
            ("GDMA", Reason::DdrTransfer, 1, 20, 4096),
        ];
        assert_eq!(found, expected);
    }
}
