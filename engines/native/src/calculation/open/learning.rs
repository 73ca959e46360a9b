//! What a conflict teaches: the clause that would have shown it earlier.
use super::formula::Literal;
use super::solver::{HEADER, NONE, Solver};

/// What is known of a variable during an analysis.
const UNSEEN: u8 = 0;
/// It is in the clause, or follows from what is there.
const SEEN: u8 = 1;

/// Workspace, so that an analysis allocates nothing.
#[derive(Default)]
pub struct Learning {
    seen: Vec<u8>,
    /// Variables that are not unseen.
    to_clear: Vec<u32>,
    clause: Vec<Literal>,
    stack: Vec<u32>,
    /// Of each level, the last analysis whose clause has a literal of it.
    level_marks: Vec<u32>,
    analyses_count: u32,
}

pub struct Lesson {
    /// How many decisions remain after going back; the clause then gives its first literal its value.
    pub level: usize,
    /// How many levels the clause has literals of.
    pub joined_levels: u32,
}

impl Learning {
    #[must_use]
    pub fn new(variables_count: usize) -> Learning {
        Learning {
            seen: vec![UNSEEN; variables_count],
            to_clear: Vec::with_capacity(variables_count),
            clause: Vec::with_capacity(variables_count),
            stack: Vec::with_capacity(variables_count),
            level_marks: vec![0; variables_count + 1],
            analyses_count: 0,
        }
    }

    /// Bytes for so many variables.
    #[must_use]
    pub fn bytes(variables_count: usize) -> u64 {
        (variables_count * (size_of::<u8>() + 4 * size_of::<u32>())) as u64
    }

    /// What the last analysis taught. The second literal is of the level to go back to.
    #[must_use]
    pub fn clause(&self) -> &[Literal] {
        &self.clause
    }

    /// Resolves a false clause with the reasons of its literals until one literal of the last level is left.
    pub fn analyse(&mut self, solver: &mut Solver, conflict: u32) -> Lesson {
        self.clause.clear();
        self.clause.push(Literal::TRUE); // room for the one literal of the last level
        let level = solver.level() as u32;
        let (mut reason, mut resolved, mut open_count) = (conflict, None, 0);
        let mut index = solver.trail.len();
        loop {
            let begin = reason as usize + HEADER;
            for place in begin..begin + solver.clauses[reason as usize] as usize {
                let literal = Literal::from_word(solver.clauses[place]);
                let variable = literal.variable();
                if resolved == Some(variable) || self.seen[variable] != UNSEEN || solver.levels[variable] == 0 {
                    continue;
                }
                self.mark(variable);
                solver.order.bump(variable);
                if solver.levels[variable] == level {
                    open_count += 1;
                } else {
                    self.clause.push(literal);
                }
            }
            loop {
                index -= 1;
                if self.seen[solver.trail[index].variable()] != UNSEEN {
                    break;
                }
            }
            let literal = solver.trail[index];
            open_count -= 1;
            if open_count == 0 {
                self.clause[0] = !literal;
                break;
            }
            resolved = Some(literal.variable());
            reason = solver.reasons[literal.variable()];
        }
        self.shorten(solver);
        for &variable in &self.to_clear {
            self.seen[variable as usize] = UNSEEN;
        }
        self.to_clear.clear();
        let joined_levels = self.joined_levels(solver);
        let mut back = 0;
        for place in 1..self.clause.len() {
            let level = solver.levels[self.clause[place].variable()];
            if level > back {
                back = level;
                self.clause.swap(1, place);
            }
        }
        Lesson { level: back as usize, joined_levels }
    }

    fn mark(&mut self, variable: usize) {
        self.seen[variable] = SEEN;
        self.to_clear.push(variable as u32);
    }

    /// Leaves out literals that are false because others of the clause are.
    fn shorten(&mut self, solver: &Solver) {
        let levels = self.clause[1..].iter().fold(0, |bits, literal| bits | level_bit(solver, literal.variable()));
        let mut kept = 1;
        for place in 1..self.clause.len() {
            let literal = self.clause[place];
            if !self.follows(solver, literal.variable(), levels) {
                self.clause[kept] = literal;
                kept += 1;
            }
        }
        self.clause.truncate(kept);
    }

    /// Whether the value of a variable follows from the clause's other literals alone. `levels`: bits of theirs; a
    /// variable of another level cannot.
    fn follows(&mut self, solver: &Solver, variable: usize, levels: u64) -> bool {
        if solver.reasons[variable] == NONE {
            return false;
        }
        self.stack.clear();
        self.stack.push(variable as u32);
        let before = self.to_clear.len();
        while let Some(next) = self.stack.pop() {
            let reason = solver.reasons[next as usize] as usize;
            for place in reason + HEADER..reason + HEADER + solver.clauses[reason] as usize {
                let other = Literal::from_word(solver.clauses[place]).variable();
                if other == next as usize || self.seen[other] == SEEN || solver.levels[other] == 0 {
                    continue;
                }
                if solver.reasons[other] == NONE || level_bit(solver, other) & levels == 0 {
                    for &marked in &self.to_clear[before..] {
                        self.seen[marked as usize] = UNSEEN;
                    }
                    self.to_clear.truncate(before);
                    return false;
                }
                self.mark(other);
                self.stack.push(other as u32);
            }
        }
        true
    }

    fn joined_levels(&mut self, solver: &Solver) -> u32 {
        self.analyses_count = self.analyses_count.wrapping_add(1);
        let mut count = 0;
        for literal in &self.clause {
            let mark = &mut self.level_marks[solver.levels[literal.variable()] as usize];
            count += u32::from(*mark != self.analyses_count);
            *mark = self.analyses_count;
        }
        count
    }
}

fn level_bit(solver: &Solver, variable: usize) -> u64 {
    1 << (solver.levels[variable] % u64::BITS)
}
