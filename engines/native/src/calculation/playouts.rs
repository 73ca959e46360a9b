//! Plays that are tried: the next draws are played out on piles in random order, and the play after which the most
//! games should be won is made.
//!
//! Values order plays well where they differ much. Where they are near each other, they hardly say which is better: over
//! 27,000 turns of games with 3 stacks a play with a value of up to 1.3 times that of another won as many of the same
//! decks. Some draws later values do say it. A playout therefore ends after a few draws, and counts the chance that games
//! with such a value and so many cards in the pile are won (`chance.rs`). This differs far less from pile to pile than who
//! wins: in 270 turns differences between two plays had a sixth of the variance of those by whole playouts, for less than
//! half the time; over many piles both agreed about which play is better (correlation 0.93).
use super::assignment::Assignment;
use super::chance::chance;
use super::estimate::LAST_HOPE;
use super::nodes::Nodes;
use super::options::Options;
use super::player::{again, clear_up};
use super::rules::{FOUNDATIONS, Position};
use super::turn::{Abort, Play, Thinker, compared};
use crate::deck::shuffled;
use crate::storage::bytes::Bytes;

/// Assignments that the player of playouts keeps. With 3 stacks it wins 73% of its games, in 8 ms each; with 24 it would win
/// 76%, in 11 ms.
const KEEP: usize = 10;

/// Draws of a playout.
const DRAWS: usize = 10;

/// So many plays are tried, those of the largest values.
const MOST_TRIED: usize = 5;

/// Plays of less than this part of the largest value are not tried.
const LEAST_PART: f64 = 0.3;

/// What the value says counts, too: to the sum of a play's chances comes so much times the logarithm of its value. As long
/// as playouts are few, the largest of five sums is mostly the luckiest one.
const WEIGHT: f64 = 1.0;

/// After so many playouts, and so many more, plays may be given up.
const ROUND: usize = 16;

/// So many standard errors of the differences to the best play are sure.
const SURE: f64 = 2.5;

/// A play that is surely no better than the best one by so much chance is given up.
const TRIFLE: f64 = 0.004;

/// Sums of chances that differ by less than this are equal: the last digits of values differ with their order.
const EQUAL: f64 = 1e-4;

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
        let (made, _) = self.try_out(thinker, position, &plays)?;
        Ok(plays.swap_remove(made))
    }

    /// Which of the plays is made, and the chances after each of those that are tried, the first ones; none are tried
    /// if no other is near the first. `plays`: best first.
    pub fn try_out<B: Bytes>(
        &mut self,
        thinker: &mut Thinker<'_, '_, B>,
        position: &Position,
        plays: &[Play],
    ) -> Result<(usize, Vec<Vec<f64>>), Abort> {
        let largest = plays[0].value;
        let near = |play: &&Play| largest > LAST_HOPE && play.value >= LEAST_PART * largest;
        let count = plays.iter().take(MOST_TRIED).take_while(near).count();
        if count < 2 || position.pile == 0 {
            return Ok((0, Vec::new()));
        }
        let mut inner = Thinker {
            rules: thinker.rules,
            options: &self.options,
            table: thinker.table,
            nodes: &mut self.nodes,
            clock: &mut *thinker.clock,
            evaluations_count: 0,
        };
        let mut starts = starts(&mut inner, &plays[..count])?;
        let mut chances: Vec<Vec<f64>> = vec![Vec::new(); count];
        let mut open: Vec<usize> = (0..count).collect();
        let known: Vec<f64> = plays[..count].iter().map(|play| WEIGHT * (play.value / largest).ln()).collect();
        for number in 0..thinker.options.playouts {
            if number > 0 && number % ROUND == 0 {
                give_up(&mut open, &chances, &known);
                if open.len() == 1 {
                    break;
                }
            }
            if inner.nodes.is_full() {
                inner.nodes.clear();
                starts = self::starts(&mut inner, &plays[..count])?;
            }
            let pile = pile(position, number);
            for &n in &open {
                chances[n].push(played_out(&mut inner, &plays[n].position, &starts[n], &pile)?);
            }
        }
        thinker.evaluations_count += inner.evaluations_count;
        Ok((best(&open, &chances, &known), chances))
    }
}

/// Of plays with as many playouts the one with the largest sum of chances and of what is known of it, the first of nearly
/// equal ones.
fn best(open: &[usize], chances: &[Vec<f64>], known: &[f64]) -> usize {
    let sum = |n: usize| known[n] + chances[n].iter().sum::<f64>();
    open.iter().copied().fold(open[0], |best, n| if sum(n) > sum(best) + EQUAL { n } else { best })
}

