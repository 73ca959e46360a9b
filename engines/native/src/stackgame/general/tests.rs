use super::cells::*;
use super::coder::*;
use super::state::*;
use super::*;
use crate::storage::keys::Wide;
use std::collections::{BTreeSet, HashMap};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (scramble(self.0) % bound as u64) as usize
    }

    fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut list: Vec<usize> = (0..count).collect();
        (1..count).rev().for_each(|i| list.swap(i, self.below(i + 1)));
        list
    }
}

fn moves(state: &State, stacks: usize) -> Vec<(usize, usize, State)> {
    let all = (0..state.cards).flat_map(|x| (0..stacks).map(move |s| (x, s)));
    all.filter_map(|(x, s)| place(state, x, s, stacks).map(|next| (x, s, next))).collect()
}

/// A state that random placements lead to; fewer cards than asked for are taken when all go dead.
fn play(boards: usize, cards: usize, stacks: usize, turns: usize, random: &mut Random) -> State {
    let mut state = start(boards, cards);
    for _ in 0..turns {
        let next = moves(&state, stacks);
        if next.is_empty() {
            break;
        }
        state = next[random.below(next.len())].2;
    }
    state
}

fn renamed(state: &State, stacks: usize, random: &mut Random) -> State {
    let (card, stack) = (random.permutation(state.cards), random.permutation(stacks));
    let mut other = State { before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS], ..*state };
    for x in 0..state.cards {
        for y in bits(state.before[x]) {
            other.before[card[x]] |= BIT[card[y]];
        }
        for s in bits(u32::from(state.forbidden[x])) {
            other.forbidden[card[x]] |= 1 << stack[s];
        }
    }
    other
}

/// Placement word for word by the definition, with a matrix that is closed again after every change.
fn place_by_definition(state: &State, card: usize, stack: usize, stacks: usize) -> Option<State> {
    let n = state.cards;
    let mut less = vec![vec![false; n]; n];
    let mut not = vec![vec![false; stacks]; n];
    for x in 0..n {
        (0..n).for_each(|y| less[y][x] = state.before[x] >> y & 1 == 1);
        (0..stacks).for_each(|s| not[x][s] = state.forbidden[x] >> s & 1 == 1);
    }
    if not[card][stack] {
        return None;
    }
    for (a, row) in less.iter_mut().enumerate() {
        let leaves_first = a == card || row[card];
        (0..n).for_each(|y| row[y] |= leaves_first && not[y][stack]);
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                less[i][j] |= less[i][k] && less[k][j];
            }
        }
    }
    (0..n).for_each(|y| not[y][stack] |= less[card][y]);
    for x in 0..n {
        for y in 0..n {
            (0..stacks).for_each(|s| not[y][s] |= less[x][y] && not[x][s]);
        }
    }
    let rest: Vec<usize> = (0..n).filter(|&x| x != card).collect();
    if rest.iter().any(|&x| not[x].iter().all(|&f| f)) {
        return None;
    }
    let mut next = State { cards: n - 1, before: [0; MAX_CARDS], forbidden: [0; MAX_CARDS] };
    for (i, &x) in rest.iter().enumerate() {
        for (j, &y) in rest.iter().enumerate() {
            next.before[i] |= u32::from(less[y][x]) << j;
        }
        (0..stacks).for_each(|s| next.forbidden[i] |= u8::from(not[x][s]) << s);
    }
    Some(next)
}

/// The least code over all linear extensions, and over all names of stacks since these are sorted.
fn brute_form(state: &State, stacks: usize) -> Vec<u32> {
    fn go(state: &State, stacks: usize, list: &mut Vec<usize>, best: &mut Option<Vec<u32>>) {
        let relabel =
            |holds: &dyn Fn(usize) -> bool| list.iter().enumerate().fold(0, |m, (i, &y)| m | u32::from(holds(y)) << i);
        if list.len() == state.cards {
            let mut code: Vec<u32> = list.iter().map(|&x| relabel(&|y| state.before[x] >> y & 1 == 1)).collect();
            let mut sets: Vec<u32> = (0..stacks).map(|s| relabel(&|y| state.forbidden[y] >> s & 1 == 1)).collect();
            sets.sort_unstable();
            code.append(&mut sets);
            if best.as_ref().is_none_or(|least| code < *least) {
                *best = Some(code);
            }
            return;
        }
        let done = list.iter().fold(0, |m, &y| m | BIT[y]);
        for x in (0..state.cards).filter(|&x| done & BIT[x] == 0 && state.before[x] & !done == 0) {
            list.push(x);
            go(state, stacks, list, best);
            list.pop();
        }
    }
    let mut best = None;
    go(state, stacks, &mut Vec::new(), &mut best);
    best.expect("every order has a linear extension")
}

