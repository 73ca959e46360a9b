//! Point cards to be avoided, for deals of any size: the leader plays the lowest card; the other player answers with
//! the highest card below it, or with the highest of all where none is below. That is the best play when all cards
//! are point cards, all but the lowest, or the highest alone; it agrees with every deal of the tables, without a
//! proof for larger ones (docs/games/tricks.md).
use super::first_trick::{pairs, without};

/// Point cards that Left gets, which has the cards marked in `owners`, the highest first; the `count` highest are point
/// cards.
pub fn points(owners: &[bool], count: usize, left_leads: bool) -> usize {
    let hand = |owner: bool| (0..owners.len()).filter(|&place| owners[place] == owner).collect::<Vec<usize>>();
    let (mut leader, mut other, mut left_leads) = (hand(left_leads), hand(!left_leads), left_leads);
    let mut found = 0;
    while let Some(lead) = leader.pop() {
        let below = other.partition_point(|&place| place < lead);
        let wins = below < other.len();
        let reply = other.remove(if wins { below } else { 0 });
        if wins == left_leads {
            found += usize::from(lead < count) + usize::from(reply < count);
        }
        if !wins {
            std::mem::swap(&mut leader, &mut other);
            left_leads = !left_leads;
        }
    }
    found
}

/// Left's points for each card of Left's (rows) and of Right's (columns) in the first trick, its own counted, in
/// descending order of the cards.
pub fn first_trick(owners: &[bool], count: usize) -> Vec<usize> {
    pairs(owners, count, |a, b| {
        let taken = usize::from(a < count) + usize::from(b < count);
        let left_wins = a < b;
        points(&without(owners, a, b), count - taken, left_wins) + if left_wins { taken } else { 0 }
    })
}
