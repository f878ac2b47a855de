//! `global.profile` (section 1), as each runtime writes it.

use bigtpu_format::GLOBAL_PROFILE;

use crate::output::Part;
use crate::rng::Chance;
use crate::session::Planned;
use crate::{Options, Writer};

/// Slots that tpudnn's callers usually ask for.
const TPUDNN_SLOTS: u64 = 131_072;
/// Least slots of a dump of no runtime in particular.
const PLAIN_SLOTS: u64 = 1 << 20;
/// What AKS runtimes say of the clock: a constant.
const SAID_MHZ: u64 = 1000;

impl Planned<'_> {
    /// `global.profile`.
    pub(crate) fn global(&self) -> (String, Vec<u8>) {
        let options = self.session.options;
        let lines = match options.writer {
            Writer::Plain => self.plain(options),
            Writer::Tpudnn => self.tpudnn(options),
            Writer::ModelRuntime => {
                let arch = options.chip.arch_values.first().copied().unwrap_or(0);
                let mhz = options.machine.tiu_mhz.unwrap_or(SAID_MHZ);
                vec!["bmodel".to_owned(), format!("arch={arch}"), format!("tpu_freq={mhz}")]
            }
            Writer::Libsophon => libsophon(options),
        };
        (GLOBAL_PROFILE.to_owned(), (lines.join("\n") + "\n").into_bytes())
    }

    fn plain(&self, options: &Options) -> Vec<String> {
        let mut lines = Vec::new();
        if options.is_static() {
            lines.push("bmodel".to_owned());
        }
        lines.push(format!("arch={}", options.chip.name));
        lines.push(format!("core_num={}", options.cores));
        lines.extend(options.machine.tiu_mhz.map(|mhz| format!("tpu_freq={mhz}")));
        // The runtime that lets rings lap does not count; a count of 1 would represent truncated data.
        if !options.lapped {
            let counts = [self.core_counts(), self.port_counts()].concat();
            lines.push(slots(&counts, PLAIN_SLOTS));
            let written = counts.iter().filter(|(_, count)| *count != 1);
            lines.extend(written.map(|(key, count)| format!("{key}={count}")));
        }
        lines
    }

    fn tpudnn(&self, options: &Options) -> Vec<String> {
        let arch = options.chip.arch_values.last().copied().unwrap_or(0);
        let mhz = options.machine.tiu_mhz.unwrap_or(SAID_MHZ);
        let mut lines = vec![format!("arch={arch}"), format!("tpu_freq={mhz}")];
        // Full rings without counts, as older versions left them.
        if !options.lapped {
            let counts = [self.port_counts(), self.core_counts()].concat();
            lines.push(slots(&counts, TPUDNN_SLOTS));
            lines.extend(counts.iter().map(|(key, count)| format!("{key}={count}")));
        }
        // The host's way from the last record to the end of the call.
        let tail_ns = 50_000 + Chance::seeded(options.seed, [u64::MAX, 0, 5]).next_below(200_000);
        lines.push(format!("tail_offset_ns={tail_ns}"));
        lines
    }

    fn core_counts(&self) -> Vec<(String, u64)> {
        let engines = [(Part::Tiu, "tiu"), (Part::Gdma, "gdma"), (Part::Sdma, "sdma")];
        let of_core = |(core, file): (usize, &crate::file::FilePlan)| {
            engines
                .map(|(part, engine)| (format!("core{core}_{engine}_record"), file.records(part)))
        };
        self.cores.iter().enumerate().flat_map(of_core).collect()
    }

    fn port_counts(&self) -> Vec<(String, u64)> {
        let of_port = |(port, file): &(u8, crate::file::FilePlan)| {
            (format!("cdma_port{port}_record"), file.records(Part::Cdma))
        };
        self.ports.iter().map(of_port).collect()
    }
}

/// The line of the rings' size: nothing was lost.
fn slots(counts: &[(String, u64)], least: u64) -> String {
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    format!("max_record_num={}", (most + 1).next_power_of_two().max(least))
}

fn libsophon(options: &Options) -> Vec<String> {
    let arch = options.chip.arch_values.first().copied().unwrap_or(0);
    if !options.writer.is_container(options.chip) {
        let mhz = options.machine.tiu_mhz(options.chip);
        // The marker is there for dynamic models too.
        return vec!["bmodel".to_owned(), format!("arch={arch}"), format!("tpu_freq={mhz}")];
    }
    let cores: String = options.active().iter().map(|core| format!("{core},")).collect();
    // This runtime does not find out the clock.
    let mhz = options.machine.tiu_mhz.unwrap_or(0);
    let keys = [
        format!("arch={arch}"),
        "net_name=synthetic".to_owned(),
        format!("tpu_freq={mhz}"),
        format!("core_list={cores}"),
    ];
    keys.iter().map(|key| format!("[bmprofile] {key}")).collect()
}
