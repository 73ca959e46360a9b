//! The game as a formula: it can be satisfied if and only if the deck can be won.
//!
//! A solution says for each card to which foundation it goes, and on which stack it waits, if on any. Everything else
//! follows. Once that is fixed, nothing is gained by leaving a card where it is when its foundation is ready and no
//! card lies on it: it only gets out of the way. (If a solution moves it later, it can be moved at once instead, and
//! each later move of the solution stays possible.) So the search is for a choice under which every card gets out.
//! Steps are those of the draws; in which order moves happen within a step does not matter, as long as there is an
//! order.
//!
//! - `goes(card, foundation)`: the card goes there.
//! - `waits(card, stack)`: it is drawn to that stack. Others are played from the pile.
//! - `filled(foundation, place, step)`: the card of that place has been played by the end of that step.
//! - `gone(card, step)`: the card has been played by the end of that step; at its own step: it is played from the pile.
//! - `covers(upper, lower)`: both wait on one stack, the lower one lying there when the upper one comes.
//! - `before(card, other)`: the card is played before the other one. An order of all cards.
//!
//! Values that satisfy the clauses describe a game: each card goes where the values say, moves happen in the order of
//! steps and within each step in that of `before`. Rows and covers agree with both (`rows`, `covers`), so that each
//! move is legal when its turn comes, and everything is filled at the end. And every won game gives such values.
use super::deck::{Deck, FOUNDATIONS, MAX_CARDS};
use super::formula::{Formula, Literal};

/// Variables of the game of a deck with so many stacks.
pub struct Encoding<'a> {
    deck: &'a Deck,
    stacks: usize,
    cards: usize,
}

