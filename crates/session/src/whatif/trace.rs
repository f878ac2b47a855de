//! `whatif.pftrace`: the measured and the predicted run side by side on one time line.

use std::path::Path;

use bigtpu_emit::Quiet;
use bigtpu_emit_perfetto::{MergedOptions, MergedTrace};
use bigtpu_host_trace::HostAlign;
use bigtpu_output::{OutDir, Written};

use super::error::WhatifError;
use crate::host::Host;
use crate::run::Run;
use crate::two_runs::detail_of;

const FILE: &str = "whatif.pftrace";
const TIME_LINE: &str = "The measured and the predicted run start at the same time.";

pub(super) fn write(
    host: Option<&Path>,
    measured: &Run<'_>,
    predicted: &Run<'_>,
    out: &OutDir,
) -> Result<Written, WhatifError> {
    let host = host.map(|file| Host::open(file, HostAlign::Anchors)).transpose()?;
    let start_ns = host.as_ref().map_or(0, |host| host.device_offset(&measured.profile));
    let options = MergedOptions {
        file: FILE,
        title: "Measured and predicted run",
        time_line: TIME_LINE,
        compress: false,
        detail: detail_of(measured, predicted),
        host: host.as_ref().map(|host| &*host.trace),
    };
    let mut trace = MergedTrace::create(out, options)?;
    for (name, run) in [("Measured", measured), ("Predicted", predicted)] {
        trace.device(run.device(name, start_ns), &Quiet)?;
    }
    if let Some(host) = &host {
        trace.host(&host.trace, &Quiet)?;
    }
    Ok(trace.finish()?)
}
