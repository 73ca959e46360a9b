//! Searches of a deck.
use super::deck::Deck;
use super::encoding::Encoding;
use super::proof::Proof;
use super::solution::{Move, moves};
use super::solver::Solver;
use crate::search::{Context, Limits, Report, Stop};

/// Whether a deck can be won with so many stacks by someone who knows the whole pile; `proof` shows that it cannot.
/// The states counted are dead ends, from each of which a clause was learnt. `Err` only for an interrupt, or if the
/// proof could not be written.
pub fn search(deck: &Deck, stacks: usize, limits: Limits<'_>, proof: &mut Proof<'_>) -> Result<Report<Move>, Stop> {
    let mut context = Context::new(limits);
    Report::new(decide(deck, stacks, &mut context, proof), &context)
}

fn decide(
    deck: &Deck,
    stacks: usize,
    context: &mut Context<'_>,
    proof: &mut Proof<'_>,
) -> Result<Option<Vec<Move>>, Stop> {
    let encoding = Encoding::new(deck, stacks);
    let formula = encoding.formula();
    context.budget.take(formula.bytes())?;
    let mut solver = Solver::new(&formula, encoding.variables_count(), context)?;
    context.budget.give(formula.bytes());
    drop(formula);
    let values = solver.solve(context, proof)?;
    Ok(values.map(|values| moves(deck, &encoding, stacks, &values)))
}
