//! The chart of `Roofline`: a dot for each kernel under the roofs, both axes logarithmic.

use std::collections::BTreeMap;

use bigtpu_answers::Roofline;
use bigtpu_chip::Engine;
use bigtpu_machine::Hardware;
use rust_xlsxwriter::{
    Chart, ChartAxisCrossing, ChartDataLabel, ChartDataLabelPosition, ChartFormat,
    ChartLegendPosition, ChartLine, ChartLineDashType, ChartMarker, ChartMarkerType,
    ChartSolidFill, ChartType, Color, Worksheet,
};

use crate::roofline_sheet::{HEADER_ROW, INTENSITY, KERNEL, NAME, ROOFS, ROOFS_ROW, TOPS};
use crate::sheet::{self, Result};
use crate::styles::engine_color;

/// A roof, as the line through its corners.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Roof {
    pub(crate) name: String,
    /// Operations a byte, tera-operations a second.
    pub(crate) corners: [(f64, f64); 2],
}

/// Dots with their kernel's name next to them, and the longest name that is shown whole, in letters.
const NAMED: usize = 12;
const LONGEST: usize = 24;
/// A name takes so much of the chart's width and height: of two dots that are closer, the longer kernel's has a name.
const NAME_WIDTH: f64 = 0.2;
const NAME_HEIGHT: f64 = 0.06;

/// Colours and dashes of the roofs' lines, in the order of `roofs`: DDR first, then the peaks.
const LINES: [(u32, ChartLineDashType); 6] = [
    (0xC0_504D, ChartLineDashType::Solid),
    (0x1F_4E79, ChartLineDashType::Solid),
    (0x2E_75B6, ChartLineDashType::Dash),
    (0x70_30A0, ChartLineDashType::DashDot),
    (0x00_7A87, ChartLineDashType::SquareDot),
    (0x7F_6000, ChartLineDashType::LongDash),
];

/// Size of the chart in pixels: it ends above the table and before the roofs' corners.
const SIZE: (u32, u32) = (1060, 440);

/// The roofs over the kernels; `None` where no kernel has a place under them.
pub(crate) fn roofs(hardware: &Hardware, kernels: &[Roofline]) -> Option<Vec<Roof>> {
    let dots = kernels.iter().filter(|r| has_rate(r)).filter_map(|r| r.ddr_intensity);
    let (least, most) = dots.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let peaks = peaks(hardware);
    let highest = peaks.last()?.0;
    if most <= 0.0 || least <= 0.0 {
        return None;
    }
    let ridge = |tops: f64| hardware.ddr_gbps.map_or(least, |gbps| tops * 1000.0 / gbps);
    let right = most.max(ridge(highest)) * 4.0;
    let left = least.min(ridge(peaks.first()?.0)) / 2.0;
    let mut roofs = Vec::new();
    if let Some(gbps) = hardware.ddr_gbps {
        let corners = [(left, left * gbps / 1000.0), (ridge(highest), highest)];
        let name = format!("DDR {gbps} GB/s");
        roofs.push(Roof { name, corners });
    }
    for (tops, types) in peaks.into_iter().rev() {
        let corners = [(ridge(tops), tops), (right, tops)];
        let name = format!("{} {tops} TOPS", types.join(", "));
        roofs.push(Roof { name, corners });
    }
    Some(roofs)
}

/// Whether the operations of a kernel are known, and there are some.
fn has_rate(kernel: &Roofline) -> bool {
    kernel.tops.is_some_and(|tops| tops > 0.0)
}

/// Peaks with the types that have them, the lowest first.
fn peaks(hardware: &Hardware) -> Vec<(f64, Vec<&str>)> {
    // Bits of positive numbers are in the numbers' order.
    let mut types: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
    for (name, tops) in hardware.peak_tops.iter().filter(|(_, tops)| **tops > 0.0) {
        types.entry(tops.to_bits()).or_default().push(name);
    }
    types.into_iter().map(|(tops, names)| (f64::from_bits(tops), names)).collect()
}

/// Puts the chart above the table.
pub(crate) fn insert(inner: &mut Worksheet, roofs: &[Roof], kernels: &[Roofline]) -> Result {
    let mut chart = Chart::new(ChartType::ScatterStraight);
    let (first, last) = (HEADER_ROW + 1, HEADER_ROW + kernels.len() as u32);
    let corners = || roofs.iter().flat_map(|roof| roof.corners);
    let dots = || kernels.iter().filter_map(|r| Some((r.ddr_intensity?, r.tops?)));
    let shown = || corners().chain(dots()).filter(|(x, y)| *x > 0.0 && *y > 0.0);
    let (left, right) = decades(shown().map(|(x, _)| x));
    let (bottom, top) = decades(shown().map(|(_, y)| y));
    // Names as texts: not every program follows a label's reference to a cell.
    let names = named(kernels, ((left, right), (bottom, top))).into_iter();
    let labels = names.zip(first..).map(|(name, row)| {
        let mut label = ChartDataLabel::new();
        match name {
            // The library would take such a name from the dump for a reference.
            Some(name) if name.starts_with('=') || name.contains('!') => {
                label.set_value((NAME, row, KERNEL)).to_custom()
            }
            Some(name) => label.set_value(&*sheet::shown(&name)).to_custom(),
            None => label.set_hidden().to_custom(),
        }
    });
    let names: Vec<ChartDataLabel> = labels.collect();
    chart
        .add_series()
        .set_name("Kernels")
        .set_categories((NAME, first, INTENSITY, last, INTENSITY))
        .set_values((NAME, first, TOPS, last, TOPS))
        .set_format(ChartLine::new().set_hidden(true))
        .set_marker(
            ChartMarker::new().set_type(ChartMarkerType::Circle).set_size(8).set_format(
                ChartFormat::new()
                    .set_solid_fill(ChartSolidFill::new().set_color(engine_color(Engine::Sdma))),
            ),
        )
        .set_data_label(
            ChartDataLabel::new().show_value().set_position(ChartDataLabelPosition::Above),
        )
        .set_custom_data_labels(&names);
    for ((at, roof), (color, dash)) in (0..).zip(roofs).zip(LINES.into_iter().cycle()) {
        let row = ROOFS_ROW + 1 + 2 * at;
        let mut line = ChartLine::new();
        line.set_color(Color::RGB(color)).set_dash_type(dash).set_width(2);
        chart
            .add_series()
            .set_name(&roof.name)
            .set_categories((NAME, row, ROOFS + 1, row + 1, ROOFS + 1))
            .set_values((NAME, row, ROOFS + 2, row + 1, ROOFS + 2))
            .set_format(&mut line)
            .set_marker(ChartMarker::new().set_none());
    }
    chart.x_axis().set_name("operations per byte of DDR traffic").set_log_base(10);
    chart.x_axis().set_min(left).set_max(right).set_crossing(ChartAxisCrossing::Min);
    chart.y_axis().set_name("TOPS").set_log_base(10);
    chart.y_axis().set_min(bottom).set_max(top).set_crossing(ChartAxisCrossing::Min);
    chart.title().set_name("Kernels under the roofs of a core");
    chart.legend().set_position(ChartLegendPosition::Bottom);
    chart.set_width(SIZE.0).set_height(SIZE.1);
    inner.insert_chart(ROOFS_ROW, 0, &chart).map(drop)
}

