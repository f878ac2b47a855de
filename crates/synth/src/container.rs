//! libsophon's container (section 1.2), put together in memory from the cores' files.

use std::collections::BTreeMap;

use bigtpu_format::{BlockKind, blocks};

use crate::session::Planned;
use crate::streams::ENGINES;
use crate::{Error, Result};

/// Numbers of the blocks that only the container has.
const SUMMARY: u32 = 1;
const COMMAND: u32 = 8;
/// Where the first stream lies on the device, and what streams start at multiples of.
const FIRST_ADDRESS: u64 = 0x1_2400_0000;
const ALIGNMENT: u64 = 0x1000;

/// The iteration's file and those of its commands, from the cores' files.
pub(crate) fn pack(
    planned: &Planned<'_>,
    mut files: BTreeMap<String, Vec<u8>>,
) -> Result<BTreeMap<String, Vec<u8>>> {
    let options = planned.session.options;
    let groups = groups(planned);
    let mut address = FIRST_ADDRESS;
    let mut packed = BTreeMap::new();
    let mut monitors = Vec::new();
    let mut iteration = block(SUMMARY, &summary(planned.plan.end()))?;
    for core in options.active() {
        let name = planned.cores.get(core as usize).map_or("", |file| file.name.as_str());
        let file = files.remove(name).unwrap_or_default();
        let mut places = [0; 2];
        for found in blocks(&file).blocks {
            match found.kind {
                BlockKind::MonitorTiu => monitors.extend(block(3, found.content)?),
                BlockKind::MonitorGdma => monitors.extend(block(4, found.content)?),
                BlockKind::DesTiu | BlockKind::DesGdma => {
                    let engine = usize::from(found.kind == BlockKind::DesGdma);
                    let name = format!("cmd_{address:x}_{core}_{engine}.dat");
                    packed.insert(name, found.content.to_vec());
                    places[engine] = address;
                    address += (found.content.len() as u64).next_multiple_of(ALIGNMENT);
                }
                _ => {}
            }
        }
        let [tiu, gdma] = places;
        let offset = 0;
        let mut command: Vec<u8> = [gdma, offset, tiu, offset].map(u64::to_le_bytes).concat();
        command.extend_from_slice(&groups);
        iteration.extend(block(COMMAND, &command)?);
    }
    iteration.extend(monitors);
    packed.insert("iter0.profile".to_owned(), iteration);
    let (name, text) = planned.global();
    packed.insert(name, text);
    Ok(packed)
}

/// Number of groups, then commands of each: GDMA, TIU.
fn groups(planned: &Planned<'_>) -> Vec<u8> {
    let session = planned.session;
    let launches = session.options.launches;
    let mut groups = (launches as u32).to_le_bytes().to_vec();
    for launch in 0..launches {
        let mut counts = [0u32; ENGINES.len()];
        for (engine, stream) in session.streams.of_kernel(session.library.kernel_of(launch)) {
            counts[engine] = stream.commands;
        }
        let [tiu, gdma, _] = counts;
        groups.extend([gdma, tiu].map(u32::to_le_bytes).concat());
    }
    groups
}

/// One run of a static TPU subnet; the host's clock starts with the session. `end`: in ps.
fn summary(end: u64) -> Vec<u8> {
    const PS_PER_US: u64 = 1_000_000;
    let (iteration, subnet, kind) = (0, 0, 0);
    let (start_us, end_us, is_static) = (0, end.div_ceil(PS_PER_US), 1);
    let numbers: [u32; 3] = [iteration, subnet, kind];
    let times: [u64; 3] = [start_us, end_us, is_static];
    [numbers.map(u32::to_le_bytes).concat(), times.map(u64::to_le_bytes).concat()].concat()
}

fn block(kind: u32, content: &[u8]) -> Result<Vec<u8>> {
    let too_large =
        |_| Error::TooLarge { file: "iter0.profile".into(), bytes: content.len() as u64 };
    let length = u32::try_from(content.len()).map_err(too_large)?;
    Ok([&kind.to_le_bytes(), &length.to_le_bytes(), content].concat())
}