/// The keys of every layer, from the start down to one card.
fn layers(stacks: usize, boards: usize, cards: usize) -> Vec<(Coder, BTreeSet<Wide>)> {
    let coder = |left| Coder::new(stacks, boards, left).unwrap();
    let top = coder(boards * cards);
    let first = BTreeSet::from([top.key(&start(boards, cards))]);
    let mut layers = vec![(top, first)];
    for left in (1..boards * cards).rev() {
        let (here, keys) = layers.last().unwrap();
        let (below, mut next) = (coder(left), BTreeSet::new());
        for &key in keys {
            successors(&here.state(key), stacks, &below, |_, _, key| {
                next.insert(key);
            });
        }
        layers.push((below, next));
    }
    layers
}

fn probability(state: &State, stacks: usize, boards: usize, memo: &mut HashMap<(usize, Wide), f64>) -> f64 {
    if state.cards == 0 {
        return 1.0;
    }
    let coder = Coder::new(stacks, boards, state.cards).unwrap();
    let below = Coder::new(stacks, boards, state.cards - 1).unwrap();
    let key = (state.cards, coder.key(state));
    if let Some(&known) = memo.get(&key) {
        return known;
    }
    let mut found = Vec::new();
    successors(state, stacks, &below, |card, _, key| found.push((card, key)));
    let mut best = [0f64; MAX_CARDS];
    for (card, key) in found {
        best[card] = best[card].max(probability(&below.state(key), stacks, boards, memo));
    }
    let value = best.iter().sum::<f64>() / state.cards as f64;
    memo.insert(key, value);
    value
}

#[test]
fn counts_are_those_of_the_paper() {
    let known: [(usize, usize, &[usize]); 8] = [
        (3, 1, &[1, 3, 7, 14, 25, 41, 63, 92, 129, 175, 231, 298]),
        (4, 1, &[1, 3, 7, 15, 30, 56, 98, 162, 255, 385, 561, 793]),
        (3, 2, &[2, 12, 65, 339, 1665, 7757]),
        (4, 2, &[2, 12, 71, 459, 2937, 17851]),
        (3, 3, &[3, 38, 622, 11664]),
        (4, 3, &[3, 39, 807, 22628]),
        (3, 4, &[4, 114, 6730]),
        (4, 4, &[4, 125, 11146]),
    ];
    for (stacks, boards, counts) in known {
        for (i, &count) in counts.iter().enumerate() {
            let found: usize = layers(stacks, boards, i + 1).iter().map(|(_, keys)| keys.len()).sum();
            assert_eq!(found, count, "S={stacks} m={boards} n={}", i + 1);
        }
    }
}

#[test]
fn keys_separate_exactly_what_brute_force_separates() {
    for stacks in 2..=5 {
        for (boards, cards) in [(1, 5), (2, 2), (2, 4), (3, 2), (3, 3), (4, 1), (4, 2)] {
            let mut layer = HashMap::from([(brute_form(&start(boards, cards), stacks), start(boards, cards))]);
            for (coder, keys) in layers(stacks, boards, cards) {
                let by_form: BTreeSet<Wide> = layer.values().map(|state| coder.key(state)).collect();
                assert_eq!(by_form, keys);
                assert_eq!(by_form.len(), layer.len());
                let mut next = HashMap::new();
                for (_, _, state) in layer.values().flat_map(|state| moves(state, stacks)) {
                    next.entry(brute_form(&state, stacks)).or_insert(state);
                }
                layer = next;
            }
        }
    }
}

#[test]
fn random_states_agree_with_brute_force() {
    let mut random = Random(7);
    let mut forms = HashMap::new();
    for _ in 0..3000 {
        let turns = 2 + random.below(2);
        let state = play(4, 2, 3, turns, &mut random);
        let state = renamed(&state, 3, &mut random);
        let key = Coder::new(3, 4, state.cards).unwrap().key(&state);
        let form = brute_form(&state, 3);
        assert_eq!(*forms.entry((state.cards, key)).or_insert_with(|| form.clone()), form);
    }
    let distinct: BTreeSet<_> = forms.values().collect();
    assert_eq!(distinct.len(), forms.len());
}

