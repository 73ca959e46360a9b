//! Decides random deals and prints a line each: `cargo run --release --example superpuzz -- COLUMNS DEALS SECONDS BYTES`,
//! DEALS as `0-99` or `3,7`, of seed 1.
use _native::deck;
use _native::superpuzz::board::Board;
use _native::superpuzz::decide::decide;
use _native::superpuzz::report::{Clock, Limits};
use cpu_time::ThreadTime;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let columns: usize = arguments[1].parse().expect("columns");
    let deals: Vec<u64> = match arguments[2].split_once('-') {
        Some((first, last)) => (first.parse().expect("first deal")..=last.parse().expect("last deal")).collect(),
        None => arguments[2].split(',').map(|index| index.parse().expect("a deal")).collect(),
    };
    let time_s: f64 = arguments[3].parse().expect("seconds");
    let memory_bytes: u64 = arguments[4].parse().expect("bytes");
    for index in deals {
        let cells: Vec<u8> = deck::shuffled(1, index, 4 * columns)
            .into_iter()
            .map(|number| {
                let (suit, rank) = (usize::from(number) / columns, usize::from(number) % columns + 1);
                if rank == columns { 0 } else { (suit * 16 + rank) as u8 }
            })
            .collect();
        let board = Board::new(&cells, columns).expect("a deal");
        let begin = ThreadTime::now();
        let mut never = || false;
        let limits = Limits { states: 0, memory_bytes, clock: Clock::new(time_s, &mut never) };
        let report = decide(&board, limits).expect("nobody interrupts");
        println!(
            "{index} {:?} {:?} states {} moves {} peak {} MB, {:.2} s",
            report.outcome,
            report.limit,
            report.states_count,
            report.moves.len(),
            report.peak_bytes >> 20,
            begin.elapsed().as_secs_f64()
        );
    }
}
