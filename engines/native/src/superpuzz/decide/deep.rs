//! Depth first, all positions: the search that ends with a proof.
use super::expand::{expand, is_alive, score};
use super::plan::{Found, Task};
use super::position::Position;
use super::store::{Numbered, Store};
use crate::search::{Context, Stop};

/// A position that waits, and how many moves of classes lead to it.
#[derive(Clone, Copy)]
struct Waiting {
    at: Numbered,
    depth: u32,
}

pub struct Deep {
    store: Store,
    waiting: Vec<Waiting>,
    /// The positions from the start to the one that was taken last.
    path: Vec<Position>,
    taken_count: u64,
}

impl Deep {
    pub fn new(start: &Position, task: &Task, context: &mut Context<'_>) -> Result<Deep, Stop> {
        let mut store = Store::new(&mut context.budget)?;
        let mut waiting = Vec::new();
        if is_alive(start, task) {
            let (at, _) = store.begin(start, &mut context.budget, &mut context.clock)?;
            context.count_state()?;
            context.budget.push(&mut waiting, Waiting { at, depth: 0 })?;
        }
        Ok(Deep { store, waiting, path: Vec::new(), taken_count: 0 })
    }

    /// Goes on until `taken_count` positions were taken in all; `None` when more are left.
    pub fn go_on(&mut self, taken_count: u64, task: &Task, context: &mut Context<'_>) -> Result<Option<Found>, Stop> {
        let mut children: Vec<(i32, Numbered)> = Vec::new();
        while let Some(Waiting { at, depth }) = self.waiting.pop() {
            self.path.truncate(depth as usize);
            context.budget.push(&mut self.path, at.position)?;
            self.taken_count += 1;
            if self.taken_count.is_multiple_of(256) {
                context.clock.check()?;
            }
            if at.position.is_won(task.columns) {
                return Ok(Some(Found::Win(self.path.clone())));
            }
            expand(&at.position, task, &mut |next| children.push((0, self.store.numbered(next, &at))));
            children.retain_mut(|(rank, next)| {
                *rank = score(&next.position, task.columns);
                !self.store.holds(next) && is_alive(&next.position, task)
            });
            children.sort_by_key(|&(score, _)| score);
            for (_, mut child) in children.drain(..) {
                if self.store.insert(&mut child, &mut context.budget, &mut context.clock)?.is_some() {
                    context.count_state()?;
                    context.budget.push(&mut self.waiting, Waiting { at: child, depth: depth + 1 })?;
                }
            }
            if self.taken_count >= taken_count && !self.waiting.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(Found::NoWin))
    }
}
