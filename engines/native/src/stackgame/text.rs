//! The text form of a state: `[2{}] -> [1{1}]; [1{0}]; 1.0 < 0.2`.
//!
//! The text is the same, letter by letter, as that of `engines/stackgame/text.py` (which has the grammar) with the
//! chains of `chains.py`. It is written here, too, because a table has millions of states.
use super::general::{MAX_CARDS, bits};

/// A state of at least one card in the fewest chains, without relations that follow from the others.
///
/// `before[x]`: the cards that must leave before `x`, transitively closed; `forbidden[x]`: the stacks where it may not go.
#[must_use]
pub fn format(stacks: usize, before: &[u32], forbidden: &[u8]) -> String {
    let mut covered = [0; MAX_CARDS];
    for (card, &mask) in before.iter().enumerate() {
        covered[card] = bits(mask).fold(mask, |left, middle| left & !before[middle]);
    }
    let (chains, count) = fewest_chains(before, &covered);
    let chains = &chains[..count];
    let mut text = String::with_capacity(64);
    let mut names = [(0, 0); MAX_CARDS];
    for (number, chain) in chains.iter().enumerate() {
        text.push_str(if number > 0 { "; " } else { "" });
        write_chain(&mut text, stacks, forbidden, chain.cards());
        for (index, &card) in chain.cards().iter().enumerate() {
            names[card as usize] = (number, index);
        }
    }
    for chain in chains {
        let own = chain.cards().iter().fold(0u32, |mask, card| mask | 1 << card);
        for &card in chain.cards() {
            let others = covered[card as usize] & !own;
            if others != 0 {
                write_relations(&mut text, &names, others, card as usize);
            }
        }
    }
    text
}

/// Cards in a row that may not go on the same stacks are a node.
fn write_chain(text: &mut String, stacks: usize, forbidden: &[u8], chain: &[u8]) {
    for (number, node) in chain.chunk_by(|&a, &b| forbidden[a as usize] == forbidden[b as usize]).enumerate() {
        text.push_str(if number > 0 { " -> [" } else { "[" });
        write_number(text, node.len());
        text.push('{');
        let mut comma = "";
        for stack in bits(u32::from(forbidden[node[0] as usize])).take_while(|&stack| stack < stacks) {
            text.push_str(comma);
            write_number(text, stack);
            comma = ",";
        }
        text.push_str("}]");
    }
}

/// A relation for each card of a mask, which `card` must follow, in the order of their names as texts.
fn write_relations(text: &mut String, names: &[(usize, usize)], others: u32, card: usize) {
    let mut earlier: Vec<(usize, usize)> = bits(others).map(|other| names[other]).collect();
    earlier.sort_by_key(|&(chain, index)| (chain, index.to_string()));
    for name in earlier {
        for (sign, (chain, index)) in [("; ", name), (" < ", names[card])] {
            text.push_str(sign);
            write_number(text, chain);
            text.push('.');
            write_number(text, index);
        }
    }
}

fn write_number(text: &mut String, number: usize) {
    if number >= 10 {
        write_number(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Cards in the order in which they leave.
#[derive(Clone, Copy)]
struct Chain {
    cards: [u8; MAX_CARDS],
    length: usize,
}

impl Chain {
    fn cards(&self) -> &[u8] {
        &self.cards[..self.length]
    }
}

/// The chains, the longest first, and how many there are.
fn fewest_chains(before: &[u32], covered: &[u32]) -> ([Chain; MAX_CARDS], usize) {
    let follower = followers(before, covered);
    let led = follower.iter().flatten().fold(0u32, |mask, &card| mask | 1 << card);
    let (mut chains, mut count) = ([Chain { cards: [0; MAX_CARDS], length: 0 }; MAX_CARDS], 0);
    for first in (0..before.len()).filter(|first| led >> first & 1 == 0) {
        for card in std::iter::successors(Some(first), |&card| follower[card].map(usize::from)) {
            let chain = &mut chains[count];
            chain.cards[chain.length] = card as u8;
            chain.length += 1;
        }
        count += 1;
    }
    chains[..count].sort_by_key(|chain| std::cmp::Reverse(chain.length));
    (chains, count)
}

/// The next card in its chain for each card that has one: a cheapest largest matching of cards with later cards.
///
/// A pair costs 1 unless the two are directly after each other. Each round matches one card more by a shortest path.
fn followers(before: &[u32], covered: &[u32]) -> [Option<u8>; MAX_CARDS] {
    const NEVER: i32 = i32::MAX;
    let count = before.len();
    let mut after = [0u32; MAX_CARDS];
    for (later, &mask) in before.iter().enumerate() {
        bits(mask).for_each(|card| after[card] |= 1 << later);
    }
    let cost_of = |card: usize, later: usize| i32::from(covered[later] >> card & 1 == 0);
    let mut follower: [Option<u8>; MAX_CARDS] = [None; MAX_CARDS];
    let mut leader: [Option<u8>; MAX_CARDS] = [None; MAX_CARDS];
    loop {
        let (mut reached, mut reached_count, mut costs) = ([0u8; MAX_CARDS], 0, [NEVER; MAX_CARDS]);
        for card in (0..count).filter(|&card| follower[card].is_none()) {
            reached[reached_count] = card as u8;
            reached_count += 1;
            costs[card] = 0;
        }
        let mut previous: [Option<u8>; MAX_CARDS] = [None; MAX_CARDS];
        let mut end = None;
        for _ in 0..count {
            end = None;
            let (mut changed, begun, so_far) = (false, reached, costs);
            for &card in &begun[..reached_count] {
                let card = usize::from(card);
                for later in bits(after[card]) {
                    let total = so_far[card] + cost_of(card, later);
                    let Some(other) = leader[later].map(usize::from) else {
                        end = Some(end.map_or((total, card, later), |best| (total, card, later).min(best)));
                        continue;
                    };
                    let total = total - cost_of(other, later);
                    if other != card && total < costs[other].min(count as i32) {
                        if costs[other] == NEVER {
                            reached[reached_count] = other as u8;
                            reached_count += 1;
                        }
                        costs[other] = total;
                        previous[other] = Some(card as u8);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let Some((_, mut card, mut later)) = end else { return follower };
        loop {
            leader[later] = Some(card as u8);
            let old = follower[card].replace(later as u8);
            let (Some(earlier), Some(old)) = (previous[card], old) else { break };
            (card, later) = (usize::from(earlier), usize::from(old));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::format;

    #[test]
    fn chains_nodes_and_relations() {
        assert_eq!(format(3, &[0], &[0]), "[1{}]");
        assert_eq!(format(3, &[0, 1, 3], &[0, 0, 0b110]), "[2{}] -> [1{1,2}]");
        // Two chains of two, and the first of the second before the last of the first.
        assert_eq!(format(2, &[0, 0b101, 0, 0b100], &[0, 1, 0, 2]), "[1{}] -> [1{0}]; [1{}] -> [1{1}]; 1.0 < 0.1");
        assert_eq!(format(2, &[0, 0], &[2, 1]), "[1{1}]; [1{0}]");
    }
}
