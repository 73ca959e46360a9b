//! What a player knows of one of its choices.
use super::super::play::Play;

/// What playouts of one choice came to.
#[derive(Clone, Copy)]
pub struct Arm {
    pub play: Play,
    pub visits_count: u32,
    /// Sums of the scores and of their squares; whole ones are exact.
    pub points: f64,
    pub squares: f64,
    /// What it is taken to be better, in points, before anybody looks.
    pub bonus: f64,
}

impl Arm {
    pub(super) fn new(play: Play) -> Arm {
        Arm { play, visits_count: 0, points: 0.0, squares: 0.0, bonus: 0.0 }
    }

    pub(super) fn add(&mut self, points: f64) {
        self.visits_count += 1;
        self.points += points;
        self.squares += points * points;
    }

    /// Mean score; NaN without a visit.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.points / f64::from(self.visits_count)
    }

    /// Mean score and bonus: what choices are compared by.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.mean() + self.bonus
    }

    /// Standard error of the mean; NaN with fewer than two visits.
    #[must_use]
    pub fn error(&self) -> f64 {
        let count = f64::from(self.visits_count);
        let variance = (self.squares / count - self.mean().powi(2)).max(0.0) * count / (count - 1.0);
        (variance / count).sqrt()
    }
}
