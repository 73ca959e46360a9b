//! The Monte-Carlo player of the paper (section 2.3): a bandit over the legal plays, a random game for each look.
use super::super::certain;
use super::super::dice::Dice;
use super::super::endgame::Endgame;
use super::super::inputs::Company;
use super::super::knowledge::Knowledge;
use super::super::legal::Families;
use super::super::play::{PASS, Play};
use super::super::playout::{Policy, play_out};
use super::super::policy::Learnt;
use super::super::position::Position;
use super::super::table::PLAYERS;
use super::super::worlds::pool::Pool;
use super::super::worlds::{Generator, Worlds};
use super::arm::Arm;
use super::bandit::{Bandit, ln};
use super::race::{Budget, Spending, best};
use super::sure::Sure;
use super::view;
use crate::search::{Clock, Stop};

/// Chances are told apart to one in so many.
const CHANCE_STEPS: u32 = 1 << 24;

#[derive(Clone)]
pub struct Options {
    pub spending: Spending,
    /// Playouts for each card that might be given in the exchange, 1 or more; with a time the cards share that.
    pub exchange_playouts: u32,
    /// Whether the cards of a gift are chosen together, with the budget of a play.
    pub joint: bool,
    pub policy: Policy,
    /// Points that a play is taken to be better for each e-fold of its chance by the learnt policy; 0: none.
    pub prior: f64,
    /// What a rank counts, first to last, each within 1 to 5.
    pub worth: [f64; PLAYERS],
    pub generator: Generator,
    /// Worlds that are kept for all choices of a decision; 0: each playout has one of its own.
    pub pool: usize,
    /// Whether a chain of plays that nobody can answer is looked for first.
    pub sure: bool,
    /// Whether players of learnt playouts lead what wins for sure, where that is seen at once.
    pub sure_playouts: bool,
    /// Positions after which the exact search of a game of two is given up; 0: there is no such search.
    pub endgame_positions: usize,
}

impl Options {
    /// The paper's player: UCB1 with c = 4, playouts in which each play is as likely.
    #[must_use]
    pub fn paper(playouts: u32, generator: Generator) -> Options {
        Options {
            spending: Spending { budget: Budget::Playouts(playouts), bandit: Bandit::Ucb1, c: 4.0, lead: 0.0 },
            exchange_playouts: playouts,
            joint: false,
            policy: Policy::Uniform,
            prior: 0.0,
            worth: [5.0, 4.0, 3.0, 2.0, 1.0],
            generator,
            pool: 0,
            sure: false,
            sure_playouts: false,
            endgame_positions: 0,
        }
    }
}

pub struct Mc {
    pub(super) options: Options,
    families: Families,
    arms: Vec<Arm>,
    sure: Sure,
    endgame: Endgame,
    pub playouts_count: u64,
}

impl Mc {
    #[must_use]
    pub fn new(options: Options) -> Mc {
        let endgame = Endgame::new(options.endgame_positions);
        Mc {
            options,
            families: Families::default(),
            arms: Vec::new(),
            sure: Sure::default(),
            endgame,
            playouts_count: 0,
        }
    }

    /// The play with the best mean; without a look at others if it is the only one, or wins at once.
    ///
    /// # Errors
    /// Interrupts.
    pub fn choose(&mut self, knowledge: &Knowledge<'_>, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<Play, Stop> {
        self.list(knowledge);
        if let [arm] = self.arms[..] {
            return Ok(arm.play);
        }
        if let Some(arm) = self.arms.iter().find(|arm| arm.play.cards == knowledge.hand) {
            return Ok(arm.play);
        }
        if self.options.sure
            && let Some(play) = self.sure.play(knowledge)
        {
            return Ok(play);
        }
        if self.options.endgame_positions > 0 && knowledge.others().count() == 1 {
            let hands = Worlds::new(&Generator::Rand, knowledge).deal(dice);
            match self.endgame.winning(&knowledge.position(hands), clock)? {
                Some(Some(play)) => return Ok(play),
                // All is lost: the first play is as good as any.
                Some(None) => return Ok(self.arms[0].play),
                None => {}
            }
        }
        self.look(knowledge, dice, clock)?;
        Ok(self.arms[best(&self.arms)].play)
    }

    /// All legal plays with what playouts for this budget came to.
    ///
    /// # Errors
    /// Interrupts.
    pub fn evaluate(
        &mut self,
        knowledge: &Knowledge<'_>,
        dice: &mut Dice,
        clock: &mut Clock<'_>,
    ) -> Result<&[Arm], Stop> {
        self.list(knowledge);
        self.look(knowledge, dice, clock)?;
        Ok(&self.arms)
    }

    /// Legal plays; a pass among them unless the field is empty.
    fn list(&mut self, knowledge: &Knowledge<'_>) {
        let (arms, field) = (&mut self.arms, &knowledge.table.field);
        arms.clear();
        self.families.list(knowledge.hand, field);
        self.families.each(|play| arms.push(Arm::new(play)));
        if !field.is_empty() {
            arms.push(Arm::new(PASS));
        }
    }

    fn look(&mut self, knowledge: &Knowledge<'_>, dice: &mut Dice, clock: &mut Clock<'_>) -> Result<(), Stop> {
        if self.options.prior > 0.0
            && let Policy::Learnt(learnt) = &self.options.policy
        {
            favour(&mut self.arms, knowledge, learnt, &self.families, self.options.prior);
        }
        let mut worlds = Pool::new(&self.options.generator, knowledge, self.options.pool);
        let mut arms = std::mem::take(&mut self.arms);
        let plays: Vec<Play> = arms.iter().map(|arm| arm.play).collect();
        let spending = self.options.spending;
        let looked = spending.look(&mut arms, dice, clock, |at, number, dice| {
            let mut position = knowledge.position(worlds.deal(number, dice));
            position.play(&plays[at]);
            self.play_out(&mut position, knowledge.seat, dice)
        });
        self.arms = arms;
        self.playouts_count += u64::from(looked?);
        Ok(())
    }

    /// What a playout is worth to a seat.
    pub(super) fn play_out(&mut self, position: &mut Position, seat: u8, dice: &mut Dice) -> f64 {
        let families = &mut self.families;
        let points = match &self.options.policy {
            Policy::Learnt(learnt) if self.options.sure_playouts => {
                certain::play_out(position, seat, learnt, families, dice)
            }
            policy => play_out(position, seat, policy, families, dice),
        };
        self.options.worth[PLAYERS - points as usize]
    }
}

/// Gives plays their bonus; `families` has them listed.
fn favour(arms: &mut [Arm], knowledge: &Knowledge<'_>, learnt: &Learnt, families: &Families, weight: f64) {
    let view = view(knowledge);
    let company = Company::of(&knowledge.table, |seat| knowledge.counts[seat]);
    for arm in arms {
        let chance = learnt.chance(&view, &company, families, &arm.play);
        arm.bonus = weight * (ln((chance * f64::from(CHANCE_STEPS)) as u32 + 1) - ln(CHANCE_STEPS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error() {
        let mut arm = Arm::new(PASS);
        assert!(arm.mean().is_nan() && arm.error().is_nan());
        for points in [1, 2, 3, 4, 5] {
            arm.add(f64::from(points));
        }
        assert_eq!(arm.mean(), 3.0);
        assert!((arm.error() - (2.5f64 / 5.0).sqrt()).abs() < 1e-12);
    }
}
