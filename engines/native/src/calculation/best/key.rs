//! Keys of positions: equal only for those that are worth the same.
use super::game::{Game, MAX_RANKS, Renaming};
use super::position::{BITS, Position, RANK, Stack};
use crate::calculation::rules::{FOUNDATIONS, MAX_STACKS};

/// A bit for each place of a row.
type Places = u8;
const PLACES: u32 = MAX_RANKS as u32;
const _: () = assert!(
    FOUNDATIONS * MAX_RANKS * BITS as usize + (MAX_STACKS + 1) * BITS as usize + FOUNDATIONS * MAX_RANKS <= 128
);

/// A position without the stacked cards that leave by themselves when others have left: nothing depends on where they are.
struct Essence {
    /// What each foundation needs, without these cards.
    needs: [Places; FOUNDATIONS],
    stacks: [Stack; MAX_STACKS],
    /// How many of these cards are of the rank that ends all rows, while it is open which foundations they go to.
    ends: u8,
}

impl Position {
    /// Equal for positions that differ only in the order of their stacks, by a renaming, or in cards that leave by
    /// themselves.
    #[must_use]
    pub fn key(&self, game: &Game) -> u128 {
        let essence = Essence::new(game, self);
        let stacks = game.rules.stacks;
        let renamed = game.renamings.iter().map(|renaming| essence.renamed(renaming).packed(stacks));
        renamed.fold(essence.packed(stacks), u128::min)
    }
}

impl Essence {
    fn new(game: &Game, position: &Position) -> Essence {
        let all: Places = (1 << game.rules.ranks) - 1;
        let needs = position.heights.map(|height| all >> height << height);
        let mut essence = Essence { needs, stacks: position.stacks, ends: 0 };
        while (0..game.rules.stacks)
            .fold(false, |any, s| essence.drop_lowest(game, s) | essence.drop_next(game, s) | any)
        {}
        essence
    }

    /// Foundations that need a rank.
    fn needing(&self, game: &Game, rank: u8) -> impl Iterator<Item = usize> {
        let needs = self.needs;
        (0..FOUNDATIONS).filter(move |&f| needs[f] & 1 << game.rules.place_of(f, rank) != 0)
    }

    /// The place of a rank on the only foundation that needs it.
    fn only(&self, game: &Game, rank: u8) -> Option<(usize, u8)> {
        let mut needing = self.needing(game, rank);
        let only = needing.next()?;
        needing.next().is_none().then(|| (only, game.rules.place_of(only, rank)))
    }

    /// Drops lowest cards that end the rows of whatever foundations they may go to: no card waits for them, neither one
    /// above them nor another.
    fn drop_lowest(&mut self, game: &Game, stack: usize) -> bool {
        let mut any = false;
        while self.stacks[stack] != 0 {
            let above = (u128::BITS - 1 - self.stacks[stack].leading_zeros()) / BITS * BITS;
            let rank = (self.stacks[stack] >> above) as u8;
            if rank == game.last_of_all {
                self.ends += 1;
                if self.needing(game, rank).count() == usize::from(self.ends) {
                    self.needs = self.needs.map(|needs| needs & !(1 << (game.rules.ranks - 1)));
                    self.ends = 0;
                }
            } else {
                let Some((f, place)) = self.only(game, rank).filter(|&(f, place)| self.needs[f] >> place == 1) else {
                    break;
                };
                self.needs[f] ^= 1 << place;
            }
            self.stacks[stack] ^= Stack::from(rank) << above;
            any = true;
        }
        any
    }

    /// Drops cards that go to the same foundation right after the card on them.
    fn drop_next(&mut self, game: &Game, stack: usize) -> bool {
        let (mut any, mut shift) = (false, 0);
        while self.stacks[stack] >> shift > RANK {
            let [upper, lower] = [shift, shift + BITS].map(|shift| (self.stacks[stack] >> shift & RANK) as u8);
            match (self.only(game, upper), self.only(game, lower)) {
                (Some((f, first)), Some((g, next)))
                    if f == g
                        && first < next
                        && self.needs[f] >> (first + 1) << (first + 1) & ((1 << next) - 1) == 0 =>
                {
                    self.needs[f] ^= 1 << next;
                    let kept = self.stacks[stack] & ((1 << (shift + BITS)) - 1);
                    self.stacks[stack] = self.stacks[stack] >> (shift + 2 * BITS) << (shift + BITS) | kept;
                    any = true;
                }
                _ => shift += BITS,
            }
        }
        any
    }

    fn renamed(&self, renaming: &Renaming) -> Essence {
        let mut renamed = Essence { needs: self.needs, stacks: self.stacks, ends: self.ends };
        for (from, &to) in renaming.foundation.iter().enumerate() {
            renamed.needs[to] = self.needs[from];
        }
        for stack in &mut renamed.stacks {
            let (mut rest, mut shift) = (*stack, 0);
            *stack = 0;
            while rest != 0 {
                *stack |= Stack::from(renaming.rank[(rest & RANK) as usize]) << shift;
                rest >>= BITS;
                shift += BITS;
            }
        }
        renamed
    }

    /// Stacks in order, each after a 0, then what is needed.
    fn packed(&self, stacks: usize) -> u128 {
        let mut ordered = self.stacks;
        ordered[..stacks].sort_unstable();
        let packed = ordered[..stacks].iter().fold(0, |packed, &stack| {
            let bits = (u128::BITS - stack.leading_zeros()).next_multiple_of(BITS);
            packed << (BITS + bits) | stack
        });
        let packed = packed << BITS | u128::from(self.ends);
        self.needs.iter().fold(packed, |packed, &needs| packed << PLACES | u128::from(needs))
    }
}
