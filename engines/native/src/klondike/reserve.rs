//! A relaxed game: each card of stock and waste can be played at any time; one that was founded may go back.
use super::bits;
use super::relaxed::Relaxed;
use super::state::{Game, State};
use std::collections::HashMap;

pub struct Reserve<'g> {
    game: &'g Game,
    reserve: u64,
    /// Whether a win can be reached, by counts, founded and placed cards.
    known: HashMap<(u32, u64, u64), bool>,
    pub relaxed: Relaxed<'g>,
    pub classes_count: u64,
    pub members_count: u64,
    pub limit: u64,
}

impl<'g> Reserve<'g> {
    pub fn new(game: &'g Game) -> Reserve<'g> {
        let reserve = game.circle.iter().fold(0, |set, &bit| set | 1u64 << bit);
        Reserve {
            game,
            reserve,
            known: HashMap::new(),
            relaxed: Relaxed::new(game),
            classes_count: 0,
            members_count: 0,
            limit: u64::MAX,
        }
    }

    /// States in which a card has a place to go, with the fewest cards placed below it.
    fn with_host(&self, state: &State, card: u64, found: &mut Vec<State>) {
        if self.game.choices(state).accepted & card != 0 {
            found.push(*state);
            return;
        }
        if card & self.game.kings != 0 {
            return;
        }
        let pair = card.trailing_zeros() & !1;
        let mut hosts = (3u64 << (pair + 4)) & self.reserve & !state.visible & !state.founded;
        while hosts != 0 {
            let host = hosts & hosts.wrapping_neg();
            hosts ^= host;
            let from = found.len();
            self.with_host(state, host, found);
            for at in from..found.len() {
                found[at].visible |= host;
            }
        }
    }

    /// Cards that can be founded.
    #[inline(always)]
    fn reach(&self, state: &State) -> u64 {
        self.game.choices(state).up | state.next & self.reserve & !state.visible
    }

    fn rise(&self, state: &mut State) {
        loop {
            let reach = self.reach(state);
            let safe = reach & bits::safe(state.founded);
            let from = if safe != 0 { safe } else { reach & !state.anchors };
            if from == 0 {
                return;
            }
            let card = from & from.wrapping_neg();
            self.game.found(state, card);
            if state.anchors & card != 0 {
                self.game.release(state, card);
            }
        }
    }

    /// Whether the relaxed game can be won from a state.
    pub fn is_open(&mut self, state: &State) -> bool {
        let mut state = *state;
        state.circle = 0;
        self.solve(state)
    }

    fn solve(&mut self, mut state: State) -> bool {
        let game = self.game;
        self.rise(&mut state);
        if state.face_down == 0 {
            return true;
        }
        let key = |state: &State| (state.counts, state.founded, state.visible & self.reserve);
        if let Some(&known) = self.known.get(&key(&state)) {
            return known;
        }
        if !self.relaxed.is_open(&state) {
            return false;
        }
        if self.classes_count > self.limit {
            return true;
        }
        self.classes_count += 1;
        let mut members = vec![state];
        let mut children: Vec<State> = Vec::new();
        let mut at = 0;
        let mut hosted = Vec::new();
        'members: while at < members.len() {
            let member = members[at];
            at += 1;
            let safe = bits::safe(member.founded);
            let reach = self.reach(&member);
            let up = reach & safe;
            if up != 0 {
                let card = up & up.wrapping_neg();
                let mut next = member;
                game.found(&mut next, card);
                if member.anchors & card != 0 {
                    children.clear();
                    game.release(&mut next, card);
                    children.push(next);
                    break 'members;
                }
                if member.visible & self.reserve & card != 0 {
                    children.clear();
                    children.push(next);
                    break 'members;
                }
                if !members.iter().any(|seen| seen.founded == next.founded) {
                    members.push(next);
                }
                continue 'members;
            }
            let mut up = reach & !member.anchors;
            while up != 0 {
                let card = up & up.wrapping_neg();
                up ^= card;
                let mut next = member;
                game.found(&mut next, card);
                if member.visible & self.reserve & card != 0 {
                    // A card that was placed goes back: that can't be worse.
                    children.clear();
                    children.push(next);
                    break 'members;
                }
                if !members.iter().any(|seen| seen.founded == next.founded) {
                    members.push(next);
                }
            }
            let mut down = bits::one_lower(member.next) & !safe;
            while down != 0 {
                let card = down & down.wrapping_neg();
                down ^= card;
                if card & self.reserve != 0 {
                    let mut next = member;
                    game.unfound(&mut next, card);
                    next.visible &= !card;
                    if !members.iter().any(|seen| seen.founded == next.founded) {
                        members.push(next);
                    }
                    continue;
                }
                hosted.clear();
                self.with_host(&member, card, &mut hosted);
                for &host in &hosted {
                    let mut next = host;
                    game.unfound(&mut next, card);
                    if next.visible & self.reserve != member.visible & self.reserve {
                        children.push(next);
                    } else if !members.iter().any(|seen| seen.founded == next.founded) {
                        members.push(next);
                    }
                }
            }
            let mut up = reach & member.anchors;
            while up != 0 {
                let card = up & up.wrapping_neg();
                up ^= card;
                let mut next = member;
                game.found(&mut next, card);
                game.release(&mut next, card);
                children.push(next);
            }
            let mut reveal = member.anchors;
            while reveal != 0 {
                let card = reveal & reveal.wrapping_neg();
                reveal ^= card;
                hosted.clear();
                self.with_host(&member, card, &mut hosted);
                for &host in &hosted {
                    let mut next = host;
                    game.release(&mut next, card);
                    children.push(next);
                }
            }
        }
        self.members_count += members.len() as u64;
        // Moves up of placed cards lead back, so that the way there must not come here again.
        for member in &members {
            self.known.insert(key(member), false);
        }
        let open = children.into_iter().any(|child| self.solve(child));
        if open {
            let key = |state: &State| (state.counts, state.founded, state.visible & self.reserve);
            for member in &members {
                self.known.insert(key(member), true);
            }
        }
        open
    }
}
