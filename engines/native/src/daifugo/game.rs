//! A whole game: deal, exchange, turns, ranks. Each player is told what it may know, and nothing else.
use super::cards::{CARDS_COUNT, D3, strongest_cards};
use super::dice::Dice;
use super::knowledge::{Before, Gifts, Knowledge, Turn};
use super::party::{Asked, Party};
use super::play::Play;
use super::position::{Hands, Position, deal};
use super::table::{PLAYERS, Table};
use crate::rng::Stream;
use crate::search::{Clock, Stop};
use cpu_time::ThreadTime;

/// Streams of a game: `16 * game + purpose` under the seed.
const STREAMS: u64 = 16;
const DEAL: u64 = 0;
const SEATS: u64 = 1;
const LOTS: u64 = 2;
/// And on: one for each player.
const PLAYER: u64 = 8;
/// The number of a player's dice in the exchange; in turns it is that of the turn.
pub(super) const EXCHANGE: u64 = u64::MAX;

/// What a game begins with.
#[derive(Clone, Copy)]
pub struct Setting {
    pub seed: u64,
    /// Number of the game under the seed.
    pub index: u64,
    /// The player at each seat.
    pub seats: [u8; PLAYERS],
    pub before: Option<Before>,
}

/// A game that was played. By seat, except `finished`.
#[derive(Clone, Default)]
pub struct Game {
    pub dealt: Hands,
    /// The hands after the exchange.
    pub hands: Hands,
    pub gifts: [Gifts; PLAYERS],
    pub turns: Vec<Turn>,
    /// The seats by their ranks, the first first.
    pub finished: [u8; PLAYERS],
    pub turns_count: [u32; PLAYERS],
    pub playouts_count: [u64; PLAYERS],
    /// Processor time of the players' decisions.
    pub elapsed_s: [f64; PLAYERS],
}

/// The player at each seat, drawn for the game `index`.
#[must_use]
pub fn draw_seats(seed: u64, index: u64) -> [u8; PLAYERS] {
    let mut seats = [0, 1, 2, 3, 4];
    stream(seed, index, SEATS).shuffle(&mut seats);
    seats
}

fn stream(seed: u64, index: u64, purpose: u64) -> Stream {
    Stream::new(seed, index.wrapping_mul(STREAMS) + purpose)
}

/// Numbers of a deck are those of all games here (C, D, H, S by A..K, then the joker): the card of each.
fn card(number: u8) -> u8 {
    let (suit, rank) = (number / 13, number % 13 + 1);
    match number {
        52 => 52,
        _ => 4 * if rank < 3 { rank + 10 } else { rank - 3 } + suit,
    }
}

impl Setting {
    /// The hands as dealt.
    fn deal(&self) -> Hands {
        let mut stream = stream(self.seed, self.index, DEAL);
        let mut deck: [u8; CARDS_COUNT] = std::array::from_fn(|number| number as u8);
        stream.shuffle(&mut deck);
        let first = match self.before {
            Some(before) => usize::from(before[0]),
            None => stream.below(PLAYERS as u32) as usize,
        };
        deal(&deck.map(card), first)
    }

    /// What decides the dice of the player at a seat.
    pub(super) fn dice_seed(&self, seat: u8) -> u64 {
        let mut stream = stream(self.seed, self.index, PLAYER + u64::from(self.seats[usize::from(seat)]));
        (0..4).fold(0, |word, _| word << 16 | u64::from(stream.below(1 << 16)))
    }
}

/// The same game as it was played with another one in the place of one player.
///
/// A player decides by what it knows and by dice that are those of its turn, so that all others do what they did there
/// for as long as they know the same. They are not asked again.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub game: &'a Game,
    /// The player who is another one.
    pub changed: u8,
}

impl Base<'_> {
    /// The play of the player at a seat in turn `number`, who knew the same there; `gifts`, `leader`: what it knows of
    /// the exchange. All turns before are the same.
    fn play(&self, setting: &Setting, seat: u8, number: usize, gifts: Gifts, leader: u8) -> Option<Play> {
        let own = usize::from(seat);
        let turn = self.game.turns.get(number)?;
        let same = turn.seat == seat && self.game.gifts[own] == gifts && self.game.leader() == leader;
        (same && setting.seats[own] != self.changed).then_some(turn.play)
    }
}

