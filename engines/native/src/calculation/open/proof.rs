//! Proofs that a formula cannot be satisfied, in a form that other programs can check.
//!
//! The form is DRAT as text (N. Wetzler, M. Heule, W. Hunt, "DRAT-trim: efficient checking and trimming using expressive
//! clausal proofs", 2014): a line for each clause that was learnt, in the order of learning, and one that begins with `d`
//! for each that was dropped; the last line is the empty clause. A clause is its literals and a 0, as in DIMACS. Each one
//! follows from the formula and the clauses before it, less those dropped, by unit propagation alone (it is RUP).
use super::formula::Literal;
use crate::search::Stop;
use std::io::{self, Write};

/// Where the steps of a proof are written to, if anywhere.
#[derive(Default)]
pub struct Proof<'a> {
    out: Option<&'a mut (dyn Write + Send)>,
    /// Why writing failed. What follows is lost then.
    error: Option<io::Error>,
    /// Values before the first decision for which the proof need not keep their reasons.
    settled_count: usize,
}

impl<'a> Proof<'a> {
    #[must_use]
    pub fn to(out: &'a mut (dyn Write + Send)) -> Proof<'a> {
        Proof { out: Some(out), ..Proof::default() }
    }

    /// A clause that was learnt.
    pub fn add(&mut self, clause: &[Literal]) -> Result<(), Stop> {
        self.line("", clause.iter().copied())
    }

    /// A clause that is no longer used: its words.
    pub fn delete(&mut self, clause: &[u32]) -> Result<(), Stop> {
        self.line("d ", clause.iter().map(|&word| Literal::from_word(word)))
    }

    /// Clauses of their own for literals that hold before the first decision: a checker then has them even without their
    /// reasons. `trail`: all such literals, as they were found.
    pub fn settle(&mut self, trail: &[Literal]) -> Result<(), Stop> {
        for &literal in &trail[self.settled_count..] {
            if literal != Literal::TRUE {
                self.add(&[literal])?;
            }
        }
        self.settled_count = trail.len();
        Ok(())
    }

    /// Ends the proof: why it could not be written, if it could not.
    pub fn end(self) -> io::Result<()> {
        match (self.error, self.out) {
            (Some(error), _) => Err(error),
            (None, Some(out)) => out.flush(),
            (None, None) => Ok(()),
        }
    }

    fn line(&mut self, mark: &str, clause: impl Iterator<Item = Literal>) -> Result<(), Stop> {
        let Some(out) = &mut self.out else { return Ok(()) };
        write_clause(out, mark, clause).map_err(|error| {
            self.error = Some(error);
            Stop::Interrupt // no answer of a search without the proof that was asked for
        })
    }
}

/// A line of literals, as DIMACS and DRAT have it.
pub fn write_clause(out: &mut dyn Write, mark: &str, clause: impl Iterator<Item = Literal>) -> io::Result<()> {
    out.write_all(mark.as_bytes())?;
    for literal in clause {
        let sign = if literal.is_negated() { "-" } else { "" };
        write!(out, "{sign}{} ", literal.variable())?;
    }
    out.write_all(b"0\n")
}
