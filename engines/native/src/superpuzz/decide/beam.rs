//! Breadth first, keeping only the best positions of each layer: the search that finds most wins.
//!
//! The best positions are mostly close relatives, and are lost together. So only a few of them may come from the same
//! position a few layers up, as long as there are others. `examples/reductions.rs` measures what that is worth.
use super::expand::{expand, is_alive, score};
use super::plan::{Found, Task};
use super::position::Position;
use super::store::{Numbered, Store};
use crate::search::{Context, Stop};
use crate::superpuzz::key::Key;
use std::cmp::Reverse;
use std::collections::HashMap;

/// At most so many positions of a layer come from one position so many layers up, while there are others.
const RELATIVES: u8 = 2;
const GENERATIONS: usize = 3;

#[derive(Clone, Copy)]
struct Node {
    key: Key,
    parent: u32,
}

/// One pass, at most `width` positions a layer. `None` when it ended without a win but had left some out.
pub fn beam(
    start: &Position,
    width: usize,
    task: &Task,
    context: &mut Context<'_>,
    taken_count: &mut u64,
) -> Result<Option<Found>, Stop> {
    if start.is_won(task.columns) {
        return Ok(Some(Found::Win(vec![*start])));
    }
    let mut store = Store::new(&mut context.budget)?;
    let mut nodes: Vec<Node> = Vec::new();
    let (_, key) = store.begin(start, &mut context.budget, &mut context.clock)?;
    context.budget.push(&mut nodes, Node { key, parent: 0 })?;
    let mut left_out = false;
    let mut layer = 0..nodes.len();
    let mut next: Vec<(i32, Node)> = Vec::new();
    let mut children: Vec<Numbered> = Vec::new();
    while !layer.is_empty() {
        next.clear();
        for index in layer.clone() {
            let at = store.position(nodes[index].key);
            *taken_count += 1;
            if taken_count.is_multiple_of(256) {
                context.clock.check()?;
            }
            expand(&at.position, task, &mut |next| children.push(store.numbered(next, &at)));
            for mut child in children.drain(..) {
                if store.holds(&child) || !is_alive(&child.position, task) {
                    continue;
                }
                let Some(key) = store.insert(&mut child, &mut context.budget, &mut context.clock)? else { continue };
                context.count_state()?;
                let node = Node { key, parent: index as u32 };
                if child.position.is_won(task.columns) {
                    return Ok(Some(Found::Win(path(&store, &nodes, node))));
                }
                context.budget.push(&mut next, (score(&child.position, task.columns), node))?;
            }
        }
        if next.len() > width {
            left_out = true;
            next.sort_unstable_by_key(|&(score, node)| (Reverse(score), node.parent));
            if task.plan.relatives {
                choose(&mut next, width, &nodes);
            }
            next.truncate(width);
        }
        layer = nodes.len()..nodes.len() + next.len();
        for &(_, node) in &next {
            context.budget.push(&mut nodes, node)?;
        }
    }
    Ok((!left_out).then_some(Found::NoWin))
}

/// Keeps `width` of the children of a layer, which come best first: those with fewer than `RELATIVES` better relatives,
/// then others.
fn choose(children: &mut Vec<(i32, Node)>, width: usize, nodes: &[Node]) {
    let ancestor = |node: Node| (1..GENERATIONS).fold(node.parent, |at, _| nodes[at as usize].parent);
    let mut relatives: HashMap<u32, u8> = HashMap::new();
    let mut chosen = Vec::with_capacity(width);
    let mut others = Vec::new();
    for &child in children.iter() {
        if chosen.len() == width {
            break;
        }
        let count = relatives.entry(ancestor(child.1)).or_default();
        if *count < RELATIVES {
            *count += 1;
            chosen.push(child);
        } else {
            others.push(child);
        }
    }
    let room = width - chosen.len();
    chosen.extend(others.into_iter().take(room));
    *children = chosen;
}

fn path(store: &Store, nodes: &[Node], last: Node) -> Vec<Position> {
    let mut path = vec![store.position(last.key).position];
    let mut at = last.parent as usize;
    loop {
        path.push(store.position(nodes[at].key).position);
        if at == 0 {
            break;
        }
        at = nodes[at].parent as usize;
    }
    path.reverse();
    path
}
