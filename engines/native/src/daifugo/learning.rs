//! What HE learns from games: how often hands of each class held which ranks, a group, a sequence.
use super::game::Game;
use super::table::PLAYERS;
use super::worlds::he::{CLASSES_COUNT, ITEMS_COUNT, class, has_class, items};

/// Counts of one player's hands. Tables of several players are merged by addition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// By class.
    pub seen: Vec<u64>,
    /// By class and item.
    pub held: Vec<[u64; ITEMS_COUNT]>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { seen: vec![0; CLASSES_COUNT], held: vec![[0; ITEMS_COUNT]; CLASSES_COUNT] }
    }
}

/// Counts each hand that came down to 2, 3, 4 or 5 cards in a game, for the player whose it was.
pub fn count(game: &Game, seats: &[u8; PLAYERS], counts: &mut [Counts; PLAYERS]) {
    let mut hands = game.hands;
    for (number, turn) in game.turns.iter().enumerate() {
        let hand = &mut hands[usize::from(turn.seat)];
        *hand &= !turn.play.cards;
        if turn.play.is_pass() || !has_class(hand.count_ones()) {
            continue;
        }
        let before = game.turns[..=number].iter().filter(|other| other.seat == turn.seat);
        let class = class(hand.count_ones() as u8, before);
        let counts = &mut counts[usize::from(seats[usize::from(turn.seat)])];
        counts.seen[class] += 1;
        for (held, item) in counts.held[class].iter_mut().zip(items(*hand)) {
            *held += u64::from(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{JOKER, at_column};
    use super::super::knowledge::Turn;
    use super::super::play::{PASS, Play};
    use super::*;

    #[test]
    fn counts_hands_by_class() {
        let (low, pair, king, eight) = (at_column(1, 1), at_column(3, 9), at_column(1, 11), at_column(1, 6));
        let rest = at_column(3, 13) | JOKER;
        let mut game = Game { hands: [low | pair | king | eight | rest, 0, 0, 0, 0], ..Game::default() };
        for cards in [low, 0, pair, eight, king] {
            game.turns.push(Turn { seat: 0, play: if cards == 0 { PASS } else { Play::new(cards, -1).unwrap() } });
        }
        let mut counts = std::array::from_fn(|_| Counts::default());
        count(&game, &[3, 0, 1, 2, 4], &mut counts);
        // 8 cards at first; 5 after the pair, 4 after the 8, 3 after the king.
        let with_pair = 4 + 16;
        let expected = [64 * 3 + with_pair, 64 * 2 + with_pair + 2, 64 + with_pair + 2];
        for class in 0..CLASSES_COUNT {
            assert_eq!(counts[3].seen[class], u64::from(expected.contains(&class)), "{class}");
        }
        let held = counts[3].held[expected[2]];
        assert_eq!(
            held.iter().enumerate().filter(|&(_, &held)| held > 0).map(|(item, _)| item).collect::<Vec<_>>(),
            [12, 13]
        );
        assert_eq!(counts[0], Counts::default());
    }
}
