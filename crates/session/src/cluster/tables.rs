//! Numbers of ranks, topologies and groups from the user's files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bigtpu_cluster::report::End;
use bigtpu_cluster::{Identity, Rank};
use bigtpu_format::{MOST_MODEL, read_given_text};
use bigtpu_messages::{Arg, Message, message};
use bigtpu_output::plain_line;
use serde_json::Value;

use super::JoinRequest;
use super::error::ClusterError;
use super::identity::rank_of;
use crate::Unreadable;

/// The ranks' numbers.
pub(crate) struct Numbers {
    /// Rank of each part; `None` for a device that the table does not name.
    pub(crate) of_part: Vec<Option<u32>>,
    /// Ranks that are named and have no dump.
    pub(crate) missing: Vec<u32>,
    /// Numbers are those of devices.
    pub(crate) are_devices: bool,
}

impl Numbers {
    /// Numbers the ranks by rank table or chip map, else by the paths, else by host and device.
    pub(crate) fn assign(
        identities: &[&Identity],
        request: &JoinRequest,
        notes: &mut Vec<Message>,
    ) -> Result<Self, ClusterError> {
        let hosts: BTreeSet<Natural> = identities.iter().map(|i| Natural::new(&i.host)).collect();
        let hosts: Vec<String> = hosts.into_iter().map(|host| host.text).collect();
        let named: Option<BTreeMap<(String, u32), u32>> = match (&request.rank_table, hosts.first())
        {
            (Some(file), _) => Some(rank_table(file, &hosts)?),
            (None, Some(host)) if !request.chip_map.is_empty() => {
                if hosts.len() > 1 {
                    return Err(ClusterError::ChipMapOfHosts);
                }
                let ranks = request.chip_map.iter().zip(0..);
                Some(ranks.map(|(device, rank)| ((host.clone(), *device), rank)).collect())
            }
            _ => None,
        };
        if let Some(named) = named {
            let mut seen = BTreeSet::new();
            let of_part = identities.iter().map(|i| {
                let rank = named.get(&(i.host.clone(), i.device)).copied();
                if let Some(rank) = rank {
                    seen.insert(rank);
                } else {
                    notes.push(message!(
                        "cluster-not-in-table",
                        dump = &i.dump,
                        host = &i.host,
                        device = Arg::Number(i.device.into())
                    ));
                }
                rank
            });
            let of_part = of_part.collect();
            let missing = named.values().copied().filter(|rank| !seen.contains(rank));
            let mut missing: Vec<u32> = missing.collect();
            missing.sort_unstable();
            return Ok(Self { of_part, missing, are_devices: false });
        }
        let by_path: Vec<Option<u32>> =
            identities.iter().map(|i| rank_of(Path::new(&i.dump))).collect();
        let distinct: BTreeSet<u32> = by_path.iter().flatten().copied().collect();
        if by_path.iter().all(Option::is_some) && distinct.len() == identities.len() {
            return Ok(Self { of_part: by_path, missing: Vec::new(), are_devices: false });
        }
        let mut order: Vec<usize> = (0..identities.len()).collect();
        order.sort_by_key(|&at| {
            identities.get(at).map(|i| (Natural::new(&i.host), i.device, i.call))
        });
        let mut of_part = vec![None; identities.len()];
        let single = hosts.len() == 1;
        for (number, at) in (0..).zip(order) {
            if let (Some(place), Some(identity)) = (of_part.get_mut(at), identities.get(at)) {
                *place = Some(if single { identity.device } else { number });
            }
        }
        Ok(Self { of_part, missing: Vec::new(), are_devices: true })
    }
}

/// A text whose numbers count as numbers: host2 is before host10.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Natural {
    pieces: Vec<(u64, String)>,
    text: String,
}

impl Natural {
    fn new(text: &str) -> Self {
        let mut pieces: Vec<(u64, String)> = Vec::new();
        let mut rest = text;
        while !rest.is_empty() {
            let letters = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
            let (word, tail) = rest.split_at(letters);
            let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
            let (number, tail) = tail.split_at(digits);
            pieces.push((0, word.to_owned()));
            pieces.push((number.parse().unwrap_or(u64::MAX), String::new()));
            rest = tail;
        }
        Self { pieces, text: text.to_owned() }
    }
}

fn read(file: &Path) -> Result<Value, ClusterError> {
    let text = read_given_text(file, MOST_MODEL).map_err(Unreadable::from_io(file, None))?;
    serde_json::from_str(&text)
        .map_err(|source| ClusterError::NoJson { file: file.to_owned(), source })
}

/// A number, also as a text.
fn number(value: Option<&Value>) -> Option<u32> {
    let value = value?;
    let number = value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())?;
    u32::try_from(number).ok()
}