impl<'a> Encoding<'a> {
    #[must_use]
    pub fn new(deck: &'a Deck, stacks: usize) -> Encoding<'a> {
        Encoding { deck, stacks, cards: deck.cards_count() }
    }

    #[must_use]
    pub fn variables_count(&self) -> usize {
        self.befores() + self.pairs()
    }

    fn pairs(&self) -> usize {
        self.cards * (self.cards - 1) / 2
    }

    fn waitings(&self) -> usize {
        1 + FOUNDATIONS * self.cards
    }

    fn fillings(&self) -> usize {
        self.waitings() + self.stacks * self.cards
    }

    fn goings(&self) -> usize {
        self.fillings() + self.cards * self.cards
    }

    fn coverings(&self) -> usize {
        self.goings() + self.cards * self.cards
    }

    fn befores(&self) -> usize {
        self.coverings() + self.pairs()
    }

    /// Which variable means what, a line for each kind.
    #[must_use]
    pub fn legend(&self) -> [String; 6] {
        let (cards, stacks, ranks) = (self.cards, self.stacks, self.deck.ranks_count());
        let pair = |base: usize| format!("{base} + later * (later - 1) / 2 + earlier, in the order of draws");
        [
            format!("goes(card, foundation) = 1 + {FOUNDATIONS} * card + foundation"),
            format!("waits(card, stack) = {} + {stacks} * card + stack", self.waitings()),
            format!(
                "filled(foundation, place, step) = {} + {cards} * ({ranks} * foundation + place) + step",
                self.fillings()
            ),
            format!("gone(card, step) = {} + {cards} * card + step", self.goings()),
            format!("covers(later, earlier) = {}", pair(self.coverings())),
            format!("before(earlier, later) = {}", pair(self.befores())),
        ]
    }

    #[must_use]
    pub fn goes(&self, card: usize, foundation: usize) -> Literal {
        Literal::of(1 + card * FOUNDATIONS + foundation)
    }

    #[must_use]
    pub fn waits(&self, card: usize, stack: usize) -> Literal {
        Literal::of(self.waitings() + card * self.stacks + stack)
    }

    fn filled(&self, foundation: usize, place: usize, step: usize) -> Literal {
        if step + 1 == self.cards {
            return Literal::TRUE; // the game is won
        }
        let slot = foundation * self.deck.ranks_count() + place;
        Literal::of(self.fillings() + slot * self.cards + step)
    }

    /// Whether a foundation is ready for the card of a place when that of a step is drawn.
    fn ready(&self, foundation: usize, place: usize, step: usize) -> Literal {
        match (place, step) {
            (0, _) => Literal::TRUE,
            (_, 0) => Literal::FALSE,
            _ => self.filled(foundation, place - 1, step - 1),
        }
    }

    fn gone(&self, card: usize, step: usize) -> Literal {
        if step < card {
            Literal::FALSE
        } else if step + 1 == self.cards {
            Literal::TRUE
        } else {
            Literal::of(self.goings() + card * self.cards + step)
        }
    }

    /// Whether a card is played from the pile.
    #[must_use]
    pub fn direct(&self, card: usize) -> Literal {
        self.gone(card, card)
    }

    fn pair(&self, lower: usize, upper: usize) -> usize {
        upper * (upper - 1) / 2 + lower
    }

    fn covers(&self, upper: usize, lower: usize) -> Literal {
        Literal::of(self.coverings() + self.pair(lower, upper))
    }

    fn before(&self, card: usize, other: usize) -> Literal {
        let literal = |lower, upper| Literal::of(self.befores() + self.pair(lower, upper));
        if card < other { literal(card, other) } else { !literal(other, card) }
    }

    /// The formula that is searched.
    #[must_use]
    pub fn formula(&self) -> Formula {
        let mut formula = Formula::default();
        self.earliest_steps(&mut formula);
        self.rules(&mut formula);
        self.at_once(&mut formula);
        self.stacks_in_order(&mut formula);
        formula
    }

    /// What the rules say, and nothing else.
    pub fn rules(&self, formula: &mut Formula) {
        self.targets(formula);
        self.rows(formula);
        self.draws(formula);
        self.coverage(formula);
        self.order(formula);
        self.bases(formula);
    }

    /// Cards that begin the game on the foundations are played at once, each to its own.
    fn bases(&self, formula: &mut Formula) {
        for card in 0..self.deck.laid {
            formula.add(&[self.goes(card, card)]);
            formula.add(&[self.direct(card)]);
        }
    }

    /// Each card goes to one foundation, and each place of a row takes one of the cards of its rank.
    fn targets(&self, formula: &mut Formula) {
        let mut of_rank: Vec<Vec<usize>> = vec![Vec::new(); self.deck.ranks_count() + 1];
        for card in 0..self.cards {
            of_rank[usize::from(self.deck.ranks[card])].push(card);
            let targets: [Literal; FOUNDATIONS] = std::array::from_fn(|foundation| self.goes(card, foundation));
            formula.exactly_one(&targets);
        }
        for cards in &of_rank[1..] {
            for foundation in 0..FOUNDATIONS {
                let sources: Vec<Literal> = cards.iter().map(|&card| self.goes(card, foundation)).collect();
                formula.exactly_one(&sources);
            }
        }
    }

    /// Rows are filled in order, nothing leaves them, and a place is filled when its card is gone.
    fn rows(&self, formula: &mut Formula) {
        for foundation in 0..FOUNDATIONS {
            for place in 0..self.deck.ranks_count() {
                for step in 0..self.cards {
                    let filled = self.filled(foundation, place, step);
                    if step > 0 {
                        formula.imply([self.filled(foundation, place, step - 1)], &[filled]);
                    }
                    if place > 0 {
                        formula.imply([filled], &[self.filled(foundation, place - 1, step)]);
                    }
                }
            }
        }
        for card in 0..self.cards {
            for foundation in 0..FOUNDATIONS {
                let place = self.deck.place(foundation, card);
                let goes = self.goes(card, foundation);
                for step in 0..self.cards {
                    let (gone, filled) = (self.gone(card, step), self.filled(foundation, place, step));
                    formula.imply([goes, gone], &[filled]);
                    formula.imply([goes, filled], &[gone]);
                }
            }
        }
    }

    /// A drawn card is played if its foundation is ready, or it waits on a stack.
    fn draws(&self, formula: &mut Formula) {
        for card in 0..self.cards {
            let direct = self.direct(card);
            for foundation in 0..FOUNDATIONS {
                let ready = self.ready(foundation, self.deck.place(foundation, card), card);
                formula.imply([self.goes(card, foundation), direct], &[ready]);
            }
            let mut ways: Vec<Literal> = (0..self.stacks).map(|stack| self.waits(card, stack)).collect();
            ways.push(direct);
            formula.exactly_one(&ways);
            for step in card + 1..self.cards {
                formula.imply([self.gone(card, step - 1)], &[self.gone(card, step)]);
            }
        }
    }

    /// What lies on a card is gone no later than it, and is played before it.
    fn coverage(&self, formula: &mut Formula) {
        for upper in 1..self.cards {
            for lower in 0..upper {
                let covers = self.covers(upper, lower);
                for stack in 0..self.stacks {
                    let both = [self.waits(lower, stack), self.waits(upper, stack)];
                    formula.imply(both, &[self.gone(lower, upper - 1), covers]);
                }
                for step in upper..self.cards {
                    formula.imply([covers, self.gone(lower, step)], &[self.gone(upper, step)]);
                }
                formula.imply([covers], &[self.before(upper, lower)]);
            }
        }
    }

    /// `before` is an order, and that of each row.
    fn order(&self, formula: &mut Formula) {
        for third in 2..self.cards {
            for second in 1..third {
                for first in 0..second {
                    let (forth, back) = (self.before(first, second), self.before(second, third));
                    let around = self.before(first, third);
                    formula.imply([forth, back], &[around]);
                    formula.imply([!forth, !back], &[!around]);
                }
            }
        }
        for second in 1..self.cards {
            for first in (0..second).filter(|&first| self.deck.ranks[first] != self.deck.ranks[second]) {
                for foundation in 0..FOUNDATIONS {
                    let in_row = self.deck.place(foundation, first) < self.deck.place(foundation, second);
                    let before = self.before(first, second);
                    let both = [self.goes(first, foundation), self.goes(second, foundation)];
                    formula.imply(both, &[if in_row { before } else { !before }]);
                }
            }
        }
    }

    /// No place is filled before a card of each rank up to it in its row is drawn.
    pub fn earliest_steps(&self, formula: &mut Formula) {
        for foundation in 0..FOUNDATIONS {
            let mut firsts = [0; MAX_CARDS];
            for card in (0..self.cards).rev() {
                firsts[self.deck.place(foundation, card)] = card;
            }
            let mut earliest = 0;
            for place in 0..self.deck.ranks_count() {
                earliest = earliest.max(firsts[place]);
                for step in 0..earliest {
                    formula.add(&[!self.filled(foundation, place, step)]);
                }
            }
        }
    }

    /// Cards are played as soon as they can be (see above). Then a drawn card is played when its foundation is ready,
    /// and other cards move only at a step whose card is played: a card that is put on a stack makes no move possible
    /// that was not possible before.
    pub fn at_once(&self, formula: &mut Formula) {
        for card in 0..self.cards {
            for foundation in 0..FOUNDATIONS {
                let ready = self.ready(foundation, self.deck.place(foundation, card), card);
                formula.imply([self.goes(card, foundation), ready], &[self.direct(card)]);
            }
            for step in card + 1..self.cards {
                formula.imply([self.gone(card, step)], &[self.gone(card, step - 1), self.direct(step)]);
            }
        }
    }

    /// Stacks are alike: each is used for the first time after the one before it.
    pub fn stacks_in_order(&self, formula: &mut Formula) {
        for card in 0..self.cards {
            for stack in 1..self.stacks {
                let earlier: Vec<Literal> = (0..card).map(|other| self.waits(other, stack - 1)).collect();
                formula.imply([self.waits(card, stack)], &earlier);
            }
        }
    }
}
