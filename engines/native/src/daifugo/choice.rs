//! A choice between plays, with all that a policy sees of it.
use super::cards::{ALL, Cards};
use super::features::{Context, Features};
use super::field::Field;
use super::inputs::{Changes, Company, Eye};
use super::legal::Families;
use super::play::{PASS, Play};
use super::players::rule::View;
use super::position::Position;

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    pub hand: Cards,
    pub unseen: Cards,
    pub field: Field,
    pub company: Company,
}

impl Choice {
    #[must_use]
    pub fn of(position: &Position) -> Choice {
        let unseen = position.view().unseen;
        let (field, company) = (position.table.field, Company::of_position(position));
        Choice { hand: position.hand(), unseen, field, company }
    }

    #[must_use]
    pub fn view(&self) -> View<'_> {
        let counts = self.company.counts.iter().filter(|&&count| count > 0);
        View {
            hand: self.hand,
            field: &self.field,
            unseen: self.unseen,
            least: counts.map(|&count| u32::from(count).min(4)).min().unwrap_or(4),
            rivals: self.company.active.count_ones(),
            is_own: !self.field.is_empty() && self.company.last == 0,
        }
    }

    /// The name of what cannot be, and why.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        if (self.hand | self.unseen) & !ALL != 0 || self.hand & self.unseen != 0 || self.hand == 0 {
            return Err(("hand", "not a hand beside the unseen cards".into()));
        }
        let Company { counts, active, last } = self.company;
        if counts.iter().map(|&count| u32::from(count)).sum::<u32>() != self.unseen.count_ones() {
            return Err(("counts", format!("{counts:?}, with {} unseen cards", self.unseen.count_ones())));
        }
        if active >> counts.len() != 0 || usize::from(last) > counts.len() {
            return Err(("active", "not of four others".into()));
        }
        Ok(())
    }

    /// All plays, a pass as the last one where the policy may.
    pub fn plays(&self, passes: bool, families: &mut Families, plays: &mut Vec<Play>) {
        plays.clear();
        families.list(self.hand, &self.field);
        families.each(|play| plays.push(play));
        if passes && !self.field.is_empty() {
            plays.push(PASS);
        }
    }
}

/// Inputs of the plays of a choice: those of all of them, and those of each, one after the other.
#[derive(Default)]
pub struct Sight {
    pub features: Vec<Features>,
    pub common: Vec<u16>,
    /// Taken away and added.
    pub own: Vec<(u16, bool)>,
    /// Where those of each play end.
    pub ends: Vec<usize>,
    /// Plays that turn the order share nothing with the others.
    pub alone: Vec<bool>,
}

struct List<'a>(&'a mut Vec<(u16, bool)>);

impl Changes for List<'_> {
    fn add(&mut self, input: usize) {
        self.0.push((input as u16, true));
    }

    fn take(&mut self, input: usize) {
        self.0.push((input as u16, false));
    }
}

impl Sight {
    pub fn look(&mut self, choice: &Choice, plays: &[Play]) {
        let Sight { features, common, own, ends, alone } = self;
        features.clear();
        common.clear();
        own.clear();
        ends.clear();
        alone.clear();
        let view = choice.view();
        let count = plays.iter().filter(|play| !play.is_pass()).count() as u32;
        let context = Context::new(&view, if choice.field.is_empty() { 0 } else { count });
        let eye = Eye::new(&view, &choice.company, choice.field.revolution);
        eye.each_of_turn(|input| common.push(input as u16));
        for play in plays {
            features.push(context.traits(play).features());
            let (locks, kept) = (context.locks(play.suits), eye.is_for(play));
            alone.push(!kept);
            if kept {
                eye.each_of_play(play, locks, &mut List(own));
            } else {
                let eye = Eye::new(&view, &choice.company, !choice.field.revolution);
                eye.each_of_turn(|input| own.push((input as u16, true)));
                eye.each_of_play(play, locks, &mut List(own));
            }
            ends.push(own.len());
        }
    }
}
