//! Whether a formula can be satisfied: search that learns a clause from every conflict.
//!
//! The method is the usual one (conflict-driven clause learning): two watched literals a clause, the first unique
//! implication point, variables by recent conflicts, phases kept, restarts, and learnt clauses that join few levels of
//! the search kept longest. (J. Marques-Silva, K. Sakallah, "GRASP", 1999; M. Moskewicz et al., "Chaff", 2001;
//! N. Een, N. Sorensson, "An extensible SAT-solver", 2003; G. Audemard, L. Simon, "Predicting learnt clauses quality",
//! 2009.) Nothing in it depends on chance or time, so that the same formula always takes the same way.
use super::formula::{Formula, Literal};
use super::heap::Heap;
use super::learning::Learning;
use super::proof::Proof;
use super::watches::{Watch, Watches};
use crate::search::{Budget, Context, Stop};

/// Words of a clause before its literals: how many these are, and how many levels a learnt clause joins (0: not learnt).
pub(super) const HEADER: usize = 2;
/// No clause.
pub(super) const NONE: u32 = u32::MAX;
/// Marks a watch of a clause of two literals: such a clause need not be looked at.
const BINARY: u32 = 1 << 31;
/// Learnt clauses that join so few levels are kept for good.
const LASTING_LEVELS: u32 = 2;
/// Learnt clauses at which half of them are dropped, and how many more it are each time.
pub(super) const FIRST_LEARNT: u64 = 4000;
pub(super) const MORE_LEARNT: u64 = 1000;
/// Conflicts before the first restart; those after it by Luby's sequence.
const RESTART_CONFLICTS: u64 = 256;

pub struct Solver {
    /// Of each literal: 1 true, -1 false, 0 open.
    pub(super) values: Vec<i8>,
    /// Of each variable that has a value, the decisions before it, its own included.
    pub(super) levels: Vec<u32>,
    /// The clause that gave a variable its value; none for decisions.
    pub(super) reasons: Vec<u32>,
    /// All true literals in the order in which they became so.
    pub(super) trail: Vec<Literal>,
    /// Where each level after the first begins in the trail.
    level_begins: Vec<u32>,
    /// Literals of the trail whose consequences are drawn.
    done: usize,
    /// All clauses, learnt ones last; the watched literals of each come first.
    pub(super) clauses: Vec<u32>,
    learnt_begin: usize,
    learnt_count: u64,
    pub(super) learnt_limit: u64,
    watches: Watches,
    pub(super) order: Heap,
    /// The last value of each variable.
    phases: Vec<bool>,
    learning: Learning,
    is_refuted: bool,
}

impl Solver {
    pub fn new(formula: &Formula, variables_count: usize, context: &mut Context<'_>) -> Result<Solver, Stop> {
        let budget = &mut context.budget;
        let of_variable = 2 * size_of::<i8>() + 4 * size_of::<u32>() + size_of::<bool>();
        budget.take((variables_count * of_variable) as u64)?;
        budget.take(Heap::bytes(variables_count) + Watches::bytes(2 * variables_count))?;
        budget.take(Learning::bytes(variables_count))?;
        let mut solver = Solver {
            values: vec![0; 2 * variables_count],
            levels: vec![0; variables_count],
            reasons: vec![NONE; variables_count],
            trail: Vec::with_capacity(variables_count),
            level_begins: Vec::with_capacity(variables_count),
            done: 0,
            clauses: Vec::new(),
            learnt_begin: 0,
            learnt_count: 0,
            learnt_limit: FIRST_LEARNT,
            watches: Watches::new(2 * variables_count),
            order: Heap::new(variables_count),
            phases: vec![false; variables_count],
            learning: Learning::new(variables_count),
            is_refuted: false,
        };
        solver.assign(Literal::TRUE, NONE);
        let mut left = Vec::new();
        for clause in formula.clauses() {
            context.clock.check()?;
            left.clear();
            left.extend(clause.iter().filter(|&&literal| solver.value(literal) >= 0));
            if left.iter().any(|&literal| solver.value(literal) > 0) {
                continue;
            }
            match left[..] {
                [] => solver.is_refuted = true,
                [literal] => solver.assign(literal, NONE),
                _ => _ = solver.add(&left, 0, &mut context.budget)?,
            }
            if solver.is_refuted || solver.propagate(&mut context.budget)?.is_some() {
                solver.is_refuted = true;
                break;
            }
        }
        solver.learnt_begin = solver.clauses.len();
        Ok(solver)
    }

