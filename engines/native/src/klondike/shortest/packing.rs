//! Arrangements as numbers, and back.
use super::arrangement::Arrangement;
use crate::klondike::bits;
use crate::klondike::circle::CircleSets;
use crate::klondike::key::founded_and_next;
use crate::klondike::pile::Place;
use crate::klondike::rules::MAX_COLUMNS;
use crate::klondike::state::{COUNT_BITS, Game, State};

/// An arrangement but for redeals: no two have the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Packed {
    /// Of its state.
    pub key: u64,
    /// A bit for each pair of cards below the kings, 24 in all: whether the first loose one of them lies on the second
    /// card that they may lie on. If both are loose, the other one lies on the other.
    pub layout: u32,
}

pub struct Packing {
    deck: u64,
    circle_sets: CircleSets,
    /// Cards face down in each column, by how many are left as dealt.
    hidden: [[u64; 1 << COUNT_BITS]; MAX_COLUMNS],
}

impl Packing {
    #[must_use]
    pub fn new(game: &Game) -> Packing {
        let start = game.start();
        let mut hidden = [[0; 1 << COUNT_BITS]; MAX_COLUMNS];
        let mut deck = start.visible | start.founded | game.reserve;
        for (column, sets) in hidden.iter_mut().enumerate() {
            for (count, set) in sets.iter_mut().enumerate() {
                let below = game.columns[column].iter().take(count.saturating_sub(1));
                *set = below.fold(0, |set, &bit| set | 1 << bit);
            }
            deck |= sets[(start.counts >> (COUNT_BITS * column as u32) & 15) as usize];
        }
        Packing { deck, circle_sets: CircleSets::new(game), hidden }
    }

    /// How many cards there are.
    #[must_use]
    pub fn cards_count(&self) -> u32 {
        self.deck.count_ones()
    }

    #[inline(always)]
    #[must_use]
    pub fn pack(&self, game: &Game, at: &Arrangement) -> Packed {
        let lying = at.lying(game);
        let second = at.second & lying;
        let chosen = second & bits::LOWER | second >> 1 & bits::LOWER & !lying;
        Packed { key: game.key(&at.state), layout: squeeze(chosen) }
    }

    #[inline(always)]
    #[must_use]
    pub fn unpack(&self, game: &Game, packed: Packed, redeals: u16) -> Arrangement {
        let circle = (packed.key & u64::from(game.whole_circle())) as u32;
        let mut left = packed.key >> game.circle.len();
        let place = left % game.radices.places;
        left /= game.radices.places;
        let places_each = u64::from(circle.count_ones()) + 1;
        let place = Place { origin: (place / places_each) as u8, dealt: (place % places_each) as u8 };
        let (mut counts, mut anchors, mut hidden, mut empty, mut face_down) = (0, 0u64, 0u64, 0, 0);
        for column in 0..game.columns_count {
            let count = left % game.radices.columns[column];
            left /= game.radices.columns[column];
            counts |= (count as u32) << (COUNT_BITS * column as u32);
            if count == 0 {
                empty += 1;
            } else {
                anchors |= 1 << game.columns[column][count as usize - 1];
                hidden |= self.hidden[column][count as usize];
                face_down += count as u8 - 1;
            }
        }
        let (founded, next) = founded_and_next(left as usize);
        let founded = founded & self.deck;
        let visible = self.deck & !(founded | self.circle_sets.cards(circle) | hidden);
        let lying = visible & !anchors & !game.kings;
        let chosen = spread(packed.layout);
        let second = lying & (chosen | (chosen ^ lying & bits::LOWER) << 1);
        let state = State { visible, anchors, next, founded, counts, circle, place, redeals, empty, face_down };
        Arrangement { state, second }
    }
}

/// The even bits of a word, close together.
#[inline(always)]
fn squeeze(even: u64) -> u32 {
    let word = (even | even >> 1) & 0x3333_3333_3333_3333;
    let word = (word | word >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    let word = (word | word >> 4) & 0x00FF_00FF_00FF_00FF;
    let word = (word | word >> 8) & 0x0000_FFFF_0000_FFFF;
    (word | word >> 16) as u32
}

/// The inverse of `squeeze`.
#[inline(always)]
fn spread(bits: u32) -> u64 {
    let word = u64::from(bits);
    let word = (word | word << 16) & 0x0000_FFFF_0000_FFFF;
    let word = (word | word << 8) & 0x00FF_00FF_00FF_00FF;
    let word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & bits::LOWER
}