/// Plays games one after another with the same room.
impl Game {
    /// Plays the game of a setting; what was here before is gone.
    ///
    /// # Errors
    /// Interrupts.
    pub fn play(
        &mut self,
        setting: &Setting,
        players: &mut impl Party,
        base: Option<Base<'_>>,
        clock: &mut Clock<'_>,
    ) -> Result<(), Stop> {
        let mut hands = setting.deal();
        let turns = std::mem::take(&mut self.turns);
        *self = Game { dealt: hands, turns, ..Game::default() };
        self.turns.clear();
        let seeds: [u64; PLAYERS] = std::array::from_fn(|seat| setting.dice_seed(seat as u8));
        let playouts_before: [u64; PLAYERS] = std::array::from_fn(|player| players.playouts_count(player));
        players.begin(setting, &hands);
        let mut timer = Timer::start();
        if let Some(before) = setting.before {
            for pair in 0..2 {
                self.exchange(&mut hands, before, pair, setting, players, base, &seeds, clock, &mut timer)?;
            }
        }
        let mut base = base;
        self.hands = hands;
        let mut position = Position::start(hands);
        let (leader, mut gone) = (position.table.turn, 0);
        while !position.table.is_over() {
            clock.check()?;
            if position.table.is_stalled() {
                let mut order: Vec<u8> =
                    (0..PLAYERS as u8).filter(|&seat| position.table.alive >> seat & 1 != 0).collect();
                stream(setting.seed, setting.index, LOTS).shuffle(&mut order);
                position.table.draw_lots(&order);
                break;
            }
            let seat = position.table.turn;
            let own = usize::from(seat);
            let knowledge = Knowledge {
                seat,
                hand: position.hand(),
                counts: position.hands.map(|hand| hand.count_ones() as u8),
                gone,
                table: position.table,
                turns: &self.turns,
                leader: Some(leader),
                before: setting.before,
                gifts: self.gifts[own],
            };
            let number = self.turns.len();
            let known = base.and_then(|base| base.play(setting, seat, number, self.gifts[own], leader));
            let play = match known {
                Some(play) => play,
                None => {
                    let mut dice = Dice::of(seeds[own], number as u64);
                    let asked = Asked { setting, knowledge: &knowledge, dice: &mut dice, clock };
                    players.choose(asked, &position)?
                }
            };
            self.elapsed_s[own] += players.spent_s(&mut timer);
            debug_assert_eq!(play.cards & !position.hand(), 0);
            gone |= play.cards;
            self.turns.push(Turn { seat, play });
            base = base.filter(|base| base.game.turns.get(number) == self.turns.last());
            self.turns_count[own] += 1;
            position.play(&play);
        }
        self.finished = position.table.finished;
        players.end(setting, &self.finished, clock)?;
        for seat in 0..PLAYERS {
            let player = usize::from(setting.seats[seat]);
            self.playouts_count[seat] = players.playouts_count(player) - playouts_before[player];
        }
        Ok(())
    }

    /// The first and the last exchange two cards (`pair` 0), or the second and the fourth one.
    #[allow(clippy::too_many_arguments)] // All that there is at this moment.
    fn exchange(
        &mut self,
        hands: &mut Hands,
        before: Before,
        pair: usize,
        setting: &Setting,
        players: &mut impl Party,
        base: Option<Base<'_>>,
        seeds: &[u64; PLAYERS],
        clock: &mut Clock<'_>,
        timer: &mut Timer,
    ) -> Result<(), Stop> {
        let (high, low) = (usize::from(before[pair]), usize::from(before[4 - pair]));
        let count = 2 - pair as u32;
        let tribute = strongest_cards(hands[low], count);
        hands[low] &= !tribute;
        hands[high] |= tribute;
        let knowledge = Knowledge {
            seat: high as u8,
            hand: hands[high],
            counts: hands.map(|hand| hand.count_ones() as u8),
            gone: 0,
            table: Table::start(high as u8),
            turns: &[],
            leader: None,
            before: setting.before,
            gifts: Gifts { gave: 0, got: tribute },
        };
        // Before play all know what they knew there.
        let given = match base.filter(|base| setting.seats[high] != base.changed) {
            Some(base) => base.game.gifts[high].gave,
            None => {
                let mut dice = Dice::of(seeds[high], EXCHANGE);
                players.give(Asked { setting, knowledge: &knowledge, dice: &mut dice, clock }, count)?
            }
        };
        self.elapsed_s[high] += players.spent_s(timer);
        debug_assert_eq!((given.count_ones(), given & !hands[high]), (count, 0));
        hands[high] &= !given;
        hands[low] |= given;
        self.gifts[high] = Gifts { gave: given, got: tribute };
        self.gifts[low] = Gifts { gave: tribute, got: given };
        Ok(())
    }

