//! What is changed when a cluster is simulated again, as `whatif` names it.

use super::options::ClusterOptions;

/// Changes besides those of single ranks and links, which are faults like planted ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Changes {
    /// What times of transfers over links are multiplied by.
    pub(super) links: f64,
    /// What latencies are multiplied by.
    pub(super) latency: f64,
    /// What times of computation are multiplied by.
    pub(super) compute: f64,
    /// What times of loads are multiplied by.
    pub(super) loads: f64,
    /// A kernel, and what its time is multiplied by.
    pub(super) kernel: Option<(&'static str, f64)>,
    /// All ranks work alike.
    pub(super) no_skew: bool,
}

impl Default for Changes {
    fn default() -> Self {
        let (links, latency, compute, loads) = (1.0, 1.0, 1.0, 1.0);
        Self { links, latency, compute, loads, kernel: None, no_skew: false }
    }
}

impl Changes {
    /// When a kernel's operands are loaded, and when it ends.
    pub(super) fn of_work(
        &self,
        options: &ClusterOptions,
        kernel: &str,
        start: f64,
        end: f64,
    ) -> (f64, f64) {
        let factor = self.kernel.filter(|(name, _)| *name == kernel).map_or(1.0, |(_, f)| f);
        let whole = (end - start) * factor;
        let load = whole * options.load_share * self.loads;
        let compute = whole * (1.0 - options.load_share) * self.compute;
        (start + load, start + load + compute)
    }

    /// All that is simulated again, with their names.
    pub(super) fn all(options: &ClusterOptions) -> Vec<(String, Self)> {
        let mut all = Vec::new();
        let mut add = |name: &str, changes: Self| all.push((name.to_owned(), changes));
        let none = Self::default();
        for factor in [2.0, 0.5] {
            add(&format!("link={factor}"), Self { links: 1.0 / factor, ..none });
            add(&format!("tiu={factor}"), Self { compute: 1.0 / factor, ..none });
            if options.load_share > 0.0 {
                add(&format!("ddr={factor}"), Self { loads: 1.0 / factor, ..none });
            }
        }
        for kernel in ["matmul", "rms_norm", "layer_forward", "layer_backward", "gradients"] {
            add(&format!("kernel:{kernel}=0.5"), Self { kernel: Some((kernel, 0.5)), ..none });
        }
        add("skew=0", Self { no_skew: true, ..none });
        add("latency=0.5", Self { latency: 0.5, ..none });
        all
    }
}
