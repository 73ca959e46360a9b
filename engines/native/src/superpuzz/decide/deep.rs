//! Depth first, all positions: the search that ends with a proof.
use super::expand::{expand, is_alive, score};
use super::position::Position;
use super::store::Store;
use super::{Context, Found};
use crate::superpuzz::memory::Budget;
use crate::superpuzz::report::Stop;

/// A position that waits, and how many moves of classes lead to it.
#[derive(Clone, Copy)]
struct Waiting {
    position: Position,
    depth: u32,
}

pub struct Deep {
    store: Store,
    waiting: Vec<Waiting>,
    /// The positions from the start to the one that was taken last.
    path: Vec<Position>,
    pub taken_count: u64,
}

impl Deep {
    pub fn new(start: &Position, columns: usize, context: &mut Context<'_>) -> Result<Deep, Stop> {
        let mut store = Store::new(columns, &mut context.budget)?;
        let mut waiting = Vec::new();
        if is_alive(start, columns) {
            store.insert(start, &mut context.budget, &mut context.clock)?;
            context.count_state()?;
            push(&mut waiting, Waiting { position: *start, depth: 0 }, &mut context.budget)?;
        }
        Ok(Deep { store, waiting, path: Vec::new(), taken_count: 0 })
    }

    /// Goes on until `taken_count` positions were taken in all; `None` when there are more.
    pub fn go_on(
        &mut self,
        taken_count: u64,
        columns: usize,
        context: &mut Context<'_>,
    ) -> Result<Option<Found>, Stop> {
        let mut children: Vec<(i32, Position)> = Vec::new();
        while let Some(Waiting { position, depth }) = self.waiting.pop() {
            self.path.truncate(depth as usize);
            push(&mut self.path, position, &mut context.budget)?;
            self.taken_count += 1;
            if self.taken_count.is_multiple_of(256) {
                context.clock.check()?;
            }
            if position.is_won(columns) {
                return Ok(Some(Found::Win(self.path.clone())));
            }
            expand(&position, columns, &mut |next| {
                if !self.store.holds(next) && is_alive(next, columns) {
                    children.push((score(next, columns), *next));
                }
            });
            children.sort_by_key(|&(score, _)| score);
            for (_, child) in children.drain(..) {
                if self.store.insert(&child, &mut context.budget, &mut context.clock)?.is_some() {
                    context.count_state()?;
                    let waiting = Waiting { position: child, depth: depth + 1 };
                    push(&mut self.waiting, waiting, &mut context.budget)?;
                }
            }
            if self.taken_count >= taken_count && !self.waiting.is_empty() {
                return Ok(None);
            }
        }
        Ok(Some(Found::NoWin))
    }
}

/// Adds to a list whose memory is counted: when it grows there are the old and the new one for a moment.
pub fn push<T>(list: &mut Vec<T>, item: T, budget: &mut Budget) -> Result<(), Stop> {
    if list.len() == list.capacity() {
        let before = list.capacity();
        let after = (2 * before).max(1024);
        budget.take((after * size_of::<T>()) as u64)?;
        list.reserve_exact(after - before);
        budget.give((before * size_of::<T>()) as u64);
    }
    list.push(item);
    Ok(())
}
