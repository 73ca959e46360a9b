//! Searches of a deck.
use super::deck::Deck;
use super::encoding::Encoding;
use super::proof::Proof;
use super::solution::{Move, moves};
use super::solver::Solver;
use crate::search::{Context, Limits, Outcome, Stop};

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub outcome: Outcome,
    /// The limit that was hit.
    pub limit: Option<Stop>,
    /// Dead ends, from each of which a clause was learnt.
    pub states_count: u64,
    pub peak_bytes: u64,
    /// A solution, first move first; empty unless won.
    pub moves: Vec<Move>,
}

/// Whether a deck can be won with so many stacks by someone who knows the whole pile; `proof` shows that it cannot. `Err`
/// only for an interrupt, and if the proof could not be written.
pub fn search(deck: &Deck, stacks: usize, limits: Limits<'_>, proof: &mut Proof<'_>) -> Result<Report, Stop> {
    let mut context = Context::new(limits);
    let (outcome, limit, moves) = match decide(deck, stacks, &mut context, proof) {
        Ok(Some(moves)) => (Outcome::Won, None, moves),
        Ok(None) => (Outcome::Lost, None, Vec::new()),
        Err(Stop::Interrupt) => return Err(Stop::Interrupt),
        Err(stop) => (Outcome::Undecided, Some(stop), Vec::new()),
    };
    Ok(Report { outcome, limit, states_count: context.states_count, peak_bytes: context.budget.peak(), moves })
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
