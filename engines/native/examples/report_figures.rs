//! Why do the report's shares of won deals differ from exact ones? Searches that take different positions for the same
//! lose wins; this counts how many:
//! `cargo run --release --features pyo3/extension-module --example report_figures -- FIRST LAST STATES`, the first and the last deal
//! of seed 1 and the most states that the search of a deal may store; then `redeals=2` (unlimited if not given) and
//! `variants=0,2` (all if not given).
//!
//! The report's rules: three cards at a time, `carry`, no moves back; its figures are 822 and, with at most two
//! redeals, 425 of 1,000 deals. Its text mentions a check for duplicates by a number of the position. All searches
//! here are over classes of states (`state`: how the runs lie is left out), which by itself loses no win, and without
//! pruning; deals and redeals are moves of their own. A search that loses wins still makes legal moves only, so it
//! can win no deal that is lost: those deals are not searched.
//!
//! `0 299 2000000 redeals=2`: exact 187 won; then, in the order of `VARIANTS`, 116, 146, 185, 144, 185, 183 (1 to 4
//! open). All 1,000 deals, `0 999 4000000 redeals=2 variants=0`: exact 636, the first variant 408, 1 open: this
//! agrees with 425. `0 299 4000000 variants=0`, unlimited: exact 265, the first variant 247, 18 open: of these it
//! wins some with more states (4 with 8 million), so that 822 of 1,000 come out only where a limit of states counts
//! as lost.
use _native::klondike::bits;
use _native::klondike::decide::Schedule;
use _native::klondike::pile::{self, Place};
use _native::klondike::rules::{Position, Rules};
use _native::klondike::search::{Mode, search};
use _native::klondike::state::{Commit, Game, State};
use _native::search::{Clock, Limits, Outcome};
use _native::sets::cards_of;
use std::collections::HashSet;

/// Of an exact search.
const MEMORY_BYTES: u64 = 2 << 30;
const TIME_S: f64 = 20.0;

/// Moves that are searched first, as the order of their kinds.
#[derive(Clone, Copy)]
enum Kind {
    /// A deal or a redeal.
    Turn,
    /// The waste's top card.
    Waste,
    Up,
    Reveal,
}
use Kind::{Reveal, Turn, Up, Waste};

struct Variant {
    name: &'static str,
    order: [Kind; 4],
    /// Part of the key: where in the circle of stock and waste the pass began, and so the order of the stock.
    origin: bool,
    /// Part of the key: redeals left.
    redeals: bool,
}

const DEALS_FIRST: [Kind; 4] = [Turn, Waste, Up, Reveal];
const DEALS_LAST: [Kind; 4] = [Up, Reveal, Waste, Turn];
const WASTE_LAST: [Kind; 4] = [Up, Reveal, Turn, Waste];

const VARIANTS: [Variant; 6] = [
    Variant { name: "no redeals, no order; deals first", order: DEALS_FIRST, origin: false, redeals: false },
    Variant { name: "no redeals, no order; columns, deals, waste", order: WASTE_LAST, origin: false, redeals: false },
    Variant { name: "no redeals, no order; deals last", order: DEALS_LAST, origin: false, redeals: false },
    Variant { name: "no redeals; deals first", order: DEALS_FIRST, origin: true, redeals: false },
    Variant { name: "no redeals; deals last", order: DEALS_LAST, origin: true, redeals: false },
    Variant { name: "no order; deals first", order: DEALS_FIRST, origin: false, redeals: true },
];

impl Variant {
    /// Which cards lie in stock and waste follows from the rest; how many are dealt is always part of the key.
    fn key(&self, game: &Game, state: &State) -> u64 {
        // The origin's place in the key holds the redeals instead.
        let origin = match (self.origin, self.redeals) {
            (true, _) => state.place.origin,
            (false, true) => state.redeals as u8,
            (false, false) => 0,
        };
        game.key(&State { place: Place { origin, ..state.place }, ..*state })
    }

