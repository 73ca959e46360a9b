//! A relaxed game, in which stock and waste are open: each of their cards can be played at any time, and goes back there from
//! its foundation or from a column as it likes.
use super::bits;
use super::state::{Game, State};
use std::collections::HashMap;

pub struct Relaxed<'g> {
    game: &'g Game,
    /// Cards of the circle.
    reserve: u64,
    /// Whether a win can be reached, by counts and founded cards.
    known: HashMap<(u32, u64), bool>,
    pub classes_count: u64,
    pub members_count: u64,
}

const LOWER: u64 = 0x5555_5555_5555_5555;

#[inline(always)]
fn unary(set: u64) -> (u64, u64) {
    ((set | set >> 1) & LOWER, set & set >> 1 & LOWER)
}

impl<'g> Relaxed<'g> {
    pub fn new(game: &'g Game) -> Relaxed<'g> {
        let reserve = game.circle.iter().fold(0, |set, &bit| set | 1u64 << bit);
        Relaxed { game, reserve, known: HashMap::new(), classes_count: 0, members_count: 0 }
    }

    #[inline(always)]
    fn is_feasible(&self, state: &State) -> bool {
        let (hosts1, hosts2) = unary(state.visible);
        let loose = state.visible & !state.anchors;
        let (loose1, loose2) = unary(loose);
        let (left1, left2) = unary(self.reserve & !state.founded);
        let (mut load1, mut load2) = (loose1 << 4, loose2 << 4);
        // Kings need no card below them.
        let rows = self.game.kings | (self.game.kings - 1);
        loop {
            let need1 = (load1 & !hosts1 | load2 & !hosts2) & rows;
            let need2 = load2 & !hosts1 & rows;
            if need1 & !left1 | need2 & !left2 != 0 {
                return false;
            }
            let now1 = (loose1 | need1) << 4;
            let now2 = (loose2 | need2 | loose1 & need1) << 4;
            if (now1, now2) == (load1, load2) {
                let kings = (loose & self.game.kings).count_ones()
                    + (need1 & self.game.kings).count_ones()
                    + (need2 & self.game.kings).count_ones();
                return kings <= u32::from(state.empty);
            }
            (load1, load2) = (now1, now2);
        }
    }

    fn unfound(&self, state: &mut State, card: u64) {
        self.game.unfound(state, card);
        state.visible &= !self.reserve;
    }

    fn rise(&self, state: &mut State) {
        'again: loop {
            let safe = bits::safe(state.founded);
            let reach = state.next & (state.visible | self.reserve);
            for set in [reach & safe, reach & !safe & !state.anchors] {
                let mut up = set;
                while up != 0 {
                    let card = up & up.wrapping_neg();
                    up ^= card;
                    let mut next = *state;
                    self.game.found(&mut next, card);
                    if state.anchors & card != 0 {
                        self.game.release(&mut next, card);
                    }
                    if self.is_feasible(&next) {
                        *state = next;
                        continue 'again;
                    }
                }
            }
            return;
        }
    }

    /// Whether the relaxed game can be won from a state.
    pub fn is_open(&mut self, state: &State) -> bool {
        let mut state = *state;
        state.visible &= !self.reserve;
        state.circle = 0;
        self.solve(state)
    }

    fn solve(&mut self, mut state: State) -> bool {
        let game = self.game;
        self.rise(&mut state);
        if state.face_down == 0 {
            return true;
        }
        if let Some(&known) = self.known.get(&(state.counts, state.founded)) {
            return known;
        }
        self.classes_count += 1;
        let mut members = vec![state];
        let mut children = Vec::new();
        let mut at = 0;
        let mut forced = None;
        'members: while at < members.len() {
            let member = members[at];
            at += 1;
            let safe = bits::safe(member.founded);
            let reach = member.next & (member.visible | self.reserve);
            let mut up = reach & safe;
            while up != 0 {
                let card = up & up.wrapping_neg();
                up ^= card;
                let mut next = member;
                game.found(&mut next, card);
                if member.anchors & card != 0 {
                    game.release(&mut next, card);
                }
                if self.is_feasible(&next) {
                    if member.anchors & card != 0 {
                        forced = Some(next);
                        break 'members;
                    }
                    if !members.iter().any(|seen| seen.founded == next.founded) {
                        members.push(next);
                    }
                    continue 'members;
                }
            }
            let mut up = reach & !member.anchors & !safe;
            while up != 0 {
                let card = up & up.wrapping_neg();
                up ^= card;
                let mut next = member;
                game.found(&mut next, card);
                if !members.iter().any(|seen| seen.founded == next.founded) && self.is_feasible(&next) {
                    members.push(next);
                }
            }
            let mut down = bits::one_lower(member.next) & !safe;
            while down != 0 {
                let card = down & down.wrapping_neg();
                down ^= card;
                let mut next = member;
                self.unfound(&mut next, card);
                if !members.iter().any(|seen| seen.founded == next.founded) && self.is_feasible(&next) {
                    members.push(next);
                }
            }
            let mut up = reach & member.anchors;
            while up != 0 {
                let card = up & up.wrapping_neg();
                up ^= card;
                let mut next = member;
                game.found(&mut next, card);
                game.release(&mut next, card);
                if self.is_feasible(&next) {
                    children.push(next);
                }
            }
            let mut reveal = member.anchors;
            while reveal != 0 {
                let card = reveal & reveal.wrapping_neg();
                reveal ^= card;
                let mut next = member;
                game.release(&mut next, card);
                if self.is_feasible(&next) {
                    children.push(next);
                }
            }
        }
        self.members_count += members.len() as u64;
        let open = match forced {
            Some(next) => self.solve(next),
            None => children.into_iter().any(|child| self.solve(child)),
        };
        for member in members {
            self.known.insert((member.counts, member.founded), open);
        }
        open
    }
}
