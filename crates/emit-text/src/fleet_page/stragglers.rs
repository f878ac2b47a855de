//! Devices, cores and calls that others wait for.

use bigtpu_answers::{SlowCall, SlowCore, SlowDevice};
use bigtpu_messages::{Arg, message};
use bigtpu_output::{Markup, Text, put};

use super::list::List;
use super::{FINDINGS, FleetPage, both, device, times};
use crate::answers::us;

impl FleetPage<'_> {
    pub(super) fn devices(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.devices;
        let list = List {
            id: "devices",
            title: "fleet-slow-devices",
            definition: Some("fleet-slow-devices-are"),
            columns: &["fleet-device", "fleet-calls", "fleet-work", "fleet-above", "fleet-worst"],
            texts: &[5],
            most: FINDINGS,
        };
        let unchecked = self.overview.unchecked.devices.is_some();
        list.write_if_checked(body, rows, unchecked, |body, row| {
            let SlowDevice { device: of, calls, ratio, lost_ns, worst } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                device(of),
                calls,
                times(*ratio),
                us(*lost_ns),
                self.link(*worst)
            );
        });
    }

    pub(super) fn cores(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.cores;
        let list = List {
            id: "cores",
            title: "fleet-slow-cores",
            definition: Some("fleet-slow-cores-are"),
            columns: &["fleet-core", "fleet-calls", "fleet-work", "fleet-above", "fleet-worst"],
            texts: &[5],
            most: FINDINGS,
        };
        list.write(body, rows, |body, row| {
            let SlowCore { device: of, core, calls, ratio, lost_ns, worst } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                both(&message!(
                    "fleet-core-of",
                    device = device(of),
                    core = Arg::Number((*core).into())
                )),
                calls,
                times(*ratio),
                us(*lost_ns),
                self.link(*worst)
            );
        });
    }

    pub(super) fn calls(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.calls;
        let list = List {
            id: "calls",
            title: "fleet-straggler-calls",
            definition: Some("fleet-straggler-calls-are"),
            columns: &["fleet-call", "fleet-devices", "fleet-work", "fleet-above", "fleet-slowest"],
            texts: &[5],
            most: FINDINGS,
        };
        let unchecked = self.overview.unchecked.calls.is_some();
        list.write_if_checked(body, rows, unchecked, |body, row| {
            let SlowCall { run, call: number, devices, slowest, ratio, lost_ns } = row;
            put!(
                body,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                call(run.as_deref(), *number),
                devices,
                times(*ratio),
                us(*lost_ns),
                self.link(*slowest)
            );
        });
    }
}

fn call(run: Option<&str>, call: Option<u32>) -> String {
    let call = call.map_or_else(|| "-".to_owned(), |call| call.to_string());
    run.map_or_else(|| call.clone(), |run| format!("{run} / {call}"))
}
