//! A chip: its identity and everything that is known of it.

use crate::compiler_names::chip_name;
use crate::data::{ArchEntry, ArrayShape};
use crate::generated::CHIPS;
use crate::names::Names;
use crate::no_such_chip::NoSuchChip;
use crate::ops::OpTable;
use crate::timing::Timing;

/// Chips that share command layouts and formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// AKS (SG2260, BM1690) and AKSV (SG2260E).
    Aks,
    /// BM1684X (BM1686).
    Bm1684x,
    /// BM1688.
    Bm1688,
    /// CV184X.
    Cv184x,
    /// CV84X6 (BM1684X2).
    Cv84x6,
}

/// An engine that records commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Engine {
    /// Tensor unit.
    Tiu,
    /// DMA of a core.
    Gdma,
    /// System DMA of a core.
    Sdma,
    /// Chip-to-chip DMA, one per port.
    Cdma,
}

impl Engine {
    /// All engines.
    pub const ALL: [Self; 4] = [Self::Tiu, Self::Gdma, Self::Sdma, Self::Cdma];

    /// Name as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tiu => "TIU",
            Self::Gdma => "GDMA",
            Self::Sdma => "SDMA",
            Self::Cdma => "CDMA",
        }
    }

    /// `Engine Id` of the register texts.
    #[must_use]
    pub fn text_id(self) -> u8 {
        match self {
            Self::Tiu => 0,
            Self::Gdma => 1,
            Self::Sdma => 3,
            Self::Cdma => 4,
        }
    }
}

/// Types of the engines' system commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemCodes {
    /// TIU.
    pub tiu: u8,
    /// GDMA and SDMA.
    pub dma: u8,
    /// CDMA.
    pub cdma: u8,
}

impl SystemCodes {
    /// The engine's code.
    #[must_use]
    pub fn engine_code(self, engine: Engine) -> u8 {
        match engine {
            Engine::Tiu => self.tiu,
            Engine::Gdma | Engine::Sdma => self.dma,
            Engine::Cdma => self.cdma,
        }
    }
}

/// The implicit pair of commands with which an RVT front end restarts ids (section 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrapCommands {
    /// TIU counter value at which the pair follows.
    pub at: u32,
    /// Type and sub-type of the TIU command.
    pub tiu: (u8, u8),
    /// Type and function of the DMA command.
    pub dma: (u8, u8),
}

/// Everything known of a chip.
#[derive(Debug)]
pub struct Chip {
    /// Name.
    pub name: &'static str,
    /// Family.
    pub family: Family,
    /// Further names.
    pub aliases: &'static [&'static str],
    /// Values of `arch` in `global.profile`.
    pub arch_values: &'static [u64],
    /// Cores of the chip.
    pub core_num: u32,
    /// CDMA ports of the chip.
    pub cdma_ports: u32,
    /// Records and commands of each engine that are the firmware's sync preamble.
    pub preamble: usize,
    /// System command types.
    pub system: SystemCodes,
    /// The sync point of a core is its second TIU record.
    pub align_on_second: bool,
    /// Strays at each end of a TIU monitor.
    pub edge_trim: usize,
    /// A static stream in which no section matches pairs by absolute id.
    pub pair_by_id: bool,
    /// Implicit id-restart commands of RVT nodes.
    pub wrap: Option<WrapCommands>,
    /// Sizes of the arithmetic arrays.
    pub array: ArrayShape,
    /// The description at the start of every register text, in order.
    pub arch: &'static [ArchEntry],
    /// Bytes of a TIU and of a DMA record.
    pub record_bytes: (usize, usize),
    /// How long commands take.
    pub timing: Timing,
    /// Condensed names.
    pub names: Names,
    /// Engines by their numbers in DYN_DATA words.
    pub(crate) engines: [Option<Engine>; 8],
    /// Names of data types by their codes.
    pub(crate) data_types: &'static [&'static str],
    pub(crate) tiu: OpTable,
    pub(crate) dma: OpTable,
    pub(crate) cdma: OpTable,
}

/// All chips.
#[must_use]
pub fn chips() -> &'static [Chip] {
    &CHIPS
}

