//! Formulas: clauses of which each must hold a true literal.

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Literal(u32);

impl Literal {
    /// Holds in every formula: variable 0.
    pub const TRUE: Literal = Literal(0);
    pub const FALSE: Literal = Literal(1);

    #[must_use]
    pub fn of(variable: usize) -> Literal {
        Literal((variable as u32) << 1)
    }

    #[inline(always)]
    #[must_use]
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Where arrays by literal have it.
    #[inline(always)]
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    #[inline(always)]
    #[must_use]
    pub fn is_negated(self) -> bool {
        self.0 & 1 != 0
    }

    /// As a word of a clause.
    #[inline(always)]
    #[must_use]
    pub fn word(self) -> u32 {
        self.0
    }

    #[inline(always)]
    #[must_use]
    pub fn from_word(word: u32) -> Literal {
        Literal(word)
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    #[inline(always)]
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// Clauses one after the other.
#[derive(Default)]
pub struct Formula {
    literals: Vec<Literal>,
    /// One past the last literal of each clause.
    ends: Vec<u32>,
}

impl Formula {
    /// Adds a clause: `Literal::FALSE` is left out of it, and with `Literal::TRUE` it says nothing.
    pub fn add(&mut self, clause: &[Literal]) {
        self.imply([], clause);
    }

    /// Adds that if all of `conditions` hold, one of `conclusions` does.
    pub fn imply<const N: usize>(&mut self, conditions: [Literal; N], conclusions: &[Literal]) {
        let begin = self.literals.len();
        for literal in conditions.into_iter().map(|condition| !condition).chain(conclusions.iter().copied()) {
            if literal == Literal::TRUE {
                self.literals.truncate(begin);
                return;
            }
            if literal != Literal::FALSE {
                self.literals.push(literal);
            }
        }
        self.ends.push(self.literals.len() as u32);
    }

    /// Adds that at most one of the literals holds.
    pub fn at_most_one(&mut self, literals: &[Literal]) {
        for (index, &one) in literals.iter().enumerate() {
            for &other in &literals[..index] {
                self.add(&[!one, !other]);
            }
        }
    }

    /// Adds that exactly one of the literals holds.
    pub fn exactly_one(&mut self, literals: &[Literal]) {
        self.add(literals);
        self.at_most_one(literals);
    }

    pub fn clauses(&self) -> impl Iterator<Item = &[Literal]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.literals[begin as usize..end as usize])
    }

    /// Memory of the clauses.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.literals.capacity() * size_of::<Literal>() + self.ends.capacity() * size_of::<u32>()) as u64
    }
}
