//! A way over classes of positions as moves of the game.
use super::bits;
use super::board::{Board, Kind, Move};
use super::expand::{Step, rise};
use super::pile::{self, Place};
use super::rules::{Position, lies_on, rank, suit};
use super::state::{Commit, Game, State};

pub struct Player<'g> {
    game: &'g Game,
    ranks: u8,
    board: Board,
    place: Place,
    /// Whether the places of a way are those of the game, not the ones that stand for them.
    is_exact: bool,
    /// Cards of the circle that are left.
    circle: u32,
    pub moves: Vec<Move>,
}

impl<'g> Player<'g> {
    #[must_use]
    pub fn new(game: &'g Game, position: &Position, is_exact: bool) -> Player<'g> {
        Player {
            game,
            ranks: position.ranks,
            board: Board::new(position, game.rules),
            place: Place { origin: 0, dealt: position.waste.len() as u8 },
            is_exact,
            circle: game.start().circle,
            moves: Vec::new(),
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
            None => self.board.columns.iter().position(|held| held.cards.is_empty()).expect("an empty column"),
        });
        match (wanted.is_some(), self.find(card), column) {
            (true, _, None) => self.make(Kind::WasteToFoundation, 0, suit(card), 1),
            (true, _, Some(to)) => self.make(Kind::WasteToColumn, 0, to, 1),
            (false, Some((from, _)), None) => self.make(Kind::ColumnToFoundation, from, suit(card), 1),
            (false, Some((from, at)), Some(to)) => {
                self.make(Kind::ColumnToColumn, from, to, self.board.columns[from].cards.len() - at);
            }
            (false, None, Some(to)) => self.make(Kind::FoundationToColumn, suit(card), to, 1),
            (false, None, None) => unreachable!("a card is somewhere"),
        }
    }

    fn make(&mut self, kind: Kind, from: usize, to: usize, count: usize) {
        let made = Move { kind, from: from as u8, to: to as u8, count: count as u8 };
        self.board.play(made);
        self.moves.push(made);
    }

    /// Column of a face-up card and its place there.
    fn find(&self, card: u8) -> Option<(usize, usize)> {
        let mut columns = self.board.columns.iter().enumerate();
        columns.find_map(|(column, held)| held.cards.iter().position(|&at| at == card).map(|at| (column, at)))
    }

    /// A column that takes a card, other than one.
    fn host(&self, card: u8, but: Option<usize>) -> usize {
        let mut columns = self.board.columns.iter().enumerate();
        columns
            .find(|&(column, held)| {
                Some(column) != but && held.cards.last().map_or(rank(card) == self.ranks, |&top| lies_on(card, top))
            })
            .expect("a place for the card")
            .0
    }

    fn up(&mut self, card: u8) {
        let (column, at) = self.find(card).expect("a card of the columns");
        let length = self.board.columns[column].cards.len();
        if at + 1 < length {
            let to = self.host(self.board.columns[column].cards[at + 1], Some(column));
            self.make(Kind::ColumnToColumn, column, to, length - at - 1);
        }
        self.make(Kind::ColumnToFoundation, column, suit(card), 1);
    }

    fn down(&mut self, card: u8) {
        self.make(Kind::FoundationToColumn, suit(card), self.host(card, None), 1);
    }

    fn reveal(&mut self, card: u8) {
        let (column, at) = self.find(card).expect("a card of the columns");
        let to = self.host(card, Some(column));
        self.make(Kind::ColumnToColumn, column, to, self.board.columns[column].cards.len() - at);
    }

    /// Deals until a card is on top of the waste and its play leads to the circle and place of a state.
    fn deal_to(&mut self, card: u8, wanted: &State) {
        let count = self.circle.count_ones() as usize;
        loop {
            if self.board.waste.last() == Some(&card) {
                let (_, after) = pile::play_at(count, self.place);
                let place =
                    if self.is_exact { after } else { pile::representative(&self.game.rules, count - 1, after) };
                if place == wanted.place {
                    self.place = after;
                    self.circle = wanted.circle;
                    return;
                }
            }
            let (next, is_redeal) = pile::step(&self.game.rules, count, self.place).expect("the card comes up");
            self.place = next;
            if is_redeal {
                self.make(Kind::Redeal, 0, 0, self.board.waste.len());
            } else {
                self.make(Kind::Deal, 0, 0, self.board.deal_count(self.game.rules));
            }
        }
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
            Commit::Play => player.make(Kind::WasteToColumn, 0, player.host(card, None), 1),
            Commit::PlayUp => player.make(Kind::WasteToFoundation, 0, suit(card), 1),
        }
        game.commit(&mut state, exit.commit, exit.card);
        rise(game, &mut state, |card| player.up(bits::card(card.trailing_zeros() as u8)));
        debug_assert_eq!(state, to.state);
    }
    (player, state)
}
