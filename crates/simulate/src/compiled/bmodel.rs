//! `.bmodel`: a header of 64 bytes, FlatBuffers tables, and a binary part.
//!
//! | offset | bytes | content (little endian) |
//! |---|---|---|
//! | 0 | 4 | 0xff55aaee |
//! | 4 | 4 | size of the header: 64 |
//! | 8 | 4 | size of the tables |
//! | 12 | 4 | size of the binary part; 8 bytes in files of more than 4 GiB |
//! | 64 | | tables |
//! | | | binary part: ranges count from its start |

use std::cell::Cell;
use std::ops::Range;

use bigtpu_chip::Engine;
use bigtpu_messages::{Message, error_message};
use planus::errors::ErrorKind;

use crate::compiled::error::Error;
use crate::compiled::flat::{Binary, Flat, Vector};

const MAGIC: u32 = 0xff55_aaee;
const OLDER: u32 = 0xff55_aaff;
const HEADER: u64 = 64;

/// A model's commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bmodel {
    /// Chip, as the compiler calls it.
    pub chip: String,
    /// Nets.
    pub nets: Vec<Net>,
}

/// A net.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Net {
    /// Name.
    pub name: String,
    /// One for each shape of its inputs.
    pub stages: Vec<Stage>,
}

/// A net compiled for one shape of its inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// Its parts, in order.
    pub subnets: Vec<Subnet>,
}

/// A part of a net.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subnet {
    /// Whether the part has no commands, because it runs on the host or is made at run time.
    pub is_left_out: bool,
    /// Command groups, in order, by core.
    pub cores: Vec<Vec<CommandGroup>>,
}

/// A command group of a core.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommandGroup {
    /// Engines and where their commands are in the file.
    pub streams: Vec<(Engine, Range<usize>)>,
}

/// Whether a file is a `.bmodel` of any kind, by its first bytes.
#[must_use]
pub fn is_bmodel(file: &[u8]) -> bool {
    word(file, 0).is_some_and(|magic| magic == MAGIC || magic == OLDER)
}

fn word(file: &[u8], at: usize) -> Option<u32> {
    file.get(at..)?.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes))
}

impl Bmodel {
    /// Finds a model's commands.
    ///
    /// # Errors
    /// One sentence on what is wrong with the file.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        let size = file.len() as u64;
        let header =
            |at| word(file, at).ok_or(Error::Truncated { part: "header", end: HEADER, size });
        match header(0)? {
            MAGIC => {}
            OLDER => return Err(Error::Older),
            found => return Err(Error::NoBmodel { found }),
        }
        if header(4)? != HEADER as u32 {
            return Err(Error::Tables {
                offset: 4,
                what: error_message!("problem-compiled-header"),
            });
        }
        let tables = u64::from(header(8)?);
        let low = u64::from(header(12)?);
        let is_large = size > u64::from(u32::MAX);
        let binary = if is_large { low | u64::from(header(16)?) << 32 } else { low };
        let end_of_tables = HEADER + tables;
        let cut =
            |part, end| if end > size { Err(Error::Truncated { part, end, size }) } else { Ok(()) };
        cut("tables", end_of_tables)?;
        cut("binary part", end_of_tables.saturating_add(binary))?;
        let bytes = file.get(HEADER as usize..end_of_tables as usize).unwrap_or(&[]);
        let left = Cell::new(MOST_TABLES);
        Reader { first: end_of_tables, size: binary, left }.model(bytes)
    }
}

/// Where ranges of the binary part are in the file.
struct Reader {
    first: u64,
    size: u64,
    /// Tables that may still be read: a damaged file can name one table any number of times.
    left: Cell<u32>,
}

/// More tables than any model has.
const MOST_TABLES: u32 = 1 << 20;

fn wrong(kind: ErrorKind) -> Error {
    Error::Tables { offset: HEADER, what: table_problem(kind) }
}

/// What does not decode in a table; the library's words are English.
fn table_problem(kind: ErrorKind) -> Message {
    match kind {
        ErrorKind::InvalidOffset => error_message!("problem-compiled-offset"),
        ErrorKind::InvalidLength => error_message!("problem-compiled-length"),
        ErrorKind::MissingRequired => error_message!("problem-compiled-required"),
        _ => error_message!("problem-compiled-value"),
    }
}

fn malformed(error: planus::Error) -> Error {
    let offset = HEADER + error.source_location.byte_offset as u64;
    let problem = table_problem(error.error_kind);
    let what =
        error_message!("error-in-file", path = error.source_location.method, source = problem);
    Error::Tables { offset, what }
}

