//! The player: whole games, and what to do in one position.
use super::assignment::{Assignment, Targets};
use super::estimate::{Asked, LAST_HOPE, PARTS};
use super::nodes::Nodes;
use super::options::Options;
use super::playouts::Playouts;
use super::rules::{FOUNDATIONS, MAX_STACKS, Position, Rules};
use super::table::Table;
use super::turn::{Abort, Play, Thinker};
use crate::search::Clock;
use crate::storage::bytes::Bytes;
use cpu_time::ThreadTime;

/// At least so many assignments are kept while those of a position are made from scratch.
const ASSIGN_MOST: usize = 256;

/// To give advice four times as many are kept, again and again up to this number, while none is found that can win.
const ADVISE_MOST: usize = 4096;

/// No target is known: no assignment has a chance left.
pub const NO_TARGET: u8 = 255;

/// How a game went.
#[derive(Clone, Debug, Default)]
pub struct Game {
    pub won: bool,
    /// Cards that are not on a foundation at the end.
    pub cards_left: u8,
    /// Draws until no assignment was left; all of them if the game was won.
    pub draws_count: u8,
    pub evaluations_count: u64,
    pub lookups_count: u64,
    pub missing_count: u64,
    /// Processor time.
    pub elapsed_s: f64,
    pub moves: Vec<[u8; 2]>,
    /// For each draw, after its play: the targets of all cards on stacks in the best assignment, stack by stack.
    pub targets: Vec<u8>,
    /// For each draw what its play was worth.
    pub values: Vec<f64>,
}

/// A player with what it has looked up in the table.
pub struct Player {
    pub rules: Rules,
    pub options: Options,
    nodes: Nodes,
    playouts: Option<Playouts>,
}

impl Player {
    pub fn new(rules: Rules, options: Options) -> Player {
        let nodes = Nodes::new(rules.stacks, options.edges, options.exact_cards);
        let playouts = Playouts::new(rules.stacks, &options);
        Player { rules, options, nodes, playouts }
    }

    /// Plays a deck of ranks, the first drawn first. Nothing is remembered of other games: a game's counts are its own.
    pub fn play<B: Bytes>(&mut self, table: &Table<'_, B>, clock: &mut Clock<'_>, deck: &[u8]) -> Result<Game, Abort> {
        self.forget();
        let played = self.played(table, clock, deck);
        if played.is_err() {
            // What a stopped call began is not finished.
            self.forget();
        }
        played
    }

    fn forget(&mut self) {
        self.nodes = Nodes::new(self.rules.stacks, self.options.edges, self.options.exact_cards);
        self.playouts = Playouts::new(self.rules.stacks, &self.options);
    }

    fn played<B: Bytes>(&mut self, table: &Table<'_, B>, clock: &mut Clock<'_>, deck: &[u8]) -> Result<Game, Abort> {
        let begin = ThreadTime::now();
        let mut game = Game::default();
        let Player { rules, options, nodes, playouts } = self;
        let rules = &*rules;
        let mut thinker = Thinker { rules, options, table, nodes, clock, evaluations_count: 0 };
        let mut position = rules.start();
        let mut list = thinker.assign(&position, 1)?;
        let mut hope = true;
        for &rank in deck {
            if list.is_empty() && hope {
                list = thinker.assign(&position, thinker.options.keep.max(ASSIGN_MOST))?;
                list.truncate(thinker.options.keep);
                hope = !list.is_empty();
            }
            position.draw(rank);
            if thinker.nodes.is_full() {
                thinker.nodes.clear();
                let mut before = position.clone();
                before.left[rank as usize] += 1;
                before.pile += 1;
                list = again(&mut thinker, &before, &list)?;
            }
            let play = match playouts {
                None => thinker.choose(&position, &list, rank)?,
                Some(playouts) => playouts.choose(&mut thinker, &position, &list, rank)?,
            };
            game.moves.extend(play.moves);
            (position, list) = (play.position, play.list);
            if position.pile == 0 {
                clear_up(rules, &mut position, &mut list, &mut game.moves);
            }
            match list.first() {
                Some(best) => best.list_targets(rules, &position, &mut game.targets),
                None => game.targets.extend(vec![NO_TARGET; position.stacked()]),
            }
            game.draws_count += u8::from(list.first().is_some_and(|best| best.value > LAST_HOPE));
            game.values.push(play.value);
        }
        game.evaluations_count = thinker.evaluations_count;
        game.won = position.is_won(rules);
        game.cards_left = (position.stacked() + usize::from(position.pile)) as u8;
        let (lookups_count, missing_count) = self.playouts.as_ref().map_or((0, 0), Playouts::lookups);
        game.lookups_count = self.nodes.lookups_count + lookups_count;
        game.missing_count = self.nodes.missing_count + missing_count;
        game.elapsed_s = begin.elapsed().as_secs_f64();
        Ok(game)
    }

    #[cfg(test)]
    pub(super) fn thinker<'a, 'b, B: Bytes>(
        &'a mut self,
        table: &'a Table<'a, B>,
        clock: &'a mut Clock<'b>,
    ) -> (Thinker<'a, 'b, B>, &'a Rules) {
        let Player { rules, options, nodes, .. } = self;
        (Thinker { rules, options, table, nodes, clock, evaluations_count: 0 }, rules)
    }

