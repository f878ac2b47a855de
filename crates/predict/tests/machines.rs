//! Interconnect files: paths of links, and networks.
#![allow(clippy::unwrap_used, reason = "tests")]

use bigtpu_machine::read_machine_file;

#[test]
fn machine_files_give_paths() {
    let mut file = "num_nodes = 2 # two\nnum_sockets_per_node = 2\nnum_cpus_per_socket = 1\nnum_gpus_per_socket = 2\n".to_owned();
    for link in ["membus", "upi", "nic", "pci", "nvlink"] {
        file += &format!("{link}_latency = 0.001\n{link}_bandwidth = 10\n");
    }
    file += "intra_socket_gpu_fb_mem_to_gpu_fb_mem = nvlink\n";
    file += "inter_socket_gpu_fb_mem_to_gpu_fb_mem = pci_to_host upi pci_to_dev\n";
    file += "inter_node_gpu_fb_mem_to_gpu_fb_mem = pci_to_host nic pci_to_dev\n";
    let machine = read_machine_file(&file).unwrap();
    assert_eq!((machine.devices(), machine.most_hops()), (8, 4));
    let mut route = Vec::new();
    machine.route((0, 0), (5, 0), &mut route);
    // Half of the latency and twice the bandwidth at each port of a network card.
    assert_eq!(
        route.iter().map(|hop| hop.latency_ps).collect::<Vec<_>>(),
        [1_000_000, 500_000, 500_000, 1_000_000]
    );
    assert!((route[1].bytes_per_ms / route[0].bytes_per_ms - 2.0).abs() < 1e-12);
    let without = file.replace("nic_latency = 0.001\n", "");
    assert!(read_machine_file(&without).unwrap_err().to_string().contains("nic_latency"));
    assert!(read_machine_file("num_nodes: 2").unwrap_err().to_string().contains("line 1"));
}

/// Four nodes of two devices around one switch, and a ring without one.
fn network(topology: &str, switches: u32) -> String {
    format!(
        r#"{{"num_nodes": 4, "num_gpus_per_node": 2, "num_switches": {switches}, "link_bandwidth": 10,
            "link_latency": 0.001, "topology": {topology}}}"#
    )
}

const STAR: &str = "[[0,0,0,0,1],[0,0,0,0,2],[0,0,0,0,1],[0,0,0,0,1],[1,2,1,1,0]]";
const RING: &str = "[[0,1,0,1],[1,0,1,0],[0,1,0,1],[1,0,1,0]]";

#[test]
fn messages_take_the_shortest_path_of_a_network() {
    let machine = read_machine_file(&network(STAR, 1)).unwrap();
    assert_eq!((machine.devices(), machine.most_hops()), (8, 4));
    let mut route = Vec::new();
    machine.route((0, 0), (1, 0), &mut route);
    assert_eq!(route.len(), 1, "devices of a node need no network");
    route.clear();
    // Port, link to the switch, two parallel links from it to node 1, port.
    machine.route((1, 0), (3, 0), &mut route);
    assert_eq!(
        route.iter().map(|hop| hop.latency_ps).collect::<Vec<_>>(),
        [0, 1_000_000, 1_000_000, 0]
    );
    assert!((route[2].bytes_per_ms / route[1].bytes_per_ms - 2.0).abs() < 1e-12);
    assert!(route.iter().all(|hop| hop.link < machine.links()));
}

#[test]
fn pairs_of_devices_share_equally_short_paths() {
    let machine = read_machine_file(&network(RING, 0)).unwrap();
    let middle = |from, to| {
        let mut route = Vec::new();
        machine.route((from, 0), (to, 0), &mut route);
        assert_eq!(route.len(), 4);
        route[1].link
    };
    // Node 0 to node 2: over node 1 or over node 3.
    assert_ne!(middle(0, 4), middle(0, 5));
    assert_eq!(middle(0, 4), middle(0, 4));
}

#[test]
fn a_network_that_cant_be_is_refused() {
    let error = |text: &str| read_machine_file(text).unwrap_err().to_string();
    assert!(error(&network("[[0,1],[1,0]]", 0)).contains("4 rows of 4"));
    assert!(
        error(&network("[[0,1,0,0],[1,0,0,0],[0,0,0,1],[0,0,1,0]]", 0))
            .contains("no path from node")
    );
    assert!(error(&network(RING, 0).replace(": 10,", ": 0,")).contains("link_bandwidth"));
    assert!(error(&network(RING, 0).replace("link_latency", "latency")).contains("latency"));
    assert!(error(&network(RING, 0).replace(": 4,", ": 4000,")).contains("devices"));
}
