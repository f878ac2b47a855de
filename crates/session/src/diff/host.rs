//! Which hosts tell runs apart.

use bigtpu_answers::Unit;

/// Where each side has one host, or none, hosts tell nothing apart: their names may differ from side to side.
pub(super) fn drop_single(sides: [&mut [&mut Unit]; 2]) {
    let is_single = |side: &[&mut Unit]| {
        let first = side.first().and_then(|unit| unit.host.as_ref());
        side.iter().all(|unit| unit.host.as_ref() == first)
    };
    if sides.iter().all(|side| is_single(side)) {
        sides.into_iter().flatten().for_each(|unit| unit.host = None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_count_where_a_side_has_several() {
        let dropped = |before: &[&str], after: &[&str]| {
            let side = |hosts: &[&str]| -> Vec<Unit> {
                let unit = |host: &&str| Unit { host: Some((*host).into()), ..Unit::default() };
                hosts.iter().map(unit).collect()
            };
            let (mut before, mut after) = (side(before), side(after));
            let mut sides =
                [&mut before, &mut after].map(|side| side.iter_mut().collect::<Vec<_>>());
            let [old, new] = &mut sides;
            drop_single([old, new]);
            before.iter().chain(&after).all(|unit| unit.host.is_none())
        };
        assert!(dropped(&["results", "results"], &["new"]));
        assert!(!dropped(&["a", "b"], &["a", "b"]));
        assert!(!dropped(&["a", "b"], &["a"]), "b is missing after the change");
    }
}