    /// All plays of a drawn card, best first; without one, all that can be moved to foundations or left. The position has
    /// the drawn card in no place. With each play come its chances by playouts, none if it is not tried.
    pub fn advise<B: Bytes>(
        &mut self,
        table: &Table<'_, B>,
        clock: &mut Clock<'_>,
        position: &Position,
        drawn: Option<u8>,
    ) -> Result<Vec<(Play, Vec<f64>)>, Abort> {
        self.forget();
        let Player { rules, options, nodes, playouts } = self;
        let mut thinker = Thinker { rules, options, table, nodes, clock, evaluations_count: 0 };
        let mut before = position.clone();
        if let Some(rank) = drawn {
            before.left[rank as usize] += 1;
            before.pile += 1;
        }
        let mut most = thinker.options.keep.max(ASSIGN_MOST);
        let mut list = thinker.assign(&before, most)?;
        while list.first().is_none_or(|best| best.value <= LAST_HOPE) && most < ADVISE_MOST {
            most = (4 * most).min(ADVISE_MOST);
            list = thinker.assign(&before, most)?;
        }
        list.truncate(thinker.options.keep.max(ASSIGN_MOST));
        let plays = thinker.plays(position, &list, drawn)?;
        let (made, mut chances) = match playouts {
            Some(playouts) if !plays.is_empty() => playouts.try_out(&mut thinker, position, &plays)?,
            _ => (0, Vec::new()),
        };
        chances.resize(plays.len(), Vec::new());
        let mut tried: Vec<_> = plays.into_iter().zip(chances).collect();
        if made > 0 {
            tried[..=made].rotate_right(1);
        }
        Ok(tried)
    }

    /// The values of the boards alone, of the pairs, and of the whole under one assignment; None: it cannot be won.
    pub fn estimate<B: Bytes>(
        &mut self,
        table: &Table<'_, B>,
        position: &Position,
        targets: &Targets,
    ) -> Result<Option<([f64; PARTS], f64)>, Abort> {
        self.nodes.clear();
        let Some(mut assignment) = Assignment::new(&self.rules, position, targets, Asked::Pairs, &mut self.nodes)
        else {
            return Ok(None);
        };
        self.nodes.settle(table)?;
        assignment.rate(&self.nodes);
        Ok(Some((assignment.parts.values(&self.nodes), assignment.value)))
    }

    /// Values of an assignment that `advise` found.
    pub fn parts(&self, assignment: &Assignment) -> [f64; PARTS] {
        assignment.parts.values(&self.nodes)
    }
}

/// The same assignments of a position with new nodes.
pub(super) fn again<B: Bytes>(
    thinker: &mut Thinker<'_, '_, B>,
    position: &Position,
    list: &[Assignment],
) -> Result<Vec<Assignment>, Abort> {
    let made = list
        .iter()
        .filter_map(|each| Assignment::new(thinker.rules, position, &each.targets, Asked::Pairs, thinker.nodes));
    let mut made: Vec<Assignment> = made.collect();
    thinker.nodes.settle(thinker.table)?;
    made.iter_mut().for_each(|each| each.rate(thinker.nodes));
    Ok(made)
}

/// Moves all that can be moved, as the best assignment says as long as it can.
pub(super) fn clear_up(rules: &Rules, position: &mut Position, list: &mut Vec<Assignment>, moves: &mut Vec<[u8; 2]>) {
    loop {
        let best = list.first();
        let sent = |&(s, f): &(usize, usize)| best.is_some_and(|best| best.sends_top(position, s, f));
        let chosen = rules.movable(position).find(sent).or_else(|| rules.movable(position).next());
        let Some((s, f)) = chosen else { return };
        if best.is_some_and(|best| best.sends_top(position, s, f)) {
            list.truncate(1);
            list[0].targets[s][f] &= !(1 << (position.stacks[s].len - 1));
        } else {
            list.clear();
        }
        let made = [s as u8, f as u8];
        position.make(made, 0);
        moves.push(made);
    }
}

/// Targets by stack and card as masks of depths; says what is wrong with them.
pub fn targets_of(rules: &Rules, position: &Position, targets: &[Vec<u8>]) -> Result<Targets, String> {
    let mut masks = [[0; FOUNDATIONS]; MAX_STACKS];
    if targets.len() != rules.stacks {
        return Err(format!("targets: {} stacks, {} are needed", targets.len(), rules.stacks));
    }
    for (s, of_stack) in targets.iter().enumerate() {
        if of_stack.len() != usize::from(position.stacks[s].len) {
            return Err(format!("targets: {} for the {} cards of stack {s}", of_stack.len(), position.stacks[s].len));
        }
        for (depth, &target) in of_stack.iter().enumerate() {
            if usize::from(target) >= FOUNDATIONS {
                return Err(format!("targets: {target} is not in 0..3"));
            }
            masks[s][usize::from(target)] |= 1 << depth;
        }
    }
    Ok(masks)
}