#[test]
fn keys_do_not_depend_on_names() {
    let mut random = Random(1);
    for (boards, cards) in [(1, 24), (2, 12), (3, 5), (3, 8), (4, 4), (4, 5), (4, 6)] {
        for stacks in 2..=MAX_STACKS {
            for _ in 0..60 {
                let turns = random.below(boards * cards);
                let state = play(boards, cards, stacks, turns, &mut random);
                let coder = Coder::new(stacks, boards, state.cards).unwrap();
                let key = coder.key(&state);
                let other = renamed(&state, stacks, &mut random);
                assert_eq!(coder.check(&other), Ok(()));
                assert_eq!(coder.key(&other), key);
                assert_eq!(coder.key(&coder.state(key)), key);
                assert_eq!(coder.check(&coder.state(key)), Ok(()));
                assert_eq!(coder.key_of_place(coder.place_of(key)), key);
                assert_eq!(coder.place_of(coder.key_of_place(key)), key);
                for wide in [key, coder.place_of(key)] {
                    let (high, low) = coder.halves(wide);
                    assert_eq!(coder.whole(high, low), wide, "bits above key_bits");
                    assert_eq!(high & !low_ones(coder.key_bits.div_ceil(2)), 0);
                }
            }
        }
    }
}

/// Cells by the number of cards before alone, as if all hashes had collided.
fn coarse_cells(play: &Play) -> Cells {
    let count = |x: usize| play.before[x].count_ones();
    let mut list: Vec<usize> = bits(play.left).collect();
    list.sort_by_key(|&x| count(x));
    let mut cells = Cells { order: [0; MAX_CARDS], cell: [0; MAX_CARDS], starts: 1 << list.len() };
    for (i, &x) in list.iter().enumerate() {
        let first = list.iter().position(|&y| count(y) == count(x)).unwrap();
        (cells.order[i], cells.cell[x]) = (x as u8, first as u8);
        cells.starts |= 1 << first;
    }
    cells
}

#[test]
fn search_needs_no_colours() {
    let mut random = Random(6);
    let (mut forms, mut split_ties) = (HashMap::new(), 0);
    for round in 0..6000 {
        let (boards, cards) = [(2, 4), (3, 2), (4, 2)][round % 3];
        let turns = 1 + random.below(boards * cards - 2);
        let state = renamed(&play(boards, cards, 3, turns, &mut random), 3, &mut random);
        let play = Play::of(&state, 3);
        let (cells, mut best) = (coarse_cells(&play), None);
        let (mut fine, _) = Cells::by_counts(&play);
        fine.refine(&play, u32::MAX);
        split_ties += usize::from(fine.starts != cells.starts);
        cells.search(&play, ones(state.cards), &mut best);
        let form = brute_form(&state, 3);
        let key = (state.cards, best.unwrap().0);
        assert_eq!(*forms.entry(key).or_insert_with(|| form.clone()), form);
    }
    let distinct: BTreeSet<_> = forms.values().collect();
    assert_eq!(distinct.len(), forms.len());
    // Most of the cells were ties that mattered.
    assert!(split_ties > 3000, "{split_ties}");
}

#[test]
fn placement_is_that_of_the_definition() {
    let mut random = Random(2);
    for (boards, cards) in [(1, 12), (2, 6), (3, 4), (3, 6), (4, 3), (4, 5)] {
        for stacks in 1..=5 {
            for _ in 0..20 {
                let turns = random.below(boards * cards);
                let state = play(boards, cards, stacks, turns, &mut random);
                assert!(!is_dead(&state, stacks));
                for card in 0..state.cards {
                    for stack in 0..stacks {
                        let next = place(&state, card, stack, stacks);
                        assert_eq!(next, place_by_definition(&state, card, stack, stacks));
                    }
                }
            }
        }
    }
}

#[test]
fn successors_are_the_placements_up_to_equal_stacks() {
    let mut random = Random(3);
    for _ in 0..300 {
        let turns = random.below(12);
        let state = play(3, 4, 4, turns, &mut random);
        let below = Coder::new(4, 3, state.cards - 1).unwrap();
        let mut found = BTreeSet::new();
        successors(&state, 4, &below, |card, stack, key| {
            assert_eq!(below.key(&place(&state, card, stack, 4).unwrap()), key);
            found.insert((card, key));
        });
        let all = moves(&state, 4).into_iter().map(|(card, _, next)| (card, below.key(&next)));
        assert_eq!(found, all.collect());
    }
}

