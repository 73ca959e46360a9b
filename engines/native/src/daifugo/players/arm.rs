//! What a player knows of one of its choices.
use super::super::play::Play;

/// What playouts of one choice came to.
#[derive(Clone, Copy)]
pub struct Arm {
    pub play: Play,
    pub visits_count: u32,
    pub points: u64,
    pub squares: u64,
}

impl Arm {
    pub(super) fn new(play: Play) -> Arm {
        Arm { play, visits_count: 0, points: 0, squares: 0 }
    }

    pub(super) fn add(&mut self, points: u32) {
        self.visits_count += 1;
        self.points += u64::from(points);
        self.squares += u64::from(points * points);
    }

    /// Mean score; NaN without a visit.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.points as f64 / f64::from(self.visits_count)
    }

    /// Standard error of the mean; NaN with fewer than two visits.
    #[must_use]
    pub fn error(&self) -> f64 {
        let count = f64::from(self.visits_count);
        let variance = (self.squares as f64 / count - self.mean().powi(2)).max(0.0) * count / (count - 1.0);
        (variance / count).sqrt()
    }
}
