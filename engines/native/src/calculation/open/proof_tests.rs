//! Proofs against a checker that is as plain as can be.
use super::formula::{Formula, Literal};
use super::proof::Proof;
use super::solver::Solver;
use crate::rng::Stream;
use crate::search::{Clock, Context, Limits, Stop};

/// The proof that a formula cannot be satisfied; none if it can.
fn proof_of(formula: &Formula, variables_count: usize) -> Option<String> {
    let (mut never, mut out) = (|| false, Vec::new());
    let mut context = Context::new(Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) });
    let mut proof = Proof::to(&mut out);
    let mut solver = Solver::new(formula, variables_count, &mut context).expect("no limits");
    let found = solver.solve(&mut context, &mut proof).expect("no limits");
    proof.end().expect("a list takes everything");
    found.is_none().then(|| String::from_utf8(out).expect("text"))
}

/// Whether unit propagation alone finds that not all of the clauses hold if none of `denied` does.
fn fail(clauses: &[Vec<i32>], denied: &[i32], variables_count: usize) -> bool {
    let mut values = vec![0; variables_count];
    for &literal in denied {
        values[literal.unsigned_abs() as usize] = -literal.signum();
    }
    loop {
        let mut changed = false;
        for clause in clauses {
            let value = |literal: i32| values[literal.unsigned_abs() as usize] * literal.signum();
            if clause.iter().any(|&literal| value(literal) > 0) {
                continue;
            }
            let mut open = clause.iter().filter(|&&literal| value(literal) == 0);
            match (open.next(), open.next()) {
                (None, _) => return true,
                (Some(&unit), None) => {
                    values[unit.unsigned_abs() as usize] = unit.signum();
                    changed = true;
                }
                _ => (),
            }
        }
        if !changed {
            return false;
        }
    }
}

/// Whether each step of a proof that drops nothing follows from what there is when it is made, and the last one is the
/// empty clause.
fn holds(formula: &Formula, proof: &str, variables_count: usize) -> bool {
    let number = |literal: &Literal| if literal.is_negated() { -1 } else { 1 } * literal.variable() as i32;
    let mut clauses: Vec<Vec<i32>> = formula.clauses().map(|clause| clause.iter().map(number).collect()).collect();
    for line in proof.lines() {
        let mut clause: Vec<i32> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        assert_eq!(clause.pop(), Some(0));
        if !fail(&clauses, &clause, variables_count) {
            return false;
        }
        clauses.push(clause);
    }
    clauses.last().is_some_and(Vec::is_empty)
}

fn random_formula(seed: u64, variables: u32, clauses: u32) -> Formula {
    let mut formula = Formula::default();
    let mut stream = Stream::new(seed, 1);
    for _ in 0..clauses {
        let clause: [Literal; 3] = std::array::from_fn(|_| {
            let literal = Literal::of(1 + stream.below(variables) as usize);
            if stream.below(2) == 0 { literal } else { !literal }
        });
        formula.add(&clause);
    }
    formula
}

#[test]
fn each_step_follows() {
    let mut proofs_count = 0;
    for seed in 0..300 {
        let formula = random_formula(seed, 30, 150);
        if let Some(proof) = proof_of(&formula, 31) {
            assert!(holds(&formula, &proof, 31), "seed {seed}");
            proofs_count += 1;
        }
    }
    assert!(proofs_count > 100, "{proofs_count}");
}

#[test]
fn what_holds_is_told_once() {
    let [one, other] = [Literal::of(1), !Literal::of(2)];
    let mut out = Vec::new();
    let mut proof = Proof::to(&mut out);
    assert_eq!(proof.settle(&[Literal::TRUE, one]), Ok(()));
    assert_eq!(proof.settle(&[Literal::TRUE, one, other]), Ok(()));
    assert_eq!(proof.delete(&[one.word(), other.word()]), Ok(()));
    assert!(proof.end().is_ok());
    assert_eq!(String::from_utf8(out).expect("text"), "1 0\n-2 0\nd 1 -2 0\n");
}

#[test]
fn a_search_that_cannot_write_ends() {
    let mut room = [0_u8; 10];
    let mut out = &mut room[..];
    let mut proof = Proof::to(&mut out);
    let mut never = || false;
    let mut context = Context::new(Limits { states: 0, memory_bytes: 0, clock: Clock::new(0.0, &mut never) });
    let mut solver = Solver::new(&random_formula(0, 150, 690), 151, &mut context).expect("no limits");
    assert_eq!(solver.solve(&mut context, &mut proof), Err(Stop::Interrupt));
    assert!(proof.end().is_err());
}