#[test]
fn probabilities_are_those_of_the_paper() {
    let one_chain = |forbidden: &[u8]| {
        let mut state = start(1, forbidden.len());
        state.forbidden[..forbidden.len()].copy_from_slice(forbidden);
        state
    };
    // [7{}] -> [1{1}] and [3{}] -> [1{1}], the third card of the second chain before the last of the first.
    let mut pair = one_chain(&[0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2]);
    (8..12).for_each(|x| pair.before[x] &= !ones(8));
    pair.before[7] |= 0b111 << 8;
    for (boards, state, value) in [
        (1, one_chain(&[0, 0, 0, 0, 0, 0, 0, 2]), 0.391_046_626_984),
        (1, one_chain(&[0, 1, 1, 1]), 0.833_333_333_333),
        (1, one_chain(&[0, 0, 1, 1, 1, 1, 1, 1, 1]), 0.068_568_121_693),
        (1, one_chain(&[0, 0, 0, 2]), 0.958_333_333_333),
        (2, pair, 0.351_341_231_428),
        (2, start(2, 4), 0.918_402_777_778),
    ] {
        let found = probability(&state, 3, boards, &mut HashMap::new());
        assert!((found - value).abs() < 1e-12, "{found} is not {value}");
    }
}

#[test]
fn equal_orders_of_different_boards_are_one_state() {
    // Two boards whose cards are totally ordered are one long chain.
    let mut state = start(2, 3);
    (3..6).for_each(|x| state.before[x] |= ones(3));
    let coder = Coder::new(3, 3, 6).unwrap();
    assert_eq!(coder.key(&state), coder.key(&start(1, 6)));
    assert_ne!(coder.key(&state), coder.key(&start(2, 3)));
}

#[test]
fn places_are_spread_evenly() {
    let (coder, keys) = &layers(3, 3, 4)[5];
    let mut shards = [0usize; 8];
    for &key in keys {
        let (high, _) = coder.halves(coder.place_of(key));
        shards[(high >> (coder.key_bits.div_ceil(2) - 3)) as usize] += 1;
    }
    let mean = keys.len() / 8;
    // Five standard deviations of a random spread.
    let slack = 5 * mean.isqrt();
    assert!(mean > 200 && shards.iter().all(|&n| n.abs_diff(mean) < slack), "{shards:?}");
}

#[test]
fn key_widths_are_fixed() {
    let bits = |stacks, boards, cards| Coder::new(stacks, boards, cards).unwrap().key_bits();
    assert_eq!([bits(3, 1, 12), bits(3, 2, 16), bits(3, 3, 15), bits(3, 3, 18)], [12, 58, 92, 109]);
    assert_eq!([bits(4, 3, 18), bits(5, 3, 18), bits(3, 4, 20), bits(4, 4, 20)], [118, 127, 168, 179]);
    assert_eq!([bits(8, 4, 24), bits(3, 3, 0)], [255, 1]);
    assert!(Coder::new(0, 2, 4).is_err() && Coder::new(9, 2, 4).is_err());
    assert!(Coder::new(3, 0, 4).is_err() && Coder::new(3, 5, 4).is_err());
    assert!(Coder::new(3, 4, 25).is_err());
}

#[test]
fn words_that_are_no_keys_do_no_harm() {
    let mut random = Random(5);
    for _ in 0..20_000 {
        let coder = Coder::new(1 + random.below(8), 1 + random.below(4), random.below(25)).unwrap();
        let mut word = || random.below(usize::MAX) as u64;
        let state = coder.state([word(), word(), word(), word()]);
        // Most are refused; those that pass are states with keys.
        if coder.check(&state).is_ok() {
            let key = coder.key(&state);
            assert_eq!(coder.key(&coder.state(key)), key);
        }
    }
}

#[test]
fn states_from_outside_are_checked() {
    let coder = Coder::new(3, 2, 4).unwrap();
    let good = start(2, 2);
    assert_eq!(coder.check(&good), Ok(()));
    let refused = |change: &dyn Fn(&mut State), word: &str| {
        let mut state = good;
        change(&mut state);
        let text = coder.check(&state).unwrap_err();
        assert!(text.contains(word), "{text}");
    };
    refused(&|s| s.cards = 3, "3 cards");
    refused(&|s| s.before[0] = 1 << 4, "not in the state");
    refused(&|s| s.forbidden[0] = 8, "not in 0..3");
    refused(&|s| (s.before[0], s.before[1]) = (3, 3), "cycle");
    refused(&|s| s.before[2] = 2, "not transitively closed");
    refused(&|s| s.forbidden[0] = 1, "may go where");
    refused(&|s| s.before[1] = 0, "width 3");
}