    /// Whether a win is found; `None`: too many states.
    fn wins(&self, game: &Game, states_limit: usize) -> Option<bool> {
        let mut seen = HashSet::from([self.key(game, &game.start())]);
        let mut stack = vec![game.start()];
        let mut children = Vec::new();
        while let Some(state) = stack.pop() {
            if seen.len() > states_limit {
                return None;
            }
            for &kind in &self.order {
                push_moves(game, &state, kind, &mut children);
            }
            for child in children.drain(..).rev() {
                if seen.insert(self.key(game, &child)) {
                    if game.is_won(&child) {
                        return Some(true);
                    }
                    stack.push(child);
                }
            }
        }
        Some(false)
    }
}

fn push_moves(game: &Game, state: &State, kind: Kind, children: &mut Vec<State>) {
    let choices = game.choices(state);
    let mut push = |state: &State, commit, card| {
        let mut next = *state;
        game.commit(&mut next, commit, card);
        children.push(next);
    };
    let count = state.circle.count_ones() as usize;
    match kind {
        Up => cards_of(choices.up).for_each(|card| push(state, Commit::Up, card)),
        Reveal => cards_of(state.anchors & choices.accepted).for_each(|card| push(state, Commit::Reveal, card)),
        Waste if state.place.dealt > 0 => {
            let (ordinal, place) = pile::play_at(count, state.place);
            let member = bits::nth(state.circle, ordinal);
            let card = 1 << game.circle[member];
            let next = State { circle: state.circle & !(1 << member), place, ..*state };
            if card & state.next != 0 {
                push(&next, Commit::PlayUp, card);
            }
            if card & choices.accepted != 0 {
                push(&next, Commit::Play, card);
            }
        }
        Turn if count > 0 => match pile::step(&game.rules, count, state.place) {
            Some((place, true)) if game.rules.redeals.is_some() => {
                children.extend(state.redeals.checked_sub(1).map(|redeals| State { place, redeals, ..*state }));
            }
            Some((place, _)) => children.push(State { place, ..*state }),
            None => {}
        },
        Turn | Waste => {}
    }
}

/// The 95% interval of a share, in per cent.
fn wilson(won_count: usize, count: usize) -> (f64, f64) {
    let (share, n, z) = (won_count as f64 / count as f64, count as f64, 1.96);
    let middle = share + z * z / (2.0 * n);
    let half = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    (100.0 * (middle - half) / (1.0 + z * z / n), 100.0 * (middle + half) / (1.0 + z * z / n))
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments[at].parse::<u64>().expect("FIRST LAST STATES");
    let option = |name| arguments.iter().filter_map(|word| word.split_once('=')).find(|&(key, _)| key == name);
    let redeals = option("redeals").map(|(_, value)| value.parse().expect("redeals"));
    let chosen: Vec<usize> = match option("variants") {
        Some((_, value)) => value.split(',').map(|at| at.parse().expect("variants")).collect(),
        None => (0..VARIANTS.len()).collect(),
    };
    let rules = Rules { draw: 3, redeals, carry: true, deal_last: true, foundation_back: false };
    let mut winnable = Vec::new();
    let mut open_count = 0;
    let deals_count = (number(0)..=number(1)).count();
    for index in number(0)..=number(1) {
        let mut never = || false;
        let limits = Limits { states: 0, memory_bytes: MEMORY_BYTES, clock: Clock::new(TIME_S, &mut never) };
        let mode = Mode::Decide(Schedule::default());
        match search(&Position::random(1, index), rules, mode, limits).expect("nobody interrupts").outcome {
            Outcome::Won => winnable.push(index),
            Outcome::Lost => {}
            Outcome::Undecided => open_count += 1,
        }
    }
    let print = |name: &str, won_count: usize, open_count: usize| {
        let (low, high) = wilson(won_count, deals_count);
        println!("{name:45} {won_count:5} won of {deals_count}, {open_count:3} open ({low:.1} to {high:.1}%)");
    };
    print("exact", winnable.len(), open_count);
    for variant in chosen.iter().map(|&at| &VARIANTS[at]) {
        let outcomes = winnable
            .iter()
            .map(|&index| variant.wins(&Game::new(&Position::random(1, index), rules), number(2) as usize));
        let outcomes: Vec<Option<bool>> = outcomes.collect();
        let count = |outcome| outcomes.iter().filter(|&&found| found == outcome).count();
        print(variant.name, count(Some(true)), open_count + count(None));
    }
}
