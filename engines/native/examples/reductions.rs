//! What each reduction is worth on the same deals, in processor time:
//! `cargo run --release --features pyo3/extension-module --example reductions -- DEALS SECONDS`, DEALS of seed 1 with 13 columns, each with so many seconds.
//!
//! First figure 6 (a) of the paper, which is lost, by the depth-first search alone, with one reduction off at a time; then how
//! many of the first deals are decided, with all reductions, without some, and with other beams.
use _native::deck;
use _native::search::{Clock, Limits, Outcome, Report};
use _native::superpuzz::board::{Board, Move};
use _native::superpuzz::decide::decide_by;
use _native::superpuzz::decide::plan::Plan;
use cpu_time::ThreadTime;

const COLUMNS: usize = 13;
const FIGURE_6A: &str = include_str!("../../superpuzz/examples/figure-6a.deal");

fn board(cells: &[u8]) -> Board {
    Board::new(cells, COLUMNS).expect("a deal")
}

fn figure() -> Board {
    let card = |word: &str| match (word.as_bytes()[0], word.as_bytes()[1]) {
        (b'-', _) | (_, b'K') => 0,
        (suit, rank) => {
            let suit = b"CDHS".iter().position(|&s| s == suit).expect("a suit");
            let rank = b"A234567890JQ".iter().position(|&r| r == rank).expect("a rank");
            (suit * 16 + rank + 1) as u8
        }
    };
    let lines = FIGURE_6A.lines().filter(|line| !line.starts_with('#'));
    board(&lines.flat_map(str::split_whitespace).map(card).collect::<Vec<u8>>())
}

fn deal(index: u64) -> Board {
    let card = |number: u8| {
        let (suit, rank) = (usize::from(number) / COLUMNS, usize::from(number) % COLUMNS + 1);
        if rank == COLUMNS { 0 } else { (suit * 16 + rank) as u8 }
    };
    board(&deck::shuffled(1, index, 4 * COLUMNS).into_iter().map(card).collect::<Vec<u8>>())
}

fn run(plan: Plan, board: &Board, time_s: f64) -> (Report<Move>, f64) {
    let begin = ThreadTime::now();
    let mut never = || false;
    let limits = Limits { states: 0, memory_bytes: 8 << 30, clock: Clock::new(time_s, &mut never) };
    let report = decide_by(plan, board, limits).expect("nobody interrupts");
    (report, begin.elapsed().as_secs_f64())
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let deals: u64 = arguments[1].parse().expect("deals");
    let time_s: f64 = arguments[2].parse().expect("seconds");
    let all = Plan::default();
    let alone = Plan { widths: &[], ..all };
    println!("figure 6 (a), depth first alone (17574132 states in all)");
    for (name, plan) in [
        ("all reductions", alone),
        ("stubborn sets not frozen", Plan { frozen: false, ..alone }),
        ("no stubborn sets", Plan { stubborn: false, ..alone }),
        ("no dead ends", Plan { dead_ends: false, ..alone }),
        ("classes alone", Plan { stubborn: false, dead_ends: false, ..alone }),
    ] {
        let (report, busy_s) = run(plan, &figure(), 0.0);
        println!("{name:28} {:?} {:>9} classes {busy_s:7.2} s", report.outcome, report.states_count);
    }
    println!("deals 0 to {} of seed 1, at most {time_s} s each", deals - 1);
    for (name, plan) in [
        ("all reductions", all),
        ("beams keep all relatives", Plan { relatives: false, ..all }),
        ("no beams", alone),
        ("stubborn sets not frozen", Plan { frozen: false, ..all }),
        ("no stubborn sets", Plan { stubborn: false, ..all }),
        ("no dead ends", Plan { dead_ends: false, ..all }),
        ("classes alone, no beams", Plan { stubborn: false, dead_ends: false, ..alone }),
    ] {
        let (mut won, mut lost, mut total_s) = (0, 0, 0.0);
        for index in 0..deals {
            let (report, busy_s) = run(plan, &deal(index), time_s);
            won += u32::from(report.outcome == Outcome::Won);
            lost += u32::from(report.outcome == Outcome::Lost);
            total_s += busy_s;
        }
        println!("{name:28} won {won:3} lost {lost:3} open {:3} {total_s:8.1} s", deals - u64::from(won + lost));
    }
}
