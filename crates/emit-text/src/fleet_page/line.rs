//! Times as a line.

use bigtpu_measure::quotient;
use bigtpu_output::{Markup, Text, put};

use crate::answers::us;

/// Width and height of the line.
const LINE: (f64, f64) = (160.0, 24.0);

/// Times of calls as a line.
pub(super) fn line(body: &mut Text<Markup>, calls: &[(u32, i64)]) {
    let (width, height) = LINE;
    let least = calls.iter().map(|(_, ns)| *ns).min().unwrap_or(0);
    let most = calls.iter().map(|(_, ns)| *ns).max().unwrap_or(0);
    let first = calls.first().map_or(0, |(call, _)| *call);
    let last = calls.last().map_or(0, |(call, _)| *call);
    put!(
        body,
        "<svg width=\"{:.0}\" height=\"{:.0}\" role=\"img\"><title>{} to {} us</title>",
        width,
        height,
        us(least),
        us(most)
    );
    body.own("<polyline fill=\"none\" stroke=\"currentColor\" points=\"");
    for (call, ns) in calls {
        let x = quotient((call - first).into(), (last - first).into()) * (width - 4.0) + 2.0;
        let y =
            height - 2.0 - quotient((ns - least).into(), (most - least).into()) * (height - 4.0);
        put!(body, "{:.1},{:.1} ", x, y);
    }
    body.own("\"/></svg>");
}
