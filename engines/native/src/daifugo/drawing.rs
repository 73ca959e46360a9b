//! Draws one of a turn's plays, as likely as its share is large.
use super::cards::{Cards, JOKER, NATURALS, S3};
use super::dice::Dice;
use super::features::{Class, Context};
use super::folded::{Alike, Folded};
use super::legal::{Families, Form, Pattern, each_place, natural_suits, suits};
use super::play::{LONE_JOKER, PASS, Play};

/// Plays of a family at most.
const FAMILY_PLAYS_MAX: usize = 64;

/// Room for what is known of a turn's plays; made once and used again.
#[derive(Default)]
pub struct Room {
    shares: Vec<f32>,
    /// Of the shares up to each play, and that of a pass.
    sums: Vec<f32>,
    /// Family and place of each.
    plays: Vec<(u8, u8)>,
}

impl Room {
    /// Room for a family after `count` plays.
    #[inline(always)]
    fn reserve(&mut self, count: usize) {
        if self.sums.len() < count + FAMILY_PLAYS_MAX {
            let size = 2 * (count + FAMILY_PLAYS_MAX);
            self.shares.resize(size, 0.0);
            self.sums.resize(size, 0.0);
            self.plays.resize(size, (0, 0));
        }
    }

    /// One of the cards that answer a single, or a pass, whose share is told too.
    #[inline(always)]
    pub fn draw_single(
        &mut self,
        places: Cards,
        folded: &Folded,
        context: &Context<'_>,
        pass: f32,
        dice: &mut Dice,
    ) -> Play {
        self.reserve(0);
        let alike = Alike::new(folded, context, Class::Single, 1, false);
        let (mut sum, mut count) = (pass, 0);
        let mut push = |share: f32| {
            sum += share;
            self.sums[count] = sum;
            count += 1;
        };
        each_place(places & NATURALS, |place| push(share_of_single(place, &alike, folded, context)));
        if places & JOKER != 0 {
            push(folded.share(&context.traits(&LONE_JOKER)));
        }
        let drawn = dice.small_unit() * sum;
        if drawn < pass {
            return PASS;
        }
        let mut left = places;
        for &sum in &self.sums[..count - 1] {
            if drawn < sum {
                break;
            }
            left &= left - 1;
        }
        let place = left.trailing_zeros();
        if 1 << place == JOKER { LONE_JOKER } else { Play::single(place) }
    }

    /// One of the plays that are listed, or a pass, whose share is told too.
    #[inline(always)]
    pub fn draw(
        &mut self,
        families: &Families,
        folded: &Folded,
        context: &Context<'_>,
        pass: f32,
        dice: &mut Dice,
    ) -> Play {
        let (mut sum, mut count) = (pass, 0);
        let leads = context.pass.bond == 0;
        // What groups of this size, with the joker or without, have in common; the last family with the joker.
        let mut groups: Option<(usize, bool, Alike<'_>)> = None;
        let mut before: Option<(Pattern, usize)> = None;
        for (family, (places, form)) in families.families().enumerate() {
            self.reserve(count);
            let begin = count;
            let mut push = |place: u32, share: f32| {
                sum += share;
                self.shares[count] = share;
                self.sums[count] = sum;
                self.plays[count] = (family as u8, place as u8);
                count += 1;
            };
            let share = |place| folded.share(&context.traits(&families.play_at(family, place)));
            match form {
                Form::Single => {
                    let alike = Alike::new(folded, context, Class::Single, 1, false);
                    each_place(places & NATURALS, |place| {
                        push(place, share_of_single(place, &alike, folded, context));
                    });
                    if places & JOKER != 0 {
                        push(JOKER.trailing_zeros(), folded.share(&context.traits(&LONE_JOKER)));
                    }
                }
                Form::Group(pattern, Some(_)) if leads && before.is_some_and(|(of, _)| of == pattern) => {
                    // Only the joker's suit is another one, which does not matter here.
                    let mut number = before.map_or(0, |(_, begin)| begin);
                    each_place(places, |place| {
                        let share = self.shares[number];
                        sum += share;
                        self.shares[count] = share;
                        self.sums[count] = sum;
                        self.plays[count] = (family as u8, place as u8);
                        count += 1;
                        number += 1;
                    });
                }
                Form::Group(pattern, joker) => {
                    let size = pattern.size() + usize::from(joker.is_some());
                    if size > 3 {
                        each_place(places, |place| push(place, share(place)));
                    } else {
                        let with = joker.is_some();
                        if groups.as_ref().is_none_or(|&(of, joker, _)| (of, joker) != (size, with)) {
                            let class = if size == 2 { Class::Pair } else { Class::LargerGroup };
                            groups = Some((size, with, Alike::new(folded, context, class, size, with)));
                        }
                        let Some((_, _, alike)) = &groups else { unreachable!() };
                        each_place(places, |place| {
                            let (column, start) = (place / 4, (place % 4) as u8);
                            let natural = natural_suits(pattern, start);
                            push(place, alike.share(column, natural, suits(pattern, start, joker)));
                        });
                    }
                }
                Form::Sequence(..) => each_place(places, |place| push(place, share(place))),
            }
            before = match form {
                Form::Group(pattern, Some(_)) => Some((pattern, begin)),
                _ => None,
            };
        }
        self.pick(families, count, pass, dice.small_unit() * sum)
    }

    /// One of the plays that are listed, or a pass; `share`: of a play. At a lead the joker's suit does not matter.
    #[inline(always)]
    pub fn draw_any(
        &mut self,
        families: &Families,
        pass: f32,
        leads: bool,
        share: impl Fn(&Play) -> f32,
        dice: &mut Dice,
    ) -> Play {
        let (mut sum, mut count) = (pass, 0);
        let mut before: Option<(Pattern, usize)> = None;
        for (family, (places, form)) in families.families().enumerate() {
            self.reserve(count);
            let begin = count;
            let again = match form {
                Form::Group(pattern, Some(_)) if leads => {
                    before.filter(|&(of, _)| of == pattern).map(|(_, begin)| begin)
                }
                _ => None,
            };
            each_place(places, |place| {
                let share = match again {
                    Some(first) => self.shares[first + count - begin],
                    None => share(&families.play_at(family, place)),
                };
                sum += share;
                self.shares[count] = share;
                self.sums[count] = sum;
                self.plays[count] = (family as u8, place as u8);
                count += 1;
            });
            before = match form {
                Form::Group(pattern, Some(_)) => Some((pattern, begin)),
                _ => None,
            };
        }
        self.pick(families, count, pass, dice.small_unit() * sum)
    }

    /// The play, one of `count`, in whose share `drawn` falls; the pass has the first.
    #[inline(always)]
    fn pick(&self, families: &Families, count: usize, pass: f32, drawn: f32) -> Play {
        if drawn < pass {
            return PASS;
        }
        let number = self.sums[..count - 1].iter().take_while(|&&sum| sum <= drawn).count();
        let (family, place) = self.plays[number];
        families.play_at(usize::from(family), u32::from(place))
    }
}

#[inline(always)]
fn share_of_single(place: u32, alike: &Alike<'_>, folded: &Folded, context: &Context<'_>) -> f32 {
    if 1 << place == S3 {
        return folded.share(&context.traits(&Play::single(place)));
    }
    let suit = 1 << (place % 4);
    alike.share(place / 4, suit, suit)
}