    /// Who had the first turn.
    #[must_use]
    pub fn leader(&self) -> u8 {
        self.hands.iter().position(|hand| hand & D3 != 0).unwrap_or(0) as u8
    }
}

/// Processor time of this thread. To look at it is a system call.
pub struct Timer {
    begin: ThreadTime,
    told_s: f64,
}

impl Timer {
    #[must_use]
    pub fn start() -> Timer {
        Timer { begin: ThreadTime::now(), told_s: 0.0 }
    }

    /// Seconds since the last call.
    pub fn take(&mut self) -> f64 {
        let now_s = self.begin.elapsed().as_secs_f64();
        now_s - std::mem::replace(&mut self.told_s, now_s)
    }
}

#[cfg(test)]
mod tests {
    use super::super::cards::{ALL, Cards};
    use super::super::legal::legal_plays;
    use super::super::play::PASS;
    use super::super::players::Player;
    use super::*;

    fn together(hands: &Hands) -> Cards {
        hands.iter().fold(0, |cards, hand| cards | hand)
    }

    fn players() -> [Player; PLAYERS] {
        std::array::from_fn(
            |number| {
                if number % 2 == 0 { Player::Rule(Box::default()) } else { Player::Random(Box::default()) }
            },
        )
    }

    #[test]
    fn deck_and_deal() {
        let mut cards: Vec<u8> = (0..53).map(card).collect();
        assert_eq!((cards[0], cards[1], cards[2], cards[13 + 2]), (4 * 11, 4 * 12, 0, 1));
        cards.sort_unstable();
        assert!(cards.iter().enumerate().all(|(place, &card)| place == usize::from(card)));
        for before in [None, Some([3, 1, 2, 0, 4])] {
            let hands = Setting { seed: 1, index: 7, seats: [0; 5], before }.deal();
            assert_eq!(together(&hands), ALL);
            let counts = hands.map(|hand| hand.count_ones());
            assert_eq!(counts.iter().sum::<u32>(), 53);
            if before.is_some() {
                assert_eq!(counts, [11, 10, 10, 11, 11]);
            }
        }
    }

    #[test]
    fn every_turn_is_legal_and_games_repeat() {
        let (mut players, mut never) = (players(), || false);
        let mut clock = Clock::new(0.0, &mut never);
        let (mut game, mut again) = (Game::default(), Game::default());
        let mut before = None;
        for index in 0..300 {
            let setting = Setting { seed: 5, index, seats: draw_seats(5, index / 3 * 3), before };
            game.play(&setting, &mut players, None, &mut clock).unwrap();
            again.play(&setting, &mut players, None, &mut clock).unwrap();
            assert_eq!((&game.turns, game.finished), (&again.turns, again.finished));
            let mut position = Position::start(game.hands);
            assert_eq!(position.table.turn, game.leader());
            for turn in &game.turns {
                assert_eq!(turn.seat, position.table.turn);
                let legal = legal_plays(position.hand(), &position.table.field);
                assert!(turn.play == PASS || legal.contains(&turn.play));
                position.play(&turn.play);
            }
            assert!(position.table.is_over());
            assert_eq!(position.table.finished, game.finished);
            assert_eq!(game.turns_count.iter().sum::<u32>() as usize, game.turns.len());
            before = (index % 10 < 9).then_some(game.finished);
        }
    }

    #[test]
    fn the_weak_give_their_strongest_cards() {
        let (mut players, mut never) = (players(), || false);
        let mut clock = Clock::new(0.0, &mut never);
        let mut game = Game::default();
        let before = [2, 0, 4, 1, 3];
        game.play(
            &Setting { seed: 1, index: 0, seats: [0, 1, 2, 3, 4], before: Some(before) },
            &mut players,
            None,
            &mut clock,
        )
        .unwrap();
        assert_eq!(game.gifts[3].gave, strongest_cards(game.dealt[3], 2));
        assert_eq!(game.gifts[1].gave, strongest_cards(game.dealt[1], 1));
        assert_eq!((game.gifts[2].got, game.gifts[0].got), (game.gifts[3].gave, game.gifts[1].gave));
        assert_eq!((game.gifts[2].gave.count_ones(), game.gifts[0].gave.count_ones()), (2, 1));
        assert_eq!(game.gifts[4], Gifts::default());
        assert_eq!(together(&game.hands), ALL);
    }
}
