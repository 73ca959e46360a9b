//! Plays that are tried: the rest of the game is played out on piles in random order, and the play that wins most is made.
//!
//! Values order plays well where they differ much. Where they are near each other, they hardly say which is better: over
//! 27,000 turns of games with 3 stacks a play with a value of up to 1.3 times that of another won as many of the same
//! decks. By 60 playouts each in 40 turns, such plays differ nonetheless, by some 2 games of a hundred (standard deviation
//! without that of the playouts themselves).
use super::assignment::Assignment;
use super::estimate::LAST_HOPE;
use super::nodes::Nodes;
use super::options::Options;
use super::player::{again, clear_up};
use super::rules::Position;
use super::turn::{Abort, Play, Thinker, compared};
use crate::deck::shuffled;
use crate::storage::bytes::Bytes;

/// Assignments that the player of playouts keeps: it wins 9 in 10 of the games that 200 win, in a sixth of the time.
const KEEP: usize = 10;

/// So many plays are tried, those of the largest values.
const MOST_TRIED: usize = 4;

/// Plays of less than this part of the largest value are not tried.
const LEAST_PART: f64 = 0.5;

/// A play of e times the value of another counts as if it had won so many playouts more. Over the same turns such a play
/// won 4.8 of a hundred decks more, and true differences beside this are as large as the chance of a hundred playouts.
const WINS_A_FOLD: f64 = 4.8;

/// The seed of the orders of piles.
const SEED: u64 = 1;

/// Who plays out games, with what it has looked up.
pub struct Playouts {
    options: Options,
    nodes: Nodes,
}

impl Playouts {
    /// None if none are asked for.
    pub fn new(stacks: usize, options: &Options) -> Option<Playouts> {
        if options.playouts == 0 {
            return None;
        }
        let nodes = Nodes::new(stacks, options.edges, options.exact_cards);
        let options = Options { keep: options.keep.min(KEEP), look_ahead: 0, playouts: 0, ..options.clone() };
        Some(Playouts { options, nodes })
    }

    /// States that were looked up, and those that the table did not have.
    pub fn lookups(&self) -> (u64, u64) {
        (self.nodes.lookups_count, self.nodes.missing_count)
    }

    /// The play that is made. `position`: with the drawn card in no place, `list`: as in `Thinker::plays`.
    pub fn choose<B: Bytes>(
        &mut self,
        thinker: &mut Thinker<'_, '_, B>,
        position: &Position,
        list: &[Assignment],
        drawn: u8,
    ) -> Result<Play, Abort> {
        let mut plays = thinker.plays(position, list, Some(drawn))?;
        let largest = plays[0].value;
        let near = |play: &&Play| largest > LAST_HOPE && play.value >= LEAST_PART * largest;
        let count = plays.iter().take(MOST_TRIED).take_while(near).count();
        if count < 2 || position.pile == 0 {
            return Ok(plays.swap_remove(0));
        }
        let mut wins = vec![0u32; count];
        let mut inner = Thinker {
            rules: thinker.rules,
            options: &self.options,
            table: thinker.table,
            nodes: &mut self.nodes,
            clock: &mut *thinker.clock,
            evaluations_count: 0,
        };
        let mut starts = starts(&mut inner, &plays[..count])?;
        for number in 0..thinker.options.playouts {
            if inner.nodes.is_full() {
                inner.nodes.clear();
                starts = self::starts(&mut inner, &plays[..count])?;
            }
            let pile = pile(position, number);
            for (n, play) in plays[..count].iter().enumerate() {
                wins[n] += u32::from(is_won(&mut inner, &play.position, &starts[n], &pile)?);
            }
        }
        thinker.evaluations_count += inner.evaluations_count;
        let folds = |n: usize| f64::from(compared(plays[n].value) / compared(largest)).ln();
        let score = |n: usize| f64::from(wins[n]) + WINS_A_FOLD * folds(n);
        let best = (1..count).fold(0, |best, n| if score(n) > score(best) { n } else { best });
        Ok(plays.swap_remove(best))
    }
}

/// The cards of the pile in the order of playout `number`: the same in every game with as many cards left.
fn pile(position: &Position, number: usize) -> Vec<u8> {
    let ranks =
        (1..position.left.len() as u8).flat_map(|rank| (0..position.left[usize::from(rank)]).map(move |_| rank));
    let sorted: Vec<u8> = ranks.collect();
    let order = shuffled(SEED, (sorted.len() as u64) << 32 | number as u64, sorted.len());
    order.into_iter().map(|card| sorted[usize::from(card)]).collect()
}

