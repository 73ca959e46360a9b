//! Games played to their end at random: each legal play as likely, passes only where nothing else is legal.
use super::dice::Dice;
use super::legal::Families;
use super::position::Position;
use super::table::points;

/// Plays until `seat` has its rank, which is when it runs out of cards or is the last that has some; its points.
#[inline]
pub fn play_out(position: &mut Position, seat: u8, families: &mut Families, dice: &mut Dice) -> u32 {
    let own = 1 << seat;
    while position.table.alive & own != 0 && position.table.alive != own {
        turn(position, families, dice);
    }
    points(position.table.rank(seat).expect("it just finished"))
}

/// Plays until all ranks are known.
pub fn play_to_end(position: &mut Position, families: &mut Families, dice: &mut Dice) {
    while !position.table.is_over() {
        turn(position, families, dice);
    }
}

#[inline(always)]
fn turn(position: &mut Position, families: &mut Families, dice: &mut Dice) {
    let play = families.draw(position.hand(), &position.table.field, dice);
    position.play(&play);
}
