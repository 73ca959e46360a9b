//! A lower bound for the moves that are left.
//!
//! Every card that is left goes up, which takes a move each. Every card of the stock is dealt. Besides, some cards
//! have to move once more before they go up:
//!
//! **Columns.** Let each card left as dealt leave its column in one of two ways: up, which counts nothing more, or to
//! another column, which counts one. It can go up only when no lower card of its suit is left as dealt. (All other
//! cards count as gone.) The fewest moves to other columns until none is left as dealt are the length of a shortest
//! way over the numbers of cards left in each column, `extra`; every game takes such a way. Moves of other cards are
//! not counted in it.
//!
//! **Runs.** A card lies on cards as dealt, and one below it is of its suit and lower. Then it is moved before it can go
//! up: alone, with the run that it is part of, or with the last of the cards as dealt. So this counts one for the
//! column, and its last card as dealt counts as gone.
//!
//! **Waste.** A card lies in the waste above a lower one of its suit. Then it goes to a column first, or it is left
//! for the next pass with all cards below it, which have to be dealt once more: the least over all numbers of cards
//! that are left so counts. Without a redeal no card can be left.
//!
//! Each of these counts moves of its own. **No move lowers the bound by more than it costs**: a card that goes up
//! lies above no lower one of its suit; each other move changes each of the parts by one at most, and only one of
//! them; a redeal happens when the stock is empty, and what it puts there was already counted as dealt once more.
use super::arrangement::Arrangement;
use crate::klondike::bits;
use crate::klondike::rules::{MAX_COLUMNS, MAX_STOCK};
use crate::klondike::state::{COUNT_BITS, Game};

const RANKS: usize = 13;

pub struct Bound {
    cards_count: u32,
    /// By the numbers of cards left as dealt, in the order of `Radices::weights`.
    extra: Vec<u8>,
    /// For each column and number of cards as dealt: the higher cards of their suits.
    above: [[u64; 1 << COUNT_BITS]; MAX_COLUMNS],
    /// The higher cards of each card's suit.
    higher: [u64; 64],
}

impl Bound {
    /// For games of so many cards.
    #[must_use]
    pub fn new(game: &Game, cards_count: u32) -> Bound {
        let higher = std::array::from_fn(|bit| {
            let mut card = 1u64 << bit;
            (0..RANKS).fold(0, |set, _| {
                card = bits::one_higher(card);
                set | card
            })
        });
        let mut above = [[0; 1 << COUNT_BITS]; MAX_COLUMNS];
        for (column, sets) in above.iter_mut().enumerate().take(game.columns_count) {
            for count in 1..=usize::from(most(game, column)) {
                sets[count] = sets[count - 1] | higher[usize::from(game.columns[column][count - 1])];
            }
        }
        let mut bound = Bound { cards_count, extra: Vec::new(), above, higher };
        bound.fill(game);
        bound
    }

    /// Bytes of its table.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.extra.len() as u64
    }

    fn fill(&mut self, game: &Game) {
        let size = game.radices.columns.iter().product::<u64>() as usize;
        self.extra = vec![0; size];
        let mut counts = [0u8; MAX_COLUMNS];
        for index in 1..size {
            // One more than the numbers before, as a number of mixed radices.
            let mut column = 0;
            while u64::from(counts[column]) + 1 == game.radices.columns[column] {
                counts[column] = 0;
                column += 1;
            }
            counts[column] += 1;
            if (0..game.columns_count).any(|column| counts[column] > most(game, column)) {
                continue;
            }
            let above = (0..game.columns_count).fold(0, |set, at| set | self.above[at][usize::from(counts[at])]);
            let mut fewest = u8::MAX;
            for column in (0..game.columns_count).filter(|&column| counts[column] > 0) {
                let card = 1u64 << game.columns[column][usize::from(counts[column]) - 1];
                let after = self.extra[index - game.radices.weights[column] as usize];
                if card & above == 0 {
                    fewest = after;
                    break;
                }
                fewest = fewest.min(after + 1);
            }
            self.extra[index] = fewest;
        }
    }

    /// No end is nearer.
    #[inline(always)]
    #[must_use]
    pub fn fewest(&self, game: &Game, at: &Arrangement) -> u16 {
        let state = &at.state;
        let left = self.cards_count - state.founded.count_ones();
        let in_stock = state.circle.count_ones() as usize - usize::from(state.place.dealt);
        let deals = in_stock.div_ceil(game.rules.draw);
        left as u16 + deals as u16 + self.columns(game, at) + self.waste(game, at)
    }

    #[inline(always)]
    fn columns(&self, game: &Game, at: &Arrangement) -> u16 {
        let lying = at.lying(game);
        let (mut index, mut runs) = (0, 0);
        for column in 0..game.columns_count {
            let count = at.state.counts >> (COUNT_BITS * column as u32) & 15;
            let above = self.above[column][count as usize];
            let is_moved = lying & above != 0 && {
                let anchor = 1 << game.columns[column][count as usize - 1];
                let mut card = at.on(game, anchor);
                while card & !above != 0 {
                    card = at.on(game, card);
                }
                card != 0
            };
            runs += u16::from(is_moved);
            index += u64::from(count - u32::from(is_moved)) * game.radices.weights[column];
        }
        runs + u16::from(self.extra[index as usize])
    }

    #[inline(always)]
    fn waste(&self, game: &Game, at: &Arrangement) -> u16 {
        let state = &at.state;
        let dealt = usize::from(state.place.dealt);
        // Where passes begin at different cards, those of the next one may be dealt with cards left of this one.
        if dealt < 2 || !game.rules.has_one_origin() {
            return 0;
        }
        let mut left = state.circle;
        let (mut above, mut inverted) = (0u64, 0u32);
        for at in 0..dealt.min(MAX_STOCK) {
            let card = game.circle[left.trailing_zeros() as usize & 31];
            left &= left - 1;
            inverted |= u32::from(above >> card & 1 == 1) << at;
            above |= self.higher[usize::from(card)];
        }
        if inverted == 0 {
            return 0;
        }
        // With one card dealt at once a card that is left counts no less than one that is moved.
        if game.rules.draw == 1 || game.rules.redeals.is_some() && state.redeals == 0 {
            return inverted.count_ones() as u16;
        }
        let left = |kept: usize| kept.div_ceil(game.rules.draw) as u32 + (inverted >> kept).count_ones();
        (0..=dealt).map(left).min().unwrap_or(0) as u16
    }
}

/// Cards as dealt in a column when the search begins.
fn most(game: &Game, column: usize) -> u8 {
    (game.start().counts >> (COUNT_BITS * column as u32) & 15) as u8
}
