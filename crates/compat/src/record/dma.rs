//! A DMA event's record: what the chips' texts have in common.

use bigtpu_chip::{Command, Family, Slot};
use bigtpu_measure::{Addresses, TrackCommand, Transfer, TransferKind};

use super::{Field, Fields, Record, Times, Value, dma_aks, dma_bm1688, dma_cv84x6};

/// What a command's record is made of.
pub(super) struct Source<'a, 'd> {
    pub(super) command: TrackCommand<'a, 'd>,
    pub(super) kind: TransferKind,
    pub(super) bits: Option<Command<'d>>,
    /// Of full bits.
    pub(super) addresses: Addresses,
    pub(super) transfer: Transfer,
    pub(super) times: Times,
}

pub(super) fn dma_record<'a>(command: &TrackCommand<'a, '_>) -> Record<'a> {
    let function_type = command.kind.function_type;
    let info = match (command.kind.transfer, command.bits()) {
        (None, _) => return Record::default(),
        (_, Some(bits)) => merged(&bits, computed(command)).0,
        (_, None) => computed(command),
    };
    Record { info, function_type, ..Record::default() }
}

/// The fields that are computed: of a command that is known by its word all, else those that are not read from its bits alone.
pub(super) fn computed<'a>(command: &TrackCommand<'a, '_>) -> Fields<'a> {
    let Some(kind) = command.kind.transfer else { return Vec::new() };
    let bits = command.bits();
    let family = command.all.profile.chip.family;
    let source = Source {
        command: *command,
        kind,
        bits,
        addresses: bits.map_or(NO_ADDRESSES, |bits| Addresses::of(family, &bits)),
        transfer: command.transfer(),
        times: Times::of(command),
    };
    match (bits, family) {
        (None, Family::Cv84x6) => dma_cv84x6::condensed(&source),
        (None, _) => dma_aks::condensed(&source),
        (Some(_), Family::Aks) => dma_aks::full(&source),
        (Some(_), Family::Bm1684x | Family::Bm1688 | Family::Cv184x) => dma_bm1688::full(&source),
        (Some(_), Family::Cv84x6) => dma_cv84x6::full(&source),
    }
}

const NO_ADDRESSES: Addresses = Addresses { source: 0, destination: 0 };

/// The fields of full bits with those that are computed, and where each of the computed ones is. A computed key that is also a
/// field keeps the field's place and takes the computed value.
pub(super) fn merged<'a>(bits: &Command<'_>, computed: Fields<'a>) -> (Fields<'a>, Vec<usize>) {
    let register = bits.register.fields;
    let mut info: Fields<'a> = Vec::with_capacity(register.len() + computed.len());
    info.extend(register.iter().map(|field| (field.name(), field.value(bits.bits).into())));
    let mut places = Vec::with_capacity(computed.len());
    for field in computed {
        let again = register.iter().position(|own| own.name() == field.0);
        match again.and_then(|place| Some((place, info.get_mut(place)?))) {
            Some((place, info)) => {
                *info = field;
                places.push(place);
            }
            None => {
                places.push(info.len());
                info.push(field);
            }
        }
    }
    (info, places)
}

impl<'a> Source<'a, '_> {
    pub(super) fn slot(&self, slot: Slot) -> Value<'a> {
        self.bits.map_or(0, |bits| bits.get(slot)).into()
    }

    pub(super) fn is_system(&self) -> bool {
        let kind = self.command.kind;
        self.command.all.profile.chip.is_system(kind.engine, kind.task)
    }

    pub(super) fn addresses(&self) -> Addresses {
        self.addresses
    }

    /// Bandwidths of the global and the local side, in GB/s.
    pub(super) fn side_gbps(&self) -> (f64, f64) {
        self.transfer.side_gbps(self.command.all.profile.chip.family)
    }

    pub(super) fn direction_fields(&self) -> [Field<'a>; 4] {
        [
            ("Engine Id", self.command.kind.engine.text_id().into()),
            ("Direction", self.kind.direction.text().into()),
            ("from_addr", self.kind.sides.from.name().into()),
            ("to_addr", self.kind.sides.to.name().into()),
        ]
    }

    pub(super) fn name_fields(&self) -> [Field<'a>; 2] {
        let kind = self.command.kind;
        [
            ("Function Type", kind.function_type.into()),
            ("Function Name", kind.function_name.as_ref().into()),
        ]
    }

    pub(super) fn time_fields(&self) -> [Field<'a>; 3] {
        [
            ("Start Time(ns)", self.times.start.into()),
            ("End Time(ns)", self.times.end.into()),
            ("Cmd Id", self.times.command.into()),
        ]
    }

    pub(super) fn code_fields(&self) -> [Field<'a>; 2] {
        let kind = self.command.kind;
        [("cmd_type", kind.task.into()), ("cmd_special_function", kind.function.into())]
    }
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

pub(super) fn zeros<'a>(keys: [&'static str; 4]) -> impl Iterator<Item = Field<'a>> {
    keys.into_iter().map(|key| (key, Value::Int(0)))
}

pub(super) fn blanks<'a>() -> impl Iterator<Item = Field<'a>> {
    BLANKS.into_iter().map(|(key, text)| (key, text.into()))
}