    /// Whether each variable is true in an assignment that satisfies the formula; none if there is no such one, and then
    /// `proof` shows it.
    pub fn solve(&mut self, context: &mut Context<'_>, proof: &mut Proof<'_>) -> Result<Option<Vec<bool>>, Stop> {
        if self.is_refuted {
            proof.add(&[])?;
            return Ok(None);
        }
        let (mut restarts_count, mut conflicts_left) = (0, RESTART_CONFLICTS);
        loop {
            context.clock.check()?;
            if let Some(conflict) = self.propagate(&mut context.budget)? {
                if self.level() == 0 {
                    proof.add(&[])?;
                    return Ok(None);
                }
                context.count_state()?;
                conflicts_left = conflicts_left.saturating_sub(1);
                self.learn(conflict, &mut context.budget, proof)?;
            } else if conflicts_left == 0 {
                restarts_count += 1;
                conflicts_left = RESTART_CONFLICTS * luby(restarts_count);
                self.go_back(0);
                if self.learnt_count >= self.learnt_limit {
                    self.drop_learnt(&mut context.budget, proof)?;
                }
            } else if !self.decide() {
                return Ok(Some((0..self.levels.len()).map(|v| self.value(Literal::of(v)) > 0).collect()));
            }
        }
    }

    #[inline(always)]
    pub(super) fn value(&self, literal: Literal) -> i8 {
        self.values[literal.index()]
    }

    pub(super) fn level(&self) -> usize {
        self.level_begins.len()
    }

    #[inline(always)]
    fn assign(&mut self, literal: Literal, reason: u32) {
        let variable = literal.variable();
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.levels[variable] = self.level_begins.len() as u32;
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    /// Stores a clause of two literals or more, of which the first two are watched; where it is.
    fn add(&mut self, literals: &[Literal], joined_levels: u32, budget: &mut Budget) -> Result<u32, Stop> {
        let clause = self.clauses.len() as u32;
        budget.push(&mut self.clauses, literals.len() as u32)?;
        budget.push(&mut self.clauses, joined_levels)?;
        for literal in literals {
            budget.push(&mut self.clauses, literal.word())?;
        }
        self.watch(clause, budget)?;
        Ok(clause)
    }

    fn watch(&mut self, clause: u32, budget: &mut Budget) -> Result<(), Stop> {
        let at = clause as usize;
        let mark = if self.clauses[at] == 2 { BINARY } else { 0 };
        let (first, second) =
            (Literal::from_word(self.clauses[at + HEADER]), Literal::from_word(self.clauses[at + HEADER + 1]));
        self.watches.push(first, Watch { clause: clause | mark, other: second }, budget)?;
        self.watches.push(second, Watch { clause: clause | mark, other: first }, budget)
    }

    /// Draws all consequences of the trail; a clause that became false, if one did.
    fn propagate(&mut self, budget: &mut Budget) -> Result<Option<u32>, Stop> {
        while self.done < self.trail.len() {
            let falsified = !self.trail[self.done];
            self.done += 1;
            let range = self.watches.range(falsified);
            let (mut at, mut kept) = (range.start, range.start);
            'watches: while at < range.end {
                let watch = self.watches.get(at);
                at += 1;
                let value = self.value(watch.other);
                if value > 0 {
                    self.watches.set(kept, watch);
                    kept += 1;
                    continue;
                }
                let clause = watch.clause & !BINARY;
                let mut implied = watch.other;
                if watch.clause & BINARY == 0 {
                    let begin = clause as usize + HEADER;
                    let end = begin + self.clauses[clause as usize] as usize;
                    if self.clauses[begin] == falsified.word() {
                        self.clauses.swap(begin, begin + 1);
                    }
                    implied = Literal::from_word(self.clauses[begin]);
                    if self.value(implied) > 0 {
                        self.watches.set(kept, Watch { clause, other: implied });
                        kept += 1;
                        continue;
                    }
                    for place in begin + 2..end {
                        let literal = Literal::from_word(self.clauses[place]);
                        if self.value(literal) >= 0 {
                            self.clauses.swap(begin + 1, place);
                            self.watches.push(literal, Watch { clause, other: implied }, budget)?;
                            continue 'watches;
                        }
                    }
                }
                self.watches.set(kept, Watch { clause: watch.clause, other: implied });
                kept += 1;
                if self.value(implied) < 0 {
                    for rest in at..range.end {
                        self.watches.set(kept, self.watches.get(rest));
                        kept += 1;
                    }
                    self.watches.cut(falsified, kept);
                    return Ok(Some(clause));
                }
                self.assign(implied, clause);
            }
            self.watches.cut(falsified, kept);
        }
        Ok(None)
    }