/// Drops plays that are surely not worth more tries, by the differences of their chances to the best one's on the same
/// piles.
fn give_up(open: &mut Vec<usize>, chances: &[Vec<f64>], known: &[f64]) {
    let best = best(open, chances, known);
    open.retain(|&n| {
        let differences = chances[best].iter().zip(&chances[n]).map(|(best, other)| best - other);
        let (sum, squares) = differences.fold((0.0, 0.0), |(sum, squares), each| (sum + each, squares + each * each));
        let count = chances[n].len() as f64;
        let spread: f64 = squares - sum * sum / count;
        n == best || known[best] - known[n] + sum + TRIFLE * count <= SURE * spread.max(0.0).sqrt()
    });
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

/// The chance to win after the next draws. It is 0 as soon as some card of the pile may go nowhere, and 1 as soon as the
/// best assignment is worth 1: the stack games of all foundations and pairs are then won in any order.
fn played_out<B: Bytes>(
    inner: &mut Thinker<'_, '_, B>,
    position: &Position,
    list: &[Assignment],
    pile: &[u8],
) -> Result<f64, Abort> {
    let mut position = position.clone();
    let mut list = list.to_vec();
    for (number, &rank) in pile.iter().enumerate() {
        let best = list.first().map_or(0.0, |best| best.value);
        if best <= LAST_HOPE || compared(best) >= 1.0 {
            return Ok(f64::from(u8::from(best > LAST_HOPE)));
        }
        if number == DRAWS {
            let value = inner.together(list.iter().map(|each| each.value));
            let part = (pile.len() - number) as f64 / (FOUNDATIONS * inner.rules.ranks) as f64;
            return Ok(chance(inner.rules.stacks, value, part));
        }
        position.draw(rank);
        let play = inner.choose(&position, &list, rank)?;
        (position, list) = (play.position, play.list);
    }
    clear_up(inner.rules, &mut position, &mut list, &mut Vec::new());
    Ok(f64::from(u8::from(position.is_won(inner.rules))))
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

    /// Chances of three plays on the same piles: the first wins always, the second on every other pile, the third is like
    /// the first, or a little worse.
    #[test]
    fn plays_that_are_surely_no_better_are_given_up() {
        let given_up = |third: f64, piles: usize| {
            let second = (0..piles).map(|pile| (pile % 2) as f64).collect();
            let chances = vec![vec![1.0; piles], second, vec![third; piles]];
            let mut open = vec![0, 1, 2];
            give_up(&mut open, &chances, &[0.0; 3]);
            (best(&[0, 1, 2], &chances, &[0.0; 3]), open)
        };
        assert_eq!(given_up(1.0, 8), (0, vec![0]));
        assert_eq!(given_up(1.0 - 1e-9, 8), (0, vec![0]));
        assert_eq!(given_up(1.0, 2), (0, vec![0, 1]));
        let (one, other) = (vec![0.5, 0.4, 0.5, 0.4], vec![0.4, 0.49, 0.5, 0.4]);
        let mut open = vec![0, 1];
        give_up(&mut open, &[one.clone(), other.clone()], &[0.0; 2]);
        assert_eq!(open, [0, 1]);
        let nearly = other.iter().map(|chance| chance + 1e-9).collect();
        assert_eq!(best(&[0, 1], &[other.clone(), one], &[0.0; 2]), 1);
        assert_eq!(best(&[0, 1], &[other, nearly], &[0.0; 2]), 0);
    }

    /// What values say decides where playouts say little, in what is made as in what is given up.
    #[test]
    fn values_count_beside_playouts() {
        let chances = vec![vec![0.5, 0.4, 0.5, 0.4], vec![0.4, 0.6, 0.5, 0.5]];
        let after = |known: [f64; 2]| {
            let mut open = vec![0, 1];
            give_up(&mut open, &chances, &known);
            (best(&[0, 1], &chances, &known), open)
        };
        assert_eq!(after([0.0, 0.0]), (1, vec![0, 1]));
        assert_eq!(after([0.0, -0.1]), (1, vec![0, 1]));
        assert_eq!(after([0.0, -0.3]), (0, vec![0, 1]));
        assert_eq!(after([0.0, -1.0]), (0, vec![0]));
        assert_eq!(after([-1.0, 0.0]), (1, vec![1]));
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
            let chances = [0, 1].map(|time| {
                if time == 1 {
                    thinker.nodes.clear();
                }
                let starts = starts(&mut thinker, &plays[..1]).unwrap();
                piles
                    .iter()
                    .map(|pile| played_out(&mut thinker, &plays[0].position, &starts[0], pile).unwrap())
                    .collect::<Vec<_>>()
            });
            assert_eq!(chances[0], chances[1]);
            compared += chances[1].iter().filter(|&&chance| chance > 0.0).count();
            let play = plays.swap_remove(0);
            list = again(&mut thinker, &play.position, &play.list).unwrap();
            position = play.position;
        }
        assert!(compared > 5);
    }
}
