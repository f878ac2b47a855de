//! Layers of a static model: which commands belong to which, from the files that the compiler left in the
//! dump's folder.
//!
//! `tensor_location.json` lists the layers with the command ids and tensors of each; `final.mlir` names
//! the model. Where either is missing or damaged, the compiler's log in `global.profile` describes the layers, if the
//! model was compiled with it. Else there are none, or those before the damage.

mod blocks;
mod files;
mod label;
mod layer;
mod log;
mod module;
mod slices;
mod tensor;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

use bigtpu_chip::Engine;
use bigtpu_format::Files;
use bigtpu_messages::{Arg, Message, message};
use bigtpu_output::plain_line;
use bigtpu_timeline::{EngineEvents, Note, Severity};
use serde_json::Value;

pub use files::LayerFiles;
pub use label::{LayerLabel, is_unnamed, layer_place, numbered_layer};
pub use layer::Layer;
pub use module::Module;
pub use slices::{LayerRuns, LayerSlice};
pub use tensor::Tensor;

/// The file that lists the layers.
const LOCATIONS: &str = "tensor_location.json";

/// The file that names the model.
const MODULE: &str = "final.mlir";

/// The file that may hold the compiler's log.
const LOG: &str = "global.profile";

/// Notes of a description beyond this many are left out.
const MOST_NOTES: usize = 100;

/// The model's layers.
#[derive(Debug, Clone, Default)]
pub struct Layers {
    /// The model.
    pub module: Module,
    /// The layers; layer `i` has the id `i + 1`.
    pub layers: Vec<Layer>,
    /// What is wrong with the descriptions.
    pub(crate) notes: Vec<Note>,
    /// Last id of a range of ids and the layer's index, by core, whether the ids are of the TIU, and the first id.
    ranges: BTreeMap<(u32, bool, i64), (i64, usize)>,
    /// See [`Layers::label`].
    labels: OnceLock<Vec<String>>,
    /// See [`Layers::blocks`].
    blocks: OnceLock<Vec<String>>,
}

impl Layers {
    /// Reads the files in a dump's folder on the disk, or the log of the compiler.
    #[must_use]
    pub fn open(dump: &Path) -> LayerFiles {
        Self::of_dump(dump, &Files::default())
    }

    /// Reads the files in a dump's folder, which may be in memory, or the log of the compiler.
    #[must_use]
    pub fn of_dump(dump: &Path, files: &Files) -> LayerFiles {
        LayerFiles::open(dump, files)
    }

    /// The layers of the entries of `tensor_location.json`.
    fn of_entries(entries: &[Value], module: Module) -> Self {
        let mut layers = Self { module, ..Self::default() };
        for (index, entry) in entries.iter().enumerate() {
            let layer = Layer::of_entry(entry);
            for (is_tiu, ids) in [(true, layer.tiu), (false, layer.dma)] {
                layers.claim(layer.core, is_tiu, ids, index);
            }
            layers.layers.push(layer);
        }
        layers
    }

    /// The layers that the compiler's log in a `global.profile` describes; `None` where it describes none.
    #[must_use]
    pub fn of_log(text: &str) -> Option<Self> {
        let log = log::Log::of_text(text);
        if log.layers.is_empty() && !log.is_cut {
            return None;
        }
        let mut layers =
            Self { module: Module { name: log.name, ..Module::default() }, ..Self::default() };
        if log.is_cut {
            layers.note(Severity::Loss, Message::new("note-log-cut"));
        }
        if log.subnets > 1 {
            layers.note(Severity::Warning, message!("note-subnets", subnets = log.subnets));
            return Some(layers);
        }
        for (index, layer) in log.layers.into_iter().enumerate() {
            for (is_tiu, ids) in [(true, layer.tiu), (false, layer.dma)] {
                layers.claim(layer.core, is_tiu, ids, index);
            }
            layers.layers.push(layer);
        }
        Some(layers)
    }

    /// Makes all names those that every output shows: of what can't be seen in a name, or turns the direction of what follows, there
    /// is an escape. So a name is the same text in each output, and two that differ look different.
    fn show_names(&mut self) {
        let show = |name: &mut String| {
            if let Cow::Owned(shown) = plain_line(name) {
                *name = shown;
            }
        };
        show(&mut self.module.name);
        show(&mut self.module.mode);
        for layer in &mut self.layers {
            let Layer { name, engine, operands, results, result_name, .. } = layer;
            [name, engine, result_name].into_iter().for_each(show);
            let tensors = operands.iter_mut().chain(results).flatten();
            tensors.for_each(|tensor| show(&mut tensor.name));
        }
    }

    /// A note on what is read; its file is known where the file is opened. Notes beyond the most are left out.
    fn note(&mut self, severity: Severity, message: Message) {
        if self.notes.len() < MOST_NOTES {
            self.notes.push(Note::of_dump(severity, message));
        }
    }

