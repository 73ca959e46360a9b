//! Rows 5 and 6 of a table: the state of the game, by **number of the player** as each connected, not by seat.
use super::super::table::PLAYERS;
use super::cells::Cells;

const STATE: usize = 5;
const PLAYERS_ROW: usize = 6;
/// In the cell of the player to act in a game's first table.
pub const NOBODY: i32 = 6;
/// First cells of row 6 with ranks, and with who sits at seat 0 to 4.
const RANKS: usize = 5;
const SEATS: usize = 10;

/// What all players are told in rows 5 and 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    /// Who is to act, or who just acted; `NOBODY` in a first table.
    pub player: i32,
    pub empty: bool,
    pub revolution: bool,
    pub lock: bool,
    /// Cards left.
    pub counts: [u8; PLAYERS],
    /// By rank, as far as they are known: who it is. None in a game without ranks, whose cells are all 0.
    pub ranks: Option<[u8; PLAYERS]>,
    /// The player at each seat.
    pub seats: [u8; PLAYERS],
}

impl Status {
    /// Writes itself into a table. Cells that are not its own stay: those after the lock, and the ranks of players who
    /// are not among `ranks` (two ranks of one player leave somebody out).
    pub fn put(&self, cells: &mut Cells) {
        let state = &mut cells.0[STATE];
        state[0] = 0;
        state[1] = 0;
        state[2] = 0;
        state[3] = self.player;
        state[4] = i32::from(self.empty);
        state[5] = 0;
        state[6] = i32::from(self.revolution);
        state[7] = i32::from(self.lock);
        let row = &mut cells.0[PLAYERS_ROW];
        for player in 0..PLAYERS {
            row[player] = i32::from(self.counts[player]);
            row[SEATS + player] = i32::from(self.seats[player]);
        }
        match self.ranks {
            None => row[RANKS..SEATS].fill(0),
            Some(ranks) => {
                for (rank, player) in (0..).zip(ranks) {
                    row[RANKS + usize::from(player)] = rank;
                }
            }
        }
    }

    /// What a table says; cells that cannot be are None.
    #[must_use]
    pub fn read(cells: &Cells) -> Option<Status> {
        let (state, row) = (&cells.0[STATE], &cells.0[PLAYERS_ROW]);
        let mut counts = [0; PLAYERS];
        for player in 0..PLAYERS {
            counts[player] = u8::try_from(row[player]).ok().filter(|&count| count <= 13)?;
        }
        let seats = order(std::array::from_fn(|seat| row[SEATS + seat]))?;
        let by_player: [i32; PLAYERS] = std::array::from_fn(|player| row[RANKS + player]);
        let ranks = order(by_player).map(|ranks| {
            let mut found = [0; PLAYERS];
            for (player, rank) in (0..).zip(ranks) {
                found[usize::from(rank)] = player;
            }
            found
        });
        let (player, empty, revolution, lock) = (state[3], state[4] != 0, state[6] != 0, state[7] != 0);
        Some(Status { player, empty, revolution, lock, counts, ranks, seats })
    }
}

/// Five numbers that are 0 to 4 in some order.
fn order(numbers: [i32; PLAYERS]) -> Option<[u8; PLAYERS]> {
    let mut seen = 0;
    for number in numbers {
        seen |= 1 << u32::try_from(number).ok().filter(|&number| number < 5)?;
    }
    (seen == 31).then(|| numbers.map(|number| number as u8))
}

impl Cells {
    /// Whether none of the cells that the server leaves as they are shows anything.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.0[STATE][8..].iter().all(|&cell| cell == 0)
            && self.0[PLAYERS_ROW][RANKS..SEATS].iter().all(|&cell| cell == 0)
    }
}

/// Whether it is the turn of the player whose hand this is.
#[must_use]
pub fn is_turn(cells: &Cells) -> bool {
    cells.0[STATE][2] == 1
}

/// Marks a hand as that of the player to act.
pub fn set_turn(cells: &mut Cells) {
    cells.0[STATE][2] = 1;
}

/// Marks a first table, of a player who has so many cards to give.
pub fn set_exchange(cells: &mut Cells, count: u32) {
    cells.0[STATE][0] = 1;
    cells.0[STATE][1] = count as i32;
}

/// Cards to give, as a first table tells.
#[must_use]
pub fn gift_count(cells: &Cells) -> u32 {
    cells.0[STATE][1].clamp(0, 2) as u32
}
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_place() {
        let status = Status {
            player: 3,
            empty: true,
            revolution: false,
            lock: true,
            counts: [11, 0, 10, 9, 1],
            ranks: Some([4, 2, 0, 1, 3]),
            seats: [1, 3, 0, 4, 2],
        };
        let mut cells = Cells([[7; 15]; 8]);
        status.put(&mut cells);
        assert_eq!(cells.0[5], [0, 0, 0, 3, 1, 0, 0, 1, 7, 7, 7, 7, 7, 7, 7]);
        assert_eq!(cells.0[6], [11, 0, 10, 9, 1, 2, 3, 1, 4, 0, 1, 3, 0, 4, 2]);
        assert_eq!((cells.0[4], cells.0[7]), ([7; 15], [7; 15]));
        assert_eq!(Status::read(&cells), Some(status));
        set_turn(&mut cells);
        set_exchange(&mut cells, 2);
        assert_eq!(cells.0[5][..3], [1, 2, 1]);
        assert!(is_turn(&cells) && gift_count(&cells) == 2);
    }

    #[test]
    fn stale_and_absent_ranks() {
        let mut status = Status {
            player: NOBODY,
            empty: false,
            revolution: true,
            lock: false,
            counts: [0; 5],
            ranks: Some([2, 1, 2, 3, 4]),
            seats: [0, 1, 2, 3, 4],
        };
        // Player 2 came in first and has two places; the cell of player 0 is left as it was.
        let mut cells = Cells::default();
        cells.0[6][5] = 9;
        status.put(&mut cells);
        assert_eq!(cells.0[6][5..10], [9, 1, 2, 3, 4]);
        assert_eq!(Status::read(&cells).unwrap().ranks, None);
        status.ranks = None;
        status.put(&mut cells);
        assert_eq!(cells.0[6][5..10], [0; 5]);
        cells.0[6][10] = 5;
        assert_eq!(Status::read(&cells), None);
        cells.0[6][10] = 0;
        cells.0[6][0] = 14;
        assert_eq!(Status::read(&cells), None);
    }
}
