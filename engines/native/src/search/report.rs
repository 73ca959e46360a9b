//! What a search answers.
use super::limits::Context;
use super::stop::Stop;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Won,
    Lost,
    Undecided,
}

impl Outcome {
    /// As Python sees it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Undecided => "undecided",
        }
    }
}

/// What a search found; `M`: a move of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report<M> {
    pub outcome: Outcome,
    /// The limit that was hit. A census that has seen a win is `Won` even then.
    pub limit: Option<Stop>,
    pub states_count: u64,
    /// Winning states, where all are counted.
    pub wins_count: Option<u64>,
    /// States found when the first win was, the win included; none without a win, or where nobody counts.
    pub states_before_win_count: Option<u64>,
    /// No solution has fewer moves, as the game counts them; none where nobody asks, or before it is known that there
    /// is a solution.
    pub fewest_count: Option<u64>,
    /// Most memory of the search's own tables at a time.
    pub peak_bytes: u64,
    /// A solution, first move first; empty unless won.
    pub moves: Vec<M>,
}

impl<M> Report<M> {
    /// The answer of a search that looks for one solution: it has it, or there is none. `Err` only for an interrupt.
    pub fn new(found: Result<Option<Vec<M>>, Stop>, context: &Context<'_>) -> Result<Report<M>, Stop> {
        let (outcome, limit, moves) = match found {
            Ok(Some(moves)) => (Outcome::Won, None, moves),
            Ok(None) => (Outcome::Lost, None, Vec::new()),
            Err(Stop::Interrupt) => return Err(Stop::Interrupt),
            Err(stop) => (Outcome::Undecided, Some(stop), Vec::new()),
        };
        Ok(Report {
            outcome,
            limit,
            states_count: context.states_count,
            wins_count: None,
            states_before_win_count: None,
            fewest_count: None,
            peak_bytes: context.budget.peak(),
            moves,
        })
    }

    /// The answer of a search for a shortest solution that has found one; no solution has fewer than `fewest_count` moves.
    /// It is a shortest one unless a limit was hit. `Err` only for an interrupt.
    pub fn shortest(
        moves: Vec<M>,
        fewest_count: u64,
        stopped: Option<Stop>,
        context: &Context<'_>,
    ) -> Result<Report<M>, Stop> {
        if stopped == Some(Stop::Interrupt) {
            return Err(Stop::Interrupt);
        }
        let found = Report::new(Ok(Some(moves)), context)?;
        Ok(Report { limit: stopped, fewest_count: Some(fewest_count), ..found })
    }
}
