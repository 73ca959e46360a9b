use super::evaluate::Evaluator;
use super::layer::{Layer, Points};
use super::pattern::*;
use super::solver::{Solver, State, Stop};
use crate::storage::layout::HEADER;
use proptest::prelude::*;

/// A block of values without keys, as storage/FORMAT.md has it.
fn block(first: u64, values: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0u8; HEADER];
    bytes[..4].copy_from_slice(b"YMB1");
    (bytes[4], bytes[5], bytes[6]) = (3, 3, 64);
    bytes[8..12].copy_from_slice(&(values.len() as u32).to_le_bytes());
    bytes[16..24].copy_from_slice(&first.to_le_bytes());
    bytes[24..32].copy_from_slice(&(first + values.len() as u64 - 1).to_le_bytes());
    bytes.extend(values);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let length = (bytes.len() as u32).to_le_bytes();
    bytes[36..40].copy_from_slice(&length);
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[..32]);
    crc.update(&bytes[36..]);
    bytes[32..36].copy_from_slice(&crc.finalize().to_le_bytes());
    bytes
}

fn layer(points: Points, cards: usize, log2: u32, values: &[u8]) -> Layer<Vec<u8>> {
    let size = points.stride(cards) << log2;
    let blocks = values.chunks(size).enumerate().map(|(i, part)| block((i * size) as u64, part)).collect();
    Layer::new(points, cards, log2, blocks).unwrap()
}

#[test]
fn patterns_are_numbered_in_order() {
    for cards in 1..=7 {
        let ranks = Ranks::new(cards);
        let mut pattern = pattern_at(cards, 0);
        for rank in 0..patterns_count(cards) {
            assert_eq!(pattern, pattern_at(cards, rank));
            assert_eq!(ranks.rank(pattern) as u64, rank);
            assert_eq!(ranks.rank(exchanged(pattern, cards)) as u64, patterns_count(cards) - 1 - rank);
            pattern = next_pattern(pattern);
        }
    }
}

#[test]
fn layers_agree_with_single_deals() {
    for points in [Points::Highest, Points::Lowest, Points::Anywhere] {
        for fewest in [false, true] {
            let mut solver = Solver::new(fewest, usize::MAX);
            let mut below: Option<Layer<Vec<u8>>> = None;
            for cards in 1..=6 {
                let count = patterns_count(cards) as usize;
                let evaluator = Evaluator::new(points, fewest, cards, below.as_ref());
                let values = evaluator.values(0, count, &mut || true).unwrap();
                let stride = points.stride(cards);
                for rank in 0..count {
                    for above in 0..=2 * cards {
                        for point_cards in 0..=2 * cards - above {
                            let Some(place) = points.place(cards, above, point_cards) else { continue };
                            let state = State {
                                pattern: pattern_at(cards, rank as u64),
                                cards: cards as u8,
                                above: above as u8,
                                count: point_cards as u8,
                            };
                            let value = solver.value(state, true, &mut || true).unwrap();
                            assert_eq!(values[rank * stride + place], value, "{points:?} {fewest} {state:?}");
                        }
                    }
                }
                below = Some(layer(points, cards, 3, &values));
            }
        }
    }
}

#[test]
fn damaged_blocks_are_named() {
    let evaluator = Evaluator::<Vec<u8>>::new(Points::Highest, false, 1, None);
    let values = evaluator.values(0, 2, &mut || true).unwrap();
    assert_eq!(values, [0, 0, 0, 0, 1, 2]);
    let good = block(0, &values);
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 1;
        let error = Layer::new(Points::Highest, 1, 5, vec![bytes]).err().unwrap();
        assert_eq!(error.block, 0, "{}", error.reason);
    }
    assert!(Layer::new(Points::Highest, 1, 0, vec![good]).is_err());
}

#[test]
fn work_stops_when_it_is_told_to() {
    let evaluator = Evaluator::<Vec<u8>>::new(Points::Highest, false, 1, None);
    assert!(evaluator.values(0, 2, &mut || false).is_none());
}

#[test]
fn as_many_states_as_are_allowed_are_remembered_and_no_more() {
    let state = State { pattern: 0b10_0110_1100, cards: 5, above: 2, count: 4 };
    let mut free = Solver::new(false, usize::MAX);
    let value = free.value(state, true, &mut || true);
    let states = free.states_count();
    assert!(states > 10 && value.is_ok());
    assert_eq!(Solver::new(false, states).value(state, true, &mut || true), value);
    assert_eq!(Solver::new(false, states - 1).value(state, true, &mut || true), Err(Stop::States));
}

#[test]
fn small_hands_that_are_worked_out_change_nothing() {
    for fewest in [false, true] {
        let mut solver = Solver::new(fewest, usize::MAX);
        let mut with_small = Solver::new(fewest, usize::MAX);
        with_small.work_out_small(&mut || true).unwrap();
        for (pattern, above, count) in [(0xf0f03, 0, 20), (0x55555, 3, 9), (0x99999, 12, 8), (0xa6a69, 1, 7)] {
            for left_leads in [false, true] {
                let state = State { pattern, cards: 10, above, count };
                let found = with_small.value(state, left_leads, &mut || true);
                assert_eq!(found, solver.value(state, left_leads, &mut || true));
            }
        }
    }
}

proptest! {
    #[test]
    fn a_trick_takes_its_cards_out(pattern in any::<u32>(), x in 0u32..32, y in 0u32..32) {
        prop_assume!(x != y);
        let kept: Vec<u32> = (0..32).filter(|&bit| bit != x && bit != y).map(|bit| pattern >> bit & 1).collect();
        let expected = kept.iter().enumerate().fold(0u32, |sum, (place, bit)| sum | bit << place);
        prop_assert_eq!(without(pattern, x, y), expected);
    }

    #[test]
    fn numbers_of_large_patterns(rank in 0u64..601_080_390) {
        let pattern = pattern_at(16, rank);
        prop_assert_eq!(pattern.count_ones(), 16);
        let expected: u64 = (0..32).filter(|&bit| pattern >> bit & 1 == 1).enumerate()
            .map(|(below, bit)| if below < bit { binomial(bit, below + 1) } else { 0 }).sum();
        prop_assert_eq!(expected, rank);
    }
}
