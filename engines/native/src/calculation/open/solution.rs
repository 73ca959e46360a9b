//! From what the search found to the moves of a game.
use super::deck::{Deck, FOUNDATIONS, MAX_CARDS};
use super::encoding::Encoding;
use super::formula::Literal;

/// Where the drawn card comes from.
pub const PILE: u8 = 255;

/// A draw or a move: from `PILE` or a stack, to a foundation (0..4) or a stack (4 + number).
pub type Move = [u8; 2];

/// The game that values of the variables describe, each card being played as soon as it can be.
#[must_use]
pub fn moves(deck: &Deck, encoding: &Encoding<'_>, stacks_count: usize, values: &[bool]) -> Vec<Move> {
    let holds = |literal: Literal| values[literal.variable()] != literal.is_negated();
    let target = |card| (0..FOUNDATIONS).find(|&foundation| holds(encoding.goes(card, foundation)));
    let targets: Vec<usize> = (0..deck.cards_count()).map(|card| target(card).unwrap_or(0)).collect();
    let mut heights = [0; FOUNDATIONS];
    let mut stacks = vec![Vec::with_capacity(MAX_CARDS); stacks_count];
    let mut moves = Vec::new();
    for card in 0..deck.cards_count() {
        let foundation = targets[card];
        match (0..stacks_count).find(|&stack| holds(encoding.waits(card, stack))) {
            Some(stack) => {
                stacks[stack].push(card);
                moves.push([PILE, (FOUNDATIONS + stack) as u8]);
            }
            None => {
                heights[foundation] += 1;
                moves.push([PILE, foundation as u8]);
            }
        }
        let fits = |card: usize, heights: &[usize]| deck.place(targets[card], card) == heights[targets[card]];
        while let Some(stack) =
            (0..stacks_count).find(|&stack| stacks[stack].last().is_some_and(|&top| fits(top, &heights)))
        {
            let top = stacks[stack].pop().expect("a top card");
            heights[targets[top]] += 1;
            moves.push([stack as u8, targets[top] as u8]);
        }
    }
    moves
}
