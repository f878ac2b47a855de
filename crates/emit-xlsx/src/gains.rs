//! What a model could gain: the table below its layers' kinds.

use bigtpu_analysis::percent;

use crate::model_sheet::{Contents, Kind};
use crate::number::{of_text, six_digits};
use crate::peak::Peak;
use crate::sheet::{Result, Sheet};

const CASES: [&str; 6] =
    ["Case", "ReducedTime(us)", "CurrentTotalTime(us)", "Concurrency(%)", "macUtil(%)", "Remark"];

/// A step towards the best time.
struct Case {
    name: String,
    reduced: f64,
    current: f64,
    concurrency: f64,
    remark: String,
}

/// What the model could gain: by full concurrency, then by each kind of layer at its peak.
pub(crate) fn write(
    sheet: &mut Sheet<'_>,
    header_row: u32,
    contents: &Contents<'_, '_>,
    kinds: &[Kind],
    overall: &Kind,
) -> Result {
    let (profile, module) = (contents.profile, &contents.layers.module);
    let mhz = profile.clocks.tiu_mhz as f64;
    let peak = Peak::of(profile);
    let total = contents.summary.total_ns as f64 / 1000.0;
    let us = overall.us(mhz);
    let overlap = percent(contents.summary.overall_overlap().concurrency, 2);
    let concurrency = of_text(&overlap).map_or(0.0, |(x, _)| x * 100.0);
    let case = |name: &str, reduced, current, concurrency, remark: &str| Case {
        name: name.to_owned(),
        reduced,
        current,
        concurrency,
        remark: remark.to_owned(),
    };
    let mut cases = vec![
        case(
            "origin",
            0.0,
            total,
            concurrency,
            "排除CPU耗时及输入输出在runtime空间和用户空间的搬运耗时",
        ),
        case("100% Concurrency", total - us, us, 100.0, "TIU和GDMA的并行度100%"),
    ];
    for (of_kind, word) in [(false, "Model"), (true, "Layer")] {
        let mut current = us;
        for kind in kinds {
            let tops = peak.tops(if of_kind { &kind.name } else { "Conv" }, &module.mode);
            let best = if tops > 0.0 { kind.tiu.alg_ops as f64 / tops / 1e6 } else { 0.0 };
            let reduced = kind.us(mhz) - best;
            current -= reduced;
            let name = format!("{} tiuTime: {:.2} us -> {best:.2} us", kind.name, kind.us(mhz));
            let remark = format!("{}的耗时用{word}PeakTops得到的理论耗时替换", kind.name);
            cases.push(case(&name, reduced, current, 100.0, &remark));
        }
    }
    sheet.heads(header_row, 1, CASES, &sheet.styles.head)?;
    let peak = peak.tops("Conv", &module.mode);
    for (row, case) in (header_row + 1..).zip(cases) {
        let ideal = if peak > 0.0 { module.flops as f64 / peak / 1e6 } else { 0.0 };
        let used = if case.current == 0.0 { 0.0 } else { ideal / case.current * 100.0 };
        sheet.text(row, 1, &case.name)?;
        let numbers = [case.reduced, case.current, case.concurrency, rounded(used, 3)];
        for (col, x) in (2..).zip(numbers) {
            sheet.number(row, col, six_digits(x))?;
        }
        sheet.text(row, 6, &case.remark)?;
    }
    Ok(())
}

/// `x` with the decimals that are shown.
pub(crate) fn rounded(x: f64, decimals: usize) -> f64 {
    format!("{x:.decimals$}").parse().unwrap_or(x)
}