/// The best assignments of each play, with states that the player of playouts knows.
fn starts<B: Bytes>(inner: &mut Thinker<'_, '_, B>, plays: &[Play]) -> Result<Vec<Vec<Assignment>>, Abort> {
    plays
        .iter()
        .map(|play| again(inner, &play.position, &play.list[..play.list.len().min(inner.options.keep)]))
        .collect()
}

/// Plays out a game. It counts as lost as soon as some card of the pile may go nowhere, and as won as soon as its best
/// assignment is worth 1: the stack games of all foundations and pairs are then won in any order.
fn is_won<B: Bytes>(
    inner: &mut Thinker<'_, '_, B>,
    position: &Position,
    list: &[Assignment],
    pile: &[u8],
) -> Result<bool, Abort> {
    let mut position = position.clone();
    let mut list = list.to_vec();
    for &rank in pile {
        let best = list.first().map_or(0.0, |best| best.value);
        if best <= LAST_HOPE || compared(best) >= 1.0 {
            return Ok(best > LAST_HOPE);
        }
        position.draw(rank);
        let play = inner.choose(&position, &list, rank)?;
        (position, list) = (play.position, play.list);
    }
    clear_up(inner.rules, &mut position, &mut list, &mut Vec::new());
    Ok(position.is_won(inner.rules))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calculation::player::Player;
    use crate::calculation::rules::Rules;
    use crate::calculation::tests::{build, deck, table};
    use crate::search::Clock;

    fn player() -> Player {
        Player::new(Rules::new(6, 2).unwrap(), Options { keep: 20, ..Options::default() })
    }

    fn small(playouts: usize) -> Player {
        Player::new(Rules::new(5, 1).unwrap(), Options { keep: 12, playouts, ..Options::default() })
    }

    #[test]
    fn piles_have_what_is_left_in_changing_orders() {
        let mut position = Rules::new(6, 2).unwrap().start();
        [1, 1, 1, 1, 3, 6].into_iter().for_each(|rank| position.draw(rank));
        let piles: Vec<Vec<u8>> = (0..20).map(|number| pile(&position, number)).collect();
        for pile in &piles {
            let mut sorted = pile.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6]);
        }
        assert!(piles.iter().skip(1).all(|pile| *pile != piles[0]));
    }

    /// The same on every call, whatever is known of other games; playouts change some plays.
    #[test]
    fn games_are_their_own() {
        let (game, layers) = build(5, 1);
        let table = table(&game, &layers);
        let play = |player: &mut Player, index: u64| {
            player.play(&table, &mut Clock::new(0.0, &mut || false), &deck(5, index, 5)).unwrap()
        };
        let (mut with, mut without) = (small(12), small(0));
        let mut changed = 0;
        for index in 0..20 {
            let (played, again) = (play(&mut with, index), play(&mut small(12), index));
            assert_eq!((&again.moves, again.evaluations_count), (&played.moves, played.evaluations_count));
            changed += u32::from(play(&mut without, index).moves != played.moves);
        }
        assert!(changed > 0);
    }

    /// Playouts that forget what they looked up go on as if they had not.
    #[test]
    fn assignments_are_the_same_with_new_nodes() {
        let (game, layers) = build(6, 2);
        let table = table(&game, &layers);
        let (mut player, mut compared) = (player(), 0);
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        let (mut thinker, rules) = player.thinker(&table, &mut clock);
        let mut position = rules.start();
        let mut list = thinker.assign(&position, 1).unwrap();
        for rank in deck(6, 1, 6) {
            position.draw(rank);
            let mut plays = thinker.plays(&position, &list, Some(rank)).unwrap();
            let piles: Vec<Vec<u8>> = (0..3).map(|number| pile(&plays[0].position, number)).collect();
            let wins = [0, 1].map(|time| {
                if time == 1 {
                    thinker.nodes.clear();
                }
                let starts = starts(&mut thinker, &plays[..1]).unwrap();
                piles
                    .iter()
                    .map(|pile| is_won(&mut thinker, &plays[0].position, &starts[0], pile).unwrap())
                    .collect::<Vec<_>>()
            });
            assert_eq!(wins[0], wins[1]);
            compared += wins[1].iter().filter(|&&won| won).count();
            let play = plays.swap_remove(0);
            list = again(&mut thinker, &play.position, &play.list).unwrap();
            position = play.position;
        }
        assert!(compared > 5);
    }
}
