//! Shares of a time as shaded cells of a page.

use bigtpu_measure::{percent, quotient};
use bigtpu_output::{Markup, Text, put};

/// A cell with a part's share of the whole, the darker the greater.
pub(crate) fn shaded(body: &mut Text<Markup>, part: i64, whole: i64) {
    let share = quotient(part.into(), whole.into());
    put!(
        body,
        "<td style=\"background:rgb(200 100 27/{:.2})\">{}</td>",
        share.clamp(0.0, 1.0) * 0.55,
        percent(share, 1)
    );
}
