//! Moves that a breadth-first search need not make, since it has seen where they lead.
//!
//! Two moves of a state are independent if they move cards of different numbers in sequence, at a distance of two or more
//! within a suit, and don't fill the same hole: then either can be made after the other, and both orders end alike. (A
//! move depends on its card, on the card to the left of its hole, which is the card's predecessor, and on the hole.)
//!
//! Let `s = p.a` be found when `p` is taken, and let `b` be another move of `p`, independent of `a`, with `p.b` found
//! before `s`. A queue takes `p.b` before `s`, and `p.b.a = s.b` is known by then: so `b` *sleeps* in `s`. This holds for
//! every move `b` that `p` made before `a`, that led to a known state, or that sleeps in `p` itself. By induction over the
//! states in the order of the queue: when `p.b` was taken, `a` was made, or slept, with `p.b.a` known already.
//! So every state is found, and in the same order as if every move were made. A stack has no such order.
use super::board::{ROWS, ace};

/// A move: the card, since it has only one place to go to; for an ace there is a code for each row.
pub type MoveCode = u8;
/// A set of moves, one bit a code.
pub type MoveSet = u64;

/// Ranks that no card has, in place of an ace's for the four rows.
const ACE_RANKS: [u8; ROWS] = [0, 13, 14, 15];

/// The move of an ace to the leftmost column of a row.
#[must_use]
pub const fn ace_move(suit: usize, row: usize) -> MoveCode {
    (suit * 16) as u8 + ACE_RANKS[row]
}

/// The card of a move.
#[inline(always)]
#[must_use]
pub const fn card_of(code: MoveCode) -> u8 {
    let rank = code & 15;
    if rank >= 2 && rank <= 12 { code } else { (code & 0x30) | 1 }
}

/// For each move those that are independent of it.
pub static INDEPENDENT: [MoveSet; 64] = {
    let mut sets = [0; 64];
    let mut code = 0;
    while code < 64 {
        let mut other = 0;
        while other < 64 {
            let (card, second) = (card_of(code), card_of(other));
            let apart = card.abs_diff(second) > 1;
            let aces = card & 15 == 1 && second & 15 == 1;
            if apart && !(aces && code & 15 == other & 15) {
                sets[code as usize] |= 1 << other;
            }
            other += 1;
        }
        code += 1;
    }
    sets
};

const _: () = assert!(card_of(ace_move(3, 0)) == ace(3) && card_of(ace_move(1, 3)) == ace(1));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superpuzz::board::{Board, Move};
    use crate::superpuzz::tests::random_deal;

    fn code(board: &Board, step: Move) -> MoveCode {
        let card = board.cells()[usize::from(step.from)];
        let row = usize::from(step.to) / board.columns();
        if card & 15 == 1 { ace_move(usize::from(card >> 4), row) } else { card }
    }

    fn moves(board: &Board) -> Vec<Move> {
        let mut all = Vec::new();
        board.moves(|step| all.push(step));
        all
    }

    #[test]
    fn independent_moves_commute() {
        let mut pairs = 0;
        for index in 0..300 {
            let mut board = random_deal(3 + index as usize % 3, 5, index);
            for turn in 0..30 {
                let all = moves(&board);
                for &a in &all {
                    for &b in
                        all.iter().filter(|&&b| INDEPENDENT[usize::from(code(&board, a))] >> code(&board, b) & 1 == 1)
                    {
                        let (after_a, after_b) = (board.after(a), board.after(b));
                        assert!(moves(&after_a).contains(&b) && moves(&after_b).contains(&a));
                        assert_eq!(after_a.after(b), after_b.after(a));
                        // The codes stay, too.
                        assert_eq!(code(&after_a, b), code(&board, b));
                        pairs += 1;
                    }
                }
                let Some(&step) = all.get(turn % all.len().max(1)) else { break };
                board = board.after(step);
            }
        }
        assert!(pairs > 1000, "{pairs}");
    }
}
