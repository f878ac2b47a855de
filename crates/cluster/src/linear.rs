//! Least squares: normal equations, solved by Cholesky's method.

/// Normal equations of weighted least squares.
#[derive(Debug, Clone)]
pub(crate) struct Normal {
    /// Lower triangle. Ranks are equal to few others: before the first number of a row there are zeros, and elimination leaves them.
    matrix: Vec<Row>,
    right: Vec<f64>,
}

/// A row of the triangle, from its first number on.
#[derive(Debug, Clone, Default)]
struct Row {
    lead: usize,
    cells: Vec<f64>,
}

impl Row {
    fn add(&mut self, column: usize, value: f64) {
        if self.cells.is_empty() {
            self.lead = column;
        }
        if column < self.lead {
            let zeros = std::iter::repeat_n(0.0, self.lead - column);
            self.cells.splice(0..0, zeros);
            self.lead = column;
        }
        let at = column - self.lead;
        if at >= self.cells.len() {
            self.cells.resize(at + 1, 0.0);
        }
        if let Some(cell) = self.cells.get_mut(at) {
            *cell += value;
        }
    }

    /// The numbers from a column on.
    fn from(&self, column: usize) -> &[f64] {
        column.checked_sub(self.lead).and_then(|at| self.cells.get(at..)).unwrap_or_default()
    }

    /// The number on the diagonal, of a row that is whole.
    fn pivot(&self) -> f64 {
        self.cells.last().copied().unwrap_or(f64::INFINITY)
    }
}

impl Normal {
    pub(crate) fn new(size: usize) -> Self {
        Self { matrix: vec![Row::default(); size], right: vec![0.0; size] }
    }

    /// Adds an equation: the sum of coefficients times unknowns is `value`.
    pub(crate) fn add(&mut self, terms: &[(usize, f64)], value: f64, weight: f64) {
        for &(row, a) in terms {
            if let Some(right) = self.right.get_mut(row) {
                *right += weight * a * value;
            }
            let Some(own) = self.matrix.get_mut(row) else { continue };
            for &(column, b) in terms.iter().filter(|(column, _)| *column <= row) {
                own.add(column, weight * a * b);
            }
        }
    }

    /// The unknowns; those that nothing determines are 0.
    pub(crate) fn solve(mut self) -> Vec<f64> {
        for number in 0..self.matrix.len() {
            let (done, rest) = self.matrix.split_at_mut(number);
            if let Some(row) = rest.first_mut() {
                eliminate(row, number, done);
            }
        }
        let x = &mut self.right;
        for (number, row) in self.matrix.iter().enumerate() {
            let (before, rest) = x.split_at_mut(number);
            let Some(own) = rest.first_mut() else { break };
            let known = before.iter().skip(row.lead);
            *own = row.cells.iter().zip(known).fold(*own, |sum, (cell, x)| sum - cell * x);
            *own /= row.pivot();
        }
        for (number, row) in self.matrix.iter().enumerate().rev() {
            let (before, rest) = x.split_at_mut(number);
            let Some(own) = rest.first_mut() else { break };
            *own /= row.pivot();
            let left = before.iter_mut().skip(row.lead);
            row.cells.iter().zip(left).for_each(|(cell, x)| *x -= cell * *own);
        }
        self.right
    }
}

/// Takes from a row what the rows before it determine.
fn eliminate(row: &mut Row, number: usize, done: &[Row]) {
    if row.cells.is_empty() {
        row.lead = number;
    }
    row.cells.resize(number + 1 - row.lead, 0.0);
    for (at, column) in (row.lead..number).enumerate() {
        let Some(other) = done.get(column) else { break };
        // Both rows have numbers from here on.
        let first = row.lead.max(other.lead);
        let (before, rest) = row.cells.split_at_mut(at);
        let Some(cell) = rest.first_mut() else { break };
        let own = before.get(first - row.lead..).unwrap_or_default();
        let sum = own.iter().zip(other.from(first)).fold(*cell, |sum, (a, b)| sum - a * b);
        *cell = sum / other.pivot();
    }
    if let Some((pivot, own)) = row.cells.split_last_mut() {
        let sum = own.iter().fold(*pivot, |sum, a| sum - a * a);
        // A pivot of nothing but rounding: its unknown stays 0.
        *pivot = if sum > 1e-12 { sum.sqrt() } else { f64::INFINITY };
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
