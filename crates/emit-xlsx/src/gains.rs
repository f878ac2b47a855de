//! What a model could gain: the table below its layers' kinds.

use bigtpu_compat::Gain;

use crate::number::six_digits;
use crate::sheet::{Result, Sheet};

const COLUMNS: [&str; 6] =
    ["Case", "ReducedTime(us)", "CurrentTotalTime(us)", "Concurrency(%)", "macUtil(%)", "Remark"];

/// Writes the steps towards the best time.
pub(crate) fn write(sheet: &mut Sheet<'_>, header_row: u32, gains: &[Gain]) -> Result {
    sheet.headers(header_row, 1, COLUMNS, sheet.styles.head)?;
    for (row, gain) in (header_row + 1..).zip(gains) {
        sheet.text(row, 1, &gain.name)?;
        let numbers = [gain.reduced, gain.current, gain.concurrency, gain.mac_utilization];
        for (col, x) in (2..).zip(numbers) {
            sheet.number(row, col, six_digits(x))?;
        }
        sheet.text(row, 6, &gain.remark)?;
    }
    Ok(())
}
