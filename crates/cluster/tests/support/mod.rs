//! Clusters from the generator, their parts, and what really happened.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;

use bigtpu_cluster::report::Cluster;
use bigtpu_cluster::{DumpPart, Identity, JoinOptions, Rank, join};
use bigtpu_synth::{ClusterOptions, write_cluster};
use bigtpu_timeline::{BuildOptions, Dump};
use serde_json::Value;

/// The part of a dump.
pub(crate) fn part(root: &Path, host: &str, device: u32) -> DumpPart {
    let dump = Dump::open(root).unwrap();
    let identity = Identity {
        host: host.to_owned(),
        device,
        dump: root.display().to_string(),
        chip: dump.chip.name.to_owned(),
        ..Identity::default()
    };
    DumpPart::of_dump(identity, &dump, &BuildOptions::default())
}

/// A generated cluster.
pub(crate) struct Run {
    pub(crate) truth: Value,
    pub(crate) ranks: Vec<Rank>,
    #[expect(dead_code, reason = "kept until the test ends")]
    dir: tempfile::TempDir,
}

impl Run {
    pub(crate) fn make(options: &ClusterOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        write_cluster(options, dir.path()).unwrap();
        let text = std::fs::read_to_string(dir.path().join("truth.json")).unwrap();
        let truth: Value = serde_json::from_str(&text).unwrap();
        let clocks = truth["clocks"].as_array().unwrap();
        let ranks = clocks.iter().filter_map(|clock| {
            let (host, device) =
                (clock["host"].as_str().unwrap(), clock["device"].as_u64().unwrap());
            let root = dir.path().join(format!("{host}/cdm_profile_data_dev{device}-0"));
            let number = clock["rank"].as_u64().unwrap() as u32;
            root.is_dir().then(|| Rank { number, part: part(&root, host, device as u32) })
        });
        let ranks = ranks.collect();
        Self { truth, ranks, dir }
    }

    pub(crate) fn join(&self) -> Cluster {
        self.join_with(&JoinOptions::default())
    }

    pub(crate) fn join_with(&self, options: &JoinOptions) -> Cluster {
        join(self.ranks.clone(), options).unwrap().cluster
    }

    /// True time of a moment of a rank's own time line.
    pub(crate) fn true_time(&self, rank: u32, own: f64) -> f64 {
        let clock = &self.truth["clocks"][rank as usize];
        let of = |key: &str| clock[key].as_f64().unwrap();
        of("a_ns") + (1.0 + of("b_ppm") * 1e-6) * (of("first_ns") + own)
    }

    /// A rank's own moment at a true time.
    pub(crate) fn own_time(&self, rank: u32, time: f64) -> f64 {
        let clock = &self.truth["clocks"][rank as usize];
        let of = |key: &str| clock[key].as_f64().unwrap();
        (time - of("a_ns")) / (1.0 + of("b_ppm") * 1e-6) - of("first_ns")
    }

    /// ns; the greatest error of a rank's clock at its first and last moment.
    pub(crate) fn clock_error(&self, cluster: &Cluster, rank: u32) -> f64 {
        let clock = cluster.clocks.iter().find(|c| c.rank == rank).unwrap();
        let island = &cluster.islands[clock.island];
        let part = &self.ranks.iter().find(|r| r.number == rank).unwrap().part;
        let error = |own: f64| {
            let found = clock.offset_ns + (1.0 + clock.drift_ppm * 1e-6) * own;
            let right = self.own_time(island.reference, self.true_time(rank, own));
            (found - right).abs()
        };
        error(part.window.0 as f64).max(error(part.window.1 as f64))
    }

    /// Whether the true offset is within the bounds.
    pub(crate) fn is_within_bounds(&self, cluster: &Cluster, rank: u32) -> bool {
        let clock = cluster.clocks.iter().find(|c| c.rank == rank).unwrap();
        let island = &cluster.islands[clock.island];
        let right = self.own_time(island.reference, self.true_time(rank, 0.0));
        // A record is rounded to a ns.
        clock.bound_low_ns.is_none_or(|low| low <= right + 0.5)
            && clock.bound_high_ns.is_none_or(|high| right - 0.5 <= high)
    }

    /// Links that were accepted and do not exist.
    pub(crate) fn wrong_links(&self, cluster: &Cluster) -> usize {
        let links = self.truth["links"].as_array().unwrap();
        let exists = |l: &&bigtpu_cluster::report::LinkRow| {
            links.iter().any(|t| {
                let same = |end: &Value, own: bigtpu_cluster::report::End| {
                    end["rank"] == own.rank && end["port"] == own.port
                };
                same(&t["from"], l.from) && same(&t["to"], l.to)
            })
        };
        cluster.links.iter().filter(|l| !exists(l)).count()
    }
}
