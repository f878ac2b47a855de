//! A column of whole numbers in as few bytes as its values need.

/// Whole numbers above the smallest of them, all of one width: a thread's commands have columns that are equal
/// throughout (no bytes), short lengths (two bytes), and moments (four).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    least: i64,
    above: Above,
}

/// The distance of each value to the smallest.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Above {
    /// All values are equal.
    Nothing {
        count: usize,
    },
    Bytes(Vec<u8>),
    Halves(Vec<u16>),
    Words(Vec<u32>),
    Longs(Vec<u64>),
}

impl Default for Column {
    fn default() -> Self {
        Self { least: 0, above: Above::Nothing { count: 0 } }
    }
}

impl Column {
    /// Compresses values, which it reads twice.
    pub(crate) fn compress(values: impl Iterator<Item = i64> + Clone) -> Self {
        let (mut count, mut least, mut most) = (0, i64::MAX, i64::MIN);
        for value in values.clone() {
            (count, least, most) = (count + 1, least.min(value), most.max(value));
        }
        if count == 0 {
            return Self::default();
        }
        // Below 2^64, also where the difference is no i64.
        let above = values.map(|value| value.wrapping_sub(least) as u64);
        let above = match most.wrapping_sub(least) as u64 {
            0 => Above::Nothing { count },
            1..=0xff => Above::Bytes(above.map(|n| n as u8).collect()),
            0x100..=0xffff => Above::Halves(above.map(|n| n as u16).collect()),
            0x1_0000..=0xffff_ffff => Above::Words(above.map(|n| n as u32).collect()),
            _ => Above::Longs(above.collect()),
        };
        Self { least, above }
    }

    pub(crate) fn len(&self) -> usize {
        match &self.above {
            Above::Nothing { count } => *count,
            Above::Bytes(all) => all.len(),
            Above::Halves(all) => all.len(),
            Above::Words(all) => all.len(),
            Above::Longs(all) => all.len(),
        }
    }

    /// The value at a place; beyond the end the smallest.
    pub(crate) fn value_at(&self, place: usize) -> i64 {
        let above = match &self.above {
            Above::Nothing { .. } => 0,
            Above::Bytes(all) => all.get(place).copied().unwrap_or(0).into(),
            Above::Halves(all) => all.get(place).copied().unwrap_or(0).into(),
            Above::Words(all) => all.get(place).copied().unwrap_or(0).into(),
            Above::Longs(all) => all.get(place).copied().unwrap_or(0),
        };
        self.least.wrapping_add(above as i64)
    }

    /// All values in order.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = i64> + ExactSizeIterator + Clone {
        (0..self.len()).map(|place| self.value_at(place))
    }

    /// Places whose value is at most `most`, of a column that grows.
    pub(crate) fn count_up_to(&self, most: i64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.value_at(middle) <= most {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_in_every_width() {
        let lists: [&[i64]; 7] = [
            &[],
            &[-7, -7, -7],
            &[1, 256, 3],
            &[-5, 65_530],
            &[0, 4_294_967_295],
            &[0, 1 << 32, 5],
            &[i64::MIN, i64::MAX, 0],
        ];
        for list in lists {
            let column = Column::compress(list.iter().copied());
            assert_eq!(column.iter().collect::<Vec<_>>(), list);
            assert_eq!(column.len(), list.len());
        }
    }

    #[test]
    fn places_are_counted_up_to_a_value() {
        let column = Column::compress([3, 5, 5, 900].into_iter());
        assert_eq!([2, 3, 5, 899, 900].map(|most| column.count_up_to(most)), [0, 1, 3, 3, 4]);
    }
}
