//! A DMA event's record: what the chips' texts have in common.

use bigtpu_chip::{Command, Family, Mask, Slot};
use bigtpu_measure::{TrackCommand, TransferKind};

use super::cell::{Cell, CellField, Cells, Varying, shared};
use super::layout::{RecordLayout, register_cells};
use super::{dma_aks, dma_bm1688, dma_cv84x6};

/// What a kind's record is made of.
pub(super) struct Source<'c, 'a, 'd> {
    /// One of its commands.
    pub(super) command: &'c TrackCommand<'a, 'd>,
    pub(super) kind: TransferKind,
}

pub(super) fn layout<'a>(command: &TrackCommand<'a, '_>, mask: Option<&Mask>) -> RecordLayout<'a> {
    let Some(kind) = command.kind.transfer else { return RecordLayout::default() };
    let source = Source { command, kind };
    let (bits, family) = (command.bits(), command.all.profile.chip.family);
    let computed = match (bits, family) {
        (None, Family::Cv84x6) => dma_cv84x6::condensed(&source),
        (None, _) => dma_aks::condensed(&source),
        (Some(_), Family::Aks) => dma_aks::full(&source),
        (Some(_), Family::Bm1684x | Family::Bm1688 | Family::Cv184x) => dma_bm1688::full(&source),
        (Some(_), Family::Cv84x6) => dma_cv84x6::full(&source),
    };
    let info = match bits {
        Some(bits) => merged(&bits, mask, computed),
        None => computed,
    };
    RecordLayout { info, function_type: command.kind.function_type, ..RecordLayout::default() }
}

/// The fields of full bits with those that are computed. A computed key that is also a field keeps the field's place and takes
/// the computed value.
fn merged<'a>(bits: &Command<'_>, mask: Option<&Mask>, computed: Cells<'a>) -> Cells<'a> {
    let mut info = register_cells(bits, mask);
    let fields = info.len();
    for field in computed {
        match info.iter_mut().take(fields).find(|(key, _)| *key == field.0) {
            Some(own) => *own = field,
            None => info.push(field),
        }
    }
    info
}

impl<'a> Source<'_, 'a, '_> {
    pub(super) fn is_system(&self) -> bool {
        let kind = self.command.kind;
        self.command.all.profile.chip.is_system(kind.engine, kind.task)
    }

    /// An address; 0 of system commands.
    pub(super) fn address(&self, varying: Varying) -> Cell<'a> {
        varies_if(!self.is_system(), varying)
    }

    /// `DDR Bandwidth(GB/s)`: a plain 0 where the kind has none.
    pub(super) fn ddr_field(&self) -> CellField<'a> {
        let has_own = self.command.transfer().ddr_bytes.is_some();
        ("DDR Bandwidth(GB/s)", varies_if(has_own, Varying::DdrGbps))
    }

    /// `L2M Bandwidth(GB/s)`, likewise.
    pub(super) fn l2_field(&self) -> CellField<'a> {
        let has_own = self.command.transfer().l2_bytes.is_some();
        ("L2M Bandwidth(GB/s)", varies_if(has_own, Varying::L2Gbps))
    }

    pub(super) fn direction_fields(&self) -> [CellField<'a>; 4] {
        [
            ("Engine Id", shared(self.command.kind.engine.text_id())),
            ("Direction", shared(self.kind.direction.text())),
            ("from_addr", shared(self.kind.sides.from.name())),
            ("to_addr", shared(self.kind.sides.to.name())),
        ]
    }

    pub(super) fn name_fields(&self) -> [CellField<'a>; 2] {
        let kind = self.command.kind;
        [
            ("Function Type", shared(kind.function_type)),
            ("Function Name", shared(kind.function_name.as_ref())),
        ]
    }

    pub(super) fn code_fields(&self) -> [CellField<'a>; 2] {
        let kind = self.command.kind;
        [("cmd_type", shared(kind.task)), ("cmd_special_function", shared(kind.function))]
    }
}

/// A value of a kind's commands, or a plain 0 where they have none.
fn varies_if<'a>(has_own: bool, varying: Varying) -> Cell<'a> {
    if has_own { Cell::Varies(varying) } else { shared(0_u8) }
}

pub(super) fn time_fields<'a>() -> [CellField<'a>; 3] {
    [
        ("Start Time(ns)", Cell::Varies(Varying::Start)),
        ("End Time(ns)", Cell::Varies(Varying::End)),
        ("Cmd Id", Cell::Varies(Varying::Id)),
    ]
}

/// A field of full bits that a register may lack: it is 0 then.
pub(super) fn slot<'a>(slot: Slot) -> Cell<'a> {
    Cell::Varies(Varying::Slot(slot, 0, u64::MAX))
}

/// Constant columns of the texts, always 0.
pub(super) const BURSTS: [&str; 4] =
    ["gmem_bl_sum", "gmem_avg_burst_length", "lmem_bl_sum", "lmem_avg_burst_length"];
/// Constant columns of the texts, always 0.
pub(super) const MASKS: [&str; 4] =
    ["lmem_msk_wr_cnt", "gmem_msk_wr_cnt", "lmem_n32Ba_sa_cnt", "gmem_n32Ba_sa_cnt"];
/// Constant columns of the texts, blank.
pub(super) const BLANKS: [(&str, &str); 6] = [
    ("funcName", " "),
    ("layer_ID", ""),
    ("index", " "),
    ("Msg Id", " "),
    ("Sd\\Wt Count", " "),
    ("mask_data_format", " "),
];
/// Constant columns of BM1688's texts.
pub(super) const SHAPES: [&str; 3] = ["index_shape", "src_shape", "dst_shape"];
pub(super) const SHAPE: &str = "(1, 128, 128 ,9)(FP32)(147456, 1152, 9, 1)";

pub(super) fn zeros<'a>(keys: [&'static str; 4]) -> impl Iterator<Item = CellField<'a>> {
    keys.into_iter().map(|key| (key, shared(0_u8)))
}

pub(super) fn blanks<'a>() -> impl Iterator<Item = CellField<'a>> {
    BLANKS.into_iter().map(|(key, text)| (key, shared(text)))
}