/// The names next to the dots, by kernel: none where a longer kernel's name is too close, or there are enough.
fn named(kernels: &[Roofline], ((left, right), (bottom, top)): Axes) -> Vec<Option<String>> {
    let place = |x: f64, (low, high): (f64, f64)| (x / low).ln() / (high / low).ln();
    let mut taken: Vec<(f64, f64)> = Vec::new();
    let name = |kernel: &Roofline| {
        let intensity = kernel.ddr_intensity.filter(|x| *x > 0.0)?;
        let tops = kernel.tops.filter(|tops| *tops > 0.0)?;
        let at = (place(intensity, (left, right)), place(tops, (bottom, top)));
        let is_close =
            |(x, y): &(f64, f64)| (at.0 - x).abs() < NAME_WIDTH && (at.1 - y).abs() < NAME_HEIGHT;
        if taken.len() >= NAMED || taken.iter().any(is_close) {
            return None;
        }
        taken.push(at);
        let name = &kernel.kernel;
        let cut = || name.chars().take(LONGEST - 2).chain("..".chars()).collect();
        Some(if name.chars().count() <= LONGEST { name.clone() } else { cut() })
    };
    kernels.iter().map(name).collect()
}

/// Ends of the axes: x, then y.
type Axes = ((f64, f64), (f64, f64));

/// Whole powers of ten around positive numbers.
fn decades(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = numbers.fold((f64::MAX, 0.0_f64), |(a, b), x| (a.min(x), b.max(x)));
    let power = |exponent: f64| 10_f64.powi(exponent as i32);
    (power(least.log10().floor()), power(most.log10().ceil()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kernel with that many operations a byte.
    fn kernel(ddr_intensity: f64) -> Roofline {
        Roofline {
            kernel: "k".into(),
            ns: 100,
            work_ns: 100,
            sync_ns: 0,
            ideal_compute_ns: Some(10),
            ideal_ddr_ns: Some(50),
            ideal_l2m_ns: Some(0),
            ops: Some(1000),
            ddr_bytes: 100,
            l2m_bytes: 0,
            ddr_intensity: Some(ddr_intensity),
            l2m_intensity: None,
            tops: Some(1.0),
            ddr_gbps: 1.0,
            l2m_gbps: 0.0,
            bound: bigtpu_answers::Bound::Latency,
            roof: Some(0.5),
            known: 1.0,
        }
    }

    #[test]
    fn roofs_meet_at_their_ridge() {
        let hardware = Hardware {
            chip: "AKS".into(),
            cores: 8,
            tiu_mhz: 1000.0,
            ddr_gbps: Some(50.0),
            ddr_port_gbps: None,
            ddr_both_ways_gbps: None,
            link_gbps: None,
            l2m_gbps: None,
            l2m_bytes: None,
            peak_tops: [("INT8".into(), 16.0), ("FP16".into(), 8.0), ("BF16".into(), 8.0)].into(),
        };
        let peaks = peaks(&hardware);
        assert_eq!(peaks, [(8.0, vec!["BF16", "FP16"]), (16.0, vec!["INT8"])]);
        assert_eq!(roofs(&hardware, &[]), None);
        let corners: Vec<_> = roofs(&hardware, &[kernel(10.0)])
            .unwrap()
            .into_iter()
            .map(|roof| roof.corners)
            .collect();
        assert_eq!(
            corners,
            [
                [(5.0, 0.25), (320.0, 16.0)],
                [(320.0, 16.0), (1280.0, 16.0)],
                [(160.0, 8.0), (1280.0, 8.0)]
            ]
        );
    }

    #[test]
    fn names_do_not_lie_on_each_other() {
        let kernels = [kernel(10.0), kernel(11.0), kernel(1000.0)];
        let names = named(&kernels, ((1.0, 10_000.0), (0.01, 100.0)));
        assert_eq!(names, [Some("k".into()), None, Some("k".into())]);
    }

    #[test]
    fn axes_end_at_powers_of_ten() {
        assert_eq!(decades([0.03, 7.0, 320.0].into_iter()), (0.01, 1000.0));
    }
}
