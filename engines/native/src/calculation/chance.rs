//! The chance to win a game, by the value of its position and the cards in the pile.
//!
//! Values are those of the player of playouts, by the norm. The weights were fitted to its games by
//! `tests/slow/fit_calculation_chances.py` with `3 own 20000` and with `4 all 5000`.

/// Weights of 1, l, x, l x, x^2 and l^2: l is the logarithm of the value, x the pile's part of all cards.
const WEIGHTS: [f64; 6] = [1.508, 0.433, -3.363, 0.657, 14.265, 0.025];

/// With more than three stacks.
const WEIGHTS_MORE: [f64; 6] = [2.612, 0.884, -4.257, -0.259, 5.846, 0.051];

/// Smaller values count as this one.
const LEAST_LOG: f64 = -20.0;

/// The chance to win from a position of this value with this part of all cards in the pile.
pub fn chance(stacks: usize, value: f64, pile: f64) -> f64 {
    let weights = if stacks > 3 { WEIGHTS_MORE } else { WEIGHTS };
    let log = value.ln().clamp(LEAST_LOG, 0.0);
    let terms = [1.0, log, pile, log * pile, pile * pile, log * log];
    let sum: f64 = weights.iter().zip(terms).map(|(weight, term)| weight * term).sum();
    1.0 / (1.0 + (-sum).exp())
}
