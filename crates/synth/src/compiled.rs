//! Compiled commands as files: a `.bmodel`, and the command files of the CModel.

use bigtpu_chip::Engine;

use crate::flat::{FlatTable, FlatValue, container};

/// The commands of one engine in one command group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledGroup {
    /// Core.
    pub core: u32,
    /// Group, from 0.
    pub group: u32,
    /// Engine: TIU, GDMA or SDMA.
    pub engine: Engine,
    /// Bits of the commands, one after another.
    pub bits: Vec<u8>,
}

/// Streams are whole multiples of so many bytes.
const STREAM_BYTES: usize = 128;

/// Ids of fields in tpu-mlir's schema.
mod id {
    pub(super) const MODEL_CHIP: usize = 3;
    pub(super) const MODEL_NET: usize = 4;
    pub(super) const NET_NAME: usize = 0;
    pub(super) const NET_PARAMETER: usize = 3;
    pub(super) const PARAMETER_SUBNET: usize = 12;
    pub(super) const SUBNET_MODE: usize = 0;
    pub(super) const SUBNET_CORES: usize = 14;
    pub(super) const CORE_GROUPS: usize = 0;
    pub(super) const CORE_SDMA: usize = 1;
    pub(super) const GROUP_TIU: usize = 2;
    pub(super) const GROUP_GDMA: usize = 3;
}

fn padded(bits: &[u8]) -> Vec<u8> {
    let mut bits = bits.to_vec();
    bits.resize(bits.len().next_multiple_of(STREAM_BYTES), 0);
    bits
}

/// Groups of a core, and where its SDMA bits are: offset and bytes.
type Core = (Vec<FlatTable>, Vec<(u64, u64)>);

/// A `.bmodel` of one net of one stage and one subnet. `chip`: as compilers name it.
#[must_use]
pub fn bmodel(chip: &str, net: &str, groups: &[CompiledGroup]) -> Vec<u8> {
    let mut binary = Vec::new();
    let mut cores: Vec<Core> = Vec::new();
    for group in groups {
        let bits = padded(&group.bits);
        let range = (binary.len() as u64, bits.len() as u64);
        binary.extend(bits);
        let (core, place) = (group.core as usize, group.group as usize);
        if cores.len() <= core {
            cores.resize(core + 1, (Vec::new(), Vec::new()));
        }
        let Some((tables, sdma)) = cores.get_mut(core) else { continue };
        if tables.len() <= place {
            tables.resize(place + 1, FlatTable(Vec::new()));
        }
        let id = match group.engine {
            Engine::Tiu => id::GROUP_TIU,
            Engine::Gdma => id::GROUP_GDMA,
            Engine::Sdma | Engine::Cdma => {
                if sdma.len() <= place {
                    sdma.resize(place + 1, (0, 0));
                }
                if let Some(own) = sdma.get_mut(place) {
                    *own = range;
                }
                continue;
            }
        };
        if let Some(table) = tables.get_mut(place) {
            table.0.push((id, FlatValue::Binary(range.0, range.1)));
        }
    }
    let core = |(tables, sdma): Core| {
        let mut fields = vec![(id::CORE_GROUPS, FlatValue::Tables(tables))];
        if !sdma.is_empty() {
            fields.push((id::CORE_SDMA, FlatValue::Binaries(sdma)));
        }
        FlatTable(fields)
    };
    let cores = cores.into_iter().map(core).collect();
    let subnet = FlatTable(vec![
        (id::SUBNET_MODE, FlatValue::Number(0)),
        (id::SUBNET_CORES, FlatValue::Tables(cores)),
    ]);
    let stage = FlatTable(vec![(id::PARAMETER_SUBNET, FlatValue::Tables(vec![subnet]))]);
    let net = FlatTable(vec![
        (id::NET_NAME, FlatValue::Text(net.to_owned())),
        (id::NET_PARAMETER, FlatValue::Tables(vec![stage])),
    ]);
    let model = FlatTable(vec![
        (id::MODEL_CHIP, FlatValue::Text(chip.to_owned())),
        (id::MODEL_NET, FlatValue::Tables(vec![net])),
    ]);
    container(&model, &binary)
}

/// Names and bytes of the command files of one launch.
pub fn command_files(
    label: &str,
    groups: &[CompiledGroup],
) -> impl Iterator<Item = (String, Vec<u8>)> {
    groups.iter().map(move |CompiledGroup { core, group, engine, bits }| {
        let engine = match engine {
            Engine::Tiu => "BD",
            Engine::Gdma => "GDMA",
            Engine::Sdma | Engine::Cdma => "SDMA",
        };
        (format!("{label}-0-{group}.{engine}.{core}"), padded(bits))
    })
}