    /// Begins a level with the most active open variable as it was last; false if none is open.
    fn decide(&mut self) -> bool {
        while let Some(variable) = self.order.pop() {
            let literal = Literal::of(variable);
            if self.value(literal) == 0 {
                self.level_begins.push(self.trail.len() as u32);
                self.assign(if self.phases[variable] { literal } else { !literal }, NONE);
                return true;
            }
        }
        false
    }

    /// Takes back the decisions after the first `level` ones.
    fn go_back(&mut self, level: usize) {
        if self.level() <= level {
            return;
        }
        let begin = self.level_begins[level] as usize;
        for index in begin..self.trail.len() {
            let literal = self.trail[index];
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases[literal.variable()] = !literal.is_negated();
            self.order.insert(literal.variable());
        }
        self.trail.truncate(begin);
        self.level_begins.truncate(level);
        self.done = begin;
    }

    /// Learns from a clause that became false, and goes back to where that would have helped.
    fn learn(&mut self, conflict: u32, budget: &mut Budget, proof: &mut Proof<'_>) -> Result<(), Stop> {
        let mut learning = std::mem::take(&mut self.learning);
        let lesson = learning.analyse(self, conflict);
        self.go_back(lesson.level);
        let literals = learning.clause();
        proof.add(literals)?;
        let reason = match literals {
            [_] => NONE,
            _ => {
                self.learnt_count += 1;
                self.add(literals, lesson.joined_levels, budget)?
            }
        };
        self.assign(literals[0], reason);
        self.order.decay();
        self.learning = learning;
        Ok(())
    }

    /// Drops half of the learnt clauses. Only before the first decision: what has a value there needs no reason.
    #[cold]
    fn drop_learnt(&mut self, budget: &mut Budget, proof: &mut Proof<'_>) -> Result<(), Stop> {
        proof.settle(&self.trail)?;
        let mut found = Vec::new();
        let mut count = 0;
        let mut at = self.learnt_begin;
        while at < self.clauses.len() {
            count += 1;
            let (length, joined_levels) = (self.clauses[at], self.clauses[at + 1]);
            if joined_levels > LASTING_LEVELS && length > 2 {
                found.push((joined_levels, u32::MAX - at as u32));
            }
            at += HEADER + length as usize;
        }
        debug_assert_eq!(count, self.learnt_count);
        found.sort_unstable();
        let mut dropped: Vec<usize> =
            found[found.len() / 2..].iter().map(|&(_, place)| (u32::MAX - place) as usize).collect();
        dropped.sort_unstable();
        let (mut from, mut to) = (self.learnt_begin, self.learnt_begin);
        let mut next = dropped.iter().peekable();
        while from < self.clauses.len() {
            let end = from + HEADER + self.clauses[from] as usize;
            if next.next_if(|&&place| place == from).is_some() {
                proof.delete(&self.clauses[from + HEADER..end])?;
            } else {
                self.clauses.copy_within(from..end, to);
                to += end - from;
            }
            from = end;
        }
        self.clauses.truncate(to);
        self.learnt_count -= dropped.len() as u64;
        self.learnt_limit += MORE_LEARNT;
        self.watches.clear();
        let mut at = 0;
        while at < self.clauses.len() {
            self.watch(at as u32, budget)?;
            at += HEADER + self.clauses[at] as usize;
        }
        Ok(())
    }
}

/// Luby's sequence from 1 on: 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, ...
pub(super) fn luby(index: u64) -> u64 {
    let bits = u64::BITS - index.leading_zeros();
    if index == (1 << bits) - 1 { 1 << (bits - 1) } else { luby(index + 1 - (1 << (bits - 1))) }
}
