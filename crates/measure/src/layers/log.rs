//! The compiler's log in `global.profile` (section 1.2): layers, their tensors, and a line for each command.
//!
//! ```text
//!  local_layer: layer_id=26 layer_type=Conv2D layer_name=
//!  tensor_id=23 is_in=1 shape=[1x3x128x128] dtype=1 is_const=0 ...
//!  bd cmd_id bd_id=2 gdma_id=3 bd_func=5              a TIU command; on BM1688 with core=N, and `gdma` in front
//!  gdma cmd_id bd_id=14 gdma_id=6 gdma_dir=0 gdma_func=0
//! ```
//!
//! Not all versions write ids, but all list the commands of a core's engine in order: the n-th has id n.

use std::collections::BTreeMap;

use crate::layers::layer::Layer;
use crate::layers::tensor::Tensor;

/// Numbers of cores are below this; a layer has a part, with all its tensors, on each of its cores.
const MOST_CORES: u32 = 64;

/// Tensors of a layer beyond this many are left out.
const MOST_TENSORS: usize = 256;

/// What the log shows.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The network's name.
    pub(crate) name: String,
    /// Each layer on each core, in the order of the log.
    pub(crate) layers: Vec<Layer>,
    /// A subnet begins and does not end.
    pub(crate) is_cut: bool,
    /// Subnets whose commands the log lists. Ids start again with each.
    pub(crate) subnets: usize,
}

/// A layer's line and those of its tensors, before its commands.
#[derive(Debug, Clone, Default)]
struct Open {
    name: String,
    result_name: String,
    /// Local layers end with their parallel section.
    is_local: bool,
    operands: Vec<Option<Tensor>>,
    results: Vec<Option<Tensor>>,
    /// Places of its parts among the layers, by core.
    parts: BTreeMap<u32, usize>,
}

impl Log {
    /// Reads the lines of a log; other lines are passed over.
    pub(crate) fn of_text(text: &str) -> Self {
        let mut log = Self::default();
        let mut open: Option<Open> = None;
        // Commands so far, by core: TIU, DMA.
        let mut ids: BTreeMap<u32, [i64; 2]> = BTreeMap::new();
        let mut is_new_subnet = true;
        for line in text.lines() {
            if let Some(name) = field(line, "net_name=") {
                log.name = name.to_owned();
            } else if line.contains("start to run subnet_id=") {
                (open, is_new_subnet, log.is_cut) = (None, true, true);
            } else if line.contains("end to run subnet_id=") {
                log.is_cut = false;
            } else if let Some(name) = field(line, "layer_type=") {
                let is_local = line.contains("local_layer:");
                let result_name = field(line, "layer_name=").unwrap_or_default().to_owned();
                open =
                    Some(Open { name: name.to_owned(), result_name, is_local, ..Open::default() });
            } else if line.contains("end parallel.") {
                open = open.filter(|layer| !layer.is_local);
            } else if line.contains("tensor_id=") {
                if let Some(layer) = &mut open {
                    layer.tensor(line);
                }
            } else if line.contains(" cmd_id ") {
                log.subnets += usize::from(is_new_subnet);
                is_new_subnet = false;
                let core = field(line, "core=").and_then(|core| core.parse().ok()).unwrap_or(0);
                if core >= MOST_CORES {
                    continue;
                }
                let engine = usize::from(!line.contains("bd_func="));
                let before = *ids.entry(core).or_default();
                let after = ids.entry(core).or_default();
                if let Some(id) = after.get_mut(engine) {
                    *id += 1;
                }
                if let Some(layer) = &mut open {
                    layer.command(core, (before, *after), &mut log.layers);
                }
            }
        }
        log
    }
}

impl Open {
    fn tensor(&mut self, line: &str) {
        let tensors = match field(line, "is_in=") {
            Some("1") => &mut self.operands,
            _ => &mut self.results,
        };
        if tensors.len() < MOST_TENSORS {
            tensors.push(tensor(line));
        }
    }

    /// Takes a command of a core; commands of that core's engines so far, before it and with it.
    fn command(
        &mut self,
        core: u32,
        (before, after): ([i64; 2], [i64; 2]),
        layers: &mut Vec<Layer>,
    ) {
        let part = *self.parts.entry(core).or_insert(layers.len());
        if part == layers.len() {
            let [tiu, dma] = before.map(|id| (id, id));
            layers.push(Layer {
                name: self.name.clone(),
                engine: "TPU".to_owned(),
                core,
                tiu,
                dma,
                operands: self.operands.clone(),
                results: self.results.clone(),
                result_name: self.result_name.clone(),
                line: None,
                is_local: Some(self.is_local),
            });
        }
        if let Some(layer) = layers.get_mut(part) {
            let [tiu, dma] = after;
            (layer.tiu.1, layer.dma.1) = (tiu, dma);
        }
    }
}