impl Chip {
    /// Finds a chip by name, alias or arch number; names in any case.
    ///
    /// # Errors
    /// [`NoSuchChip`] names those that there are.
    pub fn find(arch: &str) -> Result<&'static Self, NoSuchChip> {
        let number = arch.parse::<u64>().ok();
        let by_name = |n: &&str| n.eq_ignore_ascii_case(arch);
        let matches = |chip: &&Self| {
            number.is_some_and(|n| chip.arch_values.contains(&n))
                || by_name(&chip.name)
                || chip.aliases.iter().any(by_name)
        };
        chips().iter().find(matches).ok_or_else(|| NoSuchChip::new(arch))
    }

    /// The chip whose records and commands a compiler's target has: besides the names of [`Chip::find`] those that
    /// tpu-mlir and PPL have for it, such as `A2` and `tpub_7_1`.
    ///
    /// # Errors
    /// As [`Chip::find`].
    pub fn find_target(target: &str) -> Result<&'static Self, NoSuchChip> {
        Self::find(chip_name(target).unwrap_or(target))
    }

    /// The chip as people know it: name and aliases, such as `AKS (SG2260, BM1690)`.
    #[must_use]
    pub fn title(&self) -> String {
        if self.aliases.is_empty() {
            return self.name.to_owned();
        }
        let aliases: Vec<&str> = self.aliases.iter().rev().copied().collect();
        format!("{} ({})", self.name, aliases.join(", "))
    }

    /// The title of the chip of this name; the name itself where there is none.
    #[must_use]
    pub fn title_of(name: &str) -> String {
        Self::find(name).map_or_else(|_| name.to_owned(), Self::title)
    }

    /// Name, aliases and numbers, such as `AKS (5, 8800)`.
    pub(crate) fn identity(&self) -> String {
        let numbers = self.arch_values.iter().map(u64::to_string);
        let more: Vec<_> =
            self.aliases.iter().map(|&alias| alias.to_owned()).chain(numbers).collect();
        format!("{} ({})", self.name, more.join(", "))
    }

    /// Whether the clocks of a core's engines start together. BM1684X's start apart, and only the
    /// dependences between commands show their distance.
    #[must_use]
    pub fn engines_share_origin(&self) -> bool {
        self.family != Family::Bm1684x
    }

    /// Whether TIU and DMA engines count at one rate, which the dump names: CV184X has one counter for both, and the two of BM1684X run
    /// equally fast. Elsewhere each counts at its own clock.
    #[must_use]
    pub fn engines_count_at_one_rate(&self) -> bool {
        matches!(self.family, Family::Bm1684x | Family::Cv184x)
    }

    /// Whether a DMA record without its command's full bits counts the bytes that are read and those that are written; other records
    /// count what is moved once.
    #[must_use]
    pub fn counts_read_and_written(&self) -> bool {
        self.family == Family::Bm1688
    }

    /// Whether the last word of a TIU record holds the thread and the cycles that bank conflicts cost.
    #[must_use]
    pub fn counts_bank_conflicts(&self) -> bool {
        matches!(self.family, Family::Cv184x | Family::Cv84x6)
    }

    /// Number of the command that a command's dependence field makes it wait for, counted from 1. `None` where it waits
    /// for none: the number is 0, or the chip has a bit above the number (bits 0-19) that enables it and it is not set.
    #[must_use]
    #[inline]
    pub fn awaited_command(&self, dependence_field: u32) -> Option<u32> {
        const ENABLE: u32 = 1 << 20;
        let number = dependence_field & (ENABLE - 1);
        let is_enabled = !self.enables_dependences() || dependence_field & ENABLE != 0;
        (number > 0 && is_enabled).then_some(number)
    }

    /// Whether a bit above a dependence's number says that the hardware waits for it. BM1684X and BM1688 have none: each
    /// number but 0 is waited for.
    #[inline]
    fn enables_dependences(&self) -> bool {
        matches!(self.family, Family::Aks | Family::Cv184x | Family::Cv84x6)
    }

    /// Whether the runtime logs a word of each dispatched command (sections 1 and 6). Those of BM1684X and CV184X
    /// write libsophon's container only.
    #[must_use]
    pub fn has_words(&self) -> bool {
        !matches!(self.family, Family::Bm1684x | Family::Cv184x)
    }

    /// Whether the TIU's PMU leaves out records of very short commands that follow each other, in a
    /// sound capture.
    #[must_use]
    pub fn drops_short_records(&self) -> bool {
        self.family == Family::Bm1684x
    }

    /// Operations of an engine.
    #[must_use]
    #[inline]
    pub fn ops(&self, engine: Engine) -> &OpTable {
        match engine {
            Engine::Tiu => &self.tiu,
            Engine::Gdma | Engine::Sdma => &self.dma,
            Engine::Cdma => &self.cdma,
        }
    }

    /// The engine of a DYN_DATA word's number; `None` for one that records nothing.
    #[must_use]
    #[inline]
    pub fn engine(&self, number: u8) -> Option<Engine> {
        self.engines.get(usize::from(number)).copied().flatten()
    }

    /// The lowest number of an engine in DYN_DATA words: the inverse of [`Chip::engine`].
    #[must_use]
    pub fn engine_number(&self, engine: Engine) -> Option<u8> {
        let place = self.engines.iter().position(|&e| e == Some(engine))?;
        u8::try_from(place).ok()
    }

    /// Name of a data type's code; `None` beyond the table.
    #[must_use]
    pub fn data_type(&self, code: u64) -> Option<&'static str> {
        self.data_types.get(usize::try_from(code).ok()?).copied()
    }

    /// A number of the chip's description, such as `DMA Frequency(MHz)`.
    #[must_use]
    pub fn arch_number(&self, key: &str) -> Option<f64> {
        self.arch.iter().find(|e| e.key == key)?.value.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slot;
    use crate::memory::Direction;

    #[test]
    fn every_chip_is_there() {
        let names: Vec<_> = chips().iter().map(|c| c.name).collect();
        assert_eq!(names, ["AKS", "AKSV", "BM1684X", "BM1688", "CV184X", "CV84X6"]);
        for chip in chips() {
            assert_eq!(chip.arch.len(), 20, "{}", chip.name);
            assert_eq!(chip.data_type(5), Some("BFP16"));
            assert_eq!(chip.names.tiu(15, 9), ("sys", "wait_msg"));
        }
    }

    #[test]
    fn chips_are_found_by_name_alias_and_number() {
        for (arch, name) in
            [("8800", "AKS"), ("aksv", "AKSV"), ("BM1684X2", "CV84X6"), ("4", "BM1688")]
        {
            assert_eq!(Chip::find(arch).unwrap().name, name);
        }
        let error = Chip::find("bm1684").unwrap_err().to_string();
        assert!(error.contains("CV84X6 (BM1684X2, 7)"), "{error}");
    }

    /// Every operation with a register is found again by a head made from its own codes.
    #[test]
    fn every_variant_of_every_op_decodes() {
        for chip in chips() {
            for engine in [Engine::Tiu, Engine::Gdma, Engine::Cdma] {
                let mut decoded = 0;
                for op in chip.ops(engine).ops() {
                    let Some(register) = &op.register else { continue };
                    for &(variant, _) in op.variants {
                        let bits = chip.ops(engine).blank(op, variant).unwrap();
                        let command = chip.ops(engine).decode(&bits).unwrap();
                        assert_eq!(command.op.name, op.name, "{} {variant}", chip.name);
                        assert_eq!(command.variant, variant);
                        assert_eq!(command.bits.len(), register.bytes());
                        decoded += 1;
                    }
                }
                assert!(decoded > 0 || engine == Engine::Cdma);
            }
        }
    }

    #[test]
    fn lengths_are_known_without_a_register_where_all_agree() {
        let aks = Chip::find("AKS").unwrap();
        let mut bits = vec![0u8; 96];
        bits[4] = 10; // DMA_compress
        let error = aks.ops(Engine::Gdma).decode(&bits).unwrap_err();
        assert_eq!(error.bits(), Some(768), "{error}");
        bits[4] = 30;
        assert_eq!(aks.ops(Engine::Gdma).decode(&bits).unwrap_err().bits(), None);
        let aksv = Chip::find("AKSV").unwrap();
        let long_conv = aksv.ops(Engine::Tiu).decode(&[0u8; 128]).unwrap_err();
        assert_eq!(long_conv.bits(), None, "{long_conv}");
    }

    #[test]
    fn names_follow_the_direction_and_fall_back() {
        let aks = Chip::find("AKS").unwrap();
        let ddr_lmem = Direction::of_info(2 << 6);
        assert_eq!(ddr_lmem.text(), "DDR->LMEM");
        assert_eq!(aks.names.dma(0, 0, ddr_lmem), ("DMA_tensor", "tensorLd"));
        assert_eq!(aks.names.dma(0, 20, ddr_lmem), ("DMA_tensor", "DMA_tensor"));
        assert_eq!(aks.names.dma(17, 0, ddr_lmem), ("unknown", "unknown"));
        assert_eq!(aks.names.cdma(3, 9), ("general", None));
        let cv = Chip::find("CV84X6").unwrap();
        assert_eq!(cv.names.dma(0, 20, ddr_lmem), ("DMA_tensor", "unknown"));
        assert_eq!(cv.names.rvt(15, 4), ("smm2", "rvt_fmm2_nn"));
        assert_eq!(cv.names.rvt(30, 4), ("rvt", "unknown"));
    }

    #[test]
    fn cmd_short_is_a_field_of_short_descriptors() {
        let aks = Chip::find("AKS").unwrap();
        let op = aks.ops(Engine::Tiu).ops().iter().find(|o| o.name == "sAR").unwrap();
        assert!(op.register.as_ref().unwrap().has(Slot::TiuShort));
    }
}