/// Rank by host and device. Nodes are the hosts in their natural order.
fn rank_table(file: &Path, hosts: &[String]) -> Result<BTreeMap<(String, u32), u32>, ClusterError> {
    let table = read(file)?;
    let wrong = || ClusterError::NoRankTable(file.to_owned());
    let nodes = table.get("node_list").and_then(Value::as_array).ok_or_else(wrong)?;
    let mut ranks = BTreeMap::new();
    for (at, node) in nodes.iter().enumerate() {
        let devices = node.get("device_list").and_then(Value::as_array).ok_or_else(wrong)?;
        for device in devices {
            let id = number(device.get("device_id")).ok_or_else(wrong)?;
            let rank = device.get("rank").or_else(|| device.get("world_rank"));
            let rank = number(rank).ok_or_else(wrong)?;
            let host = hosts.get(at).cloned().unwrap_or_else(|| format!("node {at}"));
            if ranks.insert((host, id), rank).is_some() {
                return Err(ClusterError::DeviceTwice {
                    file: file.to_owned(),
                    device: id,
                    node: at,
                });
            }
        }
    }
    let distinct: BTreeSet<u32> = ranks.values().copied().collect();
    if distinct.len() != ranks.len() {
        return Err(ClusterError::RankTwice(file.to_owned()));
    }
    Ok(ranks)
}

/// Links: our own JSON, or rows of `c2c_port_info` (source device, destination device, send port, receive port).
pub(crate) fn topology(file: &Path, ranks: &[Rank]) -> Result<Vec<(End, End)>, ClusterError> {
    let table = read(file)?;
    if let Some(links) = table.get("links").and_then(Value::as_array) {
        let end = |value: Option<&Value>| {
            let value = value?;
            Some(End { rank: number(value.get("rank"))?, port: number(value.get("port"))? })
        };
        let link = |value: &Value| Some((end(value.get("from"))?, end(value.get("to"))?));
        let links: Option<Vec<_>> = links.iter().map(link).collect();
        return links.ok_or_else(|| ClusterError::NoLink(file.to_owned()));
    }
    let rows = table.as_array().ok_or_else(|| ClusterError::NoTopology(file.to_owned()))?;
    let rank_of = |device: i64| {
        let found = ranks.iter().find(|rank| i64::from(rank.part.identity.device) == device);
        found.map(|rank| rank.number)
    };
    let mut links = Vec::new();
    for row in rows.iter().flat_map(|row| match row.as_array() {
        // Rows of rows, one for each source device.
        Some(inner) if inner.first().is_some_and(|v| v.is_array() || v.is_object()) => {
            inner.iter().collect::<Vec<_>>()
        }
        _ => vec![row],
    }) {
        let field = |key: &str, at: usize| {
            let value = row.get(key).or_else(|| row.get(at))?;
            value.as_i64().or_else(|| value.as_str()?.parse().ok())
        };
        let fields = (
            field("src_device_id", 0),
            field("dst_device_id", 1),
            field("send_port", 2),
            field("recv_port", 3),
        );
        let (Some(from), Some(to), Some(send), Some(receive)) = fields else {
            return Err(ClusterError::NoRow(file.to_owned()));
        };
        let ports = (u32::try_from(send), u32::try_from(receive));
        if let ((Some(from), Some(to)), (Ok(send), Ok(receive))) =
            ((rank_of(from), rank_of(to)), ports)
        {
            links.push((End { rank: from, port: send }, End { rank: to, port: receive }));
        }
    }
    Ok(links)
}

/// Names of groups of ranks, as every output shows them.
pub(crate) fn groups(file: &Path) -> Result<Vec<(String, Vec<u32>)>, ClusterError> {
    let table = read(file)?;
    let groups = table.get("groups").and_then(Value::as_array);
    let group = |value: &Value| {
        let ranks = value.get("ranks")?.as_array()?;
        let ranks: Option<Vec<u32>> = ranks.iter().map(|rank| number(Some(rank))).collect();
        Some((plain_line(value.get("name")?.as_str()?).into_owned(), ranks?))
    };
    let groups: Option<Vec<_>> = groups.and_then(|all| all.iter().map(group).collect());
    groups.ok_or_else(|| ClusterError::NoGroups(file.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_in_natural_order() {
        let mut hosts = ["host10", "host2", "a"].map(Natural::new);
        hosts.sort();
        assert_eq!(hosts.map(|h| h.text), ["a", "host2", "host10"]);
    }

    #[test]
    fn rank_tables_hold_numbers_or_texts() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("table.json");
        let text = r#"{"node_list": [{"device_list": [{"device_id": "3", "rank": "0"}, {"device_id": 1, "world_rank": 1}]}]}"#;
        std::fs::write(&file, text).unwrap();
        let ranks = rank_table(&file, &["a".to_owned()]).unwrap();
        assert_eq!(ranks.get(&("a".to_owned(), 3)), Some(&0));
        assert_eq!(ranks.get(&("a".to_owned(), 1)), Some(&1));
        std::fs::write(&file, "[]").unwrap();
        assert!(rank_table(&file, &[]).unwrap_err().to_string().contains("node_list"));
    }
}
