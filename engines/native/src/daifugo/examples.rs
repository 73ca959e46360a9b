//! What a policy learns from: choices that players made in games, as features of all plays that they had.
use super::features::{Context, Features};
use super::game::Game;
use super::legal::Families;
use super::play::PASS;
use super::position::Position;
use super::table::PLAYERS;

#[derive(Default)]
pub struct Examples {
    /// Of all plays of all choices in a row; a pass, unless the field is empty, comes last.
    pub plays: Vec<Features>,
    /// Where each choice's plays end.
    pub ends: Vec<u64>,
    /// The place among `plays` of what was chosen.
    pub chosen: Vec<u64>,
    families: Families,
}

impl Examples {
    /// Adds the turns in which one of the players `of` had a choice; `seats`: the player at each seat.
    pub fn add(&mut self, game: &Game, seats: &[u8; PLAYERS], of: &[u8]) {
        let mut position = Position::start(game.hands);
        for turn in &game.turns {
            if of.contains(&seats[usize::from(turn.seat)]) {
                self.add_turn(&position, turn.play);
            }
            position.play(&turn.play);
        }
    }

    fn add_turn(&mut self, position: &Position, made: super::play::Play) {
        let view = position.view();
        self.families.list(view.hand, view.field);
        let count = self.families.plays_count();
        let pass = !view.field.is_empty();
        if count + u32::from(pass) < 2 || made.is_pass() && !pass {
            return;
        }
        let (context, mut chosen) = (Context::new(&view, count), None);
        let plays = &mut self.plays;
        let mut push = |play| {
            if play == made {
                chosen = Some(plays.len() as u64);
            }
            plays.push(context.traits(&play).features());
        };
        self.families.each(&mut push);
        if pass {
            push(PASS);
        }
        self.chosen.push(chosen.expect("turns of a game are legal"));
        self.ends.push(self.plays.len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::legal::legal_plays;
    use super::super::players::Player;
    use super::super::tournament::Tournament;
    use super::*;
    use crate::search::Clock;

    #[test]
    fn each_choice_once() {
        let mut players: [Player; PLAYERS] = std::array::from_fn(|_| Player::Rule(Box::default()));
        let (mut examples, mut choices, mut rows, mut never) = (Examples::default(), 0, 0, || false);
        let tournament = Tournament { seed: 1, seat_period: 3, rank_period: 100 };
        let played = tournament.play(0, 20, &mut players, &mut Clock::new(0.0, &mut never), |setting, game| {
            examples.add(game, &setting.seats, &[1, 3]);
            let mut position = Position::start(game.hands);
            for turn in &game.turns {
                let count = legal_plays(position.hand(), &position.table.field).len()
                    + usize::from(!position.table.field.is_empty());
                if [1, 3].contains(&setting.seats[usize::from(turn.seat)]) && count > 1 {
                    choices += 1;
                    rows += count;
                }
                position.play(&turn.play);
            }
        });
        played.unwrap();
        assert_eq!((examples.ends.len(), examples.chosen.len(), examples.plays.len()), (choices, choices, rows));
        let begins = std::iter::once(&0).chain(&examples.ends);
        for ((begin, end), chosen) in begins.zip(&examples.ends).zip(&examples.chosen) {
            assert!(begin + 2 <= *end && (begin..end).contains(&chosen));
        }
    }
}
