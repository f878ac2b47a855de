//! Forward times that FlexFlow's training compiler expects of small operator graphs on devices: each operator is a task
//! on its device, and each edge takes its transfer, also where both ends are on one device.
#![allow(clippy::unwrap_used, reason = "tests")]

use bigtpu_sim::GraphBuilder;

/// Makespan of tasks (device, ms) with edges of `transfer` ms.
fn forward_ms(tasks: &[(u32, i64)], edges: &[(u32, u32)], transfer: i64) -> i64 {
    let mut graph = GraphBuilder::new();
    for &(device, ms) in tasks {
        graph.task(Some(device), ms);
    }
    for &(from, to) in edges {
        graph.depend(from, to, transfer);
    }
    graph.build().unwrap().simulate().makespan()
}

#[test]
fn operator_graphs_take_the_expected_forward_time() {
    let pair = [(0, 1)];
    let diamond = [(0, 1), (0, 2), (1, 3), (2, 3)];
    assert_eq!(forward_ms(&[(0, 10), (1, 10)], &pair, 1), 21);
    assert_eq!(forward_ms(&[(0, 10), (1, 1)], &pair, 5), 16);
    assert_eq!(forward_ms(&[(0, 10), (1, 10), (2, 10), (3, 10)], &diamond, 1), 32);
    assert_eq!(forward_ms(&[(0, 10), (0, 10), (0, 10), (0, 10)], &diamond, 1), 42);
    assert_eq!(forward_ms(&[(0, 10), (0, 1), (0, 1), (0, 2)], &diamond, 5), 24);
}
