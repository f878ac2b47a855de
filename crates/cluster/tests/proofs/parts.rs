//! Parts of dumps.

use bigtpu_cluster::{DumpPart, JoinError, JoinOptions, join};

use crate::options;
use crate::support::Run;

#[test]
fn parts_and_order_change_nothing() {
    let run = Run::make(&options(4, 23));
    let text = |ranks| {
        serde_json::to_string(&join(ranks, &JoinOptions::default()).unwrap().cluster).unwrap()
    };
    let direct = text(run.ranks.clone());
    let mut ranks = run.ranks.clone();
    ranks.reverse();
    for rank in &mut ranks {
        let bytes = rank.part.encode().unwrap();
        rank.part = DumpPart::decode(&bytes).unwrap();
        // Commands take most of a part without many events.
        assert!(bytes.len() < 100 * rank.part.command_count() + rank.part.events as usize);
    }
    assert_eq!(text(ranks), direct);
    let one = vec![run.ranks[0].clone()];
    assert_eq!(join(one, &JoinOptions::default()).err().unwrap(), JoinError::TooFew(1));
}
