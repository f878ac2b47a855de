//! A DMA event's record: what the chips' texts have in common.

use bigtpu_chip::Family;
use bigtpu_timeline::{Profile, Track};

use super::{Field, Fields, Record, Times, Value, dma_aks, dma_bm1688, dma_cv84x6};
use crate::dma::{DmaView, dma};

pub(super) fn dma_record<'a>(profile: &'a Profile<'_>, track: &Track<'a>, i: usize) -> Record<'a> {
    let view = dma(profile, track, i);
    let times = Times::of(track, i);
    let family = profile.chip.family;
    let Some(command) = view.command else {
        let info = match family {
            Family::Cv84x6 => dma_cv84x6::condensed(profile, track, i, &view, &times),
            Family::Aks | Family::Bm1684x | Family::Bm1688 => {
                dma_aks::condensed(track, &view, &times)
            }
        };
        return Record { info, function_type: view.function_type, ..Record::default() };
    };
    let mut later = match family {
        Family::Aks => dma_aks::full(track, &view, &times),
        Family::Bm1684x | Family::Bm1688 => dma_bm1688::full(track, &view, &times),
        Family::Cv84x6 => dma_cv84x6::full(profile, track, i, &view, &times),
    };
    // A later key that is also a field keeps the field's place and takes the later value.
    let mut info: Fields<'a> = Vec::with_capacity(command.register.fields.len() + later.len());
    for field in command.register.fields {
        let again = later.iter().position(|(key, _)| *key == field.name);
        match again {
            Some(at) => info.push(later.remove(at)),
            None => info.push((field.name, field.value(command.bits).into())),
        }
    }
    info.append(&mut later);
    Record { info, function_type: view.function_type, ..Record::default() }
}

pub(super) fn direction_fields<'a>(track: &Track<'_>, view: &DmaView<'a>) -> [Field<'a>; 4] {
    [
        ("Engine Id", track.place.engine.text_id().into()),
        ("Direction", view.direction.text().into()),
        ("from_addr", view.sides.from.name().into()),
        ("to_addr", view.sides.to.name().into()),
    ]
}

pub(super) fn name_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [
        ("Function Type", view.function_type.into()),
        ("Function Name", Value::Text(view.function_name.clone())),
    ]
}

pub(super) fn time_fields<'a>(times: &Times) -> [Field<'a>; 3] {
    [
        ("Start Time(ns)", times.start.into()),
        ("End Time(ns)", times.end.into()),
        ("Cmd Id", times.command.into()),
    ]
}

pub(super) fn code_fields<'a>(view: &DmaView<'a>) -> [Field<'a>; 2] {
    [("cmd_type", view.task.into()), ("cmd_special_function", view.function.into())]
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

pub(super) fn zeros<'a>(keys: [&'a str; 4]) -> impl Iterator<Item = Field<'a>> {
    keys.into_iter().map(|key| (key, Value::Int(0)))
}

pub(super) fn blanks<'a>() -> impl Iterator<Item = Field<'a>> {
    BLANKS.into_iter().map(|(key, text)| (key, text.into()))
}
