//! Games in a row by the same five players: seats are drawn anew, and ranks forgotten, every so many games.
use super::game::{Game, Setting, draw_seats};
use super::players::Player;
use super::table::PLAYERS;
use crate::search::{Clock, Stop};

/// Which games are played. Game `index` has the same deal, seats and dice whoever plays.
#[derive(Clone, Copy)]
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
        players: &mut [Player; PLAYERS],
        clock: &mut Clock<'_>,
        each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        self.play_after(first, count, None, players, clock, each)
    }

    /// The same after other games: `results` are the players by rank in each of these games as others played them. If
    /// told, each game begins with the ranks of the game before it there.
    ///
    /// # Errors
    /// Interrupts.
    pub fn play_after(
        &self,
        first: u64,
        count: u64,
        results: Option<&[[u8; PLAYERS]]>,
        players: &mut [Player; PLAYERS],
        clock: &mut Clock<'_>,
        mut each: impl FnMut(&Setting, &Game),
    ) -> Result<(), Stop> {
        debug_assert!(first.is_multiple_of(self.rank_period));
        let mut game = Game::default();
        let mut ranks = None;
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
            game.play(&setting, players, clock)?;
            ranks = Some(match results {
                Some(results) => results[(index - first) as usize],
                None => game.finished.map(|seat| now[usize::from(seat)]),
            });
            each(&setting, &game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn games_begin_with_the_ranks_that_are_told() {
        let tournament = Tournament { seed: 3, seat_period: 3, rank_period: 10 };
        let mut never = || false;
        let mut clock = Clock::new(0.0, &mut never);
        let mut games = Vec::new();
        let mut results = Vec::new();
        tournament
            .play(0, 30, &mut rule(), &mut clock, |setting, game| {
                results.push(game.finished.map(|seat| setting.seats[usize::from(seat)]));
                games.push((setting.before, game.dealt, game.turns.clone()));
            })
            .unwrap();
        let mut random: [Player; PLAYERS] = std::array::from_fn(|_| Player::Random(Box::default()));
        for players in [&mut rule(), &mut random] {
            let (mut index, mut same) = (0, 0);
            tournament
                .play_after(0, 30, Some(&results), players, &mut clock, |setting, game| {
                    assert_eq!((setting.before, game.dealt), (games[index].0, games[index].1));
                    same += usize::from(game.turns == games[index].2);
                    index += 1;
                })
                .unwrap();
            assert_eq!(same, if matches!(players[0], Player::Rule(_)) { 30 } else { 0 });
        }
    }
}