impl Reader {
    fn model(&self, tables: &[u8]) -> Result<Bmodel, Error> {
        let model = Flat::root(tables).map_err(wrong)?;
        let chip: &str = model.get(3, "chip").map_err(malformed)?.unwrap_or_default();
        let mut nets = Vec::new();
        for net in self.tables(model.get(4, "net").map_err(malformed)?)? {
            let name: &str = net.get(0, "name").map_err(malformed)?.unwrap_or_default();
            let mut stages = Vec::new();
            for stage in self.tables(net.get(3, "parameter").map_err(malformed)?)? {
                stages.push(self.stage(stage)?);
            }
            nets.push(Net { name: name.to_owned(), stages });
        }
        Ok(Bmodel { chip: chip.to_owned(), nets })
    }

    /// The tables of a vector.
    fn tables<'b>(&self, tables: Option<Vector<'b, Flat<'b>>>) -> Result<Vec<Flat<'b>>, Error> {
        let mut all = Vec::new();
        for table in tables.into_iter().flat_map(Vector::iter) {
            let Some(left) = self.left.get().checked_sub(1) else {
                let what = error_message!("problem-compiled-tables", most = MOST_TABLES);
                return Err(Error::Tables { offset: HEADER, what });
            };
            self.left.set(left);
            all.push(table.map_err(wrong)?);
        }
        Ok(all)
    }

    fn stage(&self, stage: Flat<'_>) -> Result<Stage, Error> {
        let is_dynamic = number(&stage, 5, "is_dynamic")? != 0;
        let own = self.groups(stage.get(8, "cmd_group").map_err(malformed)?)?;
        let mut subnets = Vec::new();
        for subnet in self.tables(stage.get(12, "sub_net").map_err(malformed)?)? {
            subnets.push(self.subnet(subnet, is_dynamic)?);
        }
        // Older models have the commands here only.
        let has_none = subnets.iter().all(|subnet| subnet.cores.iter().all(Vec::is_empty));
        if has_none && !own.is_empty() {
            subnets.push(Subnet { is_left_out: false, cores: vec![own] });
        }
        if subnets.is_empty() {
            subnets.push(Subnet { is_left_out: true, cores: Vec::new() });
        }
        Ok(Stage { subnets })
    }

    fn subnet(&self, subnet: Flat<'_>, is_dynamic: bool) -> Result<Subnet, Error> {
        /// Mode of a subnet that runs on the TPU.
        const TPU: i64 = 0;
        let mode = number(&subnet, 0, "subnet_mode")?;
        let is_left_out = mode != TPU || is_dynamic || number(&subnet, 5, "is_dynamic")? != 0;
        if is_left_out {
            return Ok(Subnet { is_left_out, cores: Vec::new() });
        }
        let mut cores = Vec::new();
        for core in self.tables(subnet.get(14, "core_commands").map_err(malformed)?)? {
            let mut groups = self.groups(core.get(0, "gdma_tiu_commands").map_err(malformed)?)?;
            let sdma = core.get::<Vector<'_, Binary>>(1, "sdma_commands").map_err(malformed)?;
            for (number, binary) in sdma.into_iter().flat_map(Vector::iter).enumerate() {
                let binary = binary.map_err(wrong)?;
                if groups.len() <= number {
                    groups.push(CommandGroup::default());
                }
                if let (Some(group), Some(range)) = (groups.get_mut(number), self.range(binary)?) {
                    group.streams.push((Engine::Sdma, range));
                }
            }
            cores.push(groups);
        }
        if cores.is_empty() {
            cores.push(self.groups(subnet.get(1, "cmd_group").map_err(malformed)?)?);
        }
        Ok(Subnet { is_left_out, cores })
    }

    fn groups(&self, groups: Option<Vector<'_, Flat<'_>>>) -> Result<Vec<CommandGroup>, Error> {
        let mut all = Vec::new();
        for group in self.tables(groups)? {
            let mut streams = Vec::new();
            for (id, engine) in [(2, Engine::Tiu), (3, Engine::Gdma)] {
                let binary: Option<Binary> = group.get(id, "binary").map_err(malformed)?;
                if let Some(range) = self.range(binary.unwrap_or_default())? {
                    streams.push((engine, range));
                }
            }
            all.push(CommandGroup { streams });
        }
        Ok(all)
    }

    /// Where a range of the binary part is in the file; `None` if it is empty.
    fn range(&self, binary: Binary) -> Result<Option<Range<usize>>, Error> {
        let Binary { start, size } = binary;
        if size == 0 {
            return Ok(None);
        }
        let end = start.checked_add(size).filter(|end| *end <= self.size);
        let place = |byte: u64| usize::try_from(self.first + byte).ok();
        match (end.and_then(place), end.and_then(|_| place(start))) {
            (Some(end), Some(start)) => Ok(Some(start..end)),
            _ => Err(Error::NoBinary { start, size }),
        }
    }
}

fn number(table: &Flat<'_>, id: usize, name: &'static str) -> Result<i64, Error> {
    Ok(table.get::<i32>(id, name).map_err(malformed)?.unwrap_or(0).into())
}
