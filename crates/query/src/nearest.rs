//! Names that someone may have meant.

const MOST: usize = 3;

/// The names nearest to a word, the nearest first; none where all are far.
pub(crate) fn nearest(word: &str, names: &[&str]) -> Vec<String> {
    let wanted: Vec<char> = word.to_lowercase().chars().collect();
    let text: String = wanted.iter().collect();
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let lower = name.to_lowercase();
        let letters: Vec<char> = lower.chars().collect();
        let far = distance(&wanted, &letters);
        let rank = if far <= (wanted.len() / 3).max(1) {
            far
        } else if wanted.len() > 2 && lower.contains(&text) {
            // Behind all that are spelled alike.
            letters.len() + if lower.starts_with(&text) { wanted.len() } else { 100 }
        } else {
            continue;
        };
        if !found.contains(&(rank, *name)) {
            found.push((rank, *name));
        }
    }
    found.sort_unstable();
    found.into_iter().take(MOST).map(|(_, name)| name.to_owned()).collect()
}

/// Letters to insert, remove, replace or swap with the next one.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, &own) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &other) in b.iter().enumerate() {
            let at =
                |row: &[usize], place: usize| row.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut least = (at(&last, j + 1) + 1)
                .min(at(&row, j) + 1)
                .min(at(&last, j) + usize::from(own != other));
            let swapped = j > 0 && previous == Some(other) && b.get(j - 1) == Some(&own);
            if swapped {
                least = least.min(at(&before, j - 1) + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
        previous = Some(own);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swapped_and_missing_letters_are_near() {
        let names = ["bytes", "stride_enable", "batch"];
        assert_eq!(nearest("byets", &names), ["bytes"]);
        assert_eq!(nearest("strid_enable", &names), ["stride_enable"]);
        assert_eq!(nearest("stride", &names), ["stride_enable"]);
        assert!(nearest("zzzzzz", &names).is_empty());
    }
}