    /// Gives the ids after the first up to the second to a layer, unless another has some of them.
    fn claim(&mut self, core: u32, is_tiu: bool, (before, last): (i64, i64), index: usize) {
        let Some(first) = before.checked_add(1).filter(|&first| first <= last) else { return };
        let range = (core, is_tiu, i64::MIN)..=(core, is_tiu, last);
        let earlier = self.ranges.range(range).next_back();
        if let Some((_, (taken, other))) = earlier.filter(|(_, range)| range.0 >= first) {
            let engine = if is_tiu { "TIU" } else { "DMA" };
            let layer = |index: usize| Arg::Number(index as i64 + 1);
            let message = message!(
                "note-layers-share",
                first = layer(*other),
                second = layer(index),
                engine = engine,
                id = Arg::Number(*taken),
                core = Arg::Number(core.into()),
            );
            self.note(Severity::Warning, message);
            return;
        }
        self.ranges.insert((core, is_tiu, first), (last, index));
    }

    /// The layer that event `i` of a track belongs to, and its id; `None` on CDMA ports.
    #[must_use]
    pub fn of_event(&self, track: &EngineEvents<'_>, i: usize) -> Option<(usize, &Layer)> {
        let index = self.index_of_event(track, i)?;
        Some((index + 1, self.layers.get(index)?))
    }

    /// [`Layer::label`] of the layer with an id; `None` where there is none.
    #[must_use]
    pub fn label(&self, id: usize) -> Option<&str> {
        let labels = self.labels.get_or_init(|| {
            (1..).zip(&self.layers).map(|(id, layer)| layer.label(id).to_string()).collect()
        });
        labels.get(id.checked_sub(1)?).map(String::as_str)
    }

    /// Index of the layer that event `i` of a track belongs to.
    #[must_use]
    pub fn index_of_event(&self, track: &EngineEvents<'_>, i: usize) -> Option<usize> {
        // Layer files count command ids from 1.
        let id = track.events.id.get(i)?.saturating_add(1);
        self.find(track.engine_id.index, track.engine_id.engine, id)
    }

    /// Index of the layer that a core's command belongs to, by its `Cmd Id`.
    #[must_use]
    pub fn find(&self, core: u32, engine: Engine, id: i64) -> Option<usize> {
        if engine == Engine::Cdma {
            return None;
        }
        let is_tiu = engine == Engine::Tiu;
        let range = (core, is_tiu, i64::MIN)..=(core, is_tiu, id);
        let (_, &(last, index)) = self.ranges.range(range).next_back()?;
        (id <= last).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCATION: &[u8] = br#"[
        {"opcode": "tpu.Conv2D", "core_id": 0, "tiu_dma_id(before)": [0, 0], "tiu_dma_id(after)": [2, 3]},
        {"opcode": "tpu.Add", "core_id": 0, "tiu_dma_id(before)": [2, 3], "tiu_dma_id(after)": [4, 3]},
        {"opcode": "tpu.Mul", "core_id": 1, "tiu_dma_id(before)": [0, 0], "tiu_dma_id(after)": [9, 9]},
        {"opcode": "tpu.Sub", "core_id": 1, "tiu_dma_id(before)": [8, 9], "tiu_dma_id(after)": [10, 10]}]"#;

    fn of_text(text: &[u8]) -> Layers {
        let (entries, error) = files::entries(text);
        assert!(error.is_none());
        Layers::of_entries(&entries, Module::default())
    }

    #[test]
    fn commands_find_their_layers() {
        let layers = of_text(LOCATION);
        let find = |core, engine, id| layers.find(core, engine, id);
        assert_eq!(find(0, Engine::Tiu, 2), Some(0));
        assert_eq!(find(0, Engine::Tiu, 3), Some(1));
        assert_eq!(find(0, Engine::Tiu, 5), None);
        assert_eq!(find(0, Engine::Sdma, 3), Some(0));
        assert_eq!(find(0, Engine::Gdma, 4), None);
        assert_eq!(find(0, Engine::Cdma, 1), None);
        assert_eq!(find(2, Engine::Tiu, 1), None);
    }

    #[test]
    fn an_id_claimed_twice_stays_with_the_first() {
        let layers = of_text(LOCATION);
        assert_eq!(layers.find(1, Engine::Tiu, 9), Some(2));
        assert_eq!(layers.find(1, Engine::Tiu, 10), None);
        assert_eq!(layers.find(1, Engine::Gdma, 10), Some(3));
        assert_eq!(layers.notes.len(), 1, "{:?}", layers.notes);
    }

    #[test]
    fn odd_entries_are_layers() {
        let odd = of_text(br#"[1, {"opcode": 3, "core_id": -1}, null]"#);
        assert_eq!(odd.layers.len(), 3);
    }
}
