//! Facts about the chip on both sheets of a model.

use bigtpu_timeline::Profile;

use crate::number::six_digits;
use crate::sheet::{Result, Sheet};
use bigtpu_compat::LaneArrays;

const ARRAY: [&str; 7] = [
    "NPU NUM (lane)",
    "IC Alignment (8bits)",
    "Conv OHOW Align",
    "Vector OHOW Align(8bits)",
    "Conv Ops/s",
    "Vect Ops/s",
    "Pool OPs/s",
];

/// `Chip Arch`.
pub(crate) fn platform(profile: &Profile<'_>) -> String {
    let arch = profile.chip.arch.iter().find(|e| e.key == "Chip Arch");
    arch.map_or_else(|| profile.chip.name.to_owned(), |e| e.value.to_owned())
}

/// DDR bandwidth of all cores, in GB/s.
pub(crate) fn ddr_gbps(profile: &Profile<'_>) -> f64 {
    let of_core = profile.chip.arch_number("DDR Max BW(GB/s/Core)").unwrap_or(0.0);
    let cores = profile.chip.arch_number("Core Num").unwrap_or(0.0);
    (of_core * cores * 100.0).round() / 100.0
}

/// The arrays, and what they could do at a clock: GHz on one sheet, MHz on the other.
pub(crate) fn array_block(sheet: &mut Sheet<'_>, profile: &Profile<'_>, clock: f64) -> Result {
    let head = sheet.styles.head;
    sheet.headers(3, 1, ARRAY, head)?;
    let array = LaneArrays::for_chip(profile);
    let conv = array.lanes * array.channels * array.cube_positions * clock * 2.0 / 1000.0;
    let conv = (conv + 1e-9).floor();
    let vector = array.lanes * array.vector_positions * clock / 1000.0;
    let vector: f64 = format!("{vector:.2}").parse().unwrap_or(vector);
    let shape = [array.lanes, array.channels, array.cube_positions, array.vector_positions];
    for (col, x) in (1..).zip(shape.into_iter().chain([conv, vector, conv / 4.0])) {
        sheet.number(4, col, six_digits(x))?;
    }
    Ok(())
}
