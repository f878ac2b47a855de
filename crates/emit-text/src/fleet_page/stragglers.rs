//! Devices, cores and calls that others wait for.

use bigtpu_answers::{SlowCall, SlowCore, SlowDevice};
use bigtpu_output::{Markup, Text, put};

use super::list::List;
use super::{FINDINGS, FleetPage, device, times};
use crate::answers::us;

impl FleetPage<'_> {
    pub(super) fn devices(&self, body: &mut Text<Markup>) {
        let rows = &self.overview.devices;
        let list = List {
            id: "devices",
            title: "Slow devices 慢设备",
            definition: "Work of the dump over the median of like dumps; waiting is no work. 等待不计入工作时间。",
            columns: &[
                "Device 设备",
                "Calls 调用",
                "Work 工作",
                "Above median 多出 (us)",
                "Worst 最慢",
            ],
            texts: &[5],
            most: FINDINGS,
        };
        if list.is_unchecked(body, rows, self.overview.unchecked.devices) {
            return;
        }
        list.write(body, rows, |body, row| {
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
            title: "Slow cores 慢核",
            definition: "Work of the core over the median core of the same dump. 与同一次采集中各核的中位数相比。",
            columns: &[
                "Core 核",
                "Calls 调用",
                "Work 工作",
                "Above median 多出 (us)",
                "Worst 最慢",
            ],
            texts: &[5],
            most: FINDINGS,
        };
        list.write(body, rows, |body, row| {
            let SlowCore { device: of, core, calls, ratio, lost_ns, worst } = row;
            put!(
                body,
                "<tr><td>{} core {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                device(of),
                core,
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
            title: "Calls with a straggler 有掉队设备的调用",
            definition: "The device that worked longest in a call, over the median of its devices. 该调用中工作最久的设备与中位数之比。",
            columns: &[
                "Call 调用",
                "Devices 设备",
                "Work 工作",
                "Above median 多出 (us)",
                "Slowest 最慢",
            ],
            texts: &[5],
            most: FINDINGS,
        };
        if list.is_unchecked(body, rows, self.overview.unchecked.calls) {
            return;
        }
        list.write(body, rows, |body, row| {
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
