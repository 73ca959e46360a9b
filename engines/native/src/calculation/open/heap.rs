//! The variables that are open, the one with most conflicts of late first.
const NOWHERE: u32 = u32::MAX;
/// Activities are scaled down from here on.
const LARGE: f64 = 1e100;
/// Older conflicts count less by this factor each.
const DECAY: f64 = 0.95;

/// A binary heap of variables by activity.
pub struct Heap {
    activities: Vec<f64>,
    heap: Vec<u32>,
    /// Of each variable, its place in the heap.
    places: Vec<u32>,
    increment: f64,
}

impl Heap {
    /// All variables, none more active than another.
    #[must_use]
    pub fn new(variables_count: usize) -> Heap {
        let all: Vec<u32> = (0..variables_count as u32).collect();
        Heap { activities: vec![0.0; variables_count], heap: all.clone(), places: all, increment: 1.0 }
    }

    /// Bytes for so many variables.
    #[must_use]
    pub fn bytes(variables_count: usize) -> u64 {
        (variables_count * (size_of::<f64>() + 2 * size_of::<u32>())) as u64
    }

    /// Takes out the most active variable.
    pub fn pop(&mut self) -> Option<usize> {
        let &top = self.heap.first()?;
        let last = self.heap.pop()?;
        self.places[top as usize] = NOWHERE;
        if last != top {
            self.heap[0] = last;
            self.places[last as usize] = 0;
            self.sink(0);
        }
        Some(top as usize)
    }

    /// Puts a variable back in if it is not there.
    pub fn insert(&mut self, variable: usize) {
        if self.places[variable] == NOWHERE {
            self.places[variable] = self.heap.len() as u32;
            self.heap.push(variable as u32);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Counts a conflict of a variable.
    pub fn bump(&mut self, variable: usize) {
        self.activities[variable] += self.increment;
        if self.activities[variable] > LARGE {
            for activity in &mut self.activities {
                *activity /= LARGE;
            }
            self.increment /= LARGE;
        }
        if self.places[variable] != NOWHERE {
            self.rise(self.places[variable] as usize);
        }
    }

    /// Lets the conflicts so far count less.
    pub fn decay(&mut self) {
        self.increment /= DECAY;
    }

    fn activity(&self, variable: u32) -> f64 {
        self.activities[variable as usize]
    }

    fn put(&mut self, place: usize, variable: u32) {
        self.heap[place] = variable;
        self.places[variable as usize] = place as u32;
    }

    fn rise(&mut self, mut place: usize) {
        let variable = self.heap[place];
        while place > 0 {
            let parent = (place - 1) / 2;
            let above = self.heap[parent];
            if self.activity(above) >= self.activity(variable) {
                break;
            }
            self.put(place, above);
            place = parent;
        }
        self.put(place, variable);
    }

    fn sink(&mut self, mut place: usize) {
        let variable = self.heap[place];
        loop {
            let mut child = 2 * place + 1;
            if child >= self.heap.len() {
                break;
            }
            if child + 1 < self.heap.len() && self.activity(self.heap[child + 1]) > self.activity(self.heap[child]) {
                child += 1;
            }
            let below = self.heap[child];
            if self.activity(variable) >= self.activity(below) {
                break;
            }
            self.put(place, below);
            place = child;
        }
        self.put(place, variable);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Stream;

    #[test]
    fn the_most_active_comes_first() {
        let mut heap = Heap::new(50);
        let mut stream = Stream::new(3, 0);
        for step in 0..5000 {
            heap.bump(stream.below(50) as usize);
            if step % 3 == 0 {
                heap.decay();
            }
            if step % 7 == 0 {
                let top = heap.pop().expect("not empty");
                assert!(heap.heap.iter().all(|&other| heap.activity(other) <= heap.activities[top]));
                heap.insert(top);
                heap.insert(top);
            }
            assert_eq!(heap.heap.len(), 50);
        }
        let order: Vec<f64> = std::iter::from_fn(|| heap.pop().map(|variable| heap.activities[variable])).collect();
        assert!(order.len() == 50 && order.is_sorted_by(|a, b| a >= b));
    }
    #[test]
    fn scaling_down_changes_no_order() {
        let mut heap = Heap::new(2);
        for _ in 0..5000 {
            heap.bump(0);
            heap.decay();
        }
        // Conflicts of twenty steps count more than one.
        heap.bump(1);
        assert!(heap.activities[0] < LARGE && heap.increment < LARGE);
        assert_eq!(heap.pop(), Some(0));
    }
}
