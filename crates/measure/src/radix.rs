//! Sorting by a number, digit by digit.

/// Bits of a digit.
const BITS: u32 = 11;

/// Sorts by a key; items of the same key stay in their order. It takes a pass for each digit of the greatest key: many
/// items with small keys are sorted several times as fast as by comparing them.
pub(crate) fn sort_by_key<T: Copy>(items: &mut Vec<T>, key: impl Fn(&T) -> u32) {
    let greatest = items.iter().map(&key).max().unwrap_or(0);
    let mut sorted = items.clone();
    let mut shift = 0;
    while shift < u32::BITS && greatest >> shift > 0 {
        let digit = |item: &T| (key(item) >> shift) as usize & ((1 << BITS) - 1);
        let mut places = [0; 1 << BITS];
        items.iter().for_each(|item| places[digit(item)] += 1);
        let mut before = 0;
        for place in &mut places {
            before += std::mem::replace(place, before);
        }
        for item in &*items {
            let place = &mut places[digit(item)];
            sorted[*place] = *item;
            *place += 1;
        }
        std::mem::swap(items, &mut sorted);
        shift += BITS;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_comparing_does(
            keys in prop::collection::vec(prop_oneof![0u32..9, 0u32..1 << 23, any::<u32>()], 0..300),
        ) {
            let mut items: Vec<(u32, usize)> = keys.into_iter().zip(0..).collect();
            let mut compared = items.clone();
            compared.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            prop_assert_eq!(items, compared);
        }
    }
}
