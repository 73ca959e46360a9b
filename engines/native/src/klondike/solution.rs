//! A way over classes of positions as moves of the game.
use super::bits;
use super::board::{Kind, Move};
use super::expand::{Step, rise};
use super::pile::{self, Place};
use super::rules::{Position, lies_on, rank, suit};
use super::state::{Commit, Game, State};

/// Plays moves on columns alone: stock and waste follow from the place in the circle.
pub struct Player<'g> {
    game: &'g Game,
    ranks: u8,
    columns: Vec<Vec<u8>>,
    /// Column of each card of the columns.
    column_of: [Option<u8>; 64],
    place: Place,
    /// Whether the places of a way are those of the game, and not their representatives.
    is_exact: bool,
    /// Cards of the circle that are left.
    circle: u32,
    pub moves: Vec<Move>,
}

impl<'g> Player<'g> {
    #[must_use]
    pub fn new(game: &'g Game, position: &Position, is_exact: bool) -> Player<'g> {
        let mut column_of = [None; 64];
        for (index, column) in position.columns.iter().enumerate() {
            column.cards.iter().for_each(|&card| column_of[usize::from(card)] = Some(index as u8));
        }
        Player {
            game,
            ranks: position.ranks,
            columns: position.columns.iter().map(|column| column.cards.clone()).collect(),
            column_of,
            place: Place { origin: 0, dealt: position.waste.len() as u8 },
            is_exact,
            circle: game.start().circle,
            // With draws and redeals most solutions have fewer.
            moves: Vec::with_capacity(256),
        }
    }

    /// Moves a card with the run on it: to its foundation (`None`), to an empty column (`Some(None)`) or on a card;
    /// from the waste after deals that lead to the circle and place of a state, if one is given.
    pub fn play(&mut self, card: u8, to: Option<Option<u8>>, wanted: Option<&State>) {
        if let Some(wanted) = wanted {
            self.deal_to(card, wanted);
        }
        let column = to.map(|host| match host {
            Some(host) => self.find(host).expect("a card of the columns").0,
            None => self.columns.iter().position(Vec::is_empty).expect("an empty column"),
        });
        match (wanted.is_some(), self.find(card), column) {
            (true, _, None) => self.waste_up(card),
            (true, _, Some(to)) => self.waste_to(card, to),
            (false, Some((from, _)), None) => self.found(card, from),
            (false, Some((from, at)), Some(to)) => self.run_to(from, at, to),
            (false, None, Some(to)) => self.down_to(card, to),
            (false, None, None) => unreachable!("a card is somewhere"),
        }
    }

    fn push(&mut self, kind: Kind, from: usize, to: usize, count: usize) {
        self.moves.push(Move { kind, from: from as u8, to: to as u8, count: count as u8 });
    }

    /// The run from a place of a column on goes to another one.
    fn run_to(&mut self, from: usize, at: usize, to: usize) {
        let [source, target] = self.columns.get_disjoint_mut([from, to]).expect("two columns");
        let run = &source[at..];
        run.iter().for_each(|&card| self.column_of[usize::from(card)] = Some(to as u8));
        let count = run.len();
        target.extend_from_slice(run);
        source.truncate(at);
        self.push(Kind::ColumnToColumn, from, to, count);
    }

    /// The last card of a column goes to its foundation.
    fn found(&mut self, card: u8, from: usize) {
        self.columns[from].pop();
        self.column_of[usize::from(card)] = None;
        self.push(Kind::ColumnToFoundation, from, suit(card), 1);
    }

    fn down_to(&mut self, card: u8, to: usize) {
        self.lay(card, to);
        self.push(Kind::FoundationToColumn, suit(card), to, 1);
    }

    fn waste_up(&mut self, card: u8) {
        self.push(Kind::WasteToFoundation, 0, suit(card), 1);
    }

    fn waste_to(&mut self, card: u8, to: usize) {
        self.lay(card, to);
        self.push(Kind::WasteToColumn, 0, to, 1);
    }

    fn lay(&mut self, card: u8, to: usize) {
        self.columns[to].push(card);
        self.column_of[usize::from(card)] = Some(to as u8);
    }

    /// Column of a face-up card and its place there.
    fn find(&self, card: u8) -> Option<(usize, usize)> {
        let column = usize::from(self.column_of[usize::from(card)]?);
        let at = self.columns[column].iter().rposition(|&held| held == card).expect("a card of its column");
        Some((column, at))
    }

    /// A column that takes a card, other than the one given.
    fn host(&self, card: u8, but: Option<usize>) -> usize {
        let mut columns = self.columns.iter().enumerate();
        columns
            .find(|&(column, held)| {
                Some(column) != but && held.last().map_or(rank(card) == self.ranks, |&top| lies_on(card, top))
            })
            .expect("a place for the card")
            .0
    }

    fn up(&mut self, card: u8) {
        let (column, at) = self.find(card).expect("a card of the columns");
        if let Some(&on) = self.columns[column].get(at + 1) {
            self.run_to(column, at + 1, self.host(on, Some(column)));
        }
        self.found(card, column);
    }

    fn down(&mut self, card: u8) {
        self.down_to(card, self.host(card, None));
    }

    fn reveal(&mut self, card: u8) {
        let (column, at) = self.find(card).expect("a card of the columns");
        self.run_to(column, at, self.host(card, Some(column)));
    }

    /// Deals until a card is on top of the waste and its play leads to the circle and place of a state.
    fn deal_to(&mut self, card: u8, wanted: &State) {
        let count = self.circle.count_ones() as usize;
        let before = (1u32 << self.game.circle_index[usize::from(bits::bit(card))]) - 1;
        let ordinal = (self.circle & before).count_ones() as u8;
        loop {
            if self.place.dealt > 0 {
                let (top, after) = pile::play_at(count, self.place);
                if top == ordinal && self.stands_for(count - 1, after) == wanted.place {
                    self.place = after;
                    self.circle = wanted.circle;
                    return;
                }
            }
            let (next, is_redeal) = pile::step(&self.game.rules, count, self.place).expect("the card comes up");
            if is_redeal {
                self.push(Kind::Redeal, 0, 0, usize::from(self.place.dealt));
            } else {
                self.push(Kind::Deal, 0, 0, usize::from(next.dealt - self.place.dealt));
            }
            self.place = next;
        }
    }

    /// The place that stands, in the states of a way, for a place among so many cards.
    fn stands_for(&self, count: usize, at: Place) -> Place {
        if self.is_exact { at } else { pile::representative(&self.game.rules, count, at) }
    }

    /// Moves up and down that lead from a state to one with other cards founded; the same that the search makes.
    fn shuffle(&mut self, start: &State, founded: u64) -> State {
        if start.founded == founded {
            return *start;
        }
        let game = self.game;
        let mut seen = vec![(*start, 0usize, 0u64)];
        let mut at = 0;
        while seen[at].0.founded != founded {
            let member = seen[at].0;
            game.shuffles(&member, |next, card| {
                if !seen.iter().any(|(known, ..)| known.founded == next.founded) {
                    seen.push((next, at, card));
                }
            });
            at += 1;
        }
        let end = seen[at].0;
        let mut cards = Vec::new();
        while at != 0 {
            cards.push((seen[at].2, seen[at].0.founded & seen[at].2 != 0));
            at = seen[at].1;
        }
        for &(card, is_up) in cards.iter().rev() {
            let card = bits::card(card.trailing_zeros() as u8);
            if is_up { self.up(card) } else { self.down(card) }
        }
        end
    }
}

/// The moves along a way that begins at a position, and on to that member of the last class that has such cards founded.
#[must_use]
pub fn moves_to_member(position: &Position, game: &Game, way: &[Step], founded: u64) -> Vec<Move> {
    let (mut player, state) = along(position, game, way);
    player.shuffle(&state, founded);
    player.moves
}

/// The moves along a way that begins at a position.
#[must_use]
pub fn moves(position: &Position, game: &Game, way: &[Step]) -> Vec<Move> {
    along(position, game, way).0.moves
}

fn along<'g>(position: &Position, game: &'g Game, way: &[Step]) -> (Player<'g>, State) {
    let mut player = Player::new(game, position, false);
    let mut state = game.start();
    rise(game, &mut state, |card| player.up(bits::card(card.trailing_zeros() as u8)));
    for pair in way.windows(2) {
        let [from, to] = pair else { unreachable!("windows of two") };
        let exit = to.exit;
        state = player.shuffle(&from.state, exit.founded);
        let card = bits::card(exit.card.trailing_zeros() as u8);
        if matches!(exit.commit, Commit::Play | Commit::PlayUp) {
            player.deal_to(card, &to.state);
            (state.circle, state.place, state.redeals) = (to.state.circle, to.state.place, to.state.redeals);
        }
        match exit.commit {
            Commit::Reveal => player.reveal(card),
            Commit::Up => player.up(card),
            Commit::Play => player.waste_to(card, player.host(card, None)),
            Commit::PlayUp => player.waste_up(card),
        }
        game.commit(&mut state, exit.commit, exit.card);
        rise(game, &mut state, |card| player.up(bits::card(card.trailing_zeros() as u8)));
        debug_assert_eq!(state, to.state);
    }
    (player, state)
}
