//! The formula of a deck as a file in DIMACS form.
use super::deck::Deck;
use super::encoding::Encoding;
use super::proof::write_clause;
use std::io::{self, Write};

/// Writes the formula that `search` decides, with the same numbers of variables, after comments that say what they mean.
pub fn write_dimacs(deck: &Deck, stacks: usize, out: &mut dyn Write) -> io::Result<()> {
    let encoding = Encoding::new(deck, stacks);
    let formula = encoding.formula();
    let ranks: Vec<String> = deck.ranks.iter().map(u8::to_string).collect();
    writeln!(out, "c Calculation with the pile open: can be satisfied if and only if the deck can be won")?;
    writeln!(out, "c stacks {stacks}")?;
    writeln!(out, "c deck {}", ranks.join(" "))?;
    if deck.laid > 0 {
        writeln!(out, "c the first {} cards lie on the foundations", deck.laid)?;
    }
    writeln!(out, "c variables; cards, foundations, places, stacks and draws (steps) are counted from 0:")?;
    for line in encoding.legend() {
        writeln!(out, "c {line}")?;
    }
    writeln!(out, "p cnf {} {}", encoding.variables_count() - 1, formula.clauses().count())?;
    for clause in formula.clauses() {
        write_clause(out, "", clause.iter().copied())?;
    }
    out.flush()
}
