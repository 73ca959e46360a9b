//! The search that learns, on formulas of all kinds.
use super::formula::{Formula, Literal};
use super::proof::Proof;
use super::solver::{FIRST_LEARNT, MORE_LEARNT, Solver, luby};
use crate::rng::Stream;
use crate::search::{Clock, Context, Limits, Stop};

#[test]
fn lubys_sequence() {
    let first: Vec<u64> = (1..=15).map(luby).collect();
    assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
}

fn answer(formula: &Formula, variables_count: usize, memory_bytes: u64) -> Result<Option<Vec<bool>>, Stop> {
    let mut never = || false;
    let mut context = Context::new(Limits { states: 0, memory_bytes, clock: Clock::new(0.0, &mut never) });
    Solver::new(formula, variables_count, &mut context)?.solve(&mut context, &mut Proof::default())
}

fn holds(formula: &Formula, values: &[bool]) -> bool {
    formula.clauses().all(|clause| clause.iter().any(|literal| values[literal.variable()] != literal.is_negated()))
}

/// Random clauses of one to four literals, about as many as make half of the formulas unsatisfiable.
fn random_formula(stream: &mut Stream, variables_count: u32) -> Formula {
    let mut formula = Formula::default();
    let clauses_count = variables_count * (2 + stream.below(5));
    for _ in 0..clauses_count {
        let length = if stream.below(30) == 0 { 1 } else { 2 + stream.below(3) };
        let clause: Vec<Literal> = (0..length)
            .map(|_| {
                let literal = Literal::of(1 + stream.below(variables_count) as usize);
                if stream.below(2) == 0 { literal } else { !literal }
            })
            .collect();
        formula.add(&clause);
    }
    formula
}

#[test]
fn random_formulas_as_trying_everything_finds() {
    let mut counts = [0, 0];
    for seed in 0..3000 {
        let mut stream = Stream::new(seed, 0);
        let variables = 3 + stream.below(8);
        let formula = random_formula(&mut stream, variables);
        let expected = (0..1u32 << variables).any(|bits| {
            let values: Vec<bool> = (0..=variables).map(|v| v == 0 || bits >> (v - 1) & 1 == 1).collect();
            holds(&formula, &values)
        });
        let found = answer(&formula, variables as usize + 1, 0).expect("no limits");
        assert_eq!(found.is_some(), expected, "seed {seed}");
        assert!(found.is_none_or(|values| holds(&formula, &values)), "seed {seed}");
        counts[usize::from(expected)] += 1;
    }
    assert!(counts[0] > 500 && counts[1] > 500, "{counts:?}");
}

/// More pigeons than holes: refuted by some ten thousand conflicts, so that clauses are dropped on the way.
fn pigeons(holes: usize) -> Formula {
    let place = |pigeon: usize, hole: usize| Literal::of(1 + pigeon * holes + hole);
    let mut formula = Formula::default();
    for pigeon in 0..=holes {
        formula.add(&(0..holes).map(|hole| place(pigeon, hole)).collect::<Vec<_>>());
    }
    for hole in 0..holes {
        formula.at_most_one(&(0..=holes).map(|pigeon| place(pigeon, hole)).collect::<Vec<_>>());
    }
    formula
}

#[test]
fn pigeons_that_do_not_fit() {
    let mut never = || false;
    let mut context = Context::new(Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) });
    let mut solver = Solver::new(&pigeons(8), 1 + 9 * 8, &mut context).expect("no limits");
    assert_eq!(solver.solve(&mut context, &mut Proof::default()), Ok(None));
    assert!(solver.learnt_limit > FIRST_LEARNT + MORE_LEARNT, "clauses were dropped more than once");
}

#[test]
fn a_limit_of_memory() {
    assert_eq!(answer(&pigeons(8), 1 + 9 * 8, 1 << 16), Err(Stop::Memory));
}
