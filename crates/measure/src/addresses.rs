//! Where a transfer reads and writes.

use bigtpu_chip::{Command, Family, OpCode, OpTable, Register, Slot};
use bigtpu_timeline::{EngineEvents, Profile};

/// The addresses of a DMA or CDMA command's full bits, in bytes, tags of memories included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Addresses {
    /// Where it reads from.
    pub source: u64,
    /// Where it writes to.
    pub destination: u64,
}

impl Addresses {
    /// Reads the addresses of a command; a part that the register lacks counts as 0.
    #[must_use]
    pub fn read(family: Family, command: &Command<'_>) -> Self {
        Self {
            source: Self::source(family, command),
            destination: address(family, command, DESTINATION),
        }
    }

    /// Whether a register has a source, and a destination.
    #[must_use]
    pub fn are_in(register: &Register) -> [bool; 2] {
        [SOURCE, DESTINATION].map(|[.., low]| register.has(low))
    }

    const NONE: Self = Self { source: 0, destination: 0 };

    /// Where a command reads from, alone.
    #[inline]
    pub(crate) fn source(family: Family, command: &Command<'_>) -> u64 {
        address(family, command, SOURCE)
    }
}

/// Fields of an address: bits from 32 on, of BM1684X and BM1688 and of other chips, and those below.
const SOURCE: [Slot; 3] = [Slot::SrcH8, Slot::SrcH13, Slot::SrcL32];
const DESTINATION: [Slot; 3] = [Slot::DstH8, Slot::DstH13, Slot::DstL32];

#[inline]
fn high(family: Family, [high8, high13, _]: [Slot; 3]) -> Slot {
    if matches!(family, Family::Bm1684x | Family::Bm1688) { high8 } else { high13 }
}

#[inline]
fn address(family: Family, command: &Command<'_>, slots: [Slot; 3]) -> u64 {
    command.get(high(family, slots)) << 32 | command.get(slots[2])
}

/// Where an operation's commands say what they read from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SourceField {
    /// Bytes of the register.
    bytes: usize,
    parts: [Part; 2],
}

impl SourceField {
    /// `None` where a part goes beyond eight bytes.
    pub(crate) fn find(family: Family, register: &Register) -> Option<Self> {
        let Fields { bytes, source: parts, .. } = Fields::find(family, register)?;
        Some(Self { bytes, parts })
    }

    /// What a command reads from whose bits begin there; `None` at the end of a file.
    #[inline]
    pub(crate) fn get(&self, bits: &[u8]) -> Option<u64> {
        let [high, low] = self.parts;
        let address = high.get(bits)? << 32 | low.get(bits)?;
        (bits.len() >= self.bytes).then_some(address)
    }
}

/// Reads the addresses of a track's commands. The fields of an operation are looked up once for a run of its commands.
#[derive(Debug, Clone)]
pub struct AddressReader<'p, 'd> {
    profile: &'p Profile<'d>,
    track: &'p EngineEvents<'d>,
    /// `None` of a port: its commands are in the files of several cores.
    file: Option<&'d [u8]>,
    ops: &'static OpTable,
    /// The last command's operation, with its fields.
    last: Option<(OpCode, Fields)>,
}

/// Where the parts of an operation's addresses are.
#[derive(Debug, Clone, Copy)]
struct Fields {
    /// Bytes of the register.
    bytes: usize,
    source: [Part; 2],
    destination: [Part; 2],
}

/// Bits of eight bytes.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The first of the bytes, below [`FIRSTS`].
    first: u8,
    shift: u8,
    mask: u64,
}

/// A field begins in one of so many bytes.
const FIRSTS: usize = 1 << u8::BITS;

/// Bytes from which any field can be read.
type Bits = [u8; FIRSTS + 8];

impl Part {
    /// `None` where the field goes beyond eight bytes.
    fn find(register: &Register, slot: Slot) -> Option<Self> {
        let Some((bit, width)) = register.place(slot) else {
            return Some(Self { first: 0, shift: 0, mask: 0 });
        };
        let (shift, width) = ((bit % 8) as u8, u32::from(width));
        let mask = u64::MAX.checked_shr(64 - width)?;
        let first = u8::try_from(bit / 8).ok()?;
        (u32::from(shift) + width <= 64).then_some(Self { first, shift, mask })
    }

    #[inline]
    fn get(self, bits: &[u8]) -> Option<u64> {
        let first = usize::from(self.first);
        let bytes = bits.get(first..first + 8)?.first_chunk()?;
        Some(self.in_bytes(*bytes))
    }

    #[inline]
    fn get_near(self, bits: &Bits) -> u64 {
        let first = usize::from(self.first);
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&bits[first..first + 8]);
        self.in_bytes(bytes)
    }

    #[inline]
    fn in_bytes(self, bytes: [u8; 8]) -> u64 {
        u64::from_le_bytes(bytes) >> (self.shift & 63) & self.mask
    }
}

impl Fields {
    #[cold]
    fn find(family: Family, register: &Register) -> Option<Self> {
        let parts = |slots: [Slot; 3]| {
            let part = |slot| Part::find(register, slot);
            Some([part(high(family, slots))?, part(slots[2])?])
        };
        Some(Self {
            bytes: register.bytes(),
            source: parts(SOURCE)?,
            destination: parts(DESTINATION)?,
        })
        .filter(|fields| fields.bytes <= size_of::<Bits>())
    }

    #[inline]
    fn read(&self, bits: &Bits) -> Addresses {
        let address = |[high, low]: [Part; 2]| high.get_near(bits) << 32 | low.get_near(bits);
        Addresses { source: address(self.source), destination: address(self.destination) }
    }
}

impl<'p, 'd> AddressReader<'p, 'd> {
    /// Makes a reader for a track of the profile.
    #[must_use]
    pub fn new(profile: &'p Profile<'d>, track: &'p EngineEvents<'d>) -> Self {
        let ops = profile.chip.ops(track.engine_id.engine);
        Self { profile, track, file: profile.command_file(track), ops, last: None }
    }

    /// The addresses of an event's command; 0 where the full bits are not known.
    #[must_use]
    #[inline(always)]
    pub fn get(&mut self, i: usize) -> Addresses {
        let events = &self.track.events;
        let Some(at) = events.bits(i) else { return Addresses::NONE };
        // The last commands of a file have fewer bytes behind them.
        let bits = self.file.and_then(|file| file.get(usize::try_from(at).ok()?..)?.first_chunk());
        if let (Some((code, fields)), Some(bits)) = (&self.last, bits)
            && events.code.get(i) == Some(code)
        {
            return fields.read(bits);
        }
        self.search(i)
    }

    #[inline(never)]
    fn search(&mut self, i: usize) -> Addresses {
        let family = self.profile.chip.family;
        let code = self.track.events.code.get(i).copied();
        let known = code.zip(code.and_then(|code| self.ops.register(code)));
        let fields = |(code, register)| Some((code, Fields::find(family, register)?));
        self.last = known.and_then(fields);
        let command = self.profile.command(self.track, i);
        command.map_or(Addresses::NONE, |command| Addresses::read(family, &command))
    }
}
