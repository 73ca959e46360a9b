//! Games in a row by the same five players: seats are drawn anew, and ranks forgotten, every so many games.
use super::game::{Base, Game, Setting, draw_seats};
use super::party::Party;
use super::table::PLAYERS;
use crate::search::{Clock, Stop};

/// Which games are played. Game `index` has the same deal, seats and dice whoever plays.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Tournament {
    pub seed: u64,
    /// Games after which seats are drawn anew.
    pub seat_period: u64,
    /// Games after which ranks are forgotten.
    pub rank_period: u64,
}

impl Tournament {
    /// Plays `count` games from `first` on, which is the first one after ranks were forgotten; `each` sees every game.
    ///
    /// # Errors
    /// Interrupts.
    pub fn play(
        &self,
        first: u64,
        count: u64,
        players: &mut impl Party,
        clock: &mut Clock<'_>,
        each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        self.play_beside(first, count, None, players, clock, each)
    }

    /// The same from any game on; `ranks`: the players by rank after the game before, None if those are forgotten.
    ///
    /// # Errors
    /// Interrupts.
    pub fn go_on(
        &self,
        first: u64,
        count: u64,
        ranks: Option<[u8; PLAYERS]>,
        players: &mut impl Party,
        clock: &mut Clock<'_>,
        each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        self.games(first, count, ranks, None, players, clock, each)
    }

    /// The same beside `base`: these games with another one in the place of the player who is told. Each game begins
    /// with the ranks of the game before it there.
    ///
    /// # Errors
    /// Interrupts.
    pub fn play_beside(
        &self,
        first: u64,
        count: u64,
        base: Option<(&[Game], u8)>,
        players: &mut impl Party,
        clock: &mut Clock<'_>,
        each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        debug_assert!(first.is_multiple_of(self.rank_period));
        self.games(first, count, None, base, players, clock, each)
    }

    #[allow(clippy::too_many_arguments)] // All that games in a row depend on.
    fn games(
        &self,
        first: u64,
        count: u64,
        mut ranks: Option<[u8; PLAYERS]>,
        base: Option<(&[Game], u8)>,
        players: &mut impl Party,
        clock: &mut Clock<'_>,
        mut each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        let mut game = Game::default();
        for index in first..first + count {
            let drawn = index - index % self.seat_period;
            let now = draw_seats(self.seed, drawn);
            if index.is_multiple_of(self.rank_period) {
                ranks = None;
            }
            // Ranks are those of players, who may sit elsewhere now.
            let before = ranks.map(|by_rank: [u8; PLAYERS]| {
                by_rank.map(|player| now.iter().position(|&other| other == player).expect("all sit") as u8)
            });
            let setting = Setting { seed: self.seed, index, seats: now, before };
            let there = base.map(|(games, changed)| Base { game: &games[(index - first) as usize], changed });
            game.play(&setting, players, there, clock)?;
            let finished = there.map_or(game.finished, |there| there.game.finished);
            ranks = Some(finished.map(|seat| now[usize::from(seat)]));
            each(&setting, &game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::players::bandit::Bandit;
    use super::super::players::mc::Options;
    use super::super::players::{Player, Spec};
    use super::super::worlds::Generator;
    use super::*;

    fn rule() -> [Player; PLAYERS] {
        std::array::from_fn(|_| Player::Rule(Box::default()))
    }

    #[test]
    fn periods_and_ranges() {
        let tournament = Tournament { seed: 3, seat_period: 3, rank_period: 10 };
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        let mut all = Vec::new();
        let mut seen = |setting: &Setting, game: &Game| {
            all.push((setting.index, setting.seats, setting.before, game.finished));
        };
        tournament.play(0, 30, &mut rule(), &mut clock, &mut seen).unwrap();
        tournament.play(20, 10, &mut rule(), &mut clock, &mut seen).unwrap();
        assert_eq!(all[20..30], all[30..]);
        let ranks = all[24].3.map(|seat| all[24].1[usize::from(seat)]);
        let mut later = Vec::new();
        let mut seen = |setting: &Setting, game: &Game| {
            later.push((setting.index, setting.seats, setting.before, game.finished));
        };
        tournament.go_on(25, 5, Some(ranks), &mut rule(), &mut clock, &mut seen).unwrap();
        assert_eq!(all[25..30], later);
        for window in all[..30].windows(2) {
            let (index, seats, before, _) = window[1];
            assert_eq!(before.is_none(), index % 10 == 0);
            assert!(index % 3 == 0 || seats == window[0].1);
            if let Some(before) = before {
                let then = window[0].3.map(|seat| window[0].1[usize::from(seat)]);
                assert_eq!(before.map(|seat| seats[usize::from(seat)]), then);
            }
        }
        assert!((1..10).any(|block| all[3 * block].1 != all[3 * block - 1].1));
    }

    /// A player of each kind that keeps something between turns, and the rule-based one.
    fn several(fourth: &Player) -> [Player; PLAYERS] {
        let mc = |generator, bandit, endgame_positions| {
            let mut options = Options { exchange_playouts: 5, endgame_positions, ..Options::paper(30, generator) };
            options.spending.bandit = bandit;
            Spec::Mc(options).player()
        };
        let fourth = match fourth {
            Player::Rule(_) => Player::Rule(Box::default()),
            _ => Player::Random(Box::default()),
        };
        [
            mc(Generator::RandD, Bandit::Ucb1, 5000),
            mc(Generator::Rand, Bandit::Thompson, 0),
            mc(Generator::Exchange, Bandit::Ucb1Tuned, 0),
            Player::Rule(Box::default()),
            fourth,
        ]
    }

    #[test]
    fn games_beside_others() {
        let tournament = Tournament { seed: 3, seat_period: 3, rank_period: 10 };
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        let mut games: Vec<(Setting, Game)> = Vec::new();
        let mut keep = |setting: &Setting, game: &Game| games.push((*setting, game.clone()));
        tournament.play(0, 30, &mut several(&Player::Rule(Box::default())), &mut clock, &mut keep).unwrap();
        let base: Vec<Game> = games.iter().map(|(_, game)| game.clone()).collect();
        let told = |game: &Game| (game.dealt, game.hands, game.finished, game.turns.clone());
        for changed in [Player::Rule(Box::default()), Player::Random(Box::default())] {
            let (mut index, mut same, mut asked, mut asked_alone) = (0, 0, 0, 0);
            let mut players = several(&changed);
            tournament
                .play_beside(0, 30, Some((&base, 4)), &mut players, &mut clock, |setting, game| {
                    let mut never = || false;
                    // Each player is asked anew where there is no other game.
                    let mut alone = Game::default();
                    alone.play(setting, &mut several(&changed), None, &mut Clock::new(0.0, &mut never)).unwrap();
                    assert_eq!((setting.before, told(game)), (games[index].0.before, told(&alone)));
                    same += usize::from(told(game) == told(&base[index]));
                    asked += game.playouts_count.iter().sum::<u64>();
                    asked_alone += alone.playouts_count.iter().sum::<u64>();
                    index += 1;
                })
                .unwrap();
            if matches!(changed, Player::Rule(_)) {
                assert_eq!((same, asked), (30, 0));
            } else {
                assert!(same < 30 && 0 < asked && asked < asked_alone);
            }
        }
    }
}
