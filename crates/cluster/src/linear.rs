//! Least squares: normal equations, solved by Cholesky's method.

/// Normal equations of weighted least squares.
#[derive(Debug, Clone)]
pub(crate) struct Normal {
    size: usize,
    /// Lower triangle, row by row.
    matrix: Vec<f64>,
    right: Vec<f64>,
}

impl Normal {
    pub(crate) fn new(size: usize) -> Self {
        Self { size, matrix: vec![0.0; size * size], right: vec![0.0; size] }
    }

    /// Adds an equation: the sum of coefficients times unknowns is `value`.
    pub(crate) fn add(&mut self, terms: &[(usize, f64)], value: f64, weight: f64) {
        for &(row, a) in terms {
            if let Some(right) = self.right.get_mut(row) {
                *right += weight * a * value;
            }
            for &(column, b) in terms.iter().filter(|(column, _)| *column <= row) {
                if let Some(cell) = self.matrix.get_mut(row * self.size + column) {
                    *cell += weight * a * b;
                }
            }
        }
    }

    /// The unknowns; those that nothing determines are 0.
    pub(crate) fn solve(mut self) -> Vec<f64> {
        let n = self.size;
        let m = &mut self.matrix;
        // Ranks are equal to few others: before the first number of a row there are zeros, and they stay.
        let lead: Vec<usize> = (0..n)
            .map(|row| (0..row).find(|column| m[row * n + column] != 0.0).unwrap_or(row))
            .collect();
        for row in 0..n {
            for column in lead[row]..=row {
                let mut sum = m[row * n + column];
                let (a, b) = (row * n, column * n);
                for k in lead[row].max(lead[column])..column {
                    sum -= m[a + k] * m[b + k];
                }
                m[row * n + column] = if row == column {
                    // A pivot of nothing but rounding: its unknown stays 0.
                    if sum > 1e-12 { sum.sqrt() } else { f64::INFINITY }
                } else {
                    sum / m[b + column]
                };
            }
        }
        let x = &mut self.right;
        for row in 0..n {
            let mut sum = x[row];
            for k in lead[row]..row {
                sum -= m[row * n + k] * x[k];
            }
            x[row] = sum / m[row * n + row];
        }
        for row in (0..n).rev() {
            x[row] /= m[row * n + row];
            for k in lead[row]..row {
                x[k] -= m[row * n + k] * x[row];
            }
        }
        self.right
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknowns_are_found_and_free_ones_are_0() {
        let mut normal = Normal::new(3);
        normal.add(&[(0, 1.0), (1, 1.0)], 5.0, 1.0);
        normal.add(&[(0, 1.0), (1, -1.0)], 1.0, 4.0);
        normal.add(&[(0, 2.0)], 6.0, 2.0);
        let x = normal.solve();
        assert!((x[0] - 3.0).abs() < 1e-9 && (x[1] - 2.0).abs() < 1e-9 && x[2] == 0.0, "{x:?}");
    }
}
