//! States that differ by their foundations alone, each once.
use super::state::State;

/// Words of a bit for each of the 14^4 foundations.
const WORDS: usize = 14usize.pow(4).div_ceil(64);

pub struct Members {
    states: Vec<State>,
    seen: Vec<u64>,
}

impl Default for Members {
    fn default() -> Members {
        Members { states: Vec::new(), seen: vec![0; WORDS] }
    }
}

impl Members {
    pub fn clear(&mut self) {
        for state in &self.states {
            self.seen[state.foundations() / 64] = 0;
        }
        self.states.clear();
    }

    /// Whether a state with these foundations is here.
    #[inline(always)]
    #[must_use]
    pub fn holds(&self, state: &State) -> bool {
        let index = state.foundations();
        self.seen[index / 64] >> (index % 64) & 1 == 1
    }

    /// Adds a state if there is none with its foundations.
    #[inline(always)]
    pub fn push(&mut self, state: State) {
        let index = state.foundations();
        if self.seen[index / 64] >> (index % 64) & 1 == 0 {
            self.seen[index / 64] |= 1 << (index % 64);
            self.states.push(state);
        }
    }

    #[inline(always)]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<State> {
        self.states.get(at).copied()
    }

    #[must_use]
    pub fn states(&self) -> &[State] {
        &self.states
    }
}