/// What is between a key and the next blank.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(key)?;
    rest.split_whitespace().next().filter(|text| rest.starts_with(text))
}

/// Shape and data type of a tensor's line.
fn tensor(line: &str) -> Option<Tensor> {
    let shape = field(line, "shape=")?.trim_start_matches('[').trim_end_matches(']');
    // The runtime's numbers of data types.
    let data_type = match field(line, "dtype=")? {
        "0" => "f32",
        "1" => "f16",
        "2" => "i8",
        "3" => "u8",
        "4" => "i16",
        "5" => "u16",
        "6" => "i32",
        "7" => "u32",
        "8" => "bf16",
        "9" => "i4",
        "10" => "u4",
        _ => return None,
    };
    let is_constant = field(line, "is_const=").map(|text| text != "0");
    Some(Tensor::of_text(&format!("<{shape}x{data_type}>"))?.constant(is_constant))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
[bmprofile] net_name=net
...Start Profile Log...
[bmprofile] start to run subnet_id=0
[bmprofile] local_layer: layer_id=1 layer_type=Load layer_name=
[bmprofile] tensor_id=1 is_in=1 shape=[1x3x8x8] dtype=1 is_const=0 gaddr=0
[bmprofile] tensor_id=2 is_in=0 shape=[1x3x8x8] dtype=1 is_const=0 gaddr=0
[bmprofile] gdma cmd_id bd_id=0 gdma_id=1 gdma_dir=0 gdma_func=0
[bmprofile] end parallel.
[bmprofile] gdma cmd_id bd_id=0 gdma_id=2 gdma_dir=0 gdma_func=6
[bmprofile] global_layer: layer_id=3 layer_type=Conv2D layer_name=x
[bmprofile] bd cmd_id bd_id=1 gdma_id=2 bd_func=0
[bmprofile] end parallel.
[bmprofile] gdma cmd_id bd_id=0 gdma_id=1 bd_func=0 core=1
[bmprofile] bd cmd_id bd_id=2 gdma_id=2 bd_func=0
";

    #[test]
    fn commands_count_up_within_their_layers() {
        let log = Log::of_text(LOG);
        assert_eq!((log.name.as_str(), log.subnets, log.is_cut), ("net", 1, true));
        assert!(!Log::of_text(&format!("{LOG}[bmprofile] end to run subnet_id=0\n")).is_cut);
        let ids: Vec<_> =
            log.layers.iter().map(|l| (l.name.as_str(), l.core, l.tiu, l.dma)).collect();
        assert_eq!(
            ids,
            [
                ("Load", 0, (0, 0), (0, 1)),
                ("Conv2D", 0, (0, 2), (2, 2)),
                ("Conv2D", 1, (0, 1), (0, 0)),
            ]
        );
        let load = &log.layers[0];
        let names: Vec<&str> = log.layers.iter().map(|layer| &*layer.result_name).collect();
        assert_eq!(names, ["", "x", "x"]);
        assert_eq!(load.operands[0].as_ref().unwrap().data_type, "FP16");
        assert_eq!(load.results[0].as_ref().unwrap().bytes(), 3 * 8 * 8 * 2);
    }

    #[test]
    fn a_log_has_bounded_parts() {
        let tensors = "tensor_id=1 is_in=1 shape=[1] dtype=1\n".repeat(1000);
        let commands: String =
            (0..1000).map(|core| format!("bd cmd_id bd_id=1 bd_func=5 core={core}\n")).collect();
        let log = Log::of_text(&format!("layer_type=Cast layer_name=x\n{tensors}{commands}"));
        assert_eq!(log.layers.len(), MOST_CORES as usize);
        assert!(log.layers.iter().all(|layer| layer.operands.len() == MOST_TENSORS));
    }

    #[test]
    fn damaged_lines_are_passed_over() {
        let log = Log::of_text(
            "layer_type=\n tensor_id= shape=[ dtype=\n cmd_id \ncore=x cmd_id bd_func=\n",
        );
        assert!(log.layers.len() <= 1, "{log:?}");
        assert!(Log::of_text("arch=7\nbmodel\n").layers.is_empty());
    }
}
