//! Decks and rows of foundations.
pub const FOUNDATIONS: usize = 4;
pub const MAX_RANKS: usize = 13;
pub const MIN_RANKS: usize = 4;
pub const MAX_CARDS: usize = FOUNDATIONS * MAX_RANKS;
pub const MAX_STACKS: usize = 5;

/// A whole deck in the order of draws, and where its cards go.
pub struct Deck {
    /// Ranks from 1, first drawn first; each rank occurs once for each foundation.
    pub ranks: Vec<u8>,
    /// Of each foundation, the place of each rank in its row, from 0; nothing for rank 0.
    pub places: [[usize; MAX_RANKS + 1]; FOUNDATIONS],
    /// Cards that begin the game on the foundations: the first ones of the deck, one each.
    pub laid: usize,
}

impl Deck {
    /// What is wrong with the deck, if anything.
    pub fn new(ranks: &[u8]) -> Result<Deck, String> {
        let ranks_count = ranks.len() / FOUNDATIONS;
        if !ranks.len().is_multiple_of(FOUNDATIONS) || !(MIN_RANKS..=MAX_RANKS).contains(&ranks_count) {
            return Err(format!("{} cards are not {FOUNDATIONS} of {MIN_RANKS} to {MAX_RANKS} ranks", ranks.len()));
        }
        for rank in 1..=ranks_count {
            let count = ranks.iter().filter(|&&other| usize::from(other) == rank).count();
            if count != FOUNDATIONS {
                return Err(format!("rank {rank} is there {count} times, not {FOUNDATIONS}"));
            }
        }
        Ok(Deck { ranks: ranks.to_vec(), places: places(ranks_count), laid: 0 })
    }

    /// The deck with so many of its first cards on the foundations, or what is wrong with that.
    pub fn with_laid(self, laid: usize) -> Result<Deck, String> {
        let is_first = |card: usize| card < FOUNDATIONS && self.place(card, card) == 0;
        match (0..laid).find(|&card| !is_first(card)) {
            Some(card) => Err(format!("card {card} does not begin a foundation of its own")),
            None => Ok(Deck { laid, ..self }),
        }
    }

    #[must_use]
    pub fn cards_count(&self) -> usize {
        self.ranks.len()
    }

    #[must_use]
    pub fn ranks_count(&self) -> usize {
        self.ranks.len() / FOUNDATIONS
    }

    /// The place of a card in the row of a foundation.
    #[must_use]
    pub fn place(&self, foundation: usize, card: usize) -> usize {
        self.places[foundation][usize::from(self.ranks[card])]
    }
}

/// Foundation b has the multiples of b + 1 modulo the smallest prime that is no less than the number of ranks, without
/// those above it: for 13 ranks the rows of the game.
fn places(ranks_count: usize) -> [[usize; MAX_RANKS + 1]; FOUNDATIONS] {
    let is_prime = |number: usize| (2..number).all(|divisor| !number.is_multiple_of(divisor));
    let prime = (ranks_count..).find(|&number| is_prime(number)).expect("a larger prime");
    let mut places = [[0; MAX_RANKS + 1]; FOUNDATIONS];
    for (foundation, places) in places.iter_mut().enumerate() {
        let row = (1..=prime).map(|step| (step * (foundation + 1) - 1) % prime + 1);
        for (place, rank) in row.filter(|&rank| rank <= ranks_count).enumerate() {
            places[rank] = place;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ranks_count: usize, foundation: usize) -> Vec<usize> {
        let places = places(ranks_count)[foundation];
        let mut row: Vec<usize> = (1..=ranks_count).collect();
        row.sort_by_key(|&rank| places[rank]);
        row
    }

    #[test]
    fn rows_of_the_game_and_of_smaller_ones() {
        assert_eq!(row(13, 0), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
        assert_eq!(row(13, 1), [2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11, 13]);
        assert_eq!(row(13, 2), [3, 6, 9, 12, 2, 5, 8, 11, 1, 4, 7, 10, 13]);
        assert_eq!(row(13, 3), [4, 8, 12, 3, 7, 11, 2, 6, 10, 1, 5, 9, 13]);
        assert_eq!(row(4, 1), [2, 4, 1, 3]);
        assert_eq!(row(8, 3), [4, 8, 1, 5, 2, 6, 3, 7]);
    }

    #[test]
    fn decks_are_checked() {
        let deck: Vec<u8> = (0..16).map(|card| card / 4 + 1).collect();
        assert!(Deck::new(&deck).is_ok());
        assert!(Deck::new(&deck[1..]).is_err_and(|text| text.contains("15 cards")));
        assert!(Deck::new(&[1; 16]).is_err_and(|text| text.contains("rank 1 is there 16 times")));
        assert!(Deck::new(&deck[..12]).is_err());
    }
}
