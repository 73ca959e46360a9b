//! Games played to their end in no time.
use super::dice::Dice;
use super::legal::Families;
use super::players::rule;
use super::policy::Learnt;
use super::position::Position;
use super::table::points;
use std::sync::Arc;

/// Who plays in a playout.
#[derive(Clone, PartialEq)]
pub enum Policy {
    /// Each legal play as likely; passes only where nothing else is legal.
    Uniform,
    /// The rule-based player.
    Rule,
    Learnt(Arc<Learnt>),
}

/// Plays until `seat` has its rank, which is when it runs out of cards or is the last that has some; its points.
#[inline]
pub fn play_out(position: &mut Position, seat: u8, policy: &Policy, families: &mut Families, dice: &mut Dice) -> u32 {
    match policy {
        Policy::Uniform => play_out_uniformly(position, seat, families, dice),
        Policy::Rule => play_out_by_rule(position, seat, families),
        Policy::Learnt(learnt) => play_out_as_learnt(position, seat, learnt, families, dice),
    }
}

#[inline]
fn play_out_uniformly(position: &mut Position, seat: u8, families: &mut Families, dice: &mut Dice) -> u32 {
    let own = 1 << seat;
    while position.table.alive & own != 0 && position.table.alive != own {
        uniform_turn(position, families, dice);
    }
    points(position.table.rank(seat).expect("it just finished"))
}

fn play_out_by_rule(position: &mut Position, seat: u8, families: &mut Families) -> u32 {
    let own = 1 << seat;
    while position.table.alive & own != 0 && position.table.alive != own {
        let play = rule::choose(&position.view(), families);
        position.play(&play);
    }
    points(position.table.rank(seat).expect("it just finished"))
}

fn play_out_as_learnt(
    position: &mut Position,
    seat: u8,
    learnt: &Learnt,
    families: &mut Families,
    dice: &mut Dice,
) -> u32 {
    let own = 1 << seat;
    while position.table.alive & own != 0 && position.table.alive != own {
        let play = learnt.draw(position, families, dice);
        position.play(&play);
    }
    points(position.table.rank(seat).expect("it just finished"))
}

/// Plays uniformly until all ranks are known.
pub fn play_to_end(position: &mut Position, families: &mut Families, dice: &mut Dice) {
    while !position.table.is_over() {
        uniform_turn(position, families, dice);
    }
}

#[inline(always)]
fn uniform_turn(position: &mut Position, families: &mut Families, dice: &mut Dice) {
    let play = families.draw(position.hand(), &position.table.field, dice);
    position.play(&play);
}

#[cfg(test)]
mod tests {
    use super::super::cards::ALL;
    use super::super::features::WEIGHTS_COUNT;
    use super::super::position::deal;
    use super::*;
    use crate::deck;

    fn start(index: u64) -> Position {
        Position::start(deal(&deck::shuffled(1, index, 53).try_into().unwrap(), 0))
    }

    #[test]
    fn games_end_and_no_card_is_lost() {
        let (mut families, mut dice) = (Families::default(), Dice::new(1));
        for index in 0..500 {
            let mut position = start(index);
            assert_eq!(position.hands.iter().fold(0, |cards, hand| cards | hand), ALL);
            play_to_end(&mut position, &mut families, &mut dice);
            let mut finished = position.table.finished;
            finished.sort_unstable();
            assert_eq!(finished, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn scores_of_all_policies_add_up() {
        let (mut families, mut dice) = (Families::default(), Dice::new(1));
        let learnt = |passes| Policy::Learnt(Arc::new(Learnt::new(&[0.0; WEIGHTS_COUNT], passes).unwrap()));
        for (name, policy) in
            [("uniform", Policy::Uniform), ("rule", Policy::Rule), ("learnt", learnt(false)), ("passing", learnt(true))]
        {
            let mut sums = [0u32; 5];
            for index in 0..1000 {
                let mut position = start(index);
                sums[(index % 5) as usize] +=
                    play_out(&mut position, (index % 5) as u8, &policy, &mut families, &mut dice);
            }
            let total: u32 = sums.iter().sum();
            assert!((2850..3150).contains(&total), "{name} {sums:?}");
        }
    }
}
