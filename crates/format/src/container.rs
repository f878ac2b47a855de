//! libsophon's container (section 1.2): one file for all cores of an iteration, commands in files of their own.
//!
//! ```text
//!  iter{n}.profile   SUMMARY (1), COMMAND (8) a core, then for each core 3, 4, 11, 5, 6 as far as they are filled
//!  cmd_{address:x}_{core}_{engine}.dat   the command groups of an engine: 0 TIU, 1 GDMA
//!
//!  SUMMARY   i32 iteration | i32 subnet | i32 kind | u64 start | u64 end | u64 extra     (us; packed)
//!  COMMAND   u64 gdma address | u64 gdma offset | u64 tiu address | u64 tiu offset
//!            | u32 groups | groups x { u32 gdma commands | u32 tiu commands }
//! ```

use crate::block::{Block, BlockKind};

/// Number of the SUMMARY block.
const SUMMARY: u32 = 1;
/// Number of the COMMAND block.
const COMMAND: u32 = 8;

/// One subnet's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SubnetRun {
    /// Number of the iteration.
    pub iteration: i32,
    /// Number of the subnet.
    pub subnet: i32,
    /// 0 TPU, 1 CPU, 2 SWITCH, 3 MERGE.
    pub kind: i32,
    /// Host time in us.
    pub start_us: u64,
    /// Host time in us.
    pub end_us: u64,
}

impl SubnetRun {
    fn read(content: &[u8]) -> Option<Self> {
        let mut fields = Fields(content);
        let [iteration, subnet, kind] = [fields.u32()?, fields.u32()?, fields.u32()?];
        Some(Self {
            iteration: iteration.cast_signed(),
            subnet: subnet.cast_signed(),
            kind: kind.cast_signed(),
            start_us: fields.u64()?,
            end_us: fields.u64()?,
        })
    }
}

/// Where an engine's commands are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandPlace {
    /// Address of the stream on the device: the name of its file.
    pub address: u64,
    /// Offset in the file, in bytes.
    pub offset: u64,
}

/// The commands of a core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreCommands {
    /// The TIU's.
    pub tiu: CommandPlace,
    /// The GDMA's.
    pub gdma: CommandPlace,
    /// Commands of each group, end commands included: GDMA, TIU.
    pub groups: Vec<(u32, u32)>,
}

impl CoreCommands {
    fn read(content: &[u8]) -> Option<Self> {
        let mut fields = Fields(content);
        let gdma = CommandPlace { address: fields.u64()?, offset: fields.u64()? };
        let tiu = CommandPlace { address: fields.u64()?, offset: fields.u64()? };
        let count = fields.u32()? as usize;
        let mut groups = Vec::new();
        for _ in 0..count {
            groups.push((fields.u32()?, fields.u32()?));
        }
        Some(Self { tiu, gdma, groups })
    }
}

struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (field, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*field)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }
}

/// An iteration's file taken apart.
#[derive(Debug, Clone, Default)]
pub struct Iteration<'a> {
    /// Its subnets' runs.
    pub subnets: Vec<SubnetRun>,
    /// The cores' commands, in the order of the cores; empty for a dynamic model.
    pub commands: Vec<CoreCommands>,
    /// The cores' monitors and logs, in the order of the cores.
    pub cores: Vec<Vec<Block<'a>>>,
    /// Offsets of SUMMARY and COMMAND blocks that are too short.
    pub short: Vec<u64>,
}

impl<'a> Iteration<'a> {
    /// Sorts an iteration's blocks. A core's blocks are in the order 3, 4, 11, 5, 6, and empty ones are left out, so
    /// that a step back in this order is the next core.
    #[must_use]
    pub fn sort(blocks: &[Block<'a>]) -> Self {
        let mut iteration = Self::default();
        let mut last_rank = usize::MAX;
        for block in blocks {
            match block.kind {
                BlockKind::NotNeeded(SUMMARY) => match SubnetRun::read(block.content) {
                    Some(run) => iteration.subnets.push(run),
                    None => iteration.short.push(block.offset),
                },
                BlockKind::NotNeeded(COMMAND) => match CoreCommands::read(block.content) {
                    Some(commands) => iteration.commands.push(commands),
                    None => iteration.short.push(block.offset),
                },
                kind => {
                    let Some(rank) = rank(kind) else { continue };
                    if last_rank >= rank {
                        iteration.cores.push(Vec::new());
                    }
                    last_rank = rank;
                    if let Some(core) = iteration.cores.last_mut() {
                        core.push(*block);
                    }
                }
            }
        }
        iteration
    }

    /// Whether any PMU record is in it.
    #[must_use]
    pub fn has_records(&self) -> bool {
        self.cores.iter().flatten().any(|block| is_monitor(block.kind) && !block.content.is_empty())
    }
}

/// Whether a block holds PMU records of a core.
fn is_monitor(kind: BlockKind) -> bool {
    matches!(kind, BlockKind::MonitorTiu | BlockKind::MonitorGdma | BlockKind::MonitorSdma)
}

/// The place of a block among those of its core.
fn rank(kind: BlockKind) -> Option<usize> {
    let order = [
        BlockKind::MonitorTiu,
        BlockKind::MonitorGdma,
        BlockKind::MonitorSdma,
        BlockKind::DynData,
        BlockKind::DynExtra,
    ];
    order.iter().position(|&k| k == kind)
}

/// The name of the file with an engine's commands; `engine` is 0 for the TIU, 1 for the GDMA. Older runtimes leave out
/// the core.
#[must_use]
pub fn command_file_names(address: u64, core: u32, engine: u8) -> [String; 2] {
    [format!("cmd_{address:x}_{core}_{engine}.dat"), format!("cmd_{address:x}_{engine}.dat")]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: BlockKind) -> Block<'static> {
        Block { kind, offset: 0, content: &[1; 4] }
    }

    #[test]
    fn blocks_out_of_order_start_the_next_core() {
        use BlockKind::{DynData, MonitorGdma, MonitorTiu};
        let kinds = [MonitorTiu, MonitorGdma, DynData, MonitorGdma, MonitorTiu, MonitorGdma];
        let blocks: Vec<_> = kinds.into_iter().map(block).collect();
        let iteration = Iteration::sort(&blocks);
        let sizes: Vec<usize> = iteration.cores.iter().map(Vec::len).collect();
        assert_eq!(sizes, [3, 1, 2]);
        assert!(iteration.has_records());
    }

    #[test]
    fn commands_name_their_files_and_groups() {
        let mut content = Vec::new();
        for word in [0x1_2407_1000u64, 0, 0x1_2406_e000, 256] {
            content.extend(word.to_le_bytes());
        }
        for word in [1u32, 167, 137] {
            content.extend(word.to_le_bytes());
        }
        let short = Block { kind: BlockKind::from_number(8), offset: 7, content: &content[..40] };
        let whole = Block { content: &content, ..short };
        let iteration = Iteration::sort(&[whole, short]);
        assert_eq!(iteration.short, [7]);
        let commands = &iteration.commands[0];
        assert_eq!(commands.groups, [(167, 137)]);
        assert_eq!(commands.tiu.offset, 256);
        let names = command_file_names(commands.gdma.address, 1, 1);
        assert_eq!(names, ["cmd_124071000_1_1.dat", "cmd_124071000_1.dat"]);
    }
}
